/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel contract: what a plug-in of kernels/ is given and what it must provide.
 *
 * A kernel only works: it allocates no vectors, places nothing, takes no time. The driver places
 * and proves the vectors, pins the threads, checks the parameters against the kernel's table,
 * starts all threads at one instant, calls run() or step() and takes the stamps around it.
 *
 * To add a kernel, write a const struct kernel in a file of kernels/ and add its line to the
 * function map, kernels/map.c. The driver makes --list, --help NAME, defaults, ranges and hints
 * from the tables. manual/add-a-kernel.md walks through a kernel; kernels/null.c is the smallest
 * there is:
 *
 *	#include "kernel.h"
 *
 *	static uint64_t null_run(struct worker *w, uint64_t passes)
 *	{
 *		(void)w;
 *		return passes;
 *	}
 *
 *	const struct kernel null_kernel = {
 *		.summary = "does nothing: the driver's own cost",
 *		.unit = "call",
 *		.run = null_run,
 *	};
 *
 * Fields are named, as there: a field that a kernel leaves out is 0 or NULL, and each comment below
 * says what that means. Only summary, unit and run must be set.
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

/* Sets of them. Vectors of char are memory whose type the file leaves open. */
#define TYPE_SET(type) (1u << (type))
#define TYPES_WORDS    (TYPE_SET(TYPE_CHAR) | TYPE_SET(TYPE_LONG) | TYPE_SET(TYPE_DOUBLE))
#define TYPES_DOUBLES  (TYPE_SET(TYPE_CHAR) | TYPE_SET(TYPE_DOUBLE))

/* A vector of the argument file. The driver has placed it, written to every page of it once (its
 * content is zero) and verified it before a kernel sees it. check() is called before that: base is
 * NULL there, the other fields are set. */
struct vector {
	void *base;
	size_t elements;
	size_t element_size; /* bytes */
	enum element_type type;
	int node;          /* asked for; -1: no single node (interleave, local) */
	int users;         /* how many threads the argument file gives it to */
	int rank;          /* this thread's number among them, from 0, in the order of its group */
	int target;        /* node for kernels that move pages (targetPerVector); -1: none */
	size_t page_bytes; /* of the pages asked for: base pages, a pool's, transparent huge ones;
			      the vector has whole ones */
	bool multi_size;   /* these are transparent huge pages of another size than the usual one
			      (thp:64K) */
	bool pool;         /* these are of a pool of huge pages (2M) */
	int sharers;       /* how many of the users have this memory: those of the same copy, where
			      the vector has copies, else all */
	int team, member;  /* users and rank in the vector of the file, which slices are parts of:
			      a slice itself has one user */
};

/* The machine's memory, for kernels that take or fill some besides their vectors. */
struct machine_memory {
	const int *nodes; /* [nnodes], ascending: those that hold vectors where the argument file
			     names no node: not a GPU's */
	int nnodes;
	uint64_t (*left)(void); /* bytes that this process may still take: of the machine, or of
				   its control groups if these have less */
};

/* Where a thread's CPU is: numbers of the machine; -1: not known, or it is not bound. */
struct worker_place {
	int core, cache, node, package; /* cache: the last level */
};

/* A pinned thread of a run, as its kernel sees it. Only the thread itself uses its struct worker.
 */
struct worker {
	int id;                       /* thread of the argument file, from 0 */
	int workers;                  /* threads of the run */
	const struct vector *vectors; /* this thread's, in the order of the argument file */
	int nvectors;
	const void *args; /* the kernel's own parameters for this thread, typed and in range */
	void *own;        /* belongs to the kernel: NULL at first; setup() sets, teardown() frees */
	void *shared;     /* the same, of all threads with this kernel and the same first vector:
			     NULL at first; share() sets, unshare() frees */
	bool bound;       /* to a CPU; false: it may run on any that the process may use */
	bool takes_turns; /* another thread of the run is bound to its CPU */
	struct worker_place place;
	struct event_times
		*events; /* where events->run() puts the times of single events; else NULL */
	const struct machine_memory *memory; /* NULL: not known, where there is no driver */
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
	PARAM_BYTES,    /* field uint64_t; '64KiB', a bare number is bytes */
	PARAM_PAIRS, /* field struct pairs: all name:value of the file that neither another row nor
			the driver takes, as text; the row's name is "*" */
	PARAM_WORDS, /* field struct words (text.h): the value as a list; keys of the file only */
	PARAM_LINES  /* field struct lines (text.h): each line whole; a key may stand on several */
};

