/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of a run: figures and samples of each thread. */
#include <math.h>

#include "analysis/undisturbed.h"
#include "document/rows.h"

static void sample_item(const void *owner, size_t i, void *item)
{
	*(struct document_sample *)item = document_sample(owner, i);
}

static void counted_item(const void *owner, size_t i, void *item)
{
	const struct document_job *j = owner;

	*(struct document_sample *)item = document_sample(j, j->nsamples + i);
}

#define OF struct document_named
static const struct field count_rows[] = {
	TEXT("name", name, 0, NULL),
	COUNT("value", value, MUST | FROM_0, "null: counting failed"),
};
static const struct fields count_fields = FIELDS(NULL, count_rows, .bare = true);
#undef OF

#define OF struct document_sample
static const struct field sample_rows[] = {
	WHOLE("placement", placement, FROM_0, "of the vectors, from 0"),
	WHOLE("start_ns", start_ns, FROM_0,
		"the common start on a clock that runs on through all runs "
		"(CLOCK_MONOTONIC_RAW); absent: not recorded"),
	NUMBER("cost_s", cost_s, MUST, NULL),
	NUMBER("busy_s", busy_s, MUST, NULL),
	WHOLE("units", units, MUST, NULL),
	WHOLE("calls", calls, MUST | FROM_0, "of the kernel; mode: time makes many"),
	WHOLE("late_ns", late_ns, MUST, NULL),
	WHOLE("skew_ns", skew_ns, MUST, NULL),
	FLAG("warmup", warmup, MUST, NULL),
	INT("disturbed_flags", disturbed, MUST,
		"1 moved, 2 preempted, 4 blocked, 8 page faults, 16 taken away: a chain of "
		"additions beside the sample took longer than its rate allows, 32 throttled: a "
		"CPU quota stopped CPUs of this process, 64 busy sibling: another program worked "
		"on a hardware thread beside one of the run"),
	INT("preempted", preempted, MUST, NULL),
	INT("blocked", blocked, MUST, NULL),
	INT("page_faults", page_faults, MUST, NULL),
	INT("migrations", migrations, MUST, "-1: the kernel does not tell"),
	INT("cpu_before", cpu_before, MUST, NULL),
	INT("cpu_after", cpu_after, MUST, NULL),
	WHOLE("run_delay_ns", run_delay_ns, 0,
		"the thread was ready while another ran on its CPU; -1: the kernel does not tell"),
	WHOLE("off_cpu_ns", off_cpu_ns, 0,
		"the thread had no CPU for so long of busy_s, by the clock of its CPU time; -1: "
		"not known"),
	WHOLE("steal_ns", steal_ns, FROM_0,
		"the hypervisor took its CPU away; in steps of a clock tick"),
	WHOLE("throttled_ns", throttled_ns, FROM_0,
		"a CPU quota stopped CPUs of this process, summed over them; what a thread lost "
		"by that is in run_delay_ns"),
	NUMBER("lost_s", lost_s, FROM_0,
		"of busy_s, while another had its CPU: figures are made of the rest"),
	NUMBER("lost_before_s", lost_before_s, FROM_0,
		"the same of its late start, part of cost_s alone"),
	NUMBER("clock_before_hz", clock_before_hz, 0, NULL),
	NUMBER("clock_after_hz", clock_after_hz, 0, NULL),
	NUMBER("overlap", overlap, LEFT_OUT | FROM_0,
		"part of busy_s in which all threads were in their kernels"),
	INT("pass", pass, LEFT_OUT | FROM_1,
		"of counting that counted it; it has no times, and all units; absent: it was "
		"timed"),
	MAP("counts", counts, ncounts, count_fields, LEFT_OUT, "by event"),
	MAP("kernel_figures", own, nown, named_fields, LEFT_OUT,
		"figures of the kernel's own; null: it does not know"),
};
const struct fields sample_fields = FIELDS("sample", sample_rows);
#undef OF

