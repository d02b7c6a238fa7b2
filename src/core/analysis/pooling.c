/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the variances that figures of all runs share. */
#include "analysis/pooling.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "statistics/intervals.h"

const char *const family_names[FAMILIES] = {
	[FAMILY_COST] = "cost",
	[FAMILY_BUSY] = "busy",
	[FAMILY_UNIT] = "unit",
	[FAMILY_COST_OF_ALL] = "total",
	[FAMILY_BUSY_OF_ALL] = "together_busy",
	[FAMILY_UNIT_OF_ALL] = "together_unit",
	[FAMILY_RATE] = "together_units",
	[FAMILY_BANDWIDTH] = "together_bytes",
	[FAMILY_TRAFFIC] = "together_traffic",
	[FAMILY_SPEEDUP] = "speedup",
	[FAMILY_SPEEDUP_OF_ALL] = "speedup_total",
	[FAMILY_SLOWDOWN] = "slowdown",
	[FAMILY_OVERHEAD] = "overhead",
};

/* An empty call takes a fraction of a microsecond, and one interrupt makes it fifty times as long.
 */
static bool does_nothing(const struct plan *p, int op, int who)
{
	for (int k = 0; k < p->nthreads; k++)
		if (derive_counts(p, who, k) && !p->ops[op].jobs[k].kernel->nothing)
			return false;
	return true;
}

const struct kin *pooling_kin(const struct samples *r, enum family family, int op, int thread)
{
	static const struct kin none;

	return r->pooling && !does_nothing(r->plan, op, thread) ? &r->pooling->families[family].kin
								: &none;
}

static size_t count_groups(const struct variance *list, size_t m)
{
	size_t groups = 0;

	for (size_t i = 0; i < m; i++)
		groups += !i || list[i].group != list[i - 1].group;
	return groups;
}

static double fewest_df(const struct variance *list, size_t m)
{
	double fewest = INFINITY;

	for (size_t i = 0; i < m; i++)
		fewest = fmin(fewest, list[i].df);
	return fewest;
}

/* With twice the relative error of a sum of so many rare events (Poisson) for what was not seen.
 * The variance of the sum of such events is the sum of their squares. */
static void rare_of(const struct gathered *g, struct kin *k)
{
	if (!g->far)
		return;
	double unseen = 1 + 2 / sqrt((double)g->far);

	k->rare = g->far_sum / (double)g->samples * unseen;
	k->rare_error = sqrt(g->far_squares / (double)g->samples * unseen);
}

/* Leaves out the variances of 0, if they are few. */
static void drop_equal(struct gathered *g)
{
	size_t kept = 0;

	for (size_t i = 0; i < g->m; i++)
		kept += g->list[i].value > 0;
	if ((double)(g->m - kept) > POOLING_EQUAL * (double)g->m)
		return;
	kept = 0;
	for (size_t i = 0; i < g->m; i++)
		if (g->list[i].value > 0)
			g->list[kept++] = g->list[i];
	g->m = kept;
}

static const char *reason_against(const struct gathered *g, size_t runs)
{
	if (g->m < POOLING_FIGURES)
		return "too few figures";
	if (runs < (fewest_df(g->list, g->m) < 2 ? POOLING_RUNS_TWO : POOLING_RUNS))
		return "too few runs";
	if (g->few)
		return "too few samples";
	if (!(fabs(g->skewnesses) <= POOLING_SKEWNESS * (double)g->m))
		return "samples are lopsided";
	return NULL;
}

struct pooling_family pooling_decide(struct gathered *g)
{
	struct pooling_family f = {
		.samples = g->samples, .figures = g->m, .runs = count_groups(g->list, g->m)};

	rare_of(g, &f.kin);
	f.own = reason_against(g, f.runs);
	drop_equal(g);
	if (!f.own)
		f.kin.prior = prior_fit(g->list, g->m);
	if (!f.own && !f.kin.prior.figures)
		f.own = "the placements of a figure do not differ";
	free(g->list);
	*g = (struct gathered){0};
	return f;
}

static void gather_variance(struct gathered *g, struct variance v, const struct deviations *shape)
{
	if (!(v.df > 0) || isnan(v.value))
		return;
	g->list = alloc_grow(g->list, g->m, sizeof(*g->list));
	g->list[g->m++] = v;
	g->skewnesses += shape->skewness;
}

static void count_shapes(struct gathered *g, const struct estimate *x)
{
	g->samples += x->stats.n;
	g->far += x->shape.far;
	g->far_sum += x->shape.far_sum;
	g->far_squares += x->shape.far_squares;
	g->few |= x->stats.n < POOLING_SAMPLES * x->placements;
}

void pooling_gather(struct gathered *g, const struct estimate *x, size_t run)
{
	count_shapes(g, x);
	gather_variance(g, interval_variance(x->each, x->placements, run), &x->shape);
}

