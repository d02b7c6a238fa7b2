/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of all blocks, sorted by address: what was promised where, and how much of the promise
 * is not written yet. The table lies in memory of the system's own, not of malloc().
 */
#ifndef RHP_PIECES_H
#define RHP_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rhp/rhp.h"
#include "rhp/system.h"

struct rhp_piece {
	uintptr_t base;
	size_t bytes;
	size_t open;    /* bytes of the promise that no page was taken for */
	int node;       /* -1: no promise */
	int home;       /* without a promise, bound to this node all the same; -1: to none */
	bool first;     /* a block begins here */
	bool unmapped;  /* the caller unmaps it: rhp_map() */
	bool inherited; /* not counted when it goes: fork() copied it, the program mapped over it,
			 * or it is counted already */
};

/* A zeroed one is empty. */
struct rhp_pieces {
	struct rhp_piece *list;
	size_t count, room;
	uint64_t open[RHP_NODES]; /* the sum of each node's pieces */
};

/* Room for so many more. 0, or -1: no memory. */
int rhp_pieces_reserve(struct rhp_pieces *p, const struct rhp_system *s, size_t more);
void rhp_pieces_free(struct rhp_pieces *p, const struct rhp_system *s);

/* Bytes of the promise that are still open. */
void rhp_pieces_open(struct rhp_pieces *p, size_t i, size_t open);

/* Into its place; there must be room. */
void rhp_pieces_add(struct rhp_pieces *p, const struct rhp_piece *piece);

/* The index of the first piece that ends above the address. */
size_t rhp_pieces_from(const struct rhp_pieces *p, uintptr_t address);

/* The pieces [*from, *to) of the block that begins there. -1: none does. */
int rhp_pieces_block(const struct rhp_pieces *p, const void *block, size_t *from, size_t *to);

/* Removes [from, to) of the list. */
void rhp_pieces_remove(struct rhp_pieces *p, size_t from, size_t to);

/* Splits the piece that has the address inside, so that one begins there; there must be room. */
void rhp_pieces_split(struct rhp_pieces *p, uintptr_t address);

#endif
