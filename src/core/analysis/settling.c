/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First rounds, and costs that still change. */
#include "analysis/settling.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/intervals.h"
#include "base/numbers.h"
#include "statistics/settled.h"

/* Samples of one placement. */
struct range {
	size_t from, warm, to; /* of the samples: the first, the first that counts, the end */
};

static struct range next_placement(const struct op_result *o, size_t from)
{
	struct range g = {from, from, from};

	while (g.to < o->count && o->samples[g.to].placement == o->samples[from].placement)
		g.warm += o->samples[g.to++].warmup;
	return g;
}

struct amount settling_first(const struct samples *r, int op, int thread)
{
	const struct op_result *o = &r->ops[op];
	double values[PLACEMENTS_MAX];
	size_t n = 0;

	for (struct range g = {0}; g.to < o->count;) {
		g = next_placement(o, g.to);
		if (o->samples[g.from].warmup)
			values[n++] = sample_round_cost(&o->samples[g.from], thread);
	}
	return interval_of_values(values, n, r->plan->request->confidence);
}

/* ---- what had not settled */

static double mean_cost(const struct op_result *o, size_t from, size_t to, int thread)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += sample_round_cost(&o->samples[i], thread);
	return sum / (double)(to - from);
}

static bool changes_more(const struct unsettled *a, const struct unsettled *b)
{
	return fabs(log(a->to / a->from)) > fabs(log(b->to / b->from));
}

static void keep_most(struct unsettled *most, const struct unsettled *u, bool first)
{
	if (isfinite(u->to / u->from) && (first || changes_more(u, most)))
		*most = *u;
}

/* From the first sample of a placement to those that count, in the mean of all placements. */
static void ends_of_all(const struct op_result *o, int thread, struct unsettled *u)
{
	size_t n = 0;

	for (struct range g = {0}; g.to < o->count;) {
		g = next_placement(o, g.to);
		if (g.warm == g.to)
			continue;
		u->from += mean_cost(o, g.from, g.from + 1, thread);
		u->to += mean_cost(o, g.warm, g.to, thread);
		u->samples = g.to - g.from > u->samples ? g.to - g.from : u->samples;
		n++;
	}
	u->from /= (double)n;
	u->to /= (double)n;
}

/* The samples of a thread that count, as a series for each placement. */
struct gathered {
	struct series_of series[PLACEMENTS_MAX];
	double *values;
	size_t m, longest;
};

static void gather_samples(const struct op_result *o, int thread, struct gathered *all)
{
	size_t used = 0;

	all->m = all->longest = 0;
	for (struct range g = {0}; g.to < o->count;) {
		g = next_placement(o, g.to);
		const size_t n = g.to - g.warm;

		all->series[all->m++] = (struct series_of){all->values + used, n};
		all->longest = n > all->longest ? n : all->longest;
		for (size_t i = 0; i < n; i++)
			all->values[used++] = sample_round_cost(&o->samples[g.warm + i], thread);
	}
}

static bool has_usable_samples(const struct gathered *all)
{
	for (size_t p = 0; p < all->m; p++)
		for (size_t i = 0; i < all->series[p].n; i++)
			if (!(all->series[p].values[i] > 0) || !isfinite(all->series[p].values[i]))
				return false;
	return all->m > 0;
}

/* As many figures are asked as there are threads. */
static bool trend_of(const struct samples *r, int op, int thread, struct unsettled *u)
{
	const struct op_result *o = &r->ops[op];
	struct gathered all = {.values = alloc_zeroed(o->count + 1, sizeof(double))};
	bool found = false;

	gather_samples(o, thread, &all);
	if (has_usable_samples(&all)) {
		struct trend t = settled_trend(all.series, all.m);
		double mean = 0;

		for (size_t p = 0; p < all.m; p++)
			for (size_t i = 0; i < all.series[p].n; i++)
				mean += all.series[p].values[i] / (double)all.series[p].n /
					(double)all.m;
		found = settled_is_trend(&t, SETTLED_TOLD / r->plan->nthreads);
		*u = (struct unsettled){.thread = thread,
			.from = t.from * mean,
			.to = t.to * mean,
			.samples = all.longest};
	}
	free(all.values);
	return found;
}

bool settling_of(const struct samples *r, int op, struct unsettled *u)
{
	const struct op_result *o = &r->ops[op];
	bool any = false;

	*u = (struct unsettled){0};
	for (int k = 0; k < r->plan->nthreads; k++) {
		struct unsettled one = {.placements = o->restless, .thread = k};
		bool found = true;

		if (o->restless)
			ends_of_all(o, k, &one);
		else
			found = trend_of(r, op, k, &one);
		if (found)
			keep_most(u, &one, !any);
		any |= found;
	}
	return any;
}

/* "4.3 to 1.5 ms" */
static char *ends(double from, double to)
{
	const struct amount both[] = {{.value = from}, {.value = to}};
	const struct scale s = numbers_scale("s", both, 2);

	return alloc_format(
		"%.3g to %.3g %s", from * s.factor, to * s.factor, s.unit ? s.unit : "s");
}

char *settling_text(const struct samples *r, int op, const struct unsettled *u)
{
	const struct plan_job *job = &r->plan->ops[op].jobs[u->thread];
	const struct request *q = r->plan->request;
	double units = q->window_ns ? 1 : 0;
	char *costs = ends(u->from, u->to), *rates = alloc_format("%s", "");

	for (size_t i = 0; !units && i < r->ops[op].count; i++)
		if (!r->ops[op].samples[i].warmup)
			units = sample_round_units(&r->ops[op].samples[i], u->thread);
	double bytes = units * plan_work(job).bytes;

	if (bytes > 0) {
		free(rates);
		rates = alloc_format(
			" (%.3g to %.3g GB/s)", bytes / u->from * 1e-9, bytes / u->to * 1e-9);
	}
	char *text = alloc_format("%s%s from %s%s%s within %zu samples",
		u->placements ? "still " : "", u->to < u->from ? "falls" : "rises", costs,
		q->window_ns ? "/unit" : "", rates, u->samples);

	free(costs);
	free(rates);
	return text;
}
