/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan: every question about a run answered before anything is touched. Which CPU each thread
 * has, which nodes, bytes and pages each vector, which kernel with which parameters each thread
 * runs, in which order.
 */
#ifndef PLAN_H
#define PLAN_H

#include "counters/counting.h"
#include "contract/kernel.h"
#include "memory/mem.h"
#include "input/request.h"
#include "input/values.h"
#include "topology/topo.h"

/* The steps that bring a vector's lines into a coherence state before every sample. */
enum plan_action { STEP_FLUSH, STEP_READ, STEP_WRITE };

struct plan_step {
	enum plan_action action; /* all lines of the vector, one after another ... */
	int cpu;                 /* ... by a thread on this CPU */
};

#define PLAN_STEPS 3

struct plan_vector {
	bool refused; /* a step has said why; what it would have filled in, no other step judges */
	char *asked;  /* where, resolved, as --plan shows it: "2", "interleave:0,2", "local" */
	enum mem_policy policy;
	bool *nodes;       /* [MEM_MAX_NODES] of the policy; all false for local */
	unsigned *weights; /* [MEM_MAX_NODES] of MEM_INTERLEAVE; NULL: all alike */
	bool measured;     /* weights by measured bandwidths, see weights.c */
	char *weights_by;  /* of these: the file and its figures, for people; else NULL */
	int node;          /* of bind and preferred, if it is one; -1: no single node */
	int target;        /* to which kernels that move pages move it; -1: none */
	int tables;        /* node of its page tables; -1: none is asked for */
	char *memory; /* kinds of memory of these nodes, "HBM", "DRAM, HBM"; NULL: none is known */
	uint64_t elements;
	uint64_t elements_asked; /* by the file; a quick trial has fewer */
	size_t bytes;
	enum element_type type;
	enum mem_pages pages;
	enum vector_init init;
	enum touch_order order;
	struct mem_backed backed; /* its path is in struct plan */
	int warm_node;            /* on which a file is read in; -1: where the vector is to lie */
	enum vector_placement placement; /* the name that nodes, policy and pages come from ... */
	int placed_for;                  /* ... and the thread by whose node ... */
	int home;                        /* ... this one */
	int toucher;                     /* INIT_OWNER, INIT_THREAD: the thread; else -1 */
	enum vector_division division;   /* of one vector of the file ... */
	int whole;         /* ... this one, the first of its parts; without a division itself */
	int part, parts;   /* number among them, from 0; how many they are */
	const char *state; /* asked for, "M"; NULL: as the sample before leaves it */
	struct plan_step steps[PLAN_STEPS];
	int nsteps;
};

#define UNBOUND  (-1) /* cpu, core and node of a thread that may run anywhere */
#define UNPLACED (-2) /* ... and of one whose place was refused: plan_placed() */

struct plan_thread {
	int cpu, core, node;    /* or UNBOUND or UNPLACED, all three */
	int kind;               /* of its core, as in the topology; -1: alike, or not known */
	bool shares_core;       /* another thread of the plan runs on the same core */
	bool takes_turns;       /* another one runs on the same CPU */
	struct vector *vectors; /* what its kernels see, without a base: prepare.h sets it */
	int *vector_ids;
	int nvectors;
};

/* With the key threads: how they got their CPUs. */
struct plan_mapping {
	char *method; /* as in mapping, "random:7", owned; NULL: another key says where threads run
		       */
	const char *by; /* type of instructions that they were sorted by, or NULL */
	char *why;      /* one line, owned */
};

#define PLAN_HELD 64

/* What one thread does in an operation. */
struct plan_job {
	const struct kernel *kernel;
	const char *name; /* id as written in the file */
	void *args;
	struct common_args common;
	/* Rounds of a sample where the file does not give `passes`; measure/calibrate.h chooses
	 * them before the first sample, 0 until then. Threads of the operation that run the same
	 * kernel have one number, and so has each of them alone. NULL: common.passes. */
	uint64_t *calibrated;
	/* memory.h; NAN: unknown */
	double times_caches, times_cpu_caches;
	double bytes; /* of the lines that it accesses, memory.h; NAN: it works on no vectors */
	bool in_side_cache;   /* past the caches of the CPUs, but a memory-side cache holds a good
				 part of them */
	bool shares_lines;    /* another thread accesses the same lines */
	char held[PLAN_HELD]; /* held.h: what holds the data; "": it accesses none */
};

struct plan_op {
	char *label;           /* as in the file */
	struct plan_job *jobs; /* [nthreads] */
};

struct plan_speedup {
	char *label;     /* write/read */
	int over, under; /* indices of ops: cost(over) / cost(under) */
};

/* A node that is fragmented while vectors are placed and measured. */
struct plan_leave {
	int node;
	uint64_t bytes; /* left in blocks of a huge page and more */
};

