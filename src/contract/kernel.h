/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel contract: what a plug-in of kernels/ is given and what it must provide.
 *
 * A kernel only works: it allocates no vectors, places nothing, takes no time. The driver places
 * and proves the vectors, pins the threads, checks the parameters against the kernel's table,
 * starts all threads at one instant, calls run() or step() and takes the stamps around it.
 *
 * To add one: write a const struct kernel in a file of kernels/ and add its line to kernels/map.c;
 * --list, --help NAME, defaults, ranges and hints come from the tables. manual.md walks through
 * one.
 */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum element_type {
	TYPE_CHAR,
	TYPE_SHORT,
	TYPE_INT,
	TYPE_LONG,
	TYPE_FLOAT,
	TYPE_DOUBLE,
	ELEMENT_TYPES
};

/* A vector of the argument file: placed, touched (every page written once, content otherwise zero)
 * and verified before a kernel sees it. In check() it is not there yet: base is NULL, the rest is
 * set. */
struct vector {
	void *base;
	size_t elements;
	size_t element_size; /* bytes */
	enum element_type type;
	int node;  /* asked for; -1: no single node (interleave, local) */
	int users; /* threads that the argument file gives it to */
	int rank;  /* which of them this thread is, from 0, in the order of its group */
};

/* A pinned thread of a run, as its kernel sees it. Only the thread itself uses its struct worker.
 */
struct worker {
	int id;                       /* thread of the argument file, from 0 */
	int workers;                  /* threads of the run */
	const struct vector *vectors; /* those the argument file gives this thread, in its order */
	int nvectors;
	const void *args; /* the kernel's own parameters for this thread, typed and in range */
	void *own;        /* the kernel's: NULL at first, setup() may set it, teardown() frees it */
};

enum param_type {
	PARAM_COUNT,    /* field uint64_t; '5' '4K' */
	PARAM_REAL,     /* field double */
	PARAM_FRACTION, /* field double; '0.5' or '50%' */
	PARAM_CHOICE,   /* field int: index into choices */
	PARAM_FLAG,     /* field bool; 'yes' 'no' */
	PARAM_DURATION, /* field uint64_t, nanoseconds; '500ms' '2s', a bare number is milliseconds
			 */
	PARAM_EXTENT,   /* field struct extent; '48' is elements, '192B' '4KiB' is bytes */
	PARAM_WORDS, /* field struct words (text.h): the value as a list; keys of the file only */
	PARAM_LINES  /* field struct lines (text.h): each line whole; a key may stand on several */
};

struct extent {
	uint64_t value;
	bool bytes; /* else elements of the vector in question */
};

/* One parameter of a kernel, or one key of the argument file. A table ends with name == NULL. */
struct param {
	const char *name;
	const char *alias; /* second spelling, or NULL */
	enum param_type type;
	size_t offset;        /* of the field in the struct that the table describes */
	const char *fallback; /* the default, as a user would write it; NULL: there is none */
	double min, max; /* both inclusive, in the field's unit; of PARAM_WORDS: how many words */
	const char *const *choices; /* PARAM_CHOICE, and PARAM_WORDS with names: NULL at the end */
	const char *help;           /* one line */
	unsigned flags;
};

#define PARAM_REQUIRED 1u /* key that every argument file must have */
#define PARAM_ADDS     2u /* words of --set are added to the file's instead of replacing them */
#define PARAM_THREAD_1 4u /* a single value is thread 1's alone (the thesis's sleep) */
#define PARAM_FILE     8u /* key of the file as a whole, not of a run of its sweep */

/* What one unit of work does, as the program sees it: checked against the built loop by the tests,
 * shown by --help, turned into rates by the reports. */
struct work {
	double loads, stores; /* elements read and written */
	double bytes;         /* moved, for kernels whose rate is a bandwidth; 0: rate in units */
	double fills;         /* bytes of lines that a cache fetches only because they are stored to
				 (write-allocate), when none of them is there yet; not in `bytes` */
};