struct extent {
	uint64_t value;
	bool bytes; /* else elements of the vector in question */
};

#define PAIRS_MOST 16
#define PAIRS_TEXT 64

/* Names and values as the argument file has them. */
struct pairs {
	size_t count;
	struct {
		char name[PAIRS_TEXT], value[PAIRS_TEXT];
	} list[PAIRS_MOST];
};

/* One parameter of a kernel, or one key of the argument file. A table ends with name == NULL. */
struct param {
	const char *name;
	const char *alias; /* second spelling, or NULL */
	enum param_type type;
	size_t offset;        /* of the field in the struct that the table describes */
	const char *fallback; /* the default, as a user would write it; NULL: there is none */
	double min, max; /* both inclusive, in the field's unit; of PARAM_WORDS: how many words */
	const char *const *choices; /* PARAM_CHOICE, and PARAM_WORDS with names: NULL at the end;
				       PARAM_COUNT: a word in place of a number, COUNT_WORD */
	const char *help;           /* one line */
	unsigned flags;
};

#define COUNT_WORD UINT64_MAX

#define PARAM_REQUIRED 1u /* key that every argument file must have */
#define PARAM_ADDS     2u /* words of --set are added to the file's instead of replacing them */
#define PARAM_THREAD_1 4u /* a single value is thread 1's alone (the thesis's sleep) */
#define PARAM_FILE     8u /* key of the file as a whole, not of a run of its sweep */
/* Of a kernel: a number that makes a unit dearer, or cheaper, the larger it is, and nothing else:
 * a round visits the same. */
#define PARAM_PACE 16u

/* What one unit of work does, as the program sees it (scripts/loops looks at the built loop), shown
 * by --help, turned into rates by the reports. */
struct work {
	double loads, stores; /* elements read and written */
	double bytes;         /* moved, for kernels whose rate is a bandwidth; 0: rate in units */
	double fills;         /* bytes of lines that a cache fetches only because they are stored to
				 (write-allocate), when none of them is there yet; not in `bytes`.
				 NAN: not known */
};

/* What a kernel that follows chains does for a long time. */
struct chain_work {
	double waits; /* of one pass, one after another */
	double links; /* of setup() */
};

/* What a kernel's figures say about memory of a node, as seen from CPUs of a node, where caches
 * have no part in them: what --export-memattrs writes. */
enum memory_attribute {
	ATTRIBUTE_NONE,
	ATTRIBUTE_READ_LATENCY,   /* ns_per_unit of a thread alone whose latency() says yes */
	ATTRIBUTE_READ_BANDWIDTH, /* bytes per second of all threads together */
	ATTRIBUTE_WRITE_BANDWIDTH
};

/* How a figure of several threads together comes from those of each. */
enum figure_join {
	FIGURE_SUM,
	FIGURE_MEAN,
	FIGURE_LEAST /* of what is done when the last of them has done its part */
};

/* A figure of a kernel's own, of each sample of a thread. A table ends with name == NULL. Kernels
 * whose figures have the same name share a column of CSV: these figures have the same unit and
 * join. */
struct kernel_figure {
	const char *name; /* "pages_moved": not that of a quantity of tables */
	const char *unit; /* "page", "ns"; "" without one */
	const char *help; /* one line */
	enum figure_join join;
	const char *doubt; /* what a value above 0 says against the cost ("pages stayed"), for a
			      warning; NULL: nothing */
	bool each_second;  /* tell() says how many; the figure is that in a second of the sample,
			      without the time that other programs took */
};

/* Which pages a kernel moves to other nodes. */
enum moves {
	MOVES_NOTHING,
	MOVES_ARRANGED,   /* of the vectors of its thread, in arrange(), and none in run() */
	MOVES_VECTORS,    /* of the vectors of its thread */
	MOVES_TO_TARGETS, /* the same, each vector to its target */
	MOVES_PROCESS     /* of the whole process, so that no other vector may be beside these */
};

