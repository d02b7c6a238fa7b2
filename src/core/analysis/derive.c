/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs, rates, totals and ratios.
 *
 * derive.c is about one thread and totals.c about all; alone.c, overheads.c, crossings.c,
 * interleave.c and others are quantities, whose rows are in quantity.c. view.c arranges them in
 * tables, claims_*.c judge what a file claims of them, doubts*.c warn where they say less than they
 * seem to, trust.c marks each. finding.h and sentences.c are the words for what others find.
 */
#include "analysis/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/undisturbed.h"
#include "analysis/work.h"
#include "base/alloc.h"

static double mean_of(const struct samples *r, int op, int thread, sample_figure *figure)
{
	struct estimate x;

	return estimate(r->plan->request, &r->ops[op], thread, figure, &x) ? NAN : x.stats.mean;
}

static double overlap_of(const struct samples *r, int op, int thread)
{
	const struct op_result *result = &r->ops[op];
	double *values = alloc_zeroed(result->count + 1, sizeof(*values));
	struct stats s;
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++)
		if (!result->samples[i].warmup)
			values[n++] =
				sample_overlap(&result->samples[i], r->plan->nthreads, thread);
	bool none = stats_of(values, n, r->plan->request->confidence, &s);
	free(values);
	return none ? NAN : s.median;
}

int derive_thread(const struct samples *r, int op, int thread, struct figures *f)
{
	const struct work work = plan_work(&r->plan->ops[op].jobs[thread]);
	const struct subject cost = {r, op, thread, sample_round_cost, FAMILY_COST},
			     busy = {r, op, thread, sample_round_busy, FAMILY_BUSY},
			     unit = {r, op, thread, sample_own_unit_time, FAMILY_UNIT};

	if (!r->ops || undisturbed_estimate(&cost, &f->cost, &f->undisturbed) ||
		undisturbed_estimate(&busy, &f->busy, NULL))
		return -1;
	bool none = undisturbed_estimate(&unit, &f->unit_s, NULL) != 0;

	f->units = mean_of(r, op, thread, sample_round_units);
	f->calls = mean_of(r, op, thread, sample_calls);
	f->ns_per_unit = none ? NAN : f->unit_s.value * 1e9;
	f->units_per_s = none ? NAN : 1 / f->unit_s.value;
	f->bytes_per_s = work.bytes > 0 ? f->units_per_s * work.bytes : NAN;
	f->traffic_bytes_per_s = f->bytes_per_s * work_traffic(&r->plan->ops[op].jobs[thread]);
	f->overlap = overlap_of(r, op, thread);
	return 0;
}

const char *derive_cost_unit(const struct request *q)
{
	return q->window_ns ? "ns/unit" : "s";
}

double derive_cost_scale(const struct request *q)
{
	return q->window_ns ? 1e9 : 1;
}

bool derive_counts(const struct plan *p, int who, int thread)
{
	if (who == ALL_THREADS || who == thread)
		return true;
	return who < ALL_THREADS && THREADS_OF_KIND(p->threads[thread].kind) == who;
}

bool derive_keeps_apart(const struct plan *p, int kind)
{
	bool any = false;

	for (int i = 0; i < p->nthreads; i++)
		any |= p->threads[i].kind == kind;
	return any && plan_mixes_kinds(p);
}

bool derive_same_unit(const struct plan *p, int op)
{
	const struct plan_job *jobs = p->ops[op].jobs;

	for (int i = 1; i < p->nthreads; i++)
		if (strcmp(jobs[i].kernel->unit, jobs[0].kernel->unit))
			return false;
	return true;
}