void pooling_gather_ratio(
	struct gathered *g, const struct estimate *a, const struct estimate *b, size_t run)
{
	double ratios[PLACEMENTS_MAX];
	size_t n = estimate_pair(a, b, ratios);
	bool first = fabs(a->shape.skewness) > fabs(b->shape.skewness);

	count_shapes(g, a);
	count_shapes(g, b);
	if (n)
		gather_variance(
			g, interval_variance(ratios, n, run), first ? &a->shape : &b->shape);
}

static void gather_thread(struct gathered *all, const struct samples *r, int op, int k, size_t run)
{
	struct figures f;

	if (does_nothing(r->plan, op, k) || derive_thread(r, op, k, &f))
		return;
	pooling_gather(&all[FAMILY_COST], &f.cost, run);
	pooling_gather(&all[FAMILY_BUSY], &f.busy, run);
	if (isfinite(f.ns_per_unit))
		pooling_gather(&all[FAMILY_UNIT], &f.unit_s, run);
}

static void gather_operation(struct gathered *all, const struct samples *r, int op, size_t run)
{
	struct estimate x;

	for (int k = 0; k < r->plan->nthreads; k++)
		gather_thread(all, r, op, k, run);
	if (does_nothing(r->plan, op, ALL_THREADS))
		return;
	if (!derive_cost_estimate(r, op, ALL_THREADS, &x))
		pooling_gather(&all[FAMILY_COST_OF_ALL], &x, run);
	for (enum family f = FAMILY_BUSY_OF_ALL; f <= FAMILY_TRAFFIC; f++)
		if (!derive_whole(r, op, ALL_THREADS, f, &x))
			pooling_gather(&all[f], &x, run);
}

static void gather_speedups(struct gathered *all, const struct samples *r, size_t run)
{
	for (int i = 0; i < r->plan->nspeedups; i++) {
		const struct plan_speedup *s = &r->plan->speedups[i];
		struct estimate over, under;

		for (int k = ALL_THREADS; s->over != s->under && k < r->plan->nthreads; k++)
			if (!does_nothing(r->plan, s->over, k) &&
				!does_nothing(r->plan, s->under, k) &&
				!derive_cost_estimate(r, s->over, k, &over) &&
				!derive_cost_estimate(r, s->under, k, &under))
				pooling_gather_ratio(&all[k == ALL_THREADS ? FAMILY_SPEEDUP_OF_ALL
									   : FAMILY_SPEEDUP],
					&over, &under, run);
	}
}

static void gather_alone(struct gathered *all, const struct run *t, int op, size_t run)
{
	struct estimate a, b;

	for (int k = 0; k < t->plan.nthreads; k++)
		if (!does_nothing(&t->plan, op, k) && !derive_slowdown_costs(t, op, k, &a, &b))
			pooling_gather_ratio(&all[FAMILY_SLOWDOWN], &a, &b, run);
	if (!does_nothing(&t->plan, op, ALL_THREADS) &&
		!derive_overhead_costs(t, op, ALL_THREADS, &a, &b))
		pooling_gather_ratio(&all[FAMILY_OVERHEAD], &a, &b, run);
}

static void gather_run(struct gathered *all, const struct run *t, size_t run)
{
	for (int op = 0; op < t->plan.nops; op++) {
		gather_operation(all, &t->samples, op, run);
		for (int k = 0; t->solos && k < t->plan.nthreads; k++)
			gather_operation(all, &t->solos[k], op, run);
		gather_alone(all, t, op, run);
	}
	gather_speedups(all, &t->samples, run);
}

static void tell_runs(const struct pooling *s, struct experiment *x)
{
	x->pooling = s;
	for (size_t i = 0; i < x->nruns; i++) {
		x->runs[i].samples.pooling = s;
		for (int k = 0; x->runs[i].solos && k < x->runs[i].plan.nthreads; k++)
			x->runs[i].solos[k].pooling = s;
	}
}

/* What targetError is about is the interval that ended the sampling. */
static bool any_target(const struct experiment *x)
{
	bool any = false;

	for (size_t i = 0; i < x->nruns; i++)
		any |= !x->runs[i].skipped && x->runs[i].request.target_error > 0;
	return any;
}

static void keep_own(struct pooling_family *f)
{
	f->kin.prior = PRIOR_NONE;
	f->own = "targetError";
}

void pooling_fit(struct pooling *s, struct experiment *x)
{
	struct gathered all[FAMILIES] = {0};

	tell_runs(NULL, x);
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && x->runs[i].samples.ops)
			gather_run(all, &x->runs[i], i);
	for (int f = 0; f < FAMILIES; f++) {
		s->families[f] = pooling_decide(&all[f]);
		if (any_target(x))
			keep_own(&s->families[f]);
	}
	tell_runs(s, x);
}
