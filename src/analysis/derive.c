/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs, rates, totals and ratios. */
#include "analysis/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	const struct request *q = r->plan->request;

	if (!r->ops || estimate(q, &r->ops[op], thread, sample_round_cost, &f->cost) ||
		estimate(q, &r->ops[op], thread, sample_round_busy, &f->busy))
		return -1;
	struct estimate unit;
	bool none = estimate(q, &r->ops[op], thread, sample_unit_time, &unit);

	f->units = mean_of(r, op, thread, sample_round_units);
	f->calls = mean_of(r, op, thread, sample_calls);
	f->ns_per_unit = none ? NAN : unit.value * 1e9;
	f->units_per_s = none ? NAN : 1 / unit.value;
	f->error = none ? NAN : estimate_error(&unit);
	f->bytes_per_s = work.bytes > 0 ? f->units_per_s * work.bytes : NAN;
	f->traffic_bytes_per_s = f->bytes_per_s * work_traffic(&r->plan->ops[op].jobs[thread]);
	f->overlap = overlap_of(r, op, thread);
	return 0;
}

static struct amount amount_of(const struct estimate *x)
{
	return (struct amount){x->value, x->low, x->high};
}

static double half_width(struct amount a)
{
	return (a.high - a.low) / 2;
}

static struct amount around(double value, double half)
{
	return (struct amount){value, value - half, value + half};
}

/* NAN passes through: a sum with an unknown part is unknown. */
struct amount derive_sum(struct amount a, struct amount b)
{
	return around(a.value + b.value, hypot(half_width(a), half_width(b)));
}

const char *derive_cost_unit(const struct request *q)
{
	return q->window_ns ? "ns/unit" : "s";
}

double derive_cost_scale(const struct request *q)
{
	return q->window_ns ? 1e9 : 1;
}

bool derive_same_unit(const struct plan *p, int op)
{
	const struct plan_job *jobs = p->ops[op].jobs;

	for (int i = 1; i < p->nthreads; i++)
		if (strcmp(jobs[i].kernel->unit, jobs[0].kernel->unit))
			return false;
	return true;
}

struct amount derive_cost(const struct samples *r, int op, int thread)
{
	enum summary summary = (enum summary)r->plan->request->summary;
	struct amount total = AMOUNT_NONE;

	if (op >= r->plan->nops)
		return AMOUNT_NONE; /* the run of a sweep to which this one is compared has fewer */
	if (thread == ALL_THREADS && r->plan->request->window_ns && !derive_same_unit(r->plan, op))
		return AMOUNT_NONE;
	for (int i = 0; i < r->plan->nthreads; i++) {
		struct figures f;

		if (thread != ALL_THREADS && thread != i)
			continue;
		if (derive_thread(r, op, i, &f))
			return AMOUNT_NONE;
		struct amount cost = amount_of(&f.cost);
		if (thread == i || i == 0)
			total = cost;
		else if (summary == SUMMARY_SUM)
			total = derive_sum(total, cost);
		else if (summary == SUMMARY_MAX ? cost.value > total.value
						: cost.value < total.value)
			total = cost;
	}
	return total;
}

struct amount derive_ratio(struct amount a, struct amount b)
{
	return amount_ratio(a, b);
}

struct amount derive_geometric_mean(const struct amount *a, size_t n)
{
	return amount_geometric_mean(a, n);
}

struct amount derive_speedup(const struct samples *r, int speedup, int thread, double *base_s)
{
	const struct plan_speedup *s = &r->plan->speedups[speedup];
	struct amount base = derive_cost(r, s->under, thread);

	*base_s = base.value;
	if (s->over == s->under && isfinite(base.value))
		return AMOUNT_ITSELF;
	return derive_ratio(derive_cost(r, s->over, thread), base);
}

/* Does the run `other` have the baseline's value of every variable that the baseline names, and
 * this run's value of every other variable? */
static bool is_baseline(const struct experiment *x, size_t other, size_t run)
{
	const struct words *baseline = &x->file.baseline;

	for (size_t v = 0; v < x->sweep.nvariables; v++) {
		const char *wanted = sweep_value(&x->sweep, run, v),
			   *name = x->sweep.variables[v].name;
		size_t length = strlen(name);

		for (size_t i = 0; i < baseline->count; i++)
			if (!strncmp(baseline->word[i], name, length) &&
				baseline->word[i][length] == '=')
				wanted = baseline->word[i] + length + 1;
		if (strcmp(sweep_value(&x->sweep, other, v), wanted))
			return false;
	}
	return true;
}

long derive_baseline_index(const struct experiment *x, size_t run)
{
	if (!x->file.baseline.count)
		return -1;
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && is_baseline(x, i, run))
			return (long)i;
	return -1;
}

struct amount derive_gain(
	const struct experiment *x, size_t run, int op, int thread, double *base_s)
{
	long base = derive_baseline_index(x, run);

	*base_s = NAN;
	if (base < 0)
		return AMOUNT_NONE;
	struct amount before = derive_cost(&x->runs[base].samples, op, thread);
	*base_s = before.value;
	if ((size_t)base == run && isfinite(before.value))
		return AMOUNT_ITSELF;
	return derive_ratio(before, derive_cost(&x->runs[run].samples, op, thread));
}

/* A sweep can change how many threads and operations a run has. */
static bool has_job(const struct plan *p, int op, int thread)
{
	return op < p->nops && thread < p->nthreads;
}

double derive_hypothetical(const struct experiment *x, size_t run, int op, int thread)
{
	long base = derive_baseline_index(x, run);

	if (base < 0 || thread == ALL_THREADS || !has_job(&x->runs[base].plan, op, thread))
		return NAN;
	const struct plan_job *before = &x->runs[base].plan.ops[op].jobs[thread];
	const struct plan_job *now = &x->runs[run].plan.ops[op].jobs[thread];
	double delay = ((double)now->common.sleep_ns - (double)before->common.sleep_ns) * 1e-9;
	double t = derive_cost(&x->runs[base].samples, op, thread).value;

	return delay != 0 ? t / (t + delay) : NAN;
}

struct amount derive_slowdown(const struct run *t, int op, int thread)
{
	if (!t->solos || thread == ALL_THREADS)
		return AMOUNT_NONE;
	return derive_ratio(
		derive_cost(&t->samples, op, thread), derive_cost(&t->solos[thread], op, 0));
}

double derive_overhead_of(const double *b, const double *n, int threads)
{
	double alone = 0, together = 0;

	for (int k = 0; k < threads; k++) {
		alone += b[k];
		together += n[k];
	}
	return (1 - alone / together) * 100;
}

struct amount derive_overhead(const struct run *t, int op)
{
	struct amount alone = {0, 0, 0}, together = {0, 0, 0};

	if (!t->solos || (t->request.window_ns && !derive_same_unit(&t->plan, op)))
		return AMOUNT_NONE;
	for (int k = 0; k < t->plan.nthreads; k++) {
		alone = derive_sum(alone, derive_cost(&t->solos[k], op, 0));
		together = derive_sum(together, derive_cost(&t->samples, op, k));
	}
	struct amount share = derive_ratio(alone, together);
	return (struct amount){derive_overhead_of(&alone.value, &together.value, 1),
		(1 - share.high) * 100, (1 - share.low) * 100};
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
	}
	tally_lost(r, op, t);
	if (!estimate(r->plan->request, result, 0, skew_of, &skew)) {
		t->skew_median_ns = skew.stats.median;
		t->skew_max_ns = skew.stats.max;
	}
}
