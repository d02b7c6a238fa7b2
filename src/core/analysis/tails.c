/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the histograms of threads and samples, and makes figures of them. */
#include "analysis/tails.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "statistics/intervals.h"
#include "statistics/percentile.h"
#include "statistics/robust.h"

const struct tail_name tail_names[TAIL_PARTS] = {
	[TAIL_P1] = {"p1", 0.01},
	[TAIL_P50] = {"p50", 0.5},
	[TAIL_P90] = {"p90", 0.9},
	[TAIL_P99] = {"p99", 0.99},
	[TAIL_P99_9] = {"p99.9", 0.999},
	[TAIL_P99_99] = {"p99.99", 0.9999},
};

double tails_ns(const struct tails *t, double ticks)
{
	return ticks * t->tick - t->pair;
}

static double ticks_of(const struct tails *t, double ns)
{
	return (ns + t->pair) / t->tick;
}

static struct histogram merge(const struct histogram *list, size_t n)
{
	struct histogram all = {0};

	for (size_t i = 0; i < n; i++)
		histogram_merge(&all, &list[i]);
	return all;
}

struct histogram tails_merged(const struct tails *t)
{
	return merge(t->clusters, t->nclusters);
}

static void free_list(struct histogram *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		histogram_free(&list[i]);
	free(list);
}

void tails_free(struct tails *t)
{
	free_list(t->clusters, t->nclusters);
	*t = (struct tails){0};
}

/* ---- one way of counting */

static struct tail_figure figure_of(const struct tails *t, const struct histogram *clusters,
	const struct histogram *all, double part, double confidence)
{
	const struct percentile p = percentile_of(clusters, t->nclusters, all, part, confidence);
	struct tail_figure f = {AMOUNT_NONE, NAN, p.design, p.needed};
	const double ns = tails_ns(t, p.value.value);

	if (ns < t->least)
		f.below = t->least;
	else /* the clock may have been read a step too late or too early */
		f.ns = (struct amount){ns, fmax(tails_ns(t, p.value.low) - t->step, 0),
			tails_ns(t, p.value.high) + t->step};
	if (isnan(p.value.low))
		f.ns.low = f.ns.high = NAN;
	return f;
}

static struct tail_side side_of(
	const struct tails *t, const struct histogram *clusters, double confidence)
{
	struct histogram all = merge(clusters, t->nclusters);
	struct tail_side s = {.n = (double)all.n,
		.clamped = (double)all.clamped,
		.above = AMOUNT_NONE,
		.time_above = NAN};
	const double from = ticks_of(t, t->above);

	for (int i = 0; all.n && i < TAIL_PARTS; i++)
		s.figures[i] = figure_of(t, clusters, &all, tail_names[i].part, confidence);
	/* what is less than a figure below the step is below it too, however few the events */
	for (int i = TAIL_PARTS - 1; i > 0; i--)
		if (isfinite(s.figures[i].below) && isnan(s.figures[i - 1].below)) {
			s.figures[i - 1].ns = AMOUNT_NONE;
			s.figures[i - 1].below = s.figures[i].below;
			s.figures[i - 1].needed = 0;
		}
	if (all.n) {
		const double above = s.n - histogram_up_to(&all, from);
		const double whole = all.sum - (s.n - s.clamped) * t->pair / t->tick;

		s.longest = all.clamped ? INFINITY : tails_ns(t, all.most);
		if (s.longest < t->least)
			s.longest = NAN;
		if (t->above >= t->least)
			s.above = percentile_share_above(
				clusters, t->nclusters, &all, from, confidence);
		/* how long the clamped ones took is not known */
		if (t->above >= t->least && whole > 0 && !all.clamped)
			s.time_above =
				fmin((histogram_sum_above(&all, from) - above * t->pair / t->tick) /
						whole,
					1);
		s.unclear = (histogram_up_to(&all, ticks_of(t, TAIL_INTERRUPT_NS)) -
				    histogram_up_to(&all, ticks_of(t, TAIL_SYSTEM_NS))) /
			    s.n;
	}
	histogram_free(&all);
	return s;
}

struct amount tails_percentile(const struct tail_side *s, int part)
{
	return s->figures[part].ns;
}

struct amount tails_longest(const struct tail_side *s, int unused)
{
	(void)unused;
	return (struct amount){isfinite(s->longest) ? s->longest : NAN, NAN, NAN};
}

struct amount tails_above(const struct tail_side *s, int unused)
{
	(void)unused;
	return amount_times(s->above, 100);
}

struct amount tails_time_above(const struct tail_side *s, int unused)
{
	(void)unused;
	return (struct amount){s->time_above * 100, NAN, NAN};
}

/* Of more blocks those that are left are a choice. */
#define LOST_BLOCKS 0.25

bool tails_lost(const struct tails *t)
{
	return t->switched > LOST_BLOCKS * t->blocks;
}

/* ---- from samples */

/* The cluster of a timed sample: its placement, or itself where there is only one. */
static size_t cluster_of(const struct op_result *result, size_t sample, size_t placements)
{
	return placements > 1 ? result->timed[sample].placement : sample;
}

static void add_thread(struct tails *t, const struct timed_thread *from, struct histogram *kept,
	struct histogram *all, struct histogram *pairs, double *ns)
{
	histogram_merge(kept, &from->kept);
	histogram_merge(all, &from->kept);
	histogram_merge(all, &from->apart);
	histogram_merge(pairs, &from->pairs);
	t->blocks += (double)from->blocks;
	t->switched += (double)from->switched;
	if (from->looked) {
		t->interrupts =
			(double)from->interrupts + (isnan(t->interrupts) ? 0 : t->interrupts);
		t->interrupted += (double)from->interrupted;
	}
	t->group = (double)from->group;
	if (from->step > 0 && !(t->step < from->step))
		t->step = from->step;
	t->tick += from->ticks;
	*ns += from->ns;
}

