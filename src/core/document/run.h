/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of a result: where its vectors and threads were, and what its operations cost. */
#ifndef DOCUMENT_RUN_H
#define DOCUMENT_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/tails.h"
#include "base/amount.h"

struct samples;

/* Pairs, such as the sweep's variables, in the document's order. */
struct document_pair {
	const char *name, *value;
};

struct document_pairs {
	struct document_pair *list;
	size_t count;
};

struct document_texts {
	const char **list;
	size_t count;
};

struct document_message {
	const char *text;
	const char *hint; /* NULL: none */
};

/* Of a figure, a row or a whole document: analysis/trust.h. */
struct document_mark {
	bool there; /* it is marked */
	const char *word, *why;
};

struct document_marked {
	struct amount amount;
	struct document_mark mark;
};

struct document_amounts {
	struct document_marked *list;
	size_t count;
};

/* Figures with names, such as those that kernels have of their own. */
struct document_own {
	struct document_own_figure {
		const char *name, *unit;
		struct amount value;
	} * list;
	size_t count;
};

/* What figures of a kind know from each other: analysis/pooling.h. */
struct document_family {
	const char *name;
	bool shared;
	const char *reason;
	int64_t figures, runs;
	double sd, df, most_df, rare, rare_error;
};

/* How figures were made from samples. */
struct document_method {
	const char *mode, *stopped_by, *cost, *summary, *statistic, *intervals;
	double window_s, confidence, target_error;
	int64_t iterations, warmup, seed; /* warmup -1: until costs have settled */
	int64_t placements, placements_most, runs_to_choose_from;
	double placements_error; /* half the interval of a cost at which placements are enough;
				    NAN: the file gives their number */
	bool interleave;
	struct document_family *families;
	size_t nfamilies;
	bool per_unit; /* mode: time: costs are per unit */
	bool settled;  /* the warm-up went on until costs had settled */
};

struct document_pages {
	int node;
	int64_t pages;
};

/* A vector as one placement found it. */
struct document_placement {
	struct document_pages *pages_on_node; /* by node in ascending order */
	size_t nodes;
	const char *nodes_shown_by, *sizes_shown_by;
	int64_t pages_absent, base_page_bytes, kernel_page_bytes, transparent_huge_bytes,
		transparent_page_bytes, pages_moved, map_ns, touch_ns, copy_ns;
	int touched_by_cpu, touching_threads;
	bool touched_in_turn; /* by all of them; else by those of its node */
	bool broken;
	bool has_free_huge, has_moved_back, has_page_tables, has_page_cache;
	struct {
		int node;
		int64_t local_bytes, remote_bytes, none_bytes;
	} free_huge;
	struct {
		int64_t bytes, ns;
	} moved_back;
	struct {
		int64_t needed, more_on_node, more_elsewhere;
		bool only_node_with_memory;
	} page_tables;
	struct {
		int64_t resident_before, left, minor_faults, major_faults;
		const char *shown_by;
	} page_cache;
};

struct document_vector {
	const char *asked_node; /* as the argument file names it: "0", "interleave"; of copies and
				   slices "replicate:2", "slices:2" */
	int64_t elements, bytes;
	const char *type, *asked_pages, *init;
	int init_thread;
	struct document_placement found, *found_again; /* in the first placement, in the others */
	size_t nagain;
	const char *touch_order, *memory, *weights_by; /* NULL: none */
	const char *backing, *file, *cache;            /* NULL: anonymous memory; no file */
	bool has_placement, has_part, has_state;
	struct {
		const char *name;
		int thread;
	} placement;
	struct {
		int of_vector, number, parts;
		const char *by;
	} part;
	int tables_node, target_node; /* -1: none */
	const char *state;            /* state of its lines before each sample; NULL: any */
	struct document_step {
		const char *action;
		int cpu;
	} * steps; /* what was done for it */
	size_t nsteps;
	/* what follows from these */
	int only_node;                /* on which all of it is asked for; -1: several, or none */
	struct document_pages *pages; /* as found, by node in ascending order: the most of all
					 placements */
	size_t npages;
	int64_t pages_absent, pages_moved; /* of all placements */
	bool broken; /* some placement was not as asked for, and verify: warn let it pass */
};

struct document_thread {
	int node, core, cpu;    /* -1: the thread was not bound */
	const char *kind;       /* of its core; NULL: alike, or not known */
	const char *last_cache; /* "L3 2", where a node has several; NULL: it has not, or not known
				 */
	bool shares_core, takes_turns;
	size_t *vectors; /* indices of the run's vectors */
	size_t nvectors;
	const char *cpu_shown_by; /* NULL: nothing, or it is not bound */
};

