/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of quantities, and what is computed from it alone. */
#include "analysis/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/clock_rates.h"
#include "analysis/crossings.h"
#include "analysis/huge_gain.h"
#include "analysis/loads.h"
#include "analysis/overheads.h"
#include "analysis/interleave.h"
#include "analysis/tails.h"
#include "analysis/whole_time.h"
#include "base/alloc.h"
#include "analysis/reach.h"
#include "base/text.h"

/* In ns. AMOUNT_NONE of the baseline's run, and where one of the two has no such figure. */
static struct amount find_extra(const struct experiment *x, size_t run, int op, int thread)
{
	long base = derive_baseline_index(x, run);

	if (base < 0 || (size_t)base == run || !derive_comparable(x, (size_t)base, run, op, thread))
		return AMOUNT_NONE;
	return amount_difference(quantity_of(x, run, op, thread, QUANTITY_NS_PER_UNIT),
		quantity_of(x, (size_t)base, op, thread, QUANTITY_NS_PER_UNIT));
}

/* A point without runs has no figures. */
static struct reach_point reach_point_of(
	const struct experiment *x, const struct crossings_run *r, int thread)
{
	struct reach_point p = {.apart = AMOUNT_NONE, .near = AMOUNT_NONE};
	long base = r->op < 0 ? -1 : derive_baseline_index(x, (size_t)r->run);

	if (base < 0 || base == r->run ||
		!derive_comparable(x, (size_t)base, (size_t)r->run, r->op, thread))
		return p;
	p.apart = quantity_of(x, (size_t)r->run, r->op, thread, QUANTITY_NS_PER_UNIT);
	p.near = quantity_of(x, (size_t)base, r->op, thread, QUANTITY_NS_PER_UNIT);
	return p;
}

/* reach_1, reach_2 and walk: the figure of reach.h of runs[] along v->along, which is the number of
 * pages. A level that is not found has the value INFINITY, and low is the most pages measured. */
static struct amount find_reach(const struct experiment *x, const struct view *v,
	const struct crossings_run *runs, int thread)
{
	const struct words *values = &x->sweep.variables[v->along].values;
	struct reach_point *points = alloc_zeroed(values->count + 1, sizeof(*points));
	const size_t level = v->quantity == QUANTITY_REACH_2;
	struct reach r;

	for (size_t i = 0; i < values->count; i++) {
		points[i] = reach_point_of(x, &runs[i], thread);
		text_position(values->word[i], &points[i].pages);
	}
	reach_find(points, values->count, &r);
	free(points);
	if (v->quantity == QUANTITY_WALK)
		return r.walk;
	if (level < r.levels)
		return r.pages[level];
	return r.most > 0 ? (struct amount){INFINITY, r.most, INFINITY} : AMOUNT_NONE;
}

/* ---- of a run */

/* The cost in the unit that reports show. */
static struct amount cost_of_run(const struct experiment *x, size_t run, int op, int thread)
{
	const struct samples *r = &x->runs[run].samples;

	return amount_times(derive_cost(r, op, thread), derive_cost_scale(r->plan->request));
}

struct times {
	struct amount busy, ns_per_unit, rate, bandwidth, traffic;
};

static const struct times no_times = {
	AMOUNT_NONE, AMOUNT_NONE, AMOUNT_NONE, AMOUNT_NONE, AMOUNT_NONE};

static struct times times_of_thread(const struct samples *r, int op, int thread)
{
	struct times t = no_times;
	struct figures f;

	if (derive_thread(r, op, thread, &f))
		return t;
	t.busy = estimate_amount(&f.busy);
	if (isnan(f.ns_per_unit))
		return t;
	t.ns_per_unit = amount_times(estimate_amount(&f.unit_s), 1e9);
	t.rate = amount_inverse(estimate_amount(&f.unit_s));
	t.bandwidth = amount_times(t.rate, f.bytes_per_s / f.units_per_s * 1e-9);
	t.traffic = amount_times(t.rate, f.traffic_bytes_per_s / f.units_per_s * 1e-9);
	return t;
}

static struct times times_of(const struct experiment *x, size_t run, int op, int thread)
{
	const struct samples *r = &x->runs[run].samples;
	struct totals t;

