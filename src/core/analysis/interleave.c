/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of two memories. */
#include "analysis/interleave.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "memory/deal.h"

/* ---- the figures */

static bool is_measured(const struct interleave_point *p)
{
	return isfinite(p->share) && isfinite(p->rate.value);
}

struct amount interleave_best(const struct interleave_point *points, size_t n)
{
	const struct interleave_point *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (is_measured(&points[i]) && (!best || points[i].rate.value > best->rate.value))
			best = &points[i];
	if (!best)
		return AMOUNT_NONE;
	struct amount found = {best->share, NAN, NAN};

	if (isnan(best->rate.low))
		return found;
	for (size_t i = 0; i < n; i++)
		if (is_measured(&points[i]) && !(points[i].rate.high < best->rate.low)) {
			found.low = fmin(found.low, points[i].share);
			found.high = fmax(found.high, points[i].share);
		}
	return found;
}

/* 1 / (1 + b / a), which falls with b / a. */
struct amount interleave_advised(struct amount near, struct amount far)
{
	const struct amount ratio = amount_ratio(far, near);

	return (struct amount){
		100 / (1 + ratio.value), 100 / (1 + ratio.high), 100 / (1 + ratio.low)};
}

/* ---- the runs */

/* The node of all threads; -1: they have several. */
static int node_of_threads(const struct plan *p)
{
	for (int i = 1; i < p->nthreads; i++)
		if (p->threads[i].node != p->threads[0].node)
			return -1;
	return p->threads[0].node;
}

/* Adds a vector's bytes on each node; false: it has no fixed place. */
static bool add_bytes(const struct plan_vector *v, double bytes[MEM_MAX_NODES])
{
	double sum = 0;

	for (int i = 0; v->nodes && i < MEM_MAX_NODES; i++)
		sum += !v->nodes[i] ? 0 : v->weights ? v->weights[i] : 1;
	for (int i = 0; sum > 0 && i < MEM_MAX_NODES; i++)
		if (v->nodes[i])
			bytes[i] += (double)v->bytes * (v->weights ? v->weights[i] : 1) / sum;
	return sum > 0;
}

/* A run as the two nodes that its vectors lie on. */
struct shared {
	int near, far; /* far -1: all is near */
	double share;  /* NAN: its vectors lie otherwise */
};

static struct shared shared_of(const struct plan *p)
{
	double bytes[MEM_MAX_NODES] = {0}, sum = 0;
	struct shared s = {node_of_threads(p), -1, NAN};
	bool two = s.near >= 0 && p->nvectors;

	for (int i = 0; i < p->nvectors; i++)
		two &= add_bytes(&p->vectors[i], bytes);
	for (int i = 0; i < MEM_MAX_NODES; i++) {
		sum += bytes[i];
		if (!(bytes[i] > 0) || i == s.near)
			continue;
		two &= s.far < 0;
		s.far = i;
	}
	if (two)
		s.share = 100 * bytes[s.near] / sum;
	return s;
}

/* The kernel's weight of a node; NAN: it has none. */
static double kernel_weight(const struct topo *t, int node)
{
	for (int i = 0; i < t->nnodes; i++)
		if (t->nodes[i].node == node && t->nodes[i].kernel_weight)
			return t->nodes[i].kernel_weight;
	return NAN;
}

static struct amount kernel_share(const struct topo *t, int near, int far)
{
	const double own = kernel_weight(t, near), other = kernel_weight(t, far);

	return (struct amount){100 * own / (own + other), NAN, NAN};
}

/* The node that is shared with: that of the first run that lies on another one; -1: none does. A
 * run that lies on a third one is none of the two. */
static int far_of(const struct shared *runs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isfinite(runs[i].share) && runs[i].far >= 0)
			return runs[i].far;
	return -1;
}

static struct amount of_points(const struct experiment *x, enum quantity q,
	const struct shared *runs, struct interleave_point *points, size_t n)
{
	struct amount near = AMOUNT_NONE, far = AMOUNT_NONE;
	const int other = far_of(runs, n);
	int own = -1;

	for (size_t i = 0; i < n; i++) {
		if (runs[i].far >= 0 && runs[i].far != other)
			points[i].share = NAN;
		own = isfinite(points[i].share) ? runs[i].near : own;
		if (points[i].share >= 100)
			near = points[i].rate;
		if (points[i].share <= 0)
			far = points[i].rate;
	}
	if (other < 0 || own < 0)
		return AMOUNT_NONE;
	return q == QUANTITY_BEST_SHARE      ? interleave_best(points, n)
	       : q == QUANTITY_ADVISED_SHARE ? interleave_advised(near, far)
					     : kernel_share(x->topo, own, other);
}

struct amount interleave_along(const struct experiment *x, const struct view *v,
	const struct crossings_run *runs, int thread)
{
	const size_t n = x->sweep.variables[v->along].values.count;
	struct interleave_point *points = alloc_zeroed(n + 1, sizeof(*points));
	struct shared *shared = alloc_zeroed(n + 1, sizeof(*shared));

	for (size_t i = 0; i < n; i++) {
		points[i] = (struct interleave_point){NAN, AMOUNT_NONE};
		shared[i] = (struct shared){-1, -1, NAN};
		if (runs[i].op < 0)
			continue;
		shared[i] = shared_of(&x->runs[runs[i].run].plan);
		points[i] = (struct interleave_point){
			shared[i].share, quantity_of(x, (size_t)runs[i].run, runs[i].op, thread,
						 QUANTITY_BANDWIDTH)};
	}
	const struct amount found = of_points(x, v->quantity, shared, points, n);

	free(points);
	free(shared);
	return found;
}
