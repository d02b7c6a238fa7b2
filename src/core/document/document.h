/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a result document that json.c wrote; results/schema-3.json describes each field. It is the
 * only reader of the format, and reads no other schema. A field that is missing or null in a
 * document is NAN, NULL, 0 or an empty list here, unless its comment says otherwise.
 *
 * A run that is there more than once, to the last digit of each sample, counts once, and is named.
 *
 * The document owns all memory; document_free() frees it at once.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdint.h>

#include "analysis/finding.h"
#include "analysis/heading.h"
#include "analysis/tails.h"
#include "base/amount.h"
#include "base/error.h"
#include "document/details.h"
#include "system/fact.h"

/* Pairs, such as the sweep's variables, in the document's order. */
struct document_pair {
	const char *name, *value;
};

struct document_pairs {
	struct document_pair *list;
	size_t count;
};

struct document_amounts {
	struct document_marked *list;
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

/* How figures were made from samples. */
struct document_method {
	const char *mode, *stopped_by, *cost, *summary, *statistic;
	bool per_unit; /* mode: time: costs are per unit */
	double window_s, confidence, target_error;
	int64_t iterations, warmup, seed;
	bool settled;       /* the warm-up went on until costs had settled */
	int64_t placements; /* of the vectors; 1 in documents that do not contain it */
	int64_t placements_most, runs_to_choose_from;
	double placements_error; /* half the interval of a cost at which placements are enough;
				    NAN: the file gives their number */
	bool interleave;
	struct document_family *families;
	size_t nfamilies;
};

struct document_vector {
	const char *asked_node; /* as the argument file names it: "0", "interleave"; of copies and
				   slices "replicate:2", "slices:2" */
	int only_node;          /* on which all of it is asked for; -1: several, or none */
	const char *type, *asked_pages, *init;
	int64_t elements, bytes;
	const char *state; /* state of its lines before each sample; NULL: any */
	struct document_placement found, *found_again; /* in the first placement, in the others */
	size_t nagain;
	const char *touch_order, *memory, *weights_by; /* NULL: none */
	bool has_placement, has_part;
	struct {
		const char *name;
		int thread;
	} placement; /* the name that its nodes come from, and by whose node */
	struct {
		int of_vector, number, parts;
		const char *by;
	} part;
	int tables_node, target_node; /* -1: none */
	struct document_step {
		const char *action;
		int cpu;
	} * steps; /* what was done for its state */
	size_t nsteps;
	struct document_pages *pages; /* as found, by node in ascending order: the most of all
					 placements */
	size_t npages;
	int64_t pages_absent, pages_moved; /* of all placements */
	bool broken; /* some placement was not as asked for, and verify: warn let it pass */
};

struct document_thread {
	int node, core, cpu; /* -1: the thread was not bound */
	const char *kind;    /* of its core; NULL: alike, or not known */
	bool shares_core, takes_turns;
	const char *cpu_shown_by; /* NULL: nothing, or it is not bound */
	size_t *vectors;          /* indices of the run's vectors */
	size_t nvectors;
};

/* One thread in one operation; in seconds unless the name says otherwise. What has an interval, and
 * rates, is read with its mark: document/figure.h. */
struct document_figures {
	struct amount cost;
	double *by_placement; /* [nplacements]: the cost in each */
	size_t nplacements;
	double spread; /* of several placements: the largest of these costs over the smallest - 1 */
	int64_t n;
	double mean_s, sd_s, median_s, mad_s, min_s, max_s, cv, busy_s;
	double first_s, overlap, undisturbed_s;
	struct amount first, busy, unit_time, whole_time; /* with their own intervals */
	double units, calls, ns_per_unit, units_per_s, bytes_per_s, traffic_bytes_per_s;
};

struct document_sample {
	double cost_s, busy_s, lost_before_s;
	int64_t units, calls, late_ns, skew_ns;
	bool warmup;
	int64_t placement; /* of the vectors, from 0 */
	int64_t start_ns;  /* the common start, on a clock that runs on through all runs; 0: not
			      recorded */
	double clock_before_hz, clock_after_hz;
	int disturbed; /* flags: 1 moved, 2 preempted, 4 blocked, 8 page faults */
	int cpu_before, cpu_after;
};

struct document_counter {
	const char *metric;
	double value, per_unit;
	double low, high; /* of per_unit where there is one, else of value */
};

/* The figures that kernels have of their own, by name. */
struct document_own {
	struct document_own_figure {
		const char *name, *unit;
		struct amount value;
	} * list;
	size_t count;
};

/* The work of one thread in an operation. */
struct document_job {
	const char *kernel, *chose, *unit;
	const char *order; /* of its accesses; "": the kernel has no parameter of that name */
	const char *loop;  /* "as claimed", or how it was built; "": the program did not know */
	double times_caches, sleep_s;
	const char *held;  /* what holds the data: plan/held.h; "": nothing */
	double passes;     /* rounds per sample; NAN: mode: time */
	bool calibrated;   /* passes was chosen by measuring: costs are those of one round */
	bool shares_lines; /* also filled in if the document does not contain it */
	bool latency;
	bool has_figures;
	struct document_figures figures;
	struct document_mark mark;
	struct document_own own;
	struct tails *tails; /* NULL: no single events were timed */
	bool has_ran_on, has_clock;
	struct {
		const char *cpus;
		int64_t migrations, node_jumps; /* migrations -1: not known */
	} ran_on;                               /* of a thread that is not bound */
	struct {
		double min_hz, median_hz, max_hz, cycles_per_unit;
	} clock;
	struct document_sample *samples;
	size_t nsamples;
	struct document_counter *counters;
	size_t ncounters;
};

/* A vector of an operation whose kernels can move pages: before it and after it. */
struct document_places {
	size_t vector;
	struct document_pages *before, *after; /* by node in ascending order */
	size_t nbefore, nafter;
	int64_t absent_before, absent_after;
};

struct document_tally {
	int64_t taken, disturbed, preempted, moved, blocked, page_faults, taken_away, throttled,
		busy_sibling, repeated;
	double disturbed_part; /* the part of them whose disturbances may change costs */
	double lost_median, lost_worst;
	bool measure_again; /* so many are disturbed that nothing is known */
};

/* One of the document's `kernels`: an operation. */
struct document_operation {
	const char *name;
	struct document_together together; /* of all threads: document/figure.h has them with their
					      marks */
	struct document_mark mark;
	struct document_kind *kinds; /* of cores, where threads are on several */
	size_t nkinds;
	struct document_own own;           /* of all threads together */
	struct document_counter *counters; /* of all threads together */
	size_t ncounters;
	bool has_places;                /* a kernel of it can move pages */
	struct document_places *places; /* [nplaces] */
	size_t nplaces;
	const char *ended_by;
	double interval_error;
	bool unsettled; /* its cost still changed */
	struct {
		int thread;
		const char *text; /* "falls from 4.3 to 1.5 ms within 40 samples" */
	} settling;
	struct document_tally samples;
	double skew_median_ns, skew_max_ns;
	struct document_job *jobs; /* [njobs] by thread */
	size_t njobs;
};

struct document_operations {
	struct document_operation *list;
	size_t count;
};

/* speedup: cost of the first operation / cost of the second. */
struct document_speedup {
	const char *name;
	size_t base; /* of the second operation; as many as there are: not recorded */
	struct document_marked total;
	double base_s;
	struct document_amounts threads;
	struct document_own kinds; /* of cores, where threads are on several */
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

struct document_run {
	struct document_pairs values; /* of the sweep's variables */
	char *label;                  /* "d=100 n=2"; "" if there is no sweep */
	const char *skipped; /* the reason; NULL: the run was measured, and the other fields are
				valid */
	bool lost;           /* skipped, because it could not be measured */
	struct document_method method; /* the document's, where the run has none of its own */
	struct document_vector *vectors;
	size_t nvectors;
	struct document_thread *threads;
	size_t nthreads;
	struct document_operations operations;
	struct document_speedup *speedups;
	size_t nspeedups;
	bool has_solo;
	struct document_solo *solos; /* by operation */
	size_t nsolos;
	struct document_operations *alone; /* [nalone] by thread: its work alone */
	size_t nalone;
	const char *baseline; /* the run that is the baseline of this one; NULL: none */
	struct document_baseline *gains;
	size_t ngains;
	int64_t placements; /* that were made */
	struct document_leave *leaves;
	size_t nleaves;
	const char *kinds_begin; /* kinds of cores that the sweep reaches here; NULL: none */
	bool has_profiler, has_physical, has_mapping;
	struct {
		const char *judged_by, *cost_of;
		struct amount gain_percent, cost_percent;
		bool moves_back;
	} profiler;
	struct {
		int64_t ranges; /* -1: they could not be read */
		double of_32, of_64, of_128, of_256;
	} physical;
	struct {
		const char *mapping, *reason;
	} mapping;
};

/* The result of a `table` or `plot` line of the argument file, as analysis/view.h computed it. */
enum document_shown { SHOWN_TABLE, SHOWN_PLOT, SHOWN_HEAT };

struct document_table {
	enum document_shown shown;
	enum quantity id;     /* QUANTITY_COUNTER or _FIGURE: of which `quantity` is the name */
	const char *quantity; /* "ns_per_unit" */
	const char *along;    /* the variable along which it is found; NULL: none */
	const char *unit;
	const char *operation;        /* NULL: on an axis, or not the same in all runs */
	int thread;                   /* -1: all threads together, or on an axis */
	struct document_pairs values; /* of the sweep's variables on no axis */
	const char *row_axis, *column_axis;
	int rows_are,
		columns_are; /* AXIS_NONE, _THREAD, _OPERATION, _TIME or _VARIABLE (heading.h) */
	struct document_texts rows, columns;
	size_t *by_row; /* [nruns] by their values of the row's variable; NULL: some have none */
	const char **row_kinds; /* [rows.count]: kinds of cores that begin there; NULL: none does */
	const char *mean; /* "geometric": the last row, and the last of several columns, are means;
			     "scenarios": of the columns of analysis/means.h; NULL: none */
	struct amount *cells;        /* [rows.count * columns.count] */
	struct document_mark *marks; /* the same, as they were written */
	double *places; /* the same for the quantity that it is drawn against; NULL: none */
	const char *place, *place_unit; /* that quantity; NULL: none */
	bool ranges;                    /* cells are those of statistics/crossing.h */
	const char *held;               /* what holds the data of the cells; NULL: not known */
};

/* A test of a claim of the argument file. */
struct document_claim {
	const char *claim, *label, *verdict;
	const char *reason;    /* NULL: the figures say it */
	const char *unit;      /* of left and right */
	const char *figure_is; /* "left / right" or "left - right" */
	struct amount left, right, figure;
	double above, below; /* what is claimed of the figure; NAN: no such end */
};

struct document {
	char *path;
	struct document_program *programs; /* programs.h; none: it is of the driver */
	size_t nprograms;
	const char *figure;                  /* what costs are, a regular expression; NULL: times */
	const char *figure_unit;             /* the word after it; NULL: not known */
	bool larger, simulated, interrupted; /* larger: costs are 1 / figure */
	bool quick;                          /* a trial, not for conclusions */
	double elapsed_s;
	struct environment environment;
	struct {
		const char *path, *text;
		struct document_texts set; /* KEY=VALUE of --set; document/arguments.h reads both */
	} arguments;
	struct document_message *warnings;
	size_t nwarnings;
	struct document_method method;
	struct {
		const char *conditions, *text;
	} trust; /* of all of it; NULL: not recorded */
	struct document_run *runs;
	size_t nruns;
	uint64_t hash; /* of the runs as they stand in the file */
	struct document_table *tables;
	size_t ntables;
	struct document_lacking *lacking;
	size_t nlacking;
	bool has_counting;
	struct document_counting counting;
	struct document_claim *claims;
	size_t nclaims;
	int64_t claims_asked;
	struct finding_list findings;          /* made anew from the others: findings/findings.h */
	double claims_confidence, claims_each; /* of all intervals of figures together, and each */
	void *source;                          /* the parsed JSON that the texts belong to */
	void **blocks;
	size_t nblocks;
};

/* Opens the file once and reads all of it. 0, or -1 with messages (STATUS_USAGE): the file does not
 * exist, is not JSON (with line), is from another program or of another schema, or has a run
 * without a required field. Call document_free() in both cases. */
int document_read(struct document *d, const char *path, struct errors *e);
/* The same of a text; `path` is for messages. */
int document_parse(
	struct document *d, const char *path, const char *text, size_t length, struct errors *e);
void document_free(struct document *d);

/* Do both have the same runs, to the last digit of each sample? */
bool document_equal_runs(const struct document *a, const struct document *b);

/* Used if the document does not contain the fact. */
#define NOT_RECORDED "not recorded"
const char *document_fact(const struct document *d, const char *name);

/* The value of a variable of the sweep in a run; NULL: none. */
const char *document_value(const struct document_run *r, const char *variable);

/* Seconds from the common start of a sample to where the thread began its work. */
double document_begin_s(const struct document_run *r, const struct document_job *j, size_t sample);

/* The first operation of a run with that name; NULL: none. */
const struct document_operation *document_operation(const struct document_run *r, const char *name);

/* The run with that label, if it was measured; NULL: there is none, or label is NULL. */
const struct document_run *document_measured(const struct document *d, const char *label);

#endif