#define OF struct document_figures
static const struct field figures_rows[] = {
	LIST("by_placement_s", by_placement, nplacements, number_fields, 0,
		"the cost in each placement"),
	NUMBER("first_s", first_s, 0,
		"cost of the first sample of a placement, one of the warm-up: geometric mean of "
		"the placements; absent: not recorded"),
	NUMBER("spread", spread, 0,
		"the largest of several placements' costs over the smallest, less 1"),
	NUMBER("cost_s", cost.value, MUST, NULL),
	NUMBER("low_s", cost.low, MUST, NULL),
	NUMBER("high_s", cost.high, MUST, NULL),
	WHOLE("n", n, MUST | FROM_0, "samples that count"),
	NUMBER("mean_s", mean_s, MUST, NULL),
	NUMBER("sd_s", sd_s, MUST, NULL),
	NUMBER("median_s", median_s, MUST, NULL),
	NUMBER("mad_s", mad_s, MUST, "median distance from the median"),
	NUMBER("min_s", min_s, MUST, NULL),
	NUMBER("max_s", max_s, MUST, NULL),
	NUMBER("cv", cv, MUST, "sd_s / mean_s"),
	WHOLE("outliers", outliers, MUST | FROM_0, NULL),
	NUMBER("busy_s", busy_s, MUST, NULL),
	RECORD("first", first, amount_fields, 0,
		"first_s with its interval, as busy, and unit_time, the seconds of a unit; "
		"absent: an earlier program"),
	RECORD("whole_time", whole_time, amount_fields, 0,
		"seconds, of affinity --help quantities"),
	RECORD("busy", busy, amount_fields, 0, NULL),
	RECORD("unit_time", unit_time, amount_fields, 0, NULL),
	NUMBER("units", units, MUST, "of one sample"),
	NUMBER("calls", calls, MUST, "of the kernel in one sample"),
	NUMBER("ns_per_unit", ns_per_unit, MUST, NULL),
	NUMBER("units_per_s", units_per_s, MUST, NULL),
	NUMBER("bytes_per_s", bytes_per_s, MUST, NULL),
	NUMBER("traffic_bytes_per_s", traffic_bytes_per_s, MUST, "with write-allocate"),
	NUMBER("overlap", overlap, 0,
		"part of the thread's time in the kernel in which all threads were in theirs, 0 "
		"to 1"),
	NUMBER("undisturbed_s", undisturbed_s, 0, "cost of the undisturbed samples alone"),
};
#undef OF

/* Earlier programs wrote no intervals of them. */
static int figures_finish(struct fields_reading *r, void *item)
{
	struct document_figures *f = item;

	(void)r;
	if (isnan(f->first.value))
		f->first.value = f->first_s;
	if (isnan(f->busy.value))
		f->busy.value = f->busy_s;
	if (isnan(f->unit_time.value))
		f->unit_time.value = f->ns_per_unit * 1e-9;
	return 0;
}

#define OF struct document_figures
const struct fields figures_fields = FIELDS("figures", figures_rows, .finish = figures_finish);
#undef OF

#define OF struct document_counter
static const struct field counter_rows[] = {
	TEXT("metric", metric, 0, NULL),
	NUMBER("value", value, MUST, NULL),
	NUMBER("per_unit", per_unit, MUST, NULL),
	NUMBER("low", low, 0,
		"of per_unit where there is one, else of value; absent: an earlier program"),
	NUMBER("high", high, 0, NULL),
};
static const struct fields counter_fields = FIELDS(NULL, counter_rows);
#undef OF

#define OF struct document_job
static const struct field ran_on_rows[] = {
	TEXT("cpus", ran_on.cpus, MUST | EMPTY, "on which it was seen: 0-3,8; none"),
	WHOLE("migrations", ran_on.migrations, MUST | NULLED | FROM_0,
		"to other CPUs within the samples; null: the kernel does not tell"),
	WHOLE("node_jumps", ran_on.node_jumps, MUST | FROM_0,
		"how often it was on another node than at the reading before"),
};
static const struct fields ran_on_fields = FIELDS(NULL, ran_on_rows);