/* All threads of `who` together in one sample. */
static double summed_up(const struct plan *p, int who, const struct sample *s)
{
	const int summary = p->request->summary;
	const bool adds = summary == SUMMARY_SUM || summary == SUMMARY_MEAN;
	double total = 0;
	int n = 0;

	/* a mean over unlike cores is the time of none of them */
	if (summary == SUMMARY_MEAN && who == ALL_THREADS && plan_mixes_kinds(p))
		return NAN;
	for (int i = 0; i < p->nthreads; i++) {
		double cost = sample_round_cost(s, i);

		if (!derive_counts(p, who, i))
			continue;
		if (!n++ || isnan(cost) || adds)
			total += cost; /* what is unknown stays so */
		else if (summary == SUMMARY_MAX ? cost > total : cost < total)
			total = cost;
	}
	return !n ? NAN : summary == SUMMARY_MEAN ? total / n : total;
}

static int cost_of_all(const struct samples *r, int op, int who, struct estimate *cost)
{
	const struct subject all = {r, op, who, NULL, FAMILY_COST_OF_ALL};
	const struct op_result *result = &r->ops[op];
	double *values = alloc_zeroed(result->count + 1, sizeof(*values));
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++)
		if (!result->samples[i].warmup)
			values[n++] = summed_up(r->plan, who, &result->samples[i]);
	int failed = undisturbed_values(&all, values, cost);
	free(values);
	return failed;
}

int derive_cost_estimate(const struct samples *r, int op, int thread, struct estimate *cost)
{
	const struct subject s = {r, op, thread, sample_round_cost, FAMILY_COST};

	/* the run of a sweep to which this one is compared may have fewer */
	if (!r->ops || op >= r->plan->nops || thread >= r->plan->nthreads)
		return -1;
	if (thread >= 0)
		return undisturbed_estimate(&s, cost, NULL);
	if (r->plan->request->window_ns && !derive_same_unit(r->plan, op))
		return -1;
	return cost_of_all(r, op, thread, cost);
}

struct amount derive_cost(const struct samples *r, int op, int thread)
{
	struct estimate cost;

	return derive_cost_estimate(r, op, thread, &cost) ? AMOUNT_NONE : estimate_amount(&cost);
}

struct amount derive_speedup(const struct samples *r, int speedup, int thread, double *base_s)
{
	const struct plan_speedup *s = &r->plan->speedups[speedup];
	enum family family = thread < 0 ? FAMILY_SPEEDUP_OF_ALL : FAMILY_SPEEDUP;
	struct estimate base, cost;

	*base_s = NAN;
	if (derive_cost_estimate(r, s->under, thread, &base))
		return AMOUNT_NONE;
	*base_s = base.value;
	if (s->over == s->under)
		return AMOUNT_ONE;
	if (derive_cost_estimate(r, s->over, thread, &cost))
		return AMOUNT_NONE;
	const struct prior *prior = &pooling_kin(r, family, s->over, thread)->prior,
			   *other = &pooling_kin(r, family, s->under, thread)->prior;

	return estimate_ratio(r->plan->request, &cost, &base, other->figures ? prior : other);
}

/* Does the run `other` have the value in the words NAME=VALUE of every variable that they name, and
 * this run's value of every other variable? */
static bool is_named(
	const struct experiment *x, const struct words *words, size_t other, size_t run)
{
	for (size_t v = 0; v < x->sweep.nvariables; v++) {
		const char *wanted = sweep_value(&x->sweep, run, v),
			   *name = x->sweep.variables[v].name;
		size_t length = strlen(name);

		for (size_t i = 0; i < words->count; i++)
			if (!strncmp(words->word[i], name, length) && words->word[i][length] == '=')
				wanted = words->word[i] + length + 1;
		if (!text_same_value(sweep_value(&x->sweep, other, v), wanted))
			return false;
	}
	return true;
}

long derive_named_index(const struct experiment *x, const struct words *words, size_t run)
{
	if (!words->count)
		return -1;
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && is_named(x, words, i, run))
			return (long)i;
	return -1;
}

long derive_baseline_index(const struct experiment *x, size_t run)
{
	return derive_named_index(x, &x->file.baseline, run);
}

