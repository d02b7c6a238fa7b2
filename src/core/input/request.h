/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an argument file asks for, key by key, typed but not yet compared with the machine. */
#ifndef REQUEST_H
#define REQUEST_H

#include "input/args.h"
#include "contract/kernel.h"
#include "base/text.h"
#include "mapping/mapping.h"

enum summary { SUMMARY_MAX, SUMMARY_MIN, SUMMARY_SUM, SUMMARY_MEAN };
enum statistic { STATISTIC_MEAN, STATISTIC_MEDIAN, STATISTIC_MIN };
enum measures { MEASURES_ANY, MEASURES_MEMORY };
enum verify { VERIFY_STRICT, VERIFY_WARN };

/* The most placements of a run. */
#define PLACEMENTS_MAX 100

/* Placements and samples of each where a file says nothing of them: from so many on until half the
 * interval of each cost is at most this part of it. Pages differ as much as repetitions do, and the
 * interval over three placements is 4.3 standard errors: of equal time, 3 x 10 samples give half
 * intervals of 15 % in the median of load, store and read over 64 MiB, 5 x 6 8 %, 8 x 4 5 %. */
#define PLACEMENTS_LEAST  5
#define PLACEMENTS_ENOUGH 10
#define PLACEMENTS_ERROR  0.05
#define SAMPLES_EACH      3
/* In a single placement: an interval of the median needs 6. */
#define SAMPLES_ALONE 10

/* As many samples of a warm-up as the costs need to settle. */
#define WARMUP_SETTLED COUNT_WORD

/* A kernel's parameter as the file gives it: one value, or one a thread. */
struct setting {
	char *name; /* owned */
	struct words values;
};

enum stopped_by { STOPPED_BY_CLOCK, STOPPED_BY_FLAG };

struct request {
	struct words ops, speedups, let;
	struct words node_per_thread, core_per_thread, cpu_per_thread, place_per_thread;
	struct words threads, mapping, profile; /* a word each, none: the key is not given */
	uint64_t thread_count;                  /* of threads; 0 without */
	struct mapping_choice mapped;           /* of mapping */
	int mapping_by;                         /* enum mapping_type */
	struct words node_per_vector, size_per_vector, type_per_vector, pages_per_vector,
		init_per_vector, order_per_vector, state_per_vector, owner_per_vector,
		target_per_vector, tables_per_vector, backing_per_vector, cache_per_vector;
	struct words leave_huge;
	struct lines background; /* plan/background.h reads them */
	const bool *taken; /* [ncpu_index] CPUs that threads of another plan have; NULL: none. Not a
			      key */
	struct words vector_per_thread; /* words as written, commas still in them */
	int summary, statistic, verify; /* enums above */
	bool oversubscribe;
	bool spoiled_loops; /* measure kernels even where the compiler built another loop */
	uint64_t iterations,
		warmup;      /* in each placement; warmup WARMUP_SETTLED: statistics/settled.h */
	uint64_t placements; /* how often vectors are mapped and touched anew, at least */
	uint64_t placements_most; /* the same, until the costs are known so well: */
	double enough;            /* half the interval of a cost, as a part of it; 0: their number
				     alone decides */
	double confidence, target_error; /* fractions; target_error 0: none */
	uint64_t time_limit_ns;
	bool clock_rate;        /* measure the rate of each core beside every sample */
	bool physical_ranges;   /* read in which ranges of frames the vectors lie */
	double disturbed_above; /* the part of its time that a thread may lose */
	int distribution;       /* index of distribution_groups */
	uint64_t tail_ns;       /* which shares of events and of their time are above */
	struct words mode;      /* a word, as written */
	uint64_t window_ns; /* mode: time:2s, how long a sample works; 0: a fixed amount of work */
	int stopped_by;     /* enum stopped_by, with a window */
	struct words counters;
	bool require_counters;
	bool solo, interleave;
	bool quick;         /* a trial: quick_request() has changed this request */
	bool size_swept;    /* a sweep gives sizes of vectors */
	int measures;       /* enum measures */
	struct words extra; /* of the key params as written; settings holds them read */
	struct setting *settings;
	size_t nsettings;
};

/* The keys of a file as a whole: which runs it has, and what is shown of all runs together. They
 * are read before a run is known, so $name is not replaced in them. */
struct request_file {
	struct lines sweep, where; /* sweep.h reads them */
	struct words let;          /* that depend on no variable of the sweep, for its places */
	uint64_t runs, seed;
	struct words runs_each; /* names of two variables, or none */
	bool quick;             /* a trial; quick.h */
	struct words baseline, small_pages;
	struct words caches; /* as written; values.h reads it */
	struct lines
		views; /* table and plot, in the order of the file; analysis/view.h reads them */
	struct lines claims; /* analysis/claims.h reads them */
};

/* Parameters that the driver gives every kernel. */
struct common_args {
	uint64_t passes;   /* rounds of the kernel in one sample */
	uint64_t sleep_ns; /* wait after the common start, before the kernel: counts in the cost */
};
extern const struct param common_params[];

/* The keys of an argument file, for --help keys and the manual. */
extern const struct param request_keys[];

/* One event of so many is timed; 0: as the kernel says. The first one: no event is. */
extern const uint64_t distribution_groups[];

extern const char *const summary_names[], *const statistic_names[],
						  *const verify_names[], *const stopped_by_names[];

/* Each reads the entries of its own keys; request_read() also refuses unknown keys. --set wins over
 * the file. 0, or -1 with a message for every mistake. */
int request_read_file(struct request_file *f, const struct args *a, struct errors *e);
int request_read(struct request *r, const struct args *a, struct errors *e);

/* Adds the message about a name that is no key and no kernel's parameter, with the nearest one. */
void request_unknown(const char *name, struct place at, struct errors *e);

/* Is this the name of a parameter of the driver, or of any kernel? */
bool request_is_parameter(const char *name);
/* The row of a key or of such a parameter, by its name or alias; NULL: there is none. */
const struct param *request_find(const char *name);

/* Does request_read_file() read this key? */
bool request_of_file(const char *key);

void request_file_free(struct request_file *f);
void request_free(struct request *r);

#endif