/* How a kernel times single events, where the file asks for their distribution. */
struct kernel_events {
	const char *what; /* an event: "load", "round trip" */
	double units;     /* of the kernel, in an event */
	uint64_t group;   /* one event of so many is timed where the file says only yes, so that the
			     others go on as without stamps */
	bool alone;       /* without stamps events overlap: one that is timed is alone, so that its
			     mean is not theirs, and more than one of `group` would slow all */
	/* Does what run() of the kernel does, and times one event of each w->events->group, with
	 * events_due() and events_take() (event_times.h). It may be run() itself, which finds
	 * w->events NULL where none is timed. */
	uint64_t (*run)(struct worker *w, uint64_t passes);
	/* Why no event can be timed with these parameters, written to why[n], or NULL. Called after
	 * check(), when vectors have no base yet. NULL: with all parameters. */
	const char *(*refuses)(const struct worker *w, char *why, size_t n);
};

/* Of a kernel that moves pages. All NULL: it moves none. */
struct kernel_migration {
	/* Which pages run() or arrange() moves with these parameters, and reset() moves back; its
	 * round is then the experiment (fixed). Where they move some, the system must show the node
	 * of each page; where run() does, page faults and waits are part of the operation, no
	 * disturbance. Whatever the answer, other threads may read its vectors meanwhile, not store
	 * to them, and those that run this kernel on them have the same parameters. NULL: it moves
	 * none, whatever they are. */
	enum moves (*moves)(const void *args);
	/* Is a round with these parameters a move of its vectors to their targets, and nothing
	 * else? Its cost is then that of the move, for break_even. NULL: no. */
	bool (*is_move)(const void *args);
	/* After the reset() of all threads, before every sample, but not after the last one: brings
	 * the vectors to where run() is to find them, if that is not where reset() leaves them.
	 * NULL, or what is wrong, as reset(). NULL: they are where they are to be. */
	const char *(*arrange)(struct worker *w, char *why, size_t n);
};

/* Of a kernel whose threads wait for each other, or hand lines on. */
struct kernel_meetings {
	bool together; /* its threads wait for each other: all must do the same number of rounds */
	/* Do its threads wait for each other with these parameters, by words that share() has
	 * allocated, so that vectors may have copies and slices? NULL: no, or `together`. */
	bool (*meets)(const void *args);
	/* Is a unit with these parameters one meeting of all its threads, as its parameters `by`
	 * and `wait` say, and nothing else? NULL: no. */
	bool (*is_meeting)(const void *args);
	bool transfers;  /* a unit is of lines that threads hand on, not of what the vector holds */
	bool hands_over; /* a unit is one line that goes from one of its two threads to the other */
};

/* How run() accesses the lines of its vectors: what the plan says of caches, states of lines and
 * its time by. */
struct kernel_accesses {
	/* The share of its vectors' lines that run() accesses, 0 to 1: what caches would have to
	 * hold. NULL: 1. */
	double (*reach)(const struct worker *w);
	/* The share of its vectors' lines that most accesses go to, again and again beside the
	 * others; 0: there are no such lines. NULL: 0. */
	double (*hot)(const struct worker *w);
	bool past_caches; /* run() stores past the caches, to memory */
	bool flushes;     /* run() flushes a line before it loads it, so that memory holds it */
	/* Is the time of a unit the latency of one access to a line, with no other access under
	 * way? NULL: no. */
	bool (*latency)(const struct worker *w);
	/* Threads that share a vector each access a part of it: as many lines as the others, and
	 * none that is another's. false: each may access all of it. */
	bool divides;
	/* Accesses of one pass that wait for each other, and links that setup() stores to places at
	 * random in the vectors: what --plan guesses the time by. Called after check(), when
	 * vectors have no base yet. NULL: accesses do not wait, and nothing is linked. */
	struct chain_work (*chain)(const struct worker *w);
	/* What makes a single round visit the same places several times ("rounds = 1000"), written
	 * to why[n], or NULL. Only the first visit meets the state that was asked for, so a warning
	 * says it. Elements of one line do not count. Called after check(), when vectors have no
	 * base yet. NULL: each place is visited once. */
	const char *(*revisits)(const struct worker *w, char *why, size_t n);
};

/* Whether the events happened whose time was taken. */
enum event_proof {
	EVENTS_PROVEN,
	EVENTS_CONTRADICTED, /* the operation ends with exit status 3 */
	EVENTS_UNCOUNTABLE   /* nothing here counts them */
};

