/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes sums of counts and applies formulas to them. */
#include "analysis/counters.h"

#include <math.h>

#include "statistics/intervals.h"

/* Where a formula finds its events. */
struct view_of_counts {
	const struct counting *counting;
	const struct plan_thread *threads;
	const struct op_result *result;
	int first, last; /* threads */
	int pass;        /* -1: the first that has the event */
	bool per_unit;
	long only; /* the number of a sample in its pass; ALL_SAMPLES: all of them */
};

#define ALL_SAMPLES (-1)

/* What a count is divided by to be that of the work whose cost is shown. */
static double rounds_of(const struct sample *s, int thread)
{
	return s->threads[thread].rounds ? (double)s->threads[thread].rounds : 1;
}

/* The mean count of an event over all samples of a pass: for each unit that was worked meanwhile,
 * or for each sample, or round where their number was calibrated. */
static double mean_count(
	const struct view_of_counts *v, const struct counting_pass *p, size_t event)
{
	double count = 0, units = 0;
	size_t samples = 0;
	long number = 0;

	for (size_t i = 0; i < v->result->ncounted; i++) {
		const struct sample *s = &v->result->counted[i];

		if (s->pass != p || (v->only != ALL_SAMPLES && number++ != v->only))
			continue;
		samples++;
		for (int t = v->first; t <= v->last; t++) {
			count += s->counts[(size_t)t * p->n + event] /
				 (v->per_unit ? 1 : rounds_of(s, t));
			units += (double)s->threads[t].worked;
		}
	}
	/* the PMU of another kind of cores reads 0 whatever happens */
	for (int t = v->first; t <= v->last; t++)
		if (counting_silent(&v->counting->events[p->events[event]], v->threads[t].kind))
			return NAN;
	if (!samples || (v->per_unit && !(units > 0)))
		return NAN;
	return count / (v->per_unit ? units : (double)samples);
}

static double event_value(const void *arg, const char *event)
{
	const struct view_of_counts *v = arg;

	for (size_t i = 0; i < v->counting->npasses; i++) {
		const struct counting_pass *p = &v->counting->passes[i];
		long at = v->pass < 0 || (size_t)v->pass == i ? counting_pass_find(p, event) : -1;

		if (at >= 0)
			return mean_count(v, p, (size_t)at);
	}
	return NAN;
}

/* Events of different passes come from different samples, which may have done different amounts of
 * work (mode: time). Ratios therefore use the counts for each unit, where there are units. */
static struct counter_figure figure_of(
	const struct samples *r, int op, int thread, const struct counted_metric *m, long only)
{
	struct view_of_counts v = {r->plan->counting, r->plan->threads, &r->ops[op], thread, thread,
		m->pass, false, only};

	if (thread == ALL_THREADS) {
		v.first = 0;
		v.last = r->plan->nthreads - 1;
	}
	struct counter_figure f = {.value = formula_value(&m->formula, event_value, &v)};
	v.per_unit = true;
	f.per_unit = formula_value(&m->formula, event_value, &v);
	if (counter_kind(m) == METRIC_COUNT)
		return f;
	if (m->pass < 0 && isfinite(f.per_unit))
		f.value = f.per_unit;
	f.per_unit = NAN;
	return f;
}

struct counter_figure derive_counter(
	const struct samples *r, int op, int thread, const struct counted_metric *m)
{
	if (!m->formula.text || !r->ops)
		return (struct counter_figure){NAN, NAN};
	return figure_of(r, op, thread, m, ALL_SAMPLES);
}

static double shown_counter(const struct counted_metric *m, struct counter_figure f)
{
	return counter_kind(m) == METRIC_COUNT ? f.per_unit : f.value;
}

double derive_counter_shown(
	const struct samples *r, int op, int thread, const struct counted_metric *m)
{
	return shown_counter(m, derive_counter(r, op, thread, m));
}

static struct amount interval_of(const double *values, size_t n, double confidence)
{
	const struct amount of_logs = interval_of_values(values, n, confidence);
	struct stats s;

	if (isfinite(of_logs.value) || stats_of(values, n, confidence, &s))
		return of_logs;
	return amount_said((struct amount){s.mean, s.mean - s.ci_mean, s.mean + s.ci_mean});
}

struct amount derive_counter_amount(
	const struct samples *r, int op, int thread, const struct counted_metric *m)
{
	const double value = derive_counter_shown(r, op, thread, m);
	double values[COUNTED_SAMPLES];

	if (!isfinite(value))
		return AMOUNT_NONE;
	for (long i = 0; i < COUNTED_SAMPLES; i++)
		values[i] = shown_counter(m, figure_of(r, op, thread, m, i));
	const struct amount a = interval_of(values, COUNTED_SAMPLES, r->plan->request->confidence);

	return (struct amount){value, a.low, a.high};
}