/* By how many ticks pairs of stamps of a sample vary. */
static double spread_of(const struct histogram *pairs)
{
	const double n = (double)pairs->n;

	return histogram_at(pairs, ceil(0.999 * n)).high - histogram_at(pairs, ceil(n / 2)).high;
}

/* What stamps take, in nanoseconds; what is less than they vary, or than two steps of the clock, is
 * not told from nothing. In a sample in which other programs disturbed the pairs they vary more. */
static void know_stamps(
	struct tails *t, const struct histogram *pairs, double ns, double *spreads, size_t nspreads)
{
	const double n = (double)pairs->n;
	const double middle = histogram_at(pairs, ceil(n / 2)).high;

	t->tick = ns / t->tick;
	t->pair = middle * t->tick;
	t->step = (isnan(t->step) ? 1 : t->step) * t->tick;
	t->least = fmax(robust_median(spreads, nspreads) * t->tick, 2 * t->step);
}

/* The mean of a unit in the samples without stamps of a placement, in ns: the statistic of the file
 * may be another one. Timed events are without lost CPUs, so samples that are disturbed have no
 * part in it. NAN: there are none. */
static double untimed(const struct op_result *result, size_t placement, int thread)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++) {
		const struct sample *s = &result->samples[i];
		const double unit = sample_own_unit_time(s, thread);

		if (s->warmup || s->disturbed || s->placement != placement || isnan(unit))
			continue;
		sum += unit;
		n++;
	}
	return n ? 1e9 * sum / (double)n : NAN;
}

/* Timed over untimed mean, over placements. */
static struct amount timing(const struct samples *r, int op, int thread, const struct tails *t)
{
	const double units = r->plan->ops[op].jobs[thread].kernel->events->units;
	const struct op_result *result = &r->ops[op];
	const size_t placements = result->timed[result->ntimed - 1].placement + 1;
	double ratios[PLACEMENTS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < placements && i < PLACEMENTS_MAX; i++) {
		struct histogram own = placements > 1 ? merge(&t->clusters[i], 1)
						      : merge(t->clusters, t->nclusters);
		const double counted = (double)(own.n - own.clamped);
		const double ratio =
			tails_ns(t, own.sum / counted) / (units * untimed(result, i, thread));

		if (isfinite(ratio))
			ratios[n++] = ratio;
		histogram_free(&own);
	}
	return n ? interval_of_values(ratios, n, r->plan->request->confidence) : AMOUNT_NONE;
}

static bool times_events(const struct samples *r, int op, int who, int thread)
{
	return derive_counts(r->plan, who, thread) &&
	       plan_event_group(r->plan, &r->plan->ops[op], thread);
}

/* Times of unlike events, or one of so many of some and of others, are no distribution together. */
static bool times_unlike(const struct samples *r, int op, int who)
{
	const struct plan_op *o = &r->plan->ops[op];
	int first = -1;

	for (int i = 0; i < r->plan->nthreads; i++) {
		if (!times_events(r, op, who, i))
			continue;
		first = first < 0 ? i : first;
		if (o->jobs[i].kernel->events != o->jobs[first].kernel->events ||
			plan_event_group(r->plan, o, i) != plan_event_group(r->plan, o, first))
			return true;
	}
	return false;
}

static void finish_tails(
	const struct samples *r, int op, int who, struct tails *t, const struct histogram *all)
{
	const double confidence = r->plan->request->confidence;

	t->above = (double)r->plan->request->tail_ns;
	t->kept = side_of(t, t->clusters, confidence);
	t->all = side_of(t, all, confidence);
	t->timing = AMOUNT_NONE;
	if (who >= 0 && t->kept.n && isnan(t->kept.figures[TAIL_P50].below) &&
		!r->plan->ops[op].jobs[who].kernel->events->alone)
		t->timing = timing(r, op, who, t);
	for (int i = 0; i < r->plan->nthreads; i++)
		if (times_events(r, op, who, i))
			t->event = r->plan->ops[op].jobs[i].kernel->events->what;
}

int tails_of(const struct samples *r, int op, int who, struct tails *t)
{
	const struct op_result *result = &r->ops[op];
	const size_t last = result->ntimed ? result->timed[result->ntimed - 1].placement + 1 : 0;
	struct histogram *all, pairs = {0};
	double ns = 0, *spreads;
	size_t nspreads = 0;

	if (times_unlike(r, op, who)) {
		*t = (struct tails){0};
		return -1;
	}
	*t = (struct tails){
		.step = NAN, .interrupts = NAN, .nclusters = last > 1 ? last : result->ntimed};
	t->clusters = alloc_zeroed(t->nclusters + 1, sizeof(*t->clusters));
	all = alloc_zeroed(t->nclusters + 1, sizeof(*all));
	spreads = alloc_zeroed(result->ntimed * (size_t)r->plan->nthreads + 1, sizeof(*spreads));
	for (size_t i = 0; i < result->ntimed; i++) {
		const size_t k = cluster_of(result, i, last);

		for (int thread = 0; thread < r->plan->nthreads; thread++)
			if (times_events(r, op, who, thread)) {
				const struct timed_thread *from = &result->timed[i].threads[thread];

				add_thread(t, from, &t->clusters[k], &all[k], &pairs, &ns);
				spreads[nspreads++] = spread_of(&from->pairs);
			}
	}
	const bool none = !t->blocks;

	if (!none) {
		know_stamps(t, &pairs, ns, spreads, nspreads);
		finish_tails(r, op, who, t, all);
	}
	free_list(all, t->nclusters);
	histogram_free(&pairs);
	free(spreads);
	return none ? -1 : 0;
}