/* One thread in one operation; in seconds unless the name says otherwise. What has an interval, and
 * rates, is read with its mark: document/figure.h. */
struct document_figures {
	double *by_placement; /* [nplacements]: the cost in each */
	size_t nplacements;
	double first_s;
	double spread; /* of several placements: the largest of these costs over the smallest - 1 */
	struct amount cost;
	int64_t n, outliers;
	double mean_s, sd_s, median_s, mad_s, min_s, max_s, cv, busy_s;
	double units, calls, ns_per_unit, units_per_s, bytes_per_s, traffic_bytes_per_s;
	double overlap, undisturbed_s;
	struct amount first, busy, unit_time, whole_time; /* with their own intervals */
};

struct document_named {
	const char *name;
	double value;
};

struct document_sample {
	int64_t placement; /* of the vectors, from 0 */
	int64_t start_ns;  /* the common start, on a clock that runs on through all runs; 0: not
			      recorded */
	double cost_s, busy_s;
	int64_t units, calls, late_ns, skew_ns;
	bool warmup;
	int disturbed; /* flags: DISTURBED_* of measure/sample.h */
	int preempted, blocked, page_faults, migrations, cpu_before, cpu_after;
	int64_t run_delay_ns, off_cpu_ns, steal_ns, throttled_ns;
	double lost_s, lost_before_s, clock_before_hz, clock_after_hz, overlap;
	struct document_named *own; /* the figures that its kernel has of its own */
	size_t nown;
	int pass;                      /* that counted it, from 1; 0: it was timed */
	struct document_named *counts; /* of the events of the pass */
	size_t ncounts;
};

struct document_counter {
	const char *metric;
	double value, per_unit;
	double low, high; /* of per_unit where there is one, else of value */
};

/* The work of one thread in an operation. */
struct document_job {
	int thread;
	const char *kernel, *chose, *unit;
	const char *order; /* of its accesses; "": the kernel has no parameter of that name */
	const char *proof, *proof_by; /* of its events: "proven", "not countable"; NULL: its
					 kernel proves none */
	const char *loop; /* "as claimed", or how it was built; "": the program did not know */
	double times_caches, sleep_s;
	const char *held;  /* what holds the data: plan/held.h; "": nothing */
	double passes;     /* rounds per sample; NAN: mode: time */
	bool calibrated;   /* passes was chosen by measuring: costs are those of one round */
	bool shares_lines; /* also filled in if the document does not contain it */
	bool latency;
	double bytes_per_unit, fill_bytes_per_unit;
	bool has_figures;
	struct document_figures figures;
	struct document_mark mark;
	struct document_own own;
	struct tails *tails; /* NULL: no single events were timed */
	bool has_ran_on;
	struct {
		const char *cpus;
		int64_t migrations, node_jumps;    /* migrations -1: not known */
	} ran_on;                                  /* of a thread that is not bound */
	struct document_sample *samples, *counted; /* NULL where `measured` has them */
	size_t nsamples, ncounted;
	bool has_clock;
	struct {
		double min_hz, median_hz, max_hz, changed, cycles_per_unit;
	} clock;
	struct document_counter *counters;
	size_t ncounters;
	/* Of a document that was made of an experiment (result.h), which it needs. */
	const struct samples *measured;
	int op;
	struct document_sample (*sample)(const struct document_job *j, size_t i);
	struct document_named *own_of_sample, *counts_of_sample; /* of the one made last */
};

/* A vector of an operation whose kernels can move pages: before it and after it. */
struct document_places {
	size_t vector;
	struct document_pages *before; /* by node in ascending order */
	size_t nbefore;
	struct document_pages *after;
	size_t nafter;
	int64_t absent_before, absent_after;
};

struct document_tally {
	int64_t taken, disturbed, preempted, moved, blocked, page_faults, taken_away, throttled,
		busy_sibling, pages_migrated, pages_split, repeated;
	double disturbed_part; /* the part of them whose disturbances may change costs */
	double lost_median, lost_worst;
	bool says_again;    /* the next one is in the document */
	bool measure_again; /* so many are disturbed that nothing is known */
};

struct document_together {
	double busy_s;
	struct amount busy, whole_time, ns_per_unit, units_per_s, bytes_per_s, traffic;
};

struct document_kind {
	const char *kind;
	struct amount total;
	bool has_together;
	struct document_together together;
	struct document_mark mark;
};

