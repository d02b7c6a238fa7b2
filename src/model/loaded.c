/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Latency under load. */
#include "model/loaded.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fit.h"
#include "base/root.h"
#include "base/steffen.h"
#include "model/learn.h"

/* One load, and none, make no curve. */
#define LEAST 2

struct point {
	double used, latency, weight;
};

double loaded_used(const struct loaded_run *r)
{
	double used = 0;

	for (size_t i = 0; i < r->count; i++)
		used += MODEL_LINE * r->others[i].lines / r->others[i].cost;
	return used;
}

static int by_use(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

/* Loads that differ by less are one. */
static bool is_same_load(const struct point *a, const struct point *b)
{
	return b->used - a->used <= LEARN_ERROR * b->used;
}

static struct point mean(struct point a, struct point b)
{
	const double weight = a.weight + b.weight;

	return (struct point){(a.used * a.weight + b.used * b.weight) / weight,
		(a.latency * a.weight + b.latency * b.weight) / weight, weight};
}

/* Sorted points, as many as stay: loads that are the same are one of them. */
static size_t join(struct point *p, size_t n)
{
	size_t kept = 1;

	for (size_t i = 1; i < n; i++)
		if (is_same_load(&p[kept - 1], &p[i]))
			p[kept - 1] = mean(p[kept - 1], p[i]);
		else
			p[kept++] = p[i];
	return kept;
}

/* Latencies that fall become the mean of their block. */
static void pool(struct point *p, size_t n)
{
	struct point *block = alloc_zeroed(n, sizeof(*block));
	size_t *ends = alloc_zeroed(n, sizeof(*ends)), blocks = 0;

	for (size_t i = 0; i < n; i++) {
		block[blocks] = p[i];
		ends[blocks++] = i + 1;
		while (blocks > 1 && block[blocks - 2].latency > block[blocks - 1].latency) {
			block[blocks - 2] = mean(block[blocks - 2], block[blocks - 1]);
			ends[blocks - 2] = ends[blocks - 1];
			blocks--;
		}
	}
	for (size_t i = 0, k = 0; i < n; i++) {
		k += i == ends[k];
		p[i].latency = block[k].latency;
	}
	free(block);
	free(ends);
}

double loaded_latency(const struct loaded *l, double used)
{
	return steffen_at(l->used, l->latency, l->count, used);
}

static double growth(const struct loaded *l, double used)
{
	return loaded_latency(l, used) - l->latency[0];
}

static double cost(const struct loaded_other *o, double waits, double grown)
{
	return o->alone + o->lines * waits * grown;
}

struct task {
	const struct loaded *found;
	const struct loaded_run *runs;
	size_t count, without;
};

static void residuals(void *with, const double *waits, double *out)
{
	const struct task *t = with;

	for (size_t i = 0; i < t->count; i++) {
		const double grown = t->runs[i].latency - t->found->latency[0];

		for (size_t k = 0; k < t->runs[i].count && i != t->without; k++) {
			const struct loaded_other *o = &t->runs[i].others[k];

			*out++ = cost(o, *waits, grown) / o->cost - 1;
		}
	}
}

static int fit_waits(struct loaded *l, const struct loaded_run *runs, size_t count, size_t without)
{
	struct task task = {l, runs, count, without};
	struct fit f = {residuals, &task, 0, 1};

	for (size_t i = 0; i < count; i++)
		f.rows += i != without ? runs[i].count : 0;
	l->waits = 0;
	if (fit_least_squares(&f, &l->waits, &l->error))
		return -1;
	l->waits = fmax(0, l->waits); /* others make nobody faster */
	return 0;
}

static void take(struct loaded *l, struct point *p, size_t n)
{
	l->count = join(p, n);
	pool(p, l->count);
	l->used = alloc_zeroed(l->count, sizeof(*l->used));
	l->latency = alloc_zeroed(l->count, sizeof(*l->latency));
	for (size_t i = 0; i < l->count; i++) {
		l->used[i] = p[i].used;
		l->latency[i] = p[i].latency;
	}
}

int loaded_fit(
	struct loaded *l, double idle, const struct loaded_run *runs, size_t count, size_t without)
{
	struct point *p = alloc_zeroed(count + 1, sizeof(*p));
	size_t n = 0;

	*l = (struct loaded){.waits = NAN, .error = NAN};
	p[n++] = (struct point){0, idle, 1};
	for (size_t i = 0; i < count; i++)
		if (i != without)
			p[n++] = (struct point){loaded_used(&runs[i]), runs[i].latency, 1};
	qsort(p, n, sizeof(*p), by_use);
	if (n > LEAST && p[n - 1].used > 0 && isfinite(idle))
		take(l, p, n);
	free(p);
	return l->count > LEAST && !fit_waits(l, runs, count, without) ? 0 : -1;
}

void loaded_free(struct loaded *l)
{
	free(l->used);
	free(l->latency);
	*l = (struct loaded){.count = 0};
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void loaded_between(struct loaded *l, const struct loaded *a, const struct loaded *b, double part)
{
	const size_t all = a->count + b->count;
	const double most = fmin(a->used[a->count - 1], b->used[b->count - 1]);
	double *used = alloc_zeroed(all, sizeof(*used));

	*l = (struct loaded){.used = used,
		.latency = alloc_zeroed(all, sizeof(*l->latency)),
		.waits = (1 - part) * a->waits + part * b->waits,
		.error = NAN};
	for (size_t i = 0; i < all; i++)
		used[i] = i < a->count ? a->used[i] : b->used[i - a->count];
	qsort(used, all, sizeof(*used), by_size);
	for (size_t i = 0; i < all; i++)
		if (used[i] <= most && (!l->count || used[i] > used[l->count - 1]))
			used[l->count++] = used[i];
	for (size_t i = 0; i < l->count; i++)
		l->latency[i] =
			(1 - part) * loaded_latency(a, used[i]) + part * loaded_latency(b, used[i]);
}

/* A run, and what its others use if so much is used. */
struct balance {
	const struct loaded *law;
	struct loaded_run *run;
};

static double excess(double used, void *arg)
{
	const struct balance *b = arg;
	const double grown = growth(b->law, used);

	for (size_t i = 0; i < b->run->count; i++) {
		struct loaded_other *o = &b->run->others[i];

		o->cost = cost(o, b->law->waits, grown);
	}
	return loaded_used(b->run) - used;
}

int loaded_predict(const struct loaded *l, struct loaded_run *r)
{
	struct balance b = {l, r};
	const double most = l->used[l->count - 1], more = excess(most, &b);
	double used = most;

	/* what was measured as the most is the most within its error */
	if (more > LEARN_ERROR * most)
		return -1;
	if (more < 0)
		used = root_between(excess, &b, 0, most, 1e-9);
	r->latency = loaded_latency(l, used);
	excess(used, &b);
	return 0;
}
