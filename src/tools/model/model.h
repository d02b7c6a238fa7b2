/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a placement of threads and vectors costs, predicted without measuring.
 *
 * A machine has nodes; a pair (node of the thread, node of the memory) has a latency, a bandwidth
 * and a class. Pairs of a class are alike: they share what was measured, and what is fitted. The
 * parts:
 *
 * Alone: a thread's unit of work costs alone[kernel][class], the mean of what was measured. A
 * vector whose pages are on several nodes costs the mean over them, and makes and meets waits at
 * each by its part.
 *
 * Queueing: threads with different vectors meet at the memory of a node, and on the path from a
 * node of memory to a node of threads. There a line of a thread waits, beyond what it costs alone,
 *
 *     queue * latency / MODEL_UNDER_WAY * u * (1 - U / 2) / (1 - U)
 *
 * u: the part of the bandwidth that the other threads use, U: that all use; MODEL_UNDER_WAY lines
 * are on their way at a time, so a line takes so small a part of the latency. The form is that of a
 * queue whose service always takes equally long (M/D/1: Jain, The Art of Computer Systems
 * Performance Analysis, 1991, chapter 31). Where threads ask for more than there is all the same,
 * because `queue` is small, they share it in proportion. Rates and waits depend on each other; they
 * are iterated until they agree. Links carry both directions at once: lines towards the thread
 * count, and a line in the opposite direction counts MODEL_HEADER for its request, twice where the
 * kernel writes.
 *
 * Threads of one vector behind one cache: with equal shares of it they run in step, and what one
 * fetches the others find; they cost what one costs alone. With different shares they queue.
 *
 * Threads of one vector behind several caches: each line comes to the farthest of them, and all
 * go at its pace on the part that they share. Out of step (other starts or shares) a kernel that
 * only reads goes faster, as it finds lines in the cache of another: its pace is multiplied by
 * `follow` in the farthest threads and by `lead` in the others.
 *
 * Time goes from start to end of a thread and so on; between two such instants the same threads run
 * at constant rates.
 *
 * Assumptions: vectors are far larger than the caches; each thread has a core; a node has one
 * last-level cache; pages and strides are those that the parameters were fitted with. What is not
 * known (NAN) is refused. Pure functions; nothing here reads the machine.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>

/* Line fill buffers of a core: Intel 64 and IA-32 Architectures Optimization Reference Manual, from
 * Nehalem to Broadwell. `queue` takes up what other cores have. */
#define MODEL_UNDER_WAY 10.0
/* A request is one flit where a line is nine (QuickPath Interconnect). */
#define MODEL_HEADER (1.0 / 9)
#define MODEL_LINE   64.0

struct model_kernel {
	double lines; /* that come from memory for a unit of work */
	bool writes;
};

struct model_machine {
	size_t nodes, classes, kernels;
	/* [nodes * nodes], thread * nodes + memory; NAN: not known. Latency of an access, ns;
	 * bandwidth of all cores of the thread's node together, bytes per ns. */
	const double *latency, *bandwidth;
	const size_t *pair_class;
	const struct model_kernel *kernel; /* [kernels] */
};

struct model {
	double *alone; /* [kernels * classes] ns a unit; NAN: not known */
	double queue, follow, lead;
};

struct model_thread {
	size_t node, memory, kernel;
	size_t vector; /* equal numbers: the same vector */
	double units;  /* for the whole vector */
	double share;  /* of the vector that it visits, from the beginning, up to 1 */
	double start;  /* ns */
	/* [nodes] of the vector by node, sum 1, in place of memory; NULL: all of it is there. Equal
	 * for threads of one vector. */
	const double *parts;
};

/* The part of a thread's vector in the memory of a node. */
double model_part(const struct model_thread *t, size_t node);

/* Why nothing is predicted. */
enum {
	MODEL_UNKNOWN = -1,  /* the machine or the model has no figure for one of the threads */
	MODEL_UNSETTLED = -2 /* rates and waits do not come to agree */
};

/* The ends of the threads, ns from the common start, so that they contain their own start. 0, or
 * one of the above with ends undefined. */
int model_predict(const struct model_machine *m, const struct model *p,
	const struct model_thread *t, size_t threads, double *ends);

/* The same where all threads run all the time, and starts and units do not matter: what a unit
 * costs each of them, ns. */
int model_steady(const struct model_machine *m, const struct model *p, const struct model_thread *t,
	size_t threads, double *costs);

/* queue.c: what a unit costs each of the threads that run, ns, from what it costs alone. Threads of
 * one vector do not wait for each other unless they queue, as above. 0, or MODEL_UNSETTLED. */
int model_queue(const struct model_machine *m, const struct model *p, const struct model_thread *t,
	const bool *runs, const double *alone, size_t threads, double *costs);

#endif