struct kernel {
	const char *summary;        /* one line: what it measures */
	const char *unit;           /* what run() counts, singular: "access", "add" */
	const struct param *params; /* its own parameters, or NULL */
	size_t args_size;           /* of the struct that params describes */
	int min_vectors;            /* of each thread that runs it */
	struct work per_unit;
	/* What a unit does where that depends on the parameters; per_unit is then that of the
	 * defaults. NULL: per_unit. */
	struct work (*work)(const void *args);
	/* The part of the lines of its vectors that run() comes by, sooner or later, 0 to 1: what
	 * caches would have to hold. NULL: 1. */
	double (*reach)(const struct worker *w);
	/* Is the time of a unit the latency of one access to a line, with no other under way? NULL:
	 * no. */
	bool (*latency)(const struct worker *w);
	bool owns;     /* setup() leaves in its vectors what run() needs: no other thread of the
			  operation may store to them, and with interleave no other operation */
	bool prepares; /* setup() stores to its vectors, even if run() does not */
	bool together; /* its threads wait for each other: each must do the same number of rounds */

	/* With interleave: what it must find in its vector k again, sample after sample, as setup()
	 * made it. A name for such content ("ones"): operations that name the same leave it whole,
	 * whoever else stores there is refused. NULL: any content will do. Asked after check();
	 * vectors have no base yet. May be NULL: any will do. */
	const char *(*finds)(const struct worker *w, int k);

	/* What makes a single round visit the same places several times ("rounds = 1000"), written
	 * to why[n], or NULL: only the first visit meets the state that statePerVector asks for,
	 * and a warning tells it. Elements of one line do not count. Asked after check(); vectors
	 * have no base yet. May be NULL: each place is visited once. */
	const char *(*revisits)(const struct worker *w, char *why, size_t n);

	/* What this machine lacks to run it ("no AVX-512"), or NULL. May be NULL: it runs anywhere.
	 */
	const char *(*lacks)(void);
	/* The same of these arguments ("this CPU has no avx512"): NULL, or why, written to why[n].
	 * Asked on the machine itself only, when check() has nothing against them. May be NULL. */
	const char *(*lacks_for)(const struct worker *w, char *why, size_t n);
	/* Before anything is placed: NULL, or why these arguments cannot work, written to why[n].
	 * May be NULL. */
	const char *(*check)(const struct worker *w, char *why, size_t n);
	/* In the worker's own thread, before its first sample, vectors placed: NULL, or what went
	 * wrong. May be NULL. */
	const char *(*setup)(struct worker *w);
	/* After setup(), in any thread: what it chose by itself, for the report ("isa avx2"),
	 * written to text[n]. May be NULL: nothing. */
	void (*chose)(const struct worker *w, char *text, size_t n);
	/* The only timed code: does `passes` rounds and returns the units done. No system
	 * calls, unless one is what the kernel is about (idle sleeps). */
	uint64_t (*run)(struct worker *w, uint64_t passes);
	/* Called instead of run() with mode: time: the same work in smaller steps than a round, so
	 * that a window of time is used up however large the vectors are. Does `steps` steps and
	 * returns the units done. It goes on where the last call ended, also that of an earlier
	 * sample, and in the units of a round does what a round does. verify() may follow after any
	 * call; with interleave other operations may have come in before that call. NULL: run() is
	 * called. */
	uint64_t (*step)(struct worker *w, uint64_t steps);
	/* In the worker's thread after its last sample: NULL, or what is wrong with the result. Not
	 * asked when a thread with another kernel shares one of its vectors. May be NULL. */
	const char *(*verify)(const struct worker *w, char *why, size_t n);
	/* In the worker's thread, last; also when setup() or verify() complained. May be NULL. */
	void (*teardown)(struct worker *w);
};

/* The function map, kernels/map.c: id -> kernel, ended by id == NULL. A kernel's first id is its
 * name, any further id for the same kernel an alias. */
struct kernel_id {
	const char *id;
	const struct kernel *kernel;
};
extern const struct kernel_id kernel_map[];

#endif
