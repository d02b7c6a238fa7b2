/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which blocks of a paged cache sequences have. */
#ifndef KVREAD_TABLE_H
#define KVREAD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel.h"

enum kv_order { KV_RANDOM, KV_SEQUENTIAL };

/* As the parameters say. */
struct kv_form {
	uint64_t context;   /* tokens of the longest sequence */
	double spread;      /* the share of it that the shortest may lack */
	uint64_t block;     /* tokens of a block: their keys, then their values, a row each */
	uint64_t sequences; /* of a thread; 0: as many as its blocks suffice for */
	int order;          /* enum kv_order, of the blocks in the tables */
};

/* Blocks [from, from + count) of a vector are the thread's; its sequences need so many of them,
 * which may be more. sequences is 0 where the form asks for none and the first needs too many. */
struct kv_share {
	uint64_t from, count;
	uint64_t sequences, needed, tokens; /* of these sequences: blocks, and tokens */
};

/* rows: of the vector. */
struct kv_share kv_share_of(const struct kv_form *f, uint64_t rows, const struct vector *v);

/* Tokens of a sequence of the thread, and the blocks that these take. */
uint64_t kv_length(const struct kv_form *f, const struct vector *v, uint64_t sequence);
uint64_t kv_blocks(const struct kv_form *f, uint64_t length);

/* Rows that lie one after the other: the keys of a block, or its values. */
struct kv_piece {
	size_t row, count; /* counted in the vector */
};

/* The pieces of all sequences, one sequence after the other: 2 * s->needed, of which no two have a
 * row in common. For own_pages_free(); NULL: no memory. key: another one, another table. */
struct kv_piece *kv_pieces(
	const struct kv_form *f, const struct kv_share *s, const struct vector *v, uint64_t key);

#endif
