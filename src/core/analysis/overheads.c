/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overheads of far memory out of counts. */
#include "analysis/overheads.h"

#include <string.h>

#include "analysis/counters.h"
#include "analysis/translation.h"

/* The range TLB of the work (5.3). */
#define RANGE_TLB 32

const struct counted_metric *overheads_missing(const struct experiment *x, enum quantity q)
{
	for (const char *const *name = quantities[q].metrics; *name; name++) {
		const struct counted_metric *m = counting_find(x->counting, *name);

		if (m && counter_missing(m))
			return m;
	}
	return NULL;
}

static struct amount counted_figure(
	const struct experiment *x, size_t run, int op, int thread, const char *metric)
{
	const struct counted_metric *m = counting_find(x->counting, metric);

	return m ? derive_counter_amount(&x->runs[run].samples, op, thread, m) : AMOUNT_NONE;
}

/* a + b with independent errors. */
static struct amount sum(struct amount a, struct amount b)
{
	return amount_difference(a, (struct amount){-b.value, -b.high, -b.low});
}

static struct amount cycles_of(const struct experiment *x, size_t run, int op, int thread)
{
	return sum(counted_figure(x, run, op, thread, COUNTED_IDEAL),
		counted_figure(x, run, op, thread, COUNTED_WALKS));
}

/* A difference over an amount: the ends are those of the worst case. There are none where the
 * amount may be 0 by its own interval. */
static struct amount percent_of(struct amount difference, struct amount whole, double value)
{
	if (!(whole.low > 0))
		return (struct amount){100 * value, NAN, NAN};
	return (struct amount){100 * value,
		100 * fmin(difference.low / whole.low, difference.low / whole.high),
		100 * fmax(difference.high / whole.low, difference.high / whole.high)};
}

/* The run to which this one is compared; -1: there is none. */
static long base_of(const struct experiment *x, size_t run, int op, int thread)
{
	const long base = derive_baseline_index(x, run);

	return base >= 0 && x->runs[base].samples.ops &&
			       derive_comparable(x, (size_t)base, run, op, thread)
		       ? base
		       : -1;
}

/* The same, but for the baseline itself. */
static long other_of(const struct experiment *x, size_t run, int op, int thread)
{
	const long base = base_of(x, run, op, thread);

	return base == (long)run ? -1 : base;
}

struct amount overheads_numa(const struct experiment *x, size_t run, int op, int thread)
{
	const long base = other_of(x, run, op, thread);

	if (base < 0)
		return AMOUNT_NONE;
	const struct amount far = cycles_of(x, run, op, thread),
			    near = cycles_of(x, (size_t)base, op, thread),
			    ideal = counted_figure(x, (size_t)base, op, thread, COUNTED_IDEAL);

	return percent_of(amount_difference(far, near), ideal,
		translation_numa_overhead(far.value, near.value, ideal.value));
}

static struct amount stalled(const struct experiment *x, size_t run, int op, int thread)
{
	return amount_ratio(
		counted_figure(x, run, op, thread, COUNTED_STALLS), cycles_of(x, run, op, thread));
}

struct amount overheads_stalls(const struct experiment *x, size_t run, int op, int thread)
{
	const long base = other_of(x, run, op, thread);

	if (base < 0)
		return AMOUNT_NONE;
	const struct amount here = stalled(x, run, op, thread),
			    near = stalled(x, (size_t)base, op, thread);
	struct amount cost = amount_times(amount_difference(here, near), 100);

	cost.value = 100 * translation_cost(here.value, 1, near.value);
	return cost;
}

double overheads_coverage(const struct run *t, size_t largest)
{
	const struct frames *f = &t->prepared.physical.frames;

	return f->count ? translation_coverage(f->lengths, f->count, largest) : NAN;
}

/* Misses of this run, and what a walk takes in the baseline's. */
static struct amount residual(
	const struct experiment *x, size_t run, size_t base, int op, int thread)
{
	const struct amount misses = counted_figure(x, run, op, thread, COUNTED_MISSES),
			    walks = counted_figure(x, base, op, thread, COUNTED_MISSES),
			    cycles = counted_figure(x, base, op, thread, COUNTED_WALKS);
	const double covered = overheads_coverage(&x->runs[run], RANGE_TLB);
	struct amount left =
		amount_times(amount_ratio(misses, amount_ratio(walks, cycles)), 1 - covered);

	left.value = translation_residual(covered, misses.value, cycles.value / walks.value);
	return left;
}

struct amount overheads_coverage_32(const struct experiment *x, size_t run, int op, int thread)
{
	(void)op, (void)thread; /* it is of the run's pages */
	return (struct amount){100 * overheads_coverage(&x->runs[run], RANGE_TLB), NAN, NAN};
}

struct amount overheads_cap(const struct experiment *x, size_t run, int op, int thread)
{
	const long base = base_of(x, run, op, thread);

	if (base < 0)
		return AMOUNT_NONE;
	const struct amount left = residual(x, run, (size_t)base, op, thread),
			    ideal = counted_figure(x, (size_t)base, op, thread, COUNTED_IDEAL);

	return percent_of(left, ideal, translation_cap_overhead(left.value, ideal.value));
}

struct amount overheads_rcm(const struct experiment *x, size_t run, int op, int thread)
{
	const long base = other_of(x, run, op, thread);

	if (base < 0)
		return AMOUNT_NONE;
	const struct amount left = residual(x, run, (size_t)base, op, thread),
			    ideal = counted_figure(x, (size_t)base, op, thread, COUNTED_IDEAL),
			    stalls = amount_difference(
				    counted_figure(x, run, op, thread, COUNTED_STALLS),
				    counted_figure(x, (size_t)base, op, thread, COUNTED_STALLS));

	return percent_of(sum(left, stalls), ideal,
		translation_rcm_overhead(left.value, stalls.value, ideal.value));
}
