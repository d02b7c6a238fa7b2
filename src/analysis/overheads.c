/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overheads of far memory out of counts. */
#include "analysis/overheads.h"

#include <string.h>

#include "analysis/counters.h"
#include "analysis/translation.h"

/* The range TLB of the work (5.3). */
#define RANGE_TLB 32

#define MISSES "page_walks"
#define WALKS  "walk_cycles"
#define IDEAL  "ideal_cycles"
#define STALLS "memory_stalls"

const char *const *overheads_metrics(enum quantity q)
{
	static const char *const of[QUANTITIES][5] = {
		[QUANTITY_NUMA_OVERHEAD] = {WALKS, IDEAL},
		[QUANTITY_STALL_COST] = {WALKS, IDEAL, STALLS},
		[QUANTITY_CAP_OVERHEAD] = {WALKS, IDEAL, MISSES},
		[QUANTITY_RCM_OVERHEAD] = {WALKS, IDEAL, MISSES, STALLS},
	};

	return q < QUANTITIES && of[q][0] ? of[q] : NULL;
}

static const struct counted_metric *find(const struct counting *c, const char *name)
{
	for (size_t i = 0; c && i < c->nmetrics; i++)
		if (!strcmp(c->metrics[i].name, name))
			return &c->metrics[i];
	return NULL;
}

const struct counted_metric *overheads_missing(const struct experiment *x, enum quantity q)
{
	const char *const *metrics = overheads_metrics(q);

	for (; metrics && *metrics; metrics++) {
		const struct counted_metric *m = find(x->counting, *metrics);

		if (m && counter_missing(m))
			return m;
	}
	return NULL;
}

static struct amount counted(
	const struct experiment *x, size_t run, int op, int thread, const char *metric)
{
	const struct counted_metric *m = find(x->counting, metric);

	return m ? derive_counter_amount(&x->runs[run].samples, op, thread, m) : AMOUNT_NONE;
}

/* a + b with independent errors. */
static struct amount sum(struct amount a, struct amount b)
{
	return amount_difference(a, (struct amount){-b.value, -b.high, -b.low});
}

static struct amount cycles_of(const struct experiment *x, size_t run, int op, int thread)
{
	return sum(counted(x, run, op, thread, IDEAL), counted(x, run, op, thread, WALKS));
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

static struct amount numa_overhead(
	const struct experiment *x, size_t run, size_t base, int op, int thread)
{
	const struct amount far = cycles_of(x, run, op, thread),
			    near = cycles_of(x, base, op, thread),
			    ideal = counted(x, base, op, thread, IDEAL);

	return percent_of(amount_difference(far, near), ideal,
		translation_numa_overhead(far.value, near.value, ideal.value));
}

static struct amount stalled(const struct experiment *x, size_t run, int op, int thread)
{
	return amount_ratio(counted(x, run, op, thread, STALLS), cycles_of(x, run, op, thread));
}

static struct amount stall_cost(
	const struct experiment *x, size_t run, size_t base, int op, int thread)
{
	const struct amount here = stalled(x, run, op, thread), near = stalled(x, base, op, thread);
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
	const struct amount misses = counted(x, run, op, thread, MISSES),
			    walks = counted(x, base, op, thread, MISSES),
			    cycles = counted(x, base, op, thread, WALKS);
	const double covered = overheads_coverage(&x->runs[run], RANGE_TLB);
	struct amount left =
		amount_times(amount_ratio(misses, amount_ratio(walks, cycles)), 1 - covered);

	left.value = translation_residual(covered, misses.value, cycles.value / walks.value);
	return left;
}

static struct amount range_overhead(
	const struct experiment *x, size_t run, size_t base, int op, int thread, bool far)
{
	const struct amount left = residual(x, run, base, op, thread),
			    ideal = counted(x, base, op, thread, IDEAL);

	if (!far)
		return percent_of(left, ideal, translation_cap_overhead(left.value, ideal.value));
	const struct amount stalls = amount_difference(
		counted(x, run, op, thread, STALLS), counted(x, base, op, thread, STALLS));

	return percent_of(sum(left, stalls), ideal,
		translation_rcm_overhead(left.value, stalls.value, ideal.value));
}

static struct amount compared(
	const struct experiment *x, size_t run, size_t base, int op, int thread, enum quantity q)
{
	if (q == QUANTITY_NUMA_OVERHEAD)
		return numa_overhead(x, run, base, op, thread);
	return q == QUANTITY_STALL_COST ? stall_cost(x, run, base, op, thread)
					: range_overhead(x, run, base, op, thread, true);
}

struct amount overheads_of(
	const struct experiment *x, size_t run, int op, int thread, enum quantity q)
{
	const long base = derive_baseline_index(x, run);

	if (q == QUANTITY_COVERAGE_32)
		return (struct amount){
			100 * overheads_coverage(&x->runs[run], RANGE_TLB), NAN, NAN};
	if (base < 0 || !x->runs[base].samples.ops ||
		!derive_comparable(x, (size_t)base, run, op, thread))
		return AMOUNT_NONE;
	if (q == QUANTITY_CAP_OVERHEAD)
		return range_overhead(x, run, (size_t)base, op, thread, false);
	return (size_t)base == run ? AMOUNT_NONE : compared(x, run, (size_t)base, op, thread, q);
}

static bool of_ranges(enum quantity q)
{
	return q >= QUANTITY_COVERAGE_32 && q <= QUANTITY_RCM_OVERHEAD;
}

static int check_ranges(const struct view *v, const struct experiment *x, struct errors *e)
{
	if (!of_ranges(v->quantity) || experiment_request(x)->physical_ranges)
		return 0;
	error_add(e, STATUS_USAGE, v->at,
		"%s: %s needs to know where vectors lie in physical memory", v->key,
		quantity_names[v->quantity]);
	return error_hint(e, "physicalRanges: yes reads it, as root");
}

int overheads_check(const struct view *v, const struct experiment *x, struct errors *e)
{
	const char *const *metrics = overheads_metrics(v->quantity);

	if (check_ranges(v, x, e))
		return -1;
	if (!metrics)
		return 0;
	if (!x->file.baseline.count) {
		error_add(e, STATUS_USAGE, v->at, "%s: %s needs a baseline", v->key,
			quantity_names[v->quantity]);
		return error_hint(
			e, "baseline: placement=local_2m names the run without far memory");
	}
	for (; *metrics; metrics++)
		if (!find(x->counting, *metrics)) {
			error_add(e, STATUS_USAGE, v->at, "%s: %s needs counts of %s", v->key,
				quantity_names[v->quantity], *metrics);
			return error_hint(e, "counters: tlb has them, where the processor can");
		}
	return 0;
}
