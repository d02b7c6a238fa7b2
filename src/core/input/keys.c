/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys. A new key is a field of request.h and a row here. */
#include <stddef.h>

#include "input/request.h"
#include "input/values.h"
#include "mapping/mapping.h"

const char *const summary_names[] = {"max", "min", "sum", "mean", NULL};
const char *const statistic_names[] = {"mean", "median", "min", NULL};
const char *const verify_names[] = {"strict", "warn", NULL};
const char *const stopped_by_names[] = {"clock", "flag", NULL};
static const char *const distribution_names[] = {"no", "yes", "1/8", "1/64", "1/512", NULL};
const uint64_t distribution_groups[] = {0, 0, 8, 64, 512};
static const char *const measures_names[] = {"any", "memory", NULL};
static const char *const auto_names[] = {"auto", NULL};
static const char *const warmup_names[] = {"settled", NULL};

#define FIELD(member)   offsetof(struct request, member)
#define OF_FILE(member) offsetof(struct request_file, member) /* with PARAM_FILE */

const struct param request_keys[] = {
	{"kernels", "opType", PARAM_WORDS, FIELD(ops), NULL, 1, 1000, NULL,
		"kernels, run one after another; a+b: thread 0 runs a, thread 1 b, in turn; a+b*: "
		"all others b",
		PARAM_REQUIRED},
	{"nodePerThread", NULL, PARAM_WORDS, FIELD(node_per_thread), NULL, 1, 0, NULL,
		"node of each thread: a core of that node each; N*: one on each of its cores", 0},
	{"corePerThread", NULL, PARAM_WORDS, FIELD(core_per_thread), NULL, 1, 0, NULL,
		"logical core of each thread, or kind(NAME); equal ones take hardware threads in "
		"turn",
		0},
	{"cpuPerThread", NULL, PARAM_WORDS, FIELD(cpu_per_thread), NULL, 1, 0, NULL,
		"operating system CPU of each thread", 0},
	{"placePerThread", NULL, PARAM_WORDS, FIELD(place_per_thread), NULL, 1, 0, NULL,
		"place of each thread: L3(0)*4, package(1):core(0-3), L3(each), packed(node(0))*8",
		0},
	{"threads", NULL, PARAM_WORDS, FIELD(threads), NULL, 1, 1, NULL,
		"how many threads, instead of a place for each", 0},
	{"mapping", NULL, PARAM_WORDS, FIELD(mapping), NULL, 1, 1, mapping_methods,
		"how threads without a place of their own get their CPUs; none: compact", 0},
	{"mappingBy", NULL, PARAM_CHOICE, FIELD(mapping_by), "spread", 0, 0, mapping_types,
		"type of instructions that mapping: instruction sorts by; spread: the widest", 0},
	{"profile", NULL, PARAM_WORDS, FIELD(profile), NULL, 1, 1, NULL,
		"CSV file of instruction mixes for it: kernel,type,share", 0},
	{"nodePerVector", NULL, PARAM_WORDS, FIELD(node_per_vector), NULL, 1, 0, NULL,
		"node of each vector, or interleave, interleave:0,2, weighted:0=3,1=1, "
		"weighted:3,1, "
		"weighted:measured, bind:0,2, preferred:1, "
		"local, replicate, slices; or local_2m, local_2m_4k, local_4k, interleave_2m, "
		"remote_2m, local_frag, "
		"rhp_frag, rhp_frag_profiler",
		0},
	{"sizePerVector", "tamPerVector", PARAM_WORDS, FIELD(size_per_vector), NULL, 1, 0, NULL,
		"elements of each vector, or a size: 200MiB, 8xL3, 50% of the node's memory", 0},
	{"typePerVector", NULL, PARAM_WORDS, FIELD(type_per_vector), "char*", 1, 0, element_names,
		"element type of each vector", 0},
	{"pagesPerVector", NULL, PARAM_WORDS, FIELD(pages_per_vector), "system*", 1, 0, pages_names,
		"page size of each vector", 0},
	{"initPerVector", NULL, PARAM_WORDS, FIELD(init_per_vector), "node*", 1, 0, init_names,
		"who touches each vector first; thread:K names a thread", 0},
	{"initOrderPerVector", NULL, PARAM_WORDS, FIELD(order_per_vector), "any*", 1, 0,
		touch_order_names,
		"in which order it is touched: hot_first, from its beginning; hot_last, from its "
		"end",
		0},
	{"statePerVector", "state", PARAM_WORDS, FIELD(state_per_vector), "none*", 1, 0,
		state_names, "coherence state of each vector's lines before every sample", 0},
	{"ownerPerVector", "owner", PARAM_WORDS, FIELD(owner_per_vector), "none*", 1, 0, NULL,
		"in whose cache, and for S O F who reads too: thread:1 cpu:4 thread:1,cpu:4", 0},
	{"targetPerVector", NULL, PARAM_WORDS, FIELD(target_per_vector), "none*", 1, 0, NULL,
		"node to which kernels that move pages move each vector; none: nowhere", 0},
	{"tablesPerVector", NULL, PARAM_WORDS, FIELD(tables_per_vector), "none*", 1, 0, NULL,
		"node on which the page tables of each vector lie; none: where they come to lie",
		0},
	{"backingPerVector", "backing", PARAM_WORDS, FIELD(backing_per_vector), "anonymous*", 1, 0,
		NULL,
		"what gives each vector its pages: anonymous, memfd, file:PATH (read only), "
		"file:FOLDER (a file of the run's own)",
		0},
	{"pageCachePerVector", "cache", PARAM_WORDS, FIELD(cache_per_vector), "asis*", 1, 0, NULL,
		"of files: asis, as their pages lie; warm or warm(NODE), dropped and read in; "
		"cold, "
		"dropped before every sample",
		0},
	{"leaveHuge", NULL, PARAM_WORDS, FIELD(leave_huge), NULL, 1, MEM_MAX_NODES, NULL,
		"what is left in blocks of a huge page of the threads' nodes, whose other free "
		"memory is broken: 4G, 0.5xvectors, 0=4G 1=0; all: as found",
		0},
	{"vectorPerThread", NULL, PARAM_WORDS, FIELD(vector_per_thread), NULL, 1, 0, NULL,
		"the threads of each vector, groups divided by commas; all; own: as many for each "
		"thread",
		0},
	{"background", NULL, PARAM_LINES, FIELD(background), NULL, 0, 0, NULL,
		"a load beside the run: 20GB/s on node(0) by L3(2)*4, and writes=0.5 size=200MiB; "
		"0: none",
		0},
	{"let", NULL, PARAM_WORDS, FIELD(let), NULL, 1, 256, NULL,
		"names for nodes: X=0 Y=far(X) Z=near(X) W=first", PARAM_ADDS},
	{"oversubscribe", NULL, PARAM_FLAG, FIELD(oversubscribe), "no", 0, 0, NULL,
		"yes: several threads may share a hardware thread", 0},
	{"spoiledLoops", NULL, PARAM_FLAG, FIELD(spoiled_loops), "no", 0, 0, NULL,
		"yes: measure kernels even where the compiler built another loop", 0},
	{"summaryType", NULL, PARAM_CHOICE, FIELD(summary), "max", 0, 0, summary_names,
		"how the Total line sums up the threads", 0},
	{"speedup", "speedupCalc", PARAM_WORDS, FIELD(speedups), NULL, 1, 1000, NULL,
		"ratios of costs to print: write/read", 0},
	{"samples", "numIter", PARAM_COUNT, FIELD(iterations), "auto", 1, 1e6, auto_names,
		"samples of each kernel in each placement; auto: 3, or 10 in a single one", 0},
	{"warmup", NULL, PARAM_COUNT, FIELD(warmup), "settled", 0, 1e6, warmup_names,
		"first samples of each kernel in each placement that are discarded; settled: until "
		"costs no longer fall or rise",
		0},
	{"placements", NULL, PARAM_COUNT, FIELD(placements), "auto", 1, PLACEMENTS_MAX, auto_names,
		"how often the vectors are mapped and touched anew; auto: 5 to 10, until half "
		"intervals are 5 %",
		0},
	{"statistic", NULL, PARAM_CHOICE, FIELD(statistic), "mean", 0, 0, statistic_names,
		"which figure of a thread's samples is its cost", 0},
	{"confidence", NULL, PARAM_FRACTION, FIELD(confidence), "95%", 0.5, 0.9999, NULL,
		"probability of the printed intervals", 0},
	{"verify", NULL, PARAM_CHOICE, FIELD(verify), "strict", 0, 0, verify_names,
		"a page or thread in the wrong place: exit 3, or a warning", 0},
	{"mode", NULL, PARAM_WORDS, FIELD(mode), "work", 1, 1, NULL,
		"work: the same work in every sample; time:2s: work for that long and count", 0},
	{"stoppedBy", NULL, PARAM_CHOICE, FIELD(stopped_by), "clock", 0, 0, stopped_by_names,
		"mode: time ends by the clock that each thread reads, or by a flag that all poll",
		0},
	{"measures", NULL, PARAM_CHOICE, FIELD(measures), "any", 0, 0, measures_names,
		"memory: warn where vectors are so small that caches hold a good part of them", 0},
	{"solo", NULL, PARAM_FLAG, FIELD(solo), "no", 0, 0, NULL,
		"run each thread alone too: overhead (eq. 4.1) and slowdown", 0},
	{"targetError", NULL, PARAM_FRACTION, FIELD(target_error), "0", 0, 1, NULL,
		"take more placements until every cost's interval is that narrow; 0: do not", 0},
	{"timeLimit", NULL, PARAM_DURATION, FIELD(time_limit_ns), "60s", 1e6, 1e18, NULL,
		"longest time for each operation with targetError", 0},
	{"disturbedAbove", NULL, PARAM_FRACTION, FIELD(disturbed_above), "1%", 0, 1, NULL,
		"a sample is disturbed when a thread lost its CPU for a larger share of its time",
		0},
	{"distribution", NULL, PARAM_CHOICE, FIELD(distribution), "no", 0, 0, distribution_names,
		"time single events in further samples, and show what percentiles of them take; "
		"yes: as many as the kernel does by itself",
		0},
	{"tailAbove", NULL, PARAM_DURATION, FIELD(tail_ns), "1us", 1, 1e9, NULL,
		"with distribution: the time for share_above and time_above", 0},
	{"clockRate", NULL, PARAM_FLAG, FIELD(clock_rate), "yes", 0, 0, NULL,
		"measure the clock rate of each core before and after every sample", 0},
	{"physicalRanges", NULL, PARAM_FLAG, FIELD(physical_ranges), "no", 0, 0, NULL,
		"read in which ranges of physical memory the vectors lie, as root: coverage_32", 0},
	{"interleave", NULL, PARAM_FLAG, FIELD(interleave), "no", 0, 0, NULL,
		"take samples of all operations and runs in random order", 0},
	{"seed", NULL, PARAM_COUNT, OF_FILE(seed), "0", 0, 0, NULL,
		"seed of that order, of runs and of places on stacks; 0: taken from the clock",
		PARAM_FILE},
	{"runs", NULL, PARAM_COUNT, OF_FILE(runs), "0", 0, 0, NULL,
		"how many runs of a sweep to measure, chosen at random; 0: all", PARAM_FILE},
	{"runsEach", NULL, PARAM_WORDS, OF_FILE(runs_each), NULL, 2, 2, NULL,
		"two variables, of CPUs: runs is for each nearest place that both share: core, L3, "
		"node",
		PARAM_FILE},
	{"quick", NULL, PARAM_FLAG, OF_FILE(quick), "no", 0, 0, NULL,
		"a trial of a few seconds: fewer samples, values of sweeps and elements than asked",
		PARAM_FILE},
	{"caches", NULL, PARAM_WORDS, OF_FILE(caches), NULL, 1, 0, NULL,
		"sizes of the caches, from L1 on, where the machine shows none or wrong ones: 64K "
		"1M 32M/8 (one for 8 cores), or measured:FILE.json",
		PARAM_FILE},
	{"counters", NULL, PARAM_WORDS, FIELD(counters), NULL, 1, 1000, NULL,
		"what to count in further samples: mix cache tlb numa software, or events by name",
		0},
	{"requireCounters", NULL, PARAM_FLAG, FIELD(require_counters), "no", 0, 0, NULL,
		"exit 4 and measure nothing where these cannot be counted", 0},
	{"sweep", NULL, PARAM_LINES, OF_FILE(sweep), NULL, 0, 0, NULL,
		"a variable, used as $d: d = 0..900:100, s = 1 2 4..4096*2, n = nodes, t = "
		"1..cpus; lines multiply",
		PARAM_FILE},
	{"where", NULL, PARAM_LINES, OF_FILE(where), NULL, 0, 0, NULL,
		"which runs of the sweeps to keep: a != b, d <= 500 or k == read", PARAM_FILE},
	{"baseline", NULL, PARAM_WORDS, OF_FILE(baseline), NULL, 1, 0, NULL,
		"values of the run of the sweep that speedups refer to: d=0", PARAM_FILE},
	{"smallPages", NULL, PARAM_WORDS, OF_FILE(small_pages), NULL, 1, 0, NULL,
		"values of the run of the sweep with small pages, for huge_gain: "
		"placement=local_4k",
		PARAM_FILE},
	{"table", NULL, PARAM_LINES, OF_FILE(views), NULL, 0, 0, NULL,
		"a matrix: cost rows=v cols=t", PARAM_FILE},
	{"plot", NULL, PARAM_LINES, OF_FILE(views), NULL, 0, 0, NULL,
		"a curve or a heat map: cost x=d by=thread, cost rows=v cols=t", PARAM_FILE},
	{"claim", NULL, PARAM_LINES, OF_FILE(claims), NULL, 0, 0, NULL,
		"what the runs of a sweep should show: cost d=0 < d=100 by=10%, cost d=0 ~ d=100 "
		"within=5%",
		PARAM_FILE},
	{"params", "argsExtra", PARAM_WORDS, FIELD(extra), NULL, 1, 0, NULL,
		"kernel parameters as name:value; values for each thread divided by commas", 0},
	{0},
};

const struct param common_params[] = {
	{"passes", NULL, PARAM_COUNT, offsetof(struct common_args, passes), "1", 1, 1e12, NULL,
		"rounds of the kernel in one sample; not given: most kernels do as many as take 1 "
		"ms",
		0},
	{"sleep", NULL, PARAM_DURATION, offsetof(struct common_args, sleep_ns), "0", 0, 3.6e12,
		NULL,
		"wait after the common start, part of the cost; one value is for thread 1 only",
		PARAM_THREAD_1},
	{0},
};