	if (thread != ALL_THREADS)
		return times_of_thread(r, op, thread);
	if (derive_totals(r, op, ALL_THREADS, &t))
		return no_times;
	return (struct times){estimate_amount(&t.busy), t.ns_per_unit, t.units_per_s,
		amount_times(t.bytes_per_s, 1e-9), amount_times(t.traffic_bytes_per_s, 1e-9)};
}

static struct amount busy(const struct experiment *x, size_t run, int op, int thread)
{
	return times_of(x, run, op, thread).busy;
}

static struct amount ns_per_unit(const struct experiment *x, size_t run, int op, int thread)
{
	return times_of(x, run, op, thread).ns_per_unit;
}

static struct amount rate_of_run(const struct experiment *x, size_t run, int op, int thread)
{
	return times_of(x, run, op, thread).rate;
}

static struct amount bandwidth(const struct experiment *x, size_t run, int op, int thread)
{
	return times_of(x, run, op, thread).bandwidth;
}

static struct amount traffic(const struct experiment *x, size_t run, int op, int thread)
{
	return times_of(x, run, op, thread).traffic;
}

static struct amount speedup(const struct experiment *x, size_t run, int op, int thread)
{
	double base;

	return derive_gain(x, run, op, thread, &base);
}

static struct amount overhead(const struct experiment *x, size_t run, int op, int thread)
{
	(void)thread; /* it is the same for each */
	return derive_overhead(&x->runs[run], op, ALL_THREADS);
}

static struct amount slowdown(const struct experiment *x, size_t run, int op, int thread)
{
	return derive_slowdown(&x->runs[run], op, thread);
}

static struct amount hypothetical(const struct experiment *x, size_t run, int op, int thread)
{
	return (struct amount){derive_hypothetical(x, run, op, thread), NAN, NAN};
}

static struct amount clock_rate(const struct experiment *x, size_t run, int op, int thread)
{
	struct clock_rates c;

	if (thread == ALL_THREADS || clock_rates(&x->runs[run].samples, op, thread, &c))
		return AMOUNT_NONE;
	return (struct amount){c.median_hz * 1e-9, NAN, NAN};
}

static struct amount whole_time_of_run(const struct experiment *x, size_t run, int op, int thread)
{
	return whole_time(&x->runs[run].samples, op, thread);
}

#define TAIL(name, figure, part)                                                              \
	static struct amount name(const struct experiment *x, size_t run, int op, int thread) \
	{                                                                                     \
		return tail(x, run, op, thread, figure, part);                                \
	}

static struct amount tail(const struct experiment *x, size_t run, int op, int thread,
	struct amount (*figure)(const struct tail_side *s, int part), int part)
{
	struct tails t;
	const struct amount a = tails_of(&x->runs[run].samples, op, thread, &t)
					? AMOUNT_NONE
					: figure(&t.kept, part);

	tails_free(&t);
	return a;
}

TAIL(p1, tails_percentile, TAIL_P1)
TAIL(p50, tails_percentile, TAIL_P50)
TAIL(p90, tails_percentile, TAIL_P90)
TAIL(p99, tails_percentile, TAIL_P99)
TAIL(p99_9, tails_percentile, TAIL_P99_9)
TAIL(p99_99, tails_percentile, TAIL_P99_99)
TAIL(longest, tails_longest, 0)
TAIL(share_above, tails_above, 0)
TAIL(time_above, tails_time_above, 0)

/* ---- the table */

#define NEEDS_RANGE_TLB (NEEDS_BASELINE | NEEDS_RANGES)