/* Is the thread on a core of another kind than in the run `base`, though the file does not say so?
 */
static bool other_kind(const struct experiment *x, size_t base, size_t run, int thread)
{
	const struct plan *a = &x->runs[base].plan, *b = &x->runs[run].plan;

	return thread >= 0 && thread < a->nthreads && thread < b->nthreads && !b->names_cores &&
	       a->threads[thread].kind != b->threads[thread].kind;
}

struct amount derive_gain(
	const struct experiment *x, size_t run, int op, int thread, double *base_s)
{
	long base = derive_baseline_index(x, run);
	struct estimate before, now;

	*base_s = NAN;
	if (base < 0 || other_kind(x, (size_t)base, run, thread) ||
		derive_cost_estimate(&x->runs[base].samples, op, thread, &before))
		return AMOUNT_NONE;
	*base_s = before.value;
	if ((size_t)base == run)
		return AMOUNT_ONE;
	if (derive_cost_estimate(&x->runs[run].samples, op, thread, &now))
		return AMOUNT_NONE;
	return estimate_ratio(&x->runs[run].request, &before, &now, NULL);
}

/* A sweep can change how many threads and operations a run has. */
static bool has_job(const struct plan *p, int op, int thread)
{
	return op < p->nops && thread < p->nthreads;
}

bool derive_comparable(const struct experiment *x, size_t base, size_t run, int op, int thread)
{
	return has_job(&x->runs[base].plan, op, thread) &&
	       has_job(&x->runs[run].plan, op, thread) && !other_kind(x, base, run, thread);
}

double derive_hypothetical(const struct experiment *x, size_t run, int op, int thread)
{
	long base = derive_baseline_index(x, run);

	if (base < 0 || thread < 0 || !has_job(&x->runs[base].plan, op, thread) ||
		other_kind(x, (size_t)base, run, thread))
		return NAN;
	const struct plan_job *before = &x->runs[base].plan.ops[op].jobs[thread];
	const struct plan_job *now = &x->runs[run].plan.ops[op].jobs[thread];
	double delay = ((double)now->common.sleep_ns - (double)before->common.sleep_ns) * 1e-9;
	double t = derive_cost(&x->runs[base].samples, op, thread).value;

	return delay != 0 ? t / (t + delay) : NAN;
}

static double skew_of(const struct sample *s, int thread)
{
	(void)thread;
	return (double)s->skew_ns;
}

static void tally_lost(const struct samples *r, int op, struct tally *t)
{
	const struct op_result *result = &r->ops[op];
	double *lost = alloc_zeroed(result->count + 1, sizeof(*lost));
	struct stats s;
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++) {
		if (result->samples[i].warmup)
			continue;
		for (int k = 0; k < r->plan->nthreads; k++) {
			double part = sample_lost(&result->samples[i], k);

			/* one unknown part makes the whole unknown */
			lost[n] = isnan(part) ? part : part > lost[n] ? part : lost[n];
		}
		n++;
	}
	if (!stats_of(lost, n, r->plan->request->confidence, &s)) {
		t->lost_median = s.median;
		t->lost_max = s.max;
	}
	free(lost);
}

void derive_tally(const struct samples *r, int op, struct tally *t)
{
	const struct op_result *result = &r->ops[op];
	struct estimate skew;

	*t = (struct tally){.repeated = result->repeated,
		.skew_median_ns = NAN,
		.skew_max_ns = NAN,
		.lost_median = NAN,
		.lost_max = NAN};
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
		t->stolen += (d & DISTURBED_STOLEN) != 0;
		t->throttled += (d & DISTURBED_THROTTLED) != 0;
		t->sibling += (d & DISTURBED_SIBLING) != 0;
	}
	tally_lost(r, op, t);
	if (!estimate(r->plan->request, result, 0, skew_of, &skew)) {
		t->skew_median_ns = skew.stats.median;
		t->skew_max_ns = skew.stats.max;
	}
}
