/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs, rates, totals and ratios. */
#include "derive.h"

#include <math.h>
#include <stdlib.h>

#include "alloc.h"

typedef double stint_figure(const struct sample *s, int thread);

/* Statistics of a figure over the samples that count. 0, or -1 when there are none. */
static int stats_over(
	const struct run *r, int op, int thread, stint_figure *figure, struct stats *out)
{
	const struct op_result *result = &r->ops[op];
	double *values = alloc_zeroed(result->count + 1, sizeof(*values));
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++)
		if (!result->samples[i].warmup)
			values[n++] = figure(&result->samples[i], thread);
	int failed = stats_of(values, n, r->plan->request->confidence, out);
	free(values);
	return failed;
}

static double chosen(const struct run *r, const struct stats *s)
{
	switch (r->plan->request->statistic) {
	case STATISTIC_MEDIAN:
		return s->median;
	case STATISTIC_MIN:
		return s->min;
	default:
		return s->mean;
	}
}

static void set_interval(const struct run *r, struct figures *f)
{
	f->low = NAN;
	f->high = NAN;
	if (r->plan->request->statistic == STATISTIC_MEAN && f->cost.n > 1) {
		f->low = f->cost.mean - f->cost.ci_mean;
		f->high = f->cost.mean + f->cost.ci_mean;
	}
	if (r->plan->request->statistic == STATISTIC_MEDIAN) {
		f->low = f->cost.median_low;
		f->high = f->cost.median_high;
	}
}

/* Of the last sample: a kernel does the same in each. */
static double units_of(const struct run *r, int op, int thread)
{
	const struct op_result *result = &r->ops[op];

	return (double)result->samples[result->count - 1].stints[thread].units;
}

int derive_thread(const struct run *r, int op, int thread, struct figures *f)
{
	const struct work *work = &r->plan->ops[op].jobs[thread].kernel->per_unit;
	struct stats busy;

	if (stats_over(r, op, thread, stint_cost, &f->cost) ||
		stats_over(r, op, thread, stint_busy, &busy))
		return -1;
	f->value = chosen(r, &f->cost);
	f->busy = chosen(r, &busy);
	set_interval(r, f);
	f->units = units_of(r, op, thread);
	f->ns_per_unit = f->units > 0 ? f->busy * 1e9 / f->units : NAN;
	f->units_per_s = f->units > 0 ? f->units / f->busy : NAN;
	f->bytes_per_s = work->bytes > 0 ? f->units_per_s * work->bytes : NAN;
	return 0;
}

double derive_total(const struct run *r, int op)
{
	double total = NAN;

	for (int i = 0; i < r->plan->nthreads; i++) {
		struct figures f;

		if (derive_thread(r, op, i, &f))
			return NAN;
		if (i == 0)
			total = f.value;
		else if (r->plan->request->summary == SUMMARY_SUM)
			total += f.value;
		else if (r->plan->request->summary == SUMMARY_MAX)
			total = fmax(total, f.value);
		else
			total = fmin(total, f.value);
	}
	return total;
}

static double cost_of(const struct run *r, int op, int thread)
{
	struct figures f;

	if (thread < 0)
		return derive_total(r, op);
	return derive_thread(r, op, thread, &f) ? NAN : f.value;
}

double derive_speedup(const struct run *r, int speedup, int thread, double *base)
{
	const struct plan_speedup *s = &r->plan->speedups[speedup];

	*base = cost_of(r, s->under, thread);
	return cost_of(r, s->over, thread) / *base;
}

static double skew_of(const struct sample *s, int thread)
{
	(void)thread;
	return (double)s->skew_ns;
}

void derive_tally(const struct run *r, int op, struct tally *t)
{
	const struct op_result *result = &r->ops[op];
	struct stats skew;

	*t = (struct tally){
		.repeated = result->repeated, .skew_median_ns = NAN, .skew_max_ns = NAN};
	for (size_t i = 0; i < result->count; i++) {
		unsigned d = result->samples[i].disturbed;

		if (result->samples[i].warmup)
			continue;
		t->samples++;
		t->disturbed += d != 0;
		t->moved += (d & DISTURBED_MOVED) != 0;
		t->preempted += (d & DISTURBED_PREEMPTED) != 0;
		t->blocked += (d & DISTURBED_BLOCKED) != 0;
		t->faulted += (d & DISTURBED_FAULTED) != 0;
	}
	if (!stats_over(r, op, 0, skew_of, &skew)) {
		t->skew_median_ns = skew.median;
		t->skew_max_ns = skew.max;
	}
}
