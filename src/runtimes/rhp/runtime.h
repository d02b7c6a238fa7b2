/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of the runtime, for its own files and for tests. */
#ifndef RHP_RUNTIME_H
#define RHP_RUNTIME_H

#include "rhp/lock.h"
#include "rhp/machine.h"
#include "rhp/pieces.h"
#include "rhp/rhp.h"
#include "rhp/system.h"

struct rhp {
	struct rhp_lock lock; /* of everything below */
	const struct rhp_system *system;
	struct rhp_config config;
	struct rhp_machine machine;
	struct rhp_pieces pieces;
	size_t cursor; /* the piece whose promise is looked at next */
	struct rhp_counts own;
	struct rhp_counts *counts; /* own, or memory that others read */
	/* room to work in: stacks of threads of others may be small */
	uint64_t free_bytes[RHP_NODES];
	int distances[RHP_NODES];
	unsigned long allowed[RHP_MASK_WORDS]; /* nodes that may be chosen */
	unsigned long its_own[RHP_MASK_WORDS]; /* of the task's policy */
	int policy;                            /* of the task, which leaves no choice; 0: it does */
	unsigned char weights[RHP_NODES];      /* of the configuration */
	unsigned char weighed[RHP_NODES];      /* those of nodes that may be chosen */
	bool weighs;                           /* any is above 0 */
	size_t turn;                           /* rhp_deal()'s */
	struct rhp_node nodes[RHP_NODES];
	struct rhp_part parts[RHP_NODES + 1];
};

/* rhp_init() with another system. root: struct rhp_machine's. */
struct rhp *rhp_start(
	const struct rhp_config *config, const struct rhp_system *system, const char *root);

/* Counts from now on in memory that others read; it gets what was counted so far. */
void rhp_count_in(struct rhp *r, struct rhp_counts *counts);

/* What blocks are rounded and aligned to. */
static inline size_t rhp_unit(const struct rhp *r)
{
	return r->machine.huge ? r->machine.huge : r->machine.base;
}

/* Address space at a multiple of alignment, a power of two. 0 and errno: no memory. */
uintptr_t rhp_reserve(const struct rhp *r, size_t alignment, size_t bytes);

/* For fork(): before it, after it in the parent, and in the child, whose counts are new ones. */
void rhp_fork_begins(struct rhp *r);
void rhp_fork_ended(struct rhp *r);
void rhp_fork_child(struct rhp *r);

/* Where the pages lie that are not released, in *pages; what fork() copied is not asked. The blocks
 * stay. last: they are not counted again when they are released. -1: another thread is at work in
 * the runtime, or a fault interrupted this one there. */
int rhp_look(struct rhp *r, struct rhp_pages *pages, bool last);

/* where.c: rhp_where() with the lock held. */
void rhp_find(const struct rhp *r, uintptr_t base, size_t bytes, struct rhp_pages *pages);

/* place.c, with the lock held: chooses nodes for [base, base + bytes), binds its parts and notes
 * them. model: flags of the pieces. -1: no memory for the notes, nothing was done. */
int rhp_place(struct rhp *r, uintptr_t base, size_t bytes, struct rhp_piece model);

/* Binds a piece at its new address, to which nothing moved, to the node that it was promised, and
 * counts it in place of the old one. What fork() copied is this process's own from then on. */
void rhp_place_again(struct rhp *r, struct rhp_piece *piece);

/* Takes a piece out of what was allocated, as if it had not been. */
void rhp_count_off(struct rhp *r, const struct rhp_piece *piece);

#endif