/* What a line of background reached beside an operation. */
struct document_loaded {
	struct amount bytes_per_s;
	bool missed;
};

struct document_operation {
	const char *name;
	struct document_loaded *loads; /* [nloads] by line; none: nothing ran beside it */
	size_t nloads;
	struct amount cost_of_all; /* seconds */
	bool has_together;
	struct document_together together; /* of all threads: document/figure.h has them with their
					      marks */
	const char *ended_by;
	double interval_error;
	struct document_tally samples;
	bool unsettled; /* its cost still changed */
	struct {
		int thread;
		int64_t placements, samples;
		double from_s, to_s;
		const char *text; /* "falls from 4.3 to 1.5 ms within 40 samples" */
	} settling;
	double skew_median_ns, skew_max_ns;
	struct document_mark mark;
	double fill_s;               /* NAN: not measured */
	struct document_kind *kinds; /* of cores, where threads are on several; NULL: they are
					not */
	size_t nkinds;
	struct document_counter *counters; /* of all threads together */
	size_t ncounters;
	struct document_own own;        /* the same */
	struct document_places *places; /* [nplaces]; NULL: no kernel of it can move pages */
	size_t nplaces;
	struct tails *tails;       /* of all threads; NULL: no two of them timed single events */
	struct document_job *jobs; /* [njobs] by thread */
	size_t njobs;
};

struct document_operations {
	struct document_operation *list;
	size_t count;
	int thread; /* of a thread alone */
};

struct document_of_kind {
	const char *kind;
	struct document_marked value;
};

/* speedup: cost of the first operation / cost of the second. */
struct document_speedup {
	const char *name;
	int base; /* the index of the second operation; -1: not recorded */
	struct document_marked total;
	double base_s;
	struct document_amounts threads;
	struct document_of_kind *kinds; /* NULL: threads are on cores of one kind */
	size_t nkinds;
};

/* solo: yes. An operation with all threads running, compared with each thread alone. */
struct document_solo {
	const char *operation;
	struct document_marked overhead_percent;
	struct document_amounts slowdowns; /* by thread */
	struct document_own kinds;         /* overhead_percent of each */
};

struct document_gain {
	struct document_marked speedup;
	double base_s, hypothetical;
};

/* An operation of a run compared with the same operation of the sweep's baseline. */
struct document_baseline {
	const char *operation;
	struct document_marked total; /* the speedup of all threads together */
	struct document_gain *threads;
	size_t nthreads;
};

/* A node of leaveHuge. */
struct document_leave {
	int node;
	int64_t asked_bytes;
	struct document_left {
		int64_t huge_bytes, free_bytes, blocks_broken, most_huge_bytes;
	} * left; /* by placement */
	size_t nleft;
};

/* A line of background: what runs beside the threads of a run. */
struct document_load {
	const char *line;
	double wanted_bytes_per_s;
	struct document_vector *vectors; /* numbered from 0 in each line */
	size_t nvectors;
	struct document_thread *threads;
	size_t nthreads;
};

struct document_run {
	struct document_load *loads;
	size_t nloads;
	struct document_pairs values; /* of the sweep's variables */
	const char *label;            /* "d=100 n=2"; "" if there is no sweep */
	const char *skipped; /* the reason; NULL: the run was measured, and the other fields are
				valid */
	bool lost;           /* skipped, because it could not be measured */
	int64_t placements;  /* that were made */
	int64_t *stack_offsets;
	size_t nstack_offsets;
	struct document_method method; /* the document's, where the run has none of its own */
	struct document_vector *vectors;
	size_t nvectors;
	struct document_thread *threads;
	size_t nthreads;
	struct document_leave *leaves; /* NULL: none */
	size_t nleaves;
	bool has_profiler, has_physical, has_mapping, has_solo, has_baseline;
	struct {
		const char *judged_by, *cost_of;
		struct amount gain_percent, cost_percent;
		bool moves_back;
	} profiler;
	struct {
		int64_t ranges, pages; /* -1: they could not be read */
		double of_32, of_64, of_128, of_256;
	} physical;
	struct document_operations operations;
	struct document_speedup *speedups;
	size_t nspeedups;
	const char *kinds_begin; /* NULL: none does */
	struct {
		const char *mapping, *sorted_by, *reason;
	} mapping;
	struct document_solo *solos; /* by operation */
	size_t nsolos;
	struct document_operations *alone; /* [nalone] by thread: its work alone */
	size_t nalone;
	const char *baseline; /* the run that is the baseline of this one; NULL: none */
	struct document_baseline *gains;
	size_t ngains;
};

#endif
