/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of all samples, node by node. */
#include "programs/affinity-fleet/held.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/robust.h"
#include "programs/affinity-fleet/layout.h"

/* Standard deviations between nodes. */
#define BEYOND 4
/* Of one result nobody knows whether the next is alike. */
#define RESULTS 2

/* Of one role's results of a node, 100 ln(time / cost). */
struct held {
	double usual, least; /* median and least over results; NAN: not known */
	size_t results;
};

static double held_in(const struct group *g, const struct result *x, const double *centre)
{
	double *all = alloc_zeroed(x->count + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < x->count; i++) {
		const size_t f = layout_find(g, x->figures[i]);

		if (f < g->layout.figures)
			all[n++] = x->times[i] - centre[f];
	}
	const double usual = robust_median(all, n);

	free(all);
	return usual;
}

static struct held held_of(const struct group *g, const struct intake *in, const struct host *h,
	enum role role, const double *centre, double own)
{
	double *all = alloc_zeroed(h->count + 1, sizeof(*all));
	struct held out = {NAN, INFINITY, 0};

	for (size_t i = 0; i < h->count; i++) {
		const struct result *x = &in->results[h->results[i]];
		const double held = x->left_out || x->role != role
					    ? NAN
					    : held_in(g, x, centre) - (isnan(own) ? 0 : own);

		if (isnan(held))
			continue;
		all[out.results++] = held;
		out.least = fmin(out.least, held);
	}
	out.usual = robust_median(all, out.results);
	free(all);
	return out;
}

/* What is usual among all nodes, and from where on a node is held up. */
struct usual {
	double middle, limit;
};

static struct usual usual_of(const struct held *first, size_t nodes, double floor)
{
	double *all = alloc_zeroed(nodes, sizeof(*all));
	struct usual u;

	for (size_t i = 0; i < nodes; i++)
		all[i] = first[i].usual;
	u.middle = robust_median(all, nodes);
	u.limit = u.middle + fmax(floor, BEYOND * robust_spread(all, nodes, u.middle));
	free(all);
	return u;
}

static bool is_held(const struct held *h, const struct usual *u)
{
	return h->results >= RESULTS && h->least > u->limit;
}

static double per_cent(double held, const struct usual *u)
{
	return 100 * expm1((held - u->middle) / 100);
}

static void tell(const struct group *g, const struct held *first, const struct held *fresh,
	const struct usual *u, size_t node, struct node_verdict *v)
{
	const bool again = v->fresh >= RESULTS;

	v->small = false;
	v->set = fleet_sets(&g->layout);
	v->kind = !again ? VERDICT_SUSPECT : is_held(fresh, u) ? VERDICT_SLOW : VERDICT_CLEARED;
	v->effect = per_cent((v->kind == VERDICT_SLOW ? fresh : &first[node])->usual, u);
	v->low = v->high = v->least = NAN;
	v->score = (first[node].usual - u->middle) / (u->limit - u->middle);
	v->others_low = INFINITY;
	v->others_high = -INFINITY;
	for (size_t i = 0; i < g->nhosts; i++)
		if (i != node && !isnan(first[i].usual)) {
			v->others_low = fmin(v->others_low, per_cent(first[i].usual, u));
			v->others_high = fmax(v->others_high, per_cent(first[i].usual, u));
		}
}

void held_judge(const struct group *g, const struct intake *in, const struct host *hosts,
	const double *centre, const double *effects, double floor, struct node_verdict *nodes)
{
	const size_t sets = fleet_sets(&g->layout);
	struct held *first = alloc_zeroed(g->nhosts, sizeof(*first));

	for (size_t i = 0; i < g->nhosts; i++)
		first[i] =
			held_of(g, in, &hosts[g->hosts[i]], ROLE_FIRST, centre, effects[i * sets]);
	const struct usual u = usual_of(first, g->nhosts, floor);

	for (size_t i = 0; i < g->nhosts; i++) {
		if (!is_held(&first[i], &u) || nodes[i].kind == VERDICT_SLOW)
			continue;
		const struct held fresh =
			held_of(g, in, &hosts[g->hosts[i]], ROLE_FRESH, centre, effects[i * sets]);

		nodes[i].fresh = fresh.results / g->nexperiments;
		tell(g, first, &fresh, &u, i, &nodes[i]);
	}
	free(first);
}