/* Of a kernel that measures what the system does for its threads. */
struct kernel_system {
	/* After every sample, beside done(): nanoseconds that the units of the last run() took, of
	 * a kernel that times them itself, because what is between them is no part of their cost.
	 * What the system took of run() is then not known to be theirs, and no loss. It has a
	 * reset(), so that a sample is one call of run(). NULL: as long as run(). */
	uint64_t (*took)(const struct worker *w);
	/* Does run() give its CPU up with these parameters, and the way back is part of what it
	 * measures? Waits for a CPU are then no loss, and switches no disturbance. NULL: no. */
	bool (*sleeps)(const struct worker *w);
	bool faults; /* page faults and calls that wait are what run() measures, no disturbance;
			of anonymous memory alone: its vectors have no other backing */
	/* After the last sample, before the last reset(), in all threads at the same time: whether
	 * what the system or the kernel counted proves the events, and by what, or why it does not,
	 * in text[n]. NULL: units are their own proof. */
	enum event_proof (*prove)(const struct worker *w, char *text, size_t n);
};

struct kernel {
	/* Always: what it is and what it does. */
	const char *summary; /* one line: what it measures */
	const char *unit;    /* what run() counts, singular: "access", "add" */
	/* The only timed code: does `passes` rounds and returns the units done. It makes no system
	 * calls, unless the kernel measures one (idle sleeps) or moves pages. */
	uint64_t (*run)(struct worker *w, uint64_t passes);
	struct work per_unit;
	/* What a unit does where that depends on the parameters; per_unit then describes the
	 * defaults. NULL: per_unit. */
	struct work (*work)(const void *args);
	/* What a unit does where neither can say it, because the vectors decide: words for --help
	 * ("what a round of the kernel in `use` loads and stores"). NULL: they say it. */
	const char *work_is;
	/* Units of which no core does more in a cycle: its execution units begin no more, or each
	 * waits for the one before. 0: as many as its bytes, loads and stores allow. */
	double per_cycle;
	bool nothing; /* its units are no work, so no number of them in a time is too many */
	bool fixed; /* its round is the experiment: a sample is one round unless `passes` is given.
		       false: so many rounds as make a sample long enough */

	const struct kernel_events *events; /* NULL: it times none */

	/* Arguments: what it needs and what it refuses. */
	const struct param *params; /* its own parameters, or NULL */
	size_t args_size;           /* of the struct that params describes */
	int min_vectors;            /* of each thread that runs it */
	unsigned types; /* TYPE_SET of elements of its vectors; others are refused, so that none is
			   ignored. 0: any, because it accesses elements as they are typed, or
			   none, or a parameter says what they are */
	/* Called before anything is placed: NULL, or why these arguments cannot work, written to
	 * why[n]. NULL: any arguments work. */
	const char *(*check)(const struct worker *w, char *why, size_t n);
	/* What this machine lacks to run it ("no AVX-512"), or NULL. NULL: it runs on any machine.
	 */
	const char *(*lacks)(void);
	/* What this machine lacks for these arguments ("this CPU has no avx512"), written to
	 * why[n], or NULL. Called on the machine itself only, after check() accepted them. NULL: it
	 * lacks nothing. */
	const char *(*lacks_for)(const struct worker *w, char *why, size_t n);
	/* Of a kernel with several hot loops: may run() or choose() be in this one, by the name of
	 * its function, with these arguments? Where the compiler spoiled a loop, other jobs go on.
	 * Called after check(). NULL: whatever the arguments, it may be in each of its loops. */
	bool (*takes_loop)(const struct worker *w, const char *loop);