static const struct field clock_rows[] = {
	NUMBER("min_hz", clock.min_hz, MUST | SURE, NULL),
	NUMBER("median_hz", clock.median_hz, MUST | SURE, NULL),
	NUMBER("max_hz", clock.max_hz, MUST | SURE, NULL),
	NUMBER("changed", clock.changed, MUST | SURE | FROM_0,
		"part of the chains that differ from the median by more than 2 %"),
	NUMBER("cycles_per_unit", clock.cycles_per_unit, MUST, NULL),
};
const struct fields clock_fields = FIELDS(NULL, clock_rows);

static const struct field job_rows[] = {
	INT("thread", thread, MUST | FROM_0, NULL),
	TEXT("chose", chose, MUST | EMPTY,
		"what the kernel chose by itself, such as 'isa avx2 unroll 4'; '' nothing"),
	TEXT("kernel", kernel, MUST | EMPTY, NULL),
	TEXT("event_proof", proof, LEFT_OUT,
		"whether counts prove the events that were timed: 'proven', or 'not countable'; "
		"contradicted ones end the measurement. Absent: the kernel needs no such proof"),
	TEXT("event_proof_by", proof_by, LEFT_OUT, "what was counted, or why nothing was"),
	TEXT("loop", loop, EMPTY,
		"whether the kernel's loop, as built, does what it claims: as claimed, another: "
		"how it differs (measured by spoiledLoops: yes), not checked: why"),
	TEXT("unit", unit, MUST | EMPTY, NULL),
	TEXT("order", order, MUST | EMPTY | NULLED,
		"in which its accesses follow each other; null: the kernel has no parameter "
		"order"),
	NUMBER("times_caches", times_caches, MUST | FROM_0,
		"by how many times the lines that it accesses exceed its share of the caches "
		"above it and of the memory-side caches before its vectors; from 4 on memory "
		"serves it. null: no vectors, or the machine shows no caches"),
	TEXT("held_by", held, EMPTY | NULLED,
		"what holds the data: 'L1', 'L2 of 2 MiB', 'L3, 0.24 of its share', 'memory'. "
		"null: it accesses no vectors, or moves their pages; absent: results of older "
		"programs"),
	COUNT("passes", passes, MUST | FROM_1, "rounds of a sample; null with mode: time"),
	FLAG("calibrated", calibrated, 0,
		"passes was chosen by measuring: the figures cost, busy, units and counters' "
		"values are those of one round. Samples are whole in every case"),
	{.name = "shares_lines",
		.type = FIELD_FLAG,
		.flags = MUST,
		.at = FIELD_AT(bool, shares_lines),
		.otherwise = 1,
		.words = "another thread accesses the same lines"},
	FLAG("latency", latency, MUST,
		"the time of a unit is the latency of one access to a line, no other under way"),
	NUMBER("bytes_per_unit", bytes_per_unit, FROM_0, "as the program sees them"),
	NUMBER("fill_bytes_per_unit", fill_bytes_per_unit, FROM_0,
		"of lines that are fetched only to be stored to; null: not known"),
	NUMBER("sleep_s", sleep_s, MUST | SURE | FROM_0, NULL),
	MAYBE("figures", figures, has_figures, figures_fields, MUST, "null: no sample counts"),
	MAYBE("mark", mark, mark.there, mark_fields, 0, "how far its cost can be trusted"),
	MAP("kernel_figures", own.list, own.count, own_fields, LEFT_OUT,
		"figures of the kernel's own, of a sample; absent: it has none"),
	RECORD("distribution", tails, tails_fields, LEFT_OUT | POINTED, NULL),
	PART("ran_on", has_ran_on, ran_on_fields, LEFT_OUT,
		"of a thread that is not bound, at the beginning and end of each sample without "
		"warm-up; absent: it is bound"),
	{.name = "samples",
		.type = FIELD_LIST,
		.flags = MUST,
		.at = offsetof(OF, samples),
		.count = FIELD_AT(size_t, nsamples),
		.of = &sample_fields,
		.item = sample_item},
	{.name = "counted",
		.type = FIELD_LIST,
		.flags = LEFT_OUT,
		.at = offsetof(OF, counted),
		.count = FIELD_AT(size_t, ncounted),
		.of = &sample_fields,
		.item = counted_item,
		.words = "the samples in which events were counted"},
	PART("clock", has_clock, clock_fields, 0,
		"clock rate of its core, from chains of additions beside the samples; null: not "
		"measured"),
	MAP("counters", counters, ncounters, counter_fields, LEFT_OUT,
		"of each metric of counting"),
};
static const struct fields job_fields = FIELDS("job", job_rows);
#undef OF

