/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers and reductions of the threads of a vector, for kernels whose threads meet. The words by
 * which they meet lie in the vector, APART from each other, so its node is their home.
 *
 *   central        one counter, to which all add, and one word that the last of them writes and all
 *                  read.
 *   dissemination  ceil(log2 n) rounds; in round k thread i writes to thread i + 2^k (Hensgen,
 *                  Finkel, Manber, 1988). Each thread reads words of its own only.
 *   doubling       the same with i XOR 2^k (recursive doubling): a sum must not take a value
 *                  twice. Threads beyond the largest power of two give theirs to one below first,
 *                  and get the sum from it.
 *   tree           a thread waits for up to four others, then tells its parent (Mellor-Crummey,
 *                  Scott, 1991); the threads of a node first, then the first threads of the nodes.
 *                  The way back is the same tree.
 *   openmp         the barrier of the OpenMP runtime that the driver was linked with. Its threads
 *                  sleep, because the driver tells the runtime so (OMP_WAIT_POLICY=PASSIVE): idle
 *                  ones must not spin beside samples of fewer threads. Sums are those of its
 *                  reduction clause.
 *   pthread        pthread_barrier_wait(), whose threads sleep too.
 *   none           they do not meet: what remains of the kernel is the reference.
 *
 * Numbers of meetings are compared by their difference, so they may wrap around.
 */
#ifndef BARRIERS_H
#define BARRIERS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "coherence.h"

enum barrier_method {
	BY_CENTRAL,
	BY_TREE,
	BY_DOUBLING,
	BY_OPENMP, /* the last one that gives sums */
	BY_DISSEMINATION,
	BY_PTHREAD,
	BY_NONE
};

/* In the order of enum barrier_method. */
extern const char *const barriers_names[];

enum wait { WAIT_SPIN, WAIT_SLEEP };
extern const char *const barriers_waits[];

#define TREE_WIDTH 4

/* A thread's place in the tree: ranks; parent -1: it is the root. */
struct tree_place {
	int parent, nchildren;
	int children[2 * TREE_WIDTH]; /* of its node, and of other nodes */
};

/* What the threads have in common. */
struct barriers {
	enum barrier_method by;
	bool sleeps; /* a thread that waits sleeps in the kernel; false: it looks, then yields */
	char *words;
	uint32_t threads;
	int members; /* that have told their node */
	pthread_barrier_t pthread;
	struct tree_place *places; /* [threads] */
	int node[];                /* [threads]; -1: not known */
};

/* For check(): NULL, or in why[n] why the threads of the first vector cannot meet in this way. */
const char *barriers_check(
	const struct worker *w, enum barrier_method by, bool sleeps, char *why, size_t n);

/* Bytes of the vector that so many threads need. */
size_t barriers_bytes(enum barrier_method by, uint64_t threads);

/* NULL: no memory. The caller frees it. */
struct barriers *barriers_make(const struct vector *v, enum barrier_method by, bool sleeps);
void barriers_free(struct barriers *b);

/* In each thread, once, before any meets: the last one to come makes the tree for all. node: of the
 * thread's CPU, or -1. */
void barriers_join(struct barriers *b, int rank, int node);

/* Of how many nodes the threads are, of those that have joined; 0: not known. */
int barriers_nodes(const struct barriers *b);

/* Before a sample, in one thread while no other meets: the next meeting is number 1, whatever the
 * vector holds. */
void barriers_reset(struct barriers *b);

/* Returns when all threads have called it for this meeting. */
void barriers_meet(struct barriers *b, int rank, uint32_t meeting);

/* The same, up to BY_OPENMP; returns the sum of the values of all. */
uint64_t barriers_sum(struct barriers *b, int rank, uint32_t meeting, uint64_t value);

#endif