const struct quantity_row quantities[QUANTITY_ROWS] = {
	[QUANTITY_COST] = {"cost", NULL, "its cost; of all threads the line Total",
		.synonyms = {"time", "seconds", "Time_Cost(s)"}, .direction = MORE_IS_WORSE,
		.claimable = true, .timed = true, .every = true, .of = cost_of_run},
	[QUANTITY_BUSY] = {"busy", "s", "time in the kernel; of all threads that of the slowest",
		.direction = MORE_IS_WORSE, .claimable = true, .timed = true, .every = true,
		.family = FAMILY_BUSY_OF_ALL, .of = busy},
	[QUANTITY_NS_PER_UNIT] = {"ns_per_unit", "ns",
		"time for a unit; of all threads all busy time over all units", .words = "time",
		.synonyms = {"latency", "ns", "ns/unit"}, .old_name = "ns_per_op",
		.direction = MORE_IS_WORSE, .claimable = true, .timed = true, .every = true,
		.family = FAMILY_UNIT_OF_ALL, .of = ns_per_unit},
	[QUANTITY_RATE] = {"rate", "1/s",
		"units in a second; of all threads all units from the first beginning to the last "
		"end, with mode: time the sum of the rates",
		.direction = LESS_IS_WORSE, .claimable = true, .timed = true, .every = true,
		.inverse = true, .family = FAMILY_RATE, .of = rate_of_run},
	[QUANTITY_BANDWIDTH] = {"bandwidth", "GB/s",
		"the same of the bytes, for kernels that say how many a unit moves",
		.synonyms = {"throughput", "GB/s", "MB/s", "GiB/s"}, .direction = LESS_IS_WORSE,
		.claimable = true, .timed = true, .every = true, .inverse = true,
		.family = FAMILY_BANDWIDTH, .of = bandwidth},
	[QUANTITY_SPEEDUP] = {"speedup", "", "cost of the baseline over the cost",
		.direction = LESS_IS_WORSE, .needs = NEEDS_BASELINE, .timed = true, .of = speedup},
	[QUANTITY_OVERHEAD] = {"overhead", "%",
		"the part of the cost of all threads that they would not have alone; the same for "
		"each thread",
		.direction = MORE_IS_WORSE, .needs = NEEDS_SOLO, .claimable = true, .timed = true,
		.of = overhead},
	[QUANTITY_SLOWDOWN] = {"slowdown", "", "of a thread: cost in company over cost alone",
		.direction = MORE_IS_WORSE, .needs = NEEDS_SOLO, .claimable = true, .timed = true,
		.of = slowdown},
	[QUANTITY_TRAFFIC] = {"traffic", "GB/s",
		"the bandwidth with write-allocate, of vectors that are larger than the caches",
		.direction = LESS_IS_WORSE, .claimable = true, .timed = true, .every = true,
		.inverse = true, .family = FAMILY_TRAFFIC, .of = traffic},
	[QUANTITY_HYPOTHETICAL] = {"hypothetical", "",
		"of a thread: the speedup if its own sleep were the only change, t / (t + delay), "
		"t the baseline's cost",
		.direction = LESS_IS_WORSE, .needs = NEEDS_BASELINE, .of = hypothetical},
	[QUANTITY_CLOCK_RATE] = {"clock_rate", "GHz",
		"of a thread: the rate of its core, the median of the chains of all samples",
		.direction = LESS_IS_WORSE, .needs = NEEDS_CLOCK_RATE, .every = true,
		.of = clock_rate},
	[QUANTITY_BREAK_EVEN] = {"break_even", "passes", "passes after which a move has paid",
		.direction = MORE_IS_WORSE, .needs = NEEDS_BASELINE | NEEDS_MOVE, .ranges = true,
		.of = crossings_break_even},
	[QUANTITY_BREAK_EVEN_TIME] = {"break_even_time", "s",
		"the time that these passes take without the move", .direction = MORE_IS_WORSE,
		.needs = NEEDS_BASELINE | NEEDS_MOVE, .ranges = true,
		.of = crossings_break_even_time},
	[QUANTITY_EXTRA] = {"extra", "ns", "time for a unit more than in the baseline's run",
		.words = "extra time", .direction = MORE_IS_WORSE, .needs = NEEDS_BASELINE,
		.of = find_extra},
	[QUANTITY_NUMA_OVERHEAD] = {"numa_overhead", "%",
		"O_NUMA: cycles for a unit more than in the baseline's run, of the baseline's "
		"cycles without walks",
		.direction = MORE_IS_WORSE, .needs = NEEDS_BASELINE,
		.metrics = {COUNTED_WALKS, COUNTED_IDEAL}, .claimable = true, .of = overheads_numa},
	[QUANTITY_STALL_COST] = {"stall_cost", "%",
		"the part of its cycles in which the thread waits for memory, less that part in "
		"the baseline's run: what far huge pages cost",
		.direction = MORE_IS_WORSE, .needs = NEEDS_BASELINE,
		.metrics = {COUNTED_WALKS, COUNTED_IDEAL, COUNTED_STALLS}, .claimable = true,
		.of = overheads_stalls},
	[QUANTITY_COVERAGE_32] = {"coverage_32", "%",
		"the part of the pages that the 32 longest physical ranges of the run hold",
		.direction = LESS_IS_WORSE, .needs = NEEDS_RANGES, .of = overheads_coverage_32},
	[QUANTITY_CAP_OVERHEAD] = {"cap_overhead", "%",
		"O_CAP: what page walks would cost with a TLB of 32 ranges, of the baseline's "
		"cycles without walks",
		.direction = MORE_IS_WORSE, .needs = NEEDS_RANGE_TLB,
		.metrics = {COUNTED_WALKS, COUNTED_IDEAL, COUNTED_MISSES}, .claimable = true,
		.of = overheads_cap},
	[QUANTITY_RCM_OVERHEAD] = {"rcm_overhead", "%",
		"O_RCM: the same of page walks and far memory", .direction = MORE_IS_WORSE,
		.needs = NEEDS_RANGE_TLB,
		.metrics = {COUNTED_WALKS, COUNTED_IDEAL, COUNTED_MISSES, COUNTED_STALLS},
		.claimable = true, .of = overheads_rcm},
	[QUANTITY_HUGE_GAIN] = {"huge_gain", "%",
		"the part of its vectors in far huge pages, times by which part the run of "
		"smallPages costs more than the baseline: what far huge pages save",
		.direction = LESS_IS_WORSE, .needs = NEEDS_SMALL_PAGES, .claimable = true,
		.of = huge_gain_of},
	[QUANTITY_WHOLE_TIME] = {"whole_time", "s",
		"the cost and what comes before it once, means of the placements: "
		"touching the "
		"vectors that the threads use (touch_ns), one after another, and filling them "
		"(fill_s); the interval is that of the cost",
		.direction = MORE_IS_WORSE, .needs = NEEDS_WORK, .timed = true, .every = true,
		.of = whole_time_of_run},
	[QUANTITY_CROSSING] = {"crossing", "",
		"the value of a variable from which on the cost is below the baseline's; 'same "
		"memory' where both have other placements that are the same node",
		.needs = NEEDS_BASELINE, .ranges = true, .along = crossings_along, .at_value = true,
		.follows = "costs cross", .example = "along=queries rows=policy"},
	[QUANTITY_CROSSING_TIME] = {"crossing_time", "s", "the time that the baseline takes there",
		.needs = NEEDS_BASELINE | NEEDS_WORK, .ranges = true, .along = crossings_along,
		.follows = "costs cross", .example = "along=queries rows=policy"},
	[QUANTITY_REACH_1] = {"reach_1", "",
		"the value of a variable, the number of pages, up to which the first level of the "
		"TLB holds all of them; the baseline visits as many lines on fewer pages",
		.needs = NEEDS_BASELINE, .ranges = true, .along = find_reach, .at_value = true,
		.follows = "pages grow", .example = "along=n rows=pages"},
	[QUANTITY_REACH_2] = {"reach_2", "", "the same of its second level",
		.needs = NEEDS_BASELINE, .ranges = true, .along = find_reach, .at_value = true,
		.follows = "pages grow", .example = "along=n rows=pages"},
	[QUANTITY_WALK] = {"walk", "ns",
		"extra with the most pages, if these are four times the second level's: what a "
		"walk of page tables costs",
		.direction = MORE_IS_WORSE, .needs = NEEDS_BASELINE, .ranges = true,
		.along = find_reach, .follows = "pages grow", .example = "along=n rows=pages"},
	[QUANTITY_BEST_SHARE] = {"best_share", "%",
		"the part of the pages on the node of the threads that gives the most bandwidth, "
		"of runs with vectors on that node, on one other, and on both",
		.ranges = true, .along = interleave_along,
		.follows = "the places of vectors change", .example = "along=placement rows=other"},
	[QUANTITY_ADVISED_SHARE] = {"advised_share", "%",
		"the same by the ratio of the bandwidths of both nodes", .ranges = true,
		.along = interleave_along, .follows = "the places of vectors change",
		.example = "along=placement rows=other"},
	[QUANTITY_KERNEL_SHARE] = {"kernel_share", "%", "the same by the kernel's own weights",
		.ranges = true, .along = interleave_along,
		.follows = "the places of vectors change", .example = "along=placement rows=other"},
#define OF_EVENTS  .direction = MORE_IS_WORSE, .needs = NEEDS_DISTRIBUTION, .timed = true
#define PERCENTILE OF_EVENTS, .claimable = true
	[QUANTITY_P1] = {"p1", "ns", "the time that 1 % of single events take at most", PERCENTILE,
		.of = p1},
	[QUANTITY_P50] = {"p50", "ns", "the same of half of them", PERCENTILE, .of = p50},
	[QUANTITY_P90] = {"p90", "ns", "the same of 90 %", PERCENTILE, .of = p90},
	[QUANTITY_P99] = {"p99", "ns", "the same of 99 %", PERCENTILE,
		.synonyms = {"tail", "percentile"}, .of = p99},
	[QUANTITY_P99_9] = {"p99.9", "ns", "the same of 99.9 %", PERCENTILE, .synonyms = {"p999"},
		.of = p99_9},
	[QUANTITY_P99_99] = {"p99.99", "ns", "the same of 99.99 %", PERCENTILE,
		.synonyms = {"p9999"}, .of = p99_99},
	[QUANTITY_LONGEST] = {"longest", "ns", "the longest of them", OF_EVENTS, .of = longest},
	[QUANTITY_SHARE_ABOVE] = {"share_above", "%",
		"the share of them that takes more than "
		"tailAbove",
		OF_EVENTS, .claimable = true, .of = share_above},
	[QUANTITY_TIME_ABOVE] = {"time_above", "%", "the share of their time that these take",
		OF_EVENTS, .of = time_above},
	[QUANTITY_BACKGROUND] = {"background", "GB/s",
		"what the load beside the run reached, the same for each thread",
		.synonyms = {"load"}, .needs = NEEDS_BACKGROUND, .of = loads_of},
	[QUANTITY_COUNTER] = {.claimable = true},
	[QUANTITY_FIGURE] = {.claimable = true},
};