#define OF struct document_loaded
static const struct field loaded_rows[] = {
	RECORD("bytes_per_s", bytes_per_s, amount_fields, MUST, NULL),
	FLAG("missed", missed, MUST, "it is more than 5 % from the stated rate"),
};
static const struct fields loaded_fields = FIELDS(NULL, loaded_rows);
#undef OF

#define OF struct document_together
static const struct field together_rows[] = {
	NUMBER("busy_s", busy_s, MUST, NULL),
	RECORD("whole_time", whole_time, amount_fields, 0,
		"seconds, of affinity --help quantities"),
	RECORD("busy", busy, amount_fields, 0, "busy_s with its interval"),
	RECORD("ns_per_unit", ns_per_unit, amount_fields, MUST, NULL),
	RECORD("units_per_s", units_per_s, amount_fields, MUST, NULL),
	RECORD("bytes_per_s", bytes_per_s, amount_fields, MUST, NULL),
	RECORD("traffic_bytes_per_s", traffic, amount_fields, MUST, NULL),
};
const struct fields together_fields = FIELDS("together", together_rows,
	.words = "what all threads did together; null: no sample. An amount is null where there "
		 "is none, as of units that are not the same");
#undef OF

#define OF struct document_tally
static const struct field tally_rows[] = {
	WHOLE("taken", taken, MUST | FROM_0, "samples that count"),
	WHOLE("disturbed", disturbed, MUST | FROM_0, NULL),
	NUMBER("disturbed_part", disturbed_part, 0,
		"the part of them in which a thread lost its CPU, was moved, shared its core with "
		"another program or met a page fault"),
	WHOLE("preempted", preempted, MUST | FROM_0, NULL),
	WHOLE("moved", moved, MUST | FROM_0, NULL),
	WHOLE("blocked", blocked, MUST | FROM_0, NULL),
	WHOLE("page_faults", page_faults, MUST | FROM_0, NULL),
	WHOLE("taken_away", taken_away, FROM_0, NULL),
	WHOLE("throttled", throttled, FROM_0,
		"samples in which a CPU quota stopped CPUs of this process"),
	WHOLE("busy_sibling", busy_sibling, FROM_0,
		"samples in which another program worked on a hardware thread beside one of the "
		"run"),
	WHOLE("pages_migrated_on_machine", pages_migrated, FROM_0,
		"base pages, of any program, while the operation was measured"),
	WHOLE("huge_pages_split_on_machine", pages_split, FROM_0,
		"the same of transparent huge pages that were split or are mapped as small ones"),
	WHOLE("repeated", repeated, MUST | FROM_0, NULL),
	NUMBER("lost_median", lost_median, 0,
		"part of its time that a thread did not have its CPU, of the worst thread of each "
		"sample"),
	NUMBER("lost_worst", lost_worst, 0, NULL),
	{.name = "measure_again",
		.type = FIELD_FLAG,
		.at = FIELD_AT(bool, measure_again),
		.there = FIELD_AT(bool, says_again) + 1,
		.words = "so many samples are disturbed that nothing is known"},
};
#undef OF

/* Earlier programs did not write it. */
static int tally_finish(struct fields_reading *r, void *item)
{
	struct document_tally *t = item;

	(void)r;
	if (!t->says_again)
		t->measure_again = (double)t->disturbed > UNDISTURBED_AGAIN * (double)t->taken;
	return 0;
}

#define OF struct document_tally
static const struct fields tally_fields = FIELDS(NULL, tally_rows, .finish = tally_finish);
#undef OF

#define OF struct document_kind
static const struct field kind_rows[] = {
	TEXT("kind", kind, MUST | EMPTY, NULL),
	RECORD("total_s", total, amount_fields, MUST, NULL),
	MAYBE("together", together, has_together, together_fields, MUST, NULL),
	MAYBE("mark", mark, mark.there, mark_fields, 0, NULL),
};
static const struct fields kind_fields = FIELDS(NULL, kind_rows);
#undef OF