struct plan {
	const struct request *request;
	const struct topo *topo;
	const char *path;
	struct plan_vector *vectors;
	int nvectors;
	int nwhole; /* vectors of the file, the first ones; divided.c adds the others */
	struct plan_thread *threads;
	int nthreads;
	struct plan_mapping mapping;
	char *places;     /* of placePerThread, in our words; NULL: another key */
	bool names_cores; /* the file itself says which cores threads run on, by number or kind */
	struct plan_leave *leaves;
	int nleaves;
	struct plan_op *ops;
	int nops;
	struct plan_speedup *speedups;
	int nspeedups;
	const struct counting *counting; /* NULL: nothing is counted */
	struct machine_memory memory;
	int *memory_nodes;  /* its nodes */
	struct words paths; /* of files that vectors are mapped from */
};

/* Resolves a request for a machine. 0, or -1 with a message for every mistake. The request and the
 * topology must outlive the plan. */
int plan_make(struct plan *p, const struct request *r, const struct topo *t, const char *path,
	struct errors *e);
/* The file that the key profile names, to be freed; NULL: none. */
char *plan_profile_path(const struct plan *p);

void plan_free(struct plan *p);

/* What the kernel contract gives a thread of an operation. own is NULL, and the vectors have no
 * base: a plan touches no memory (placement/prepare.h has the vectors with their bases). */
struct worker plan_worker(const struct plan *p, const struct plan_op *op, int thread);

/* Is the half in huge pages of pagesPerVector: thp+base the one at the end? */
bool plan_huge_last(const struct plan_vector *v);

/* backing.c: how a vector is mapped, and its pages are read in; nodes is room for those of it. */
struct mem_request plan_request(const struct plan_vector *v, bool nodes[MEM_MAX_NODES]);

/* Is it brought into a state before every sample, which only the first round meets? */
bool plan_each_sample(const struct plan_vector *v);

extern const char *const backing_names[]; /* by enum mem_backing */
extern const char *const cache_names[];   /* by enum mem_cache */

/* Has the vector huge pages of other nodes where its own has no free block: rhp_frag and
 * rhp_frag_profiler? And has the plan a vector of the latter? */
bool plan_far_blocks(const struct plan_vector *v);
bool plan_profiled(const struct plan *p);

/* kinds.c: do threads run on cores of several kinds? */
bool plan_mixes_kinds(const struct plan *p);

/* [topo->ncpu_index] the CPUs of its threads and of the steps that bring lines into a state; to be
 * freed. NULL: a thread has no CPU of its own. */
bool *plan_cpus(const struct plan *p);

bool plan_uses(const struct plan_thread *t, int vector);

/* With whom it has to share, for people: begins with a comma, or is empty. */
const char *plan_shares(const struct plan_thread *t);

/* together.c: do the threads of a job wait for each other? */
bool plan_job_together(const struct plan_job *job);

/* Does a thread give up its CPU, as part of what it measures? And is what it waits for its CPU no
 * loss, for this reason or because the kernel times its units itself? */
bool plan_sleeps(const struct plan *p, const struct plan_op *op, int thread);
bool plan_waits(const struct plan *p, const struct plan_op *op, int thread);

/* moves.c: which pages does a job move? */
enum moves plan_job_moves(const struct plan_job *job);

/* moves.c: does a kernel of the operation move pages? */
bool plan_moves_pages(const struct plan_op *op, int nthreads);

/* moves.c: does it do so while it is measured? */
bool plan_moves_measured(const struct plan_op *op, int nthreads);

/* Refuses to move pages of a vector where the kernel does not tell the place of each; `seen` ends
 * the sentence. -1 with a message (STATUS_PLACEMENT). */
int plan_refuse_moves(
	const struct plan *p, const char *kernel, int vector, const char *seen, struct errors *e);

/* moves.c: is there a kernel that moves pages with other parameters, if not with these? */
bool plan_may_move(const struct plan_op *op, int nthreads);

/* moves.c: the most figures of its own that a kernel of the operation has. */
size_t plan_figures(const struct plan_op *op, int nthreads);

/* events.c: one event of so many is timed in the thread; 0: none. */
uint64_t plan_event_group(const struct plan *p, const struct plan_op *op, int thread);
/* Samples in which events are timed, in each placement; a trial has one. */
uint64_t plan_event_samples(const struct plan *p);
/* In any thread? */
bool plan_has_events(const struct plan *p, const struct plan_op *op);

/* The first thread of an operation that runs the same kernel as this one. */
int plan_first_of_kernel(const struct plan_op *op, int thread);

/* The rounds of a sample; 1 if they are not chosen yet. */
uint64_t plan_rounds(const struct plan_job *job);

/* What one unit of a job does, its parameters considered. */
struct work plan_work(const struct plan_job *job);

extern const char *const action_names[]; /* by enum plan_action */
size_t element_bytes(enum element_type type);

#endif