int quantity_find(const char *name)
{
	for (int q = 0; q < QUANTITIES; q++)
		if (!strcmp(name, quantities[q].name) ||
			(quantities[q].old_name && !strcmp(name, quantities[q].old_name)))
			return q;
	return -1;
}

const char *quantity_unit(const struct experiment *x, enum quantity q)
{
	return quantities[q].unit ? quantities[q].unit : derive_cost_unit(experiment_request(x));
}

const char *quantity_kind(enum quantity q)
{
	return q < QUANTITIES ? "quantity" : q == QUANTITY_COUNTER ? "counter" : "figure";
}

enum quantity quantity_of_kind(const char *kind, const char *name)
{
	const int known = quantity_find(name);

	if (!strcmp(kind, quantity_kind(QUANTITY_COST)))
		return known < 0 ? QUANTITY_FIGURE : (enum quantity)known;
	return !strcmp(kind, quantity_kind(QUANTITY_COUNTER))  ? QUANTITY_COUNTER
	       : !strcmp(kind, quantity_kind(QUANTITY_FIGURE)) ? QUANTITY_FIGURE
							       : QUANTITY_ROWS;
}

struct amount quantity_of(
	const struct experiment *x, size_t run, int op, int thread, enum quantity q)
{
	const struct run *t = &x->runs[run];

	if (t->skipped || !t->samples.ops || !quantities[q].of)
		return AMOUNT_NONE;
	return quantities[q].of(x, run, op, thread);
}

int quantity_time(
	const struct samples *r, int op, int thread, enum quantity q, struct estimate *time)
{
	const enum family family = (enum family)quantities[q].family;
	struct figures f;

	if (q == QUANTITY_COST)
		return derive_cost_estimate(r, op, thread, time);
	if (family == FAMILY_COST)
		return -1;
	if (thread == ALL_THREADS)
		return derive_whole(r, op, thread, family, time);
	if (derive_thread(r, op, thread, &f) || (q != QUANTITY_BUSY && isnan(f.ns_per_unit)))
		return -1;
	*time = q == QUANTITY_BUSY ? f.busy : f.unit_s;
	return 0;
}

char *quantity_list(bool (*has)(const struct quantity_row *row))
{
	char *all = NULL;

	for (int q = 0; q < QUANTITIES; q++)
		if (!has || has(&quantities[q]))
			alloc_append(&all, ", ", "%s", quantities[q].name);
	return all;
}