	/* In the thread, untimed: before the first sample and after the last. */
	/* What threads have in common that run the kernel on the same first vector: called in the
	 * first of them, before the setup() of any, it sets w->shared, which all of them get.
	 * NULL, or what went wrong. NULL: they have nothing in common. */
	const char *(*share)(struct worker *w);
	/* The vectors are placed: prepares what run() needs. NULL, or what went wrong. NULL: there
	 * is nothing to prepare. */
	const char *(*setup)(struct worker *w);
	/* What that is where it takes long, for who waits: "building chains". NULL: nothing to
	 * tell. */
	const char *preparing;
	/* After the setup() of all threads, in all of them at the same time, as in a sample: what
	 * is quickest by trials, of what the parameters leave open. What is quickest for a thread
	 * alone may be slow beside the others. NULL: nothing depends on trials. */
	void (*choose)(struct worker *w);
	/* After choose(), in any thread: writes to text[n] what it chose by itself, for the report
	 * ("isa avx2"). NULL: it chooses nothing. */
	void (*chose)(const struct worker *w, char *text, size_t n);
	/* Before every sample, also of the warm-up, when no thread runs, and once more after the
	 * last one, before the driver proves the placement again: brings the vectors back to where
	 * and what run() is to find. All threads have ended it before any starts the sample. NULL,
	 * or what is wrong, written to why[n]: that ends the operation. NULL: every sample finds
	 * what the one before left. */
	const char *(*reset)(struct worker *w, char *why, size_t n);
	/* Its own figures, and what they were in the sample that has just ended: writes values in
	 * the order of the table, NAN where there is none. Called in every thread when all have
	 * ended the sample, also for samples whose figures nobody sees. Both NULL: it has none. */
	const struct kernel_figure *figures;
	void (*tell)(const struct worker *w, double *values);
	/* After every sample too, beside tell(): the units that run() has done, of a kernel that
	 * takes time to find out; it has a reset(), so that a sample is one call of run(). NULL:
	 * those that run() returned. */
	uint64_t (*done)(const struct worker *w);
	/* After the last sample, before the last reset(): NULL, or what is wrong with the result.
	 * Not called when a thread with another kernel shares one of its vectors. NULL: nothing is
	 * checked. */
	const char *(*verify)(const struct worker *w, char *why, size_t n);
	/* The last call, also when setup() or verify() complained. NULL: there is nothing to free.
	 */
	void (*teardown)(struct worker *w);
	/* After the teardown() of all, also when share() complained: frees w->shared. NULL: there
	 * is nothing to free. */
	void (*unshare)(struct worker *w);

	/* Placement: what it does to its vectors. */
	bool prepares;                  /* setup() stores to its vectors, even if run() does not */
	enum memory_attribute measures; /* an attribute of memory, if it measures one */
	struct kernel_accesses accesses;
	struct kernel_meetings meetings;
	struct kernel_migration migration;
	struct kernel_system system;

	/* Interleave: what other operations may do to its vectors between two samples. */
	bool owns; /* setup() leaves in its vectors what run() needs: no other thread of the
		      operation may store to them, and with interleave no other operation */
	/* A name ("ones") for the content that run() needs in its vector k in every sample, as
	 * setup() made it; NULL: any content will do. Operations that name the same content keep
	 * it; a file in which another operation stores to the vector is refused. Called after
	 * check(), when vectors have no base yet. NULL: any content will do. */
	const char *(*finds)(const struct worker *w, int k);

	/* Time (mode: time). */
	/* Called instead of run(): the same work in smaller steps than a round, so that a window of
	 * time is used up however large the vectors are. Does `steps` steps and returns the units
	 * done. Each call goes on where the last one ended, also the last one of an earlier sample;
	 * as many units as a round has do what a round does. verify() may follow any call; with
	 * interleave, other operations may have run before a call. NULL: run() is called. */
	uint64_t (*step)(struct worker *w, uint64_t steps);
};

/* Does the kernel work on vectors of this type? */
static inline bool kernel_takes(const struct kernel *k, enum element_type type)
{
	return !k->types || (k->types & TYPE_SET(type));
}

/* The function map, kernels/map.c: id -> kernel, ended by id == NULL. A kernel's first id is its
 * name, any further id for the same kernel an alias. */
struct kernel_id {
	const char *id;
	const struct kernel *kernel;
};
extern const struct kernel_id kernel_map[];

/* What kernels are for: those of the map from kernel_map[begins] on, up to the next group. Ended by
 * title == NULL. */
struct kernel_group {
	int begins;
	const char *title;
};
extern const struct kernel_group kernel_groups[];

/* Kernels whose names have the pattern (*: any letters), for people one line: what they have in
 * common. The first pattern that fits counts. Ended by pattern == NULL. */
struct kernel_family {
	const char *pattern, *summary;
};
extern const struct kernel_family kernel_families[];

#endif
