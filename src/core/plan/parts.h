/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of plan_make(), in their order; each a file. Included in plan/ only. */
#ifndef PLAN_PARTS_H
#define PLAN_PARTS_H

#include "input/names.h"
#include "plan/plan.h"

/* threads.c: threads -> CPUs. */
int plan_threads(struct plan *p, const struct names *names, struct errors *e);

/* plan.c: so many threads, none of which has a place. */
void plan_count_threads(struct plan *p, size_t count);

/* plan.c: has a step given the thread its place? Else it has said why, and no other step judges
 * the thread by its CPU, core or node. All threads of a plan that is made are placed. */
bool plan_placed(const struct plan_thread *t);

/* plan.c: have all threads that use a vector their place, or thread 0 if there are none? */
bool plan_users_placed(const struct plan *p, int vector);

/* plan.c: refuses all vectors: nothing is known of those whose threads are not. */
void plan_refuse_vectors(struct plan *p);

/* mapping.c: the same for threads that are only counted. */
int plan_mapping(struct plan *p, struct errors *e);

/* kinds.c: the kind of each thread's core; warns of unlike cores that the file does not name. */
void plan_kinds(struct plan *p, struct errors *e);

/* leave.c: the nodes that are fragmented. After plan_sizes(), for multiples of the vectors. */
int plan_leave(struct plan *p, const struct names *names, struct errors *e);

/* vectors.c: nodes, types and pages of the vectors. */
int plan_vectors(struct plan *p, const struct names *names, struct errors *e);

/* backing.c: what gives the vectors their pages; when all is known, what does not go with it. */
int plan_backing(struct plan *p, const struct names *names, struct errors *e);
int plan_backed(const struct plan *p, struct errors *e);

/* vectors.c: 0 if vectors may be put on a node, or -1 with a message (STATUS_PLACEMENT) for the
 * key.
 */
int plan_usable_node(
	const struct plan *p, int node, const char *key, struct place at, struct errors *e);

/* named.c: nodes and pages of vectors whose placement is a name (local_2m), and whether the order
 * in which vectors are touched, and a node for page tables, go with their pages. After their
 * threads are known. */
int plan_named(struct plan *p, struct errors *e);

/* describe.c: fills in asked and memory, from the nodes and weights. */
void plan_describe_vector(const struct plan *p, struct plan_vector *v);

/* weights.c: the weights of weighted:measured. After plan_threads() and plan_use(). */
int plan_weights(struct plan *p, struct errors *e);

/* divided.c: a copy for each node, a slice for each thread, of vectors that are asked for so: adds
 * vectors, and gives them to the threads. After the threads of the vectors are known, before they
 * have nodes by name. */
int plan_divided(struct plan *p, struct errors *e);

/* divided.c: may this kernel run on the thread's copies and slices? For operations.c. */
int plan_divided_kernels(const struct plan *p, struct errors *e);

/* use.c: the message for a thread that a key names and that is not there; -1. */
int plan_no_thread(
	const struct plan *p, const char *key, uint64_t thread, struct place at, struct errors *e);

/* sizes.c: their sizes. After plan_use(), and if their types are known. */
int plan_sizes(struct plan *p, struct errors *e);

/* vectors.c: the list of `key`, expanded to one value for each vector; the caller frees it with
 * words_free(). 0, or -1 with a message and nothing to free. */
int plan_vector_list(const struct plan *p, const struct words *in, const char *key,
	struct words *out, struct errors *e);

/* use.c: which thread uses which vector, and who touches each first. */
int plan_use(struct plan *p, struct errors *e);

/* state.c: the coherence state of the vectors before each sample. */
int plan_state(struct plan *p, struct errors *e);
/* Which operations have their number of rounds chosen by measuring. */
void plan_calibrated(struct plan *p);
/* Refuses states for kernels whose page faults and calls they would change, and warns of threads
 * that meet the state only in their first pass. After all other steps. */
int plan_state_jobs(const struct plan *p, struct errors *e);

/* operations.c: kernels, their parameters, speedups. Calls the kernels' check() only when the steps
 * before are complete. */
int plan_ops(struct plan *p, bool complete, struct errors *e);

/* pages.c: asks this machine for the pages of the vectors, above all its pools of huge pages, as
 * they are now. Other machines cannot be asked. After all vectors have their sizes. */
int plan_pages(const struct plan *p, struct errors *e);

/* mode.c: what mode: time cannot be combined with. After plan_ops(). */
int plan_mode(const struct plan *p, struct errors *e);
/* events.c: does a thread of each operation time single events, where the file asks for their
 * distribution? When all steps before are complete. */
int plan_events(const struct plan *p, struct errors *e);
/* small.c: compares the vectors of each thread with its caches, and warns when measures: memory is
 * asked for and they are too small. After all other steps. */
void plan_small(struct plan *p, struct errors *e);
/* together.c: do all threads run that another thread waits for? For operations.c, when every job
 * has its parameters. */
int plan_together(const struct plan *p, struct errors *e);
/* loops.c: refuses jobs in loops that the compiler spoiled. For operations.c, at the same time. */
int plan_loops(const struct plan *p, struct errors *e);
/* owned.c: the name of what the thread must find in the vector, or NULL. */
const char *plan_finds(const struct plan *p, const struct plan_op *op, int thread, int vector);
/* owned.c: the same kernel with the same parameters? */
bool plan_same_job(const struct plan_job *a, const struct plan_job *b);
/* moves.c: may the vectors be moved whose pages kernels move? For operations.c, at the same time.
 */
int plan_moves(const struct plan *p, struct errors *e);

/* vectors.c: what kernels see of the machine's memory. */
void plan_memory(struct plan *p);
/* types.c: refuses vectors of a type on which the thread's kernel does not work. 0, or -1 with a
 * message. */
int plan_types(const struct plan *p, const struct plan_op *op, int thread, struct errors *e);

/* owned.c: does another thread or operation change what a kernel built in its vectors? For
 * operations.c, at the same time. */
int plan_owned(const struct plan *p, struct errors *e);

#endif
