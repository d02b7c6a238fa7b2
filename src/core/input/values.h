/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of vectors, word by word, as far as they can be understood without a machine. Each
 * function returns 0, or -1 with a message (STATUS_USAGE) for the place.
 */
#ifndef VALUES_H
#define VALUES_H

#include "base/text.h"
#include "contract/kernel.h"
#include "memory/pages.h"
#include "topology/caches.h"

extern const char *const element_names[]; /* by enum element_type, NULL at the end */
extern const char *const pages_names[];   /* by enum mem_pages, NULL at the end */

/* The index of word in names (up to NULL), for a key. */
int values_choice(int *index, const char *const *names, const char *word, const char *key,
	struct place at, struct errors *e);

/* nodePerVector: 0, far(X), bind:0,2, preferred:1, interleave, interleave:0,2, weighted:0=3,2=1,
 * weighted:3,1, weighted:measured, local, local_2m and its like */
enum vector_placement {
	PLACEMENT_BY_NODE, /* none of these names */
	PLACEMENT_LOCAL_2M,
	PLACEMENT_LOCAL_2M_4K,
	PLACEMENT_LOCAL_4K,
	PLACEMENT_INTERLEAVE_2M,
	PLACEMENT_REMOTE_2M,
	PLACEMENT_LOCAL_FRAG,
	PLACEMENT_RHP_FRAG,
	PLACEMENT_RHP_FRAG_PROFILER
};
extern const char *const placement_names[]; /* by enum vector_placement, NULL at the end */

/* nodePerVector: replicate, slices: a vector in parts, each on the node of the threads that use it
 */
enum vector_division {
	DIVISION_NONE,
	DIVISION_REPLICATE, /* a whole copy for each node */
	DIVISION_SLICES     /* a slice for each thread */
};
extern const char *const division_names[]; /* by enum vector_division, NULL at the end */

#define VALUES_WEIGHT_MAX 255 /* as for Linux's own weights */
struct value_nodes {
	enum mem_policy policy;
	struct words nodes; /* as written (names.h resolves them); none: of interleave all nodes */
	unsigned *weights;  /* [nodes.count], owned; NULL: all alike */
	size_t nweights;    /* of weighted:3,1, which names no nodes: all, in ascending order */
	bool measured;      /* weighted:measured: the plan finds nodes and weights */
	enum vector_placement placement; /* the plan finds its nodes and pages */
	enum vector_division division;   /* the plan finds its parts and their nodes */
};
int values_nodes(struct value_nodes *v, const char *word, struct place at, struct errors *e);

/* sizePerVector: 1000, 200MiB, 64x4160B, 50%, 8xL3, 4xcaches/core, 4xcaches/thread */
struct value_size {
	enum { SIZE_ELEMENTS, SIZE_BYTES, SIZE_SHARE, SIZE_CACHES } kind;
	uint64_t number; /* of elements or bytes */
	double part;     /* share of the nodes' memory, above 0 and up to 1; times the caches */
	int level;       /* of SIZE_CACHES: 1 to 4; 0: all levels, or the last one */
	bool per_core;   /* a core's part of caches that cores share */
	bool per_thread; /* a part for each thread of the run that has vectors, under them */
	bool last;       /* the last level that the machine has, alone */
	bool side;       /* the memory-side cache of the vector's nodes, alone */
};
int values_size(struct value_size *v, const char *word, struct place at, struct errors *e);

/* caches: 64K 1M 32M/8, from L1 on; as many as `list` has room for. *levels: how many they are. */
#define VALUES_CACHES (TOPO_LEVELS - 1)
int values_caches(
	struct topo_given_cache *list, int *levels, const struct words *words, struct errors *e);

/* initPerVector: node, owner, main, thread:2 */
enum vector_init { INIT_NODE, INIT_OWNER, INIT_MAIN, INIT_THREAD };
extern const char *const init_names[]; /* by enum vector_init, NULL at the end */

/* initOrderPerVector: in which order the parts of a vector are touched */
enum touch_order {
	TOUCH_ANY,       /* several threads touch a part each at the same time */
	TOUCH_HOT_FIRST, /* one thread, from the beginning, where kernels have their hot part */
	TOUCH_HOT_LAST   /* one thread, from the end */
};
extern const char *const touch_order_names[]; /* by enum touch_order, NULL at the end */

struct value_init {
	enum vector_init init;
	uint64_t thread; /* of INIT_THREAD */
};
int values_init(struct value_init *v, const char *word, struct place at, struct errors *e);

/* statePerVector */
enum vector_state { STATE_NONE, STATE_M, STATE_E, STATE_S, STATE_O, STATE_F, STATE_I };
extern const char *const state_names[]; /* by enum vector_state, NULL at the end */

int values_state(enum vector_state *v, const char *word, struct place at, struct errors *e);

/* ownerPerVector: thread:1, cpu:4, thread:1,cpu:4, none */
struct value_owners {
	struct value_owner {
		bool is_cpu; /* else a thread */
		uint64_t number;
	} owner[2];
	size_t count; /* as written; beyond two they are not read. 0: none */
};
int values_owners(struct value_owners *v, const char *word, struct place at, struct errors *e);

#endif