#define OF struct document_places
static const struct field places_rows[] = {
	INDEX("vector", vector, MUST, NULL),
	MAP("before", before, nbefore, pages_fields, MUST, NULL),
	MAP("after", after, nafter, pages_fields, MUST, NULL),
	WHOLE("absent_before", absent_before, FROM_0, NULL),
	WHOLE("absent_after", absent_after, MUST | FROM_0,
		"base pages that were not in memory after it"),
};
static const struct fields places_fields = FIELDS(NULL, places_rows);
#undef OF

static const char *const endings[] = {
	"samples", "numIter", "targetError", "timeLimit", "interrupted", "not run", NULL};

#define OF struct document_operation
static const struct field settling_rows[] = {
	INT("thread", settling.thread, MUST | FROM_0, NULL),
	WHOLE("placements", settling.placements, MUST | FROM_0, NULL),
	NUMBER("from_s", settling.from_s, MUST, NULL),
	NUMBER("to_s", settling.to_s, MUST, NULL),
	WHOLE("samples", settling.samples, MUST | FROM_0, "of a placement, over which it changes"),
	TEXT("text", settling.text, EMPTY, "the same in words"),
};
static const struct fields settling_fields = FIELDS(NULL, settling_rows);

static const struct field operation_rows[] = {
	TEXT("operation", name, MUST | EMPTY, "as in opType"),
	LIST("background", loads, nloads, loaded_fields, LEFT_OUT,
		"what each line of background of the run reached beside it"),
	NUMBER("total_s", cost_of_all.value, MUST, NULL),
	NUMBER("total_low_s", cost_of_all.low, MUST, NULL),
	NUMBER("total_high_s", cost_of_all.high, MUST, NULL),
	MAYBE("together", together, has_together, together_fields, MUST, NULL),
	CHOICE("ended_by", ended_by, MUST | EMPTY, endings, NULL),
	NUMBER("interval_error", interval_error, 0,
		"half the widest interval of a cost, of a thread or of all together, as a part of "
		"the cost; absent: not recorded"),
	RECORD("samples", samples, tally_fields, MUST, NULL),
	PART("unsettled", unsettled, settling_fields, 0,
		"the cost of the thread that changes the most still fell or rose: within the "
		"warm-up of so many placements, or (0) within the samples that count; null: all "
		"had settled; absent: not recorded"),
	NUMBER("skew_median_ns", skew_median_ns, MUST, NULL),
	NUMBER("skew_max_ns", skew_max_ns, MUST, NULL),
	MAYBE("mark", mark, mark.there, mark_fields, 0,
		"how far the total can be trusted, and the bandwidth of all threads where their "
		"kernels measure one"),
	NUMBER("fill_s", fill_s, LEFT_OUT | FROM_0,
		"seconds in which kernels filled the vectors before the first sample, a mean of "
		"the placements; absent: not measured"),
	LIST("kinds", kinds, nkinds, kind_fields, LEFT_OUT,
		"where threads are on cores of several kinds: the figures of those of each kind. "
		"Then ns_per_unit of all is null"),
	MAP("counters", counters, ncounters, counter_fields, LEFT_OUT,
		"of all threads together; absent: nothing is counted, or an earlier program"),
	MAP("kernel_figures", own.list, own.count, own_fields, LEFT_OUT,
		"those of the kernels' own figures of all threads together, each the sum or the "
		"mean; absent: the kernels have none"),
	LIST("pages_by_node", places, nplaces, places_fields, LEFT_OUT,
		"of kernels that can move pages: base pages of each vector on each node, as "
		"placed (policies that arrange pages do so later, before each sample) and when "
		"the last one of the last placement had ended; absent: no kernel of the operation "
		"can, or it was interrupted"),
	RECORD("distribution", tails, tails_fields, LEFT_OUT | POINTED,
		"of all threads, where several timed single events"),
	LIST("threads", jobs, njobs, job_fields, MUST, NULL),
};
const struct fields operation_fields = FIELDS("operation", operation_rows);
#undef OF
