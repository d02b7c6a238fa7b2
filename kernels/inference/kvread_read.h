/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread reads its sequences, piece after piece as their tables say. */
#ifndef KVREAD_READ_H
#define KVREAD_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gemv.h"
#include "kvread_table.h"

/* What the thread reads of a vector; y and scales in the order of the pieces. */
struct kv_cache {
	const char *base;
	struct kv_piece *pieces;
	size_t npieces, rows;
	float *y, *scales; /* y[row][query] */
};

/* A row of the caches: `at` rows into a piece, with so many in the pieces before it. */
struct kv_place {
	size_t cache, piece, at, before;
};

struct kv_reading {
	struct gemv_product product;
	struct kv_cache *caches;
	size_t ncaches;
	size_t row_bytes;
	bool follows;                  /* see kv_choose() */
	struct kv_place next, fetched; /* the row that is read next; the one fetched next */
	bool whole;                    /* all rows have been read */
};

/* Choices of `follow`: auto, no, yes. */
extern const char *const kv_follow_names[]; /* NULL at the end */
#define KV_FOLLOW_AUTO 0
#define KV_FOLLOW_NO   1
#define KV_FOLLOW_YES  2

/* Takes the quickest of these ways, with x in any order, and begins at the first row with it;
 * writes to y. A way that follows the tables fetches lines some KiB before they are read, in the
 * order of the pieces, with as many rows at once as it multiplies; else it fetches what it fetches
 * by itself, up to the end of a piece. auto tries both. */
void kv_choose(struct kv_reading *r, const struct gemv_way *ways, size_t n, int follow);

/* Reads so many rows; after the last one of all caches comes the first one. */
void kv_read(struct kv_reading *r, uint64_t rows);

/* Reads what is left of the first time through all rows. */
void kv_read_whole(struct kv_reading *r);

#endif
