/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface between the kernel gemv, the formats of its weights and its hot loops:
 * gemv_scalar.c, gemv_x86.c and gemv_arm.c build these from gemv_loops.h, one set for each
 * instruction set. */
#ifndef GEMV_H
#define GEMV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- weights
 *
 * A row of W is a sequence of words of 32 bits, each with some neighbouring columns, the first in
 * the lowest bits. What a vector holds depends on the place in it only, not on the number of
 * columns, so that threads with other matrices in it agree. All numbers are small multiples of
 * powers of two: sums of their products are exact in f32, in whatever order they are added.
 */
enum gemv_type {
	GEMV_F32,  /* a word is a column */
	GEMV_BF16, /* two: the upper halves of f32 */
	GEMV_INT8, /* four; each row has a scale, which stands beside the vector */
	GEMV_Q4,   /* eight, each plus 8; four words have a scale, a bf16. 16 words and then
		      their four scales are a chunk */
	GEMV_TYPES
};

extern const char *const gemv_type_names[]; /* NULL at the end */

#define GEMV_COLUMNS 128 /* of a chunk: columns are a multiple of it in all types */

/* Bytes of so many columns of a row, a multiple of GEMV_COLUMNS. */
size_t gemv_row_bytes(enum gemv_type type, size_t columns);

/* Writes the columns [from, to) of a vector that starts at base, counted over all of its rows;
 * both are multiples of GEMV_COLUMNS. */
void gemv_fill(enum gemv_type type, char *base, uint64_t from, uint64_t to);

/* The weight of a column, counted over all rows of its vector, without the scale of its row. */
double gemv_weight(enum gemv_type type, uint64_t column);

/* The scale of a row, 1 where its type has none. */
double gemv_row_scale(enum gemv_type type, uint64_t row);

/* ---- activations */

enum gemv_activations {
	GEMV_X_F32,
	GEMV_X_INT8, /* 32 columns have a scale; for int8 and q4 weights only */
	GEMV_ACTIVATIONS
};

extern const char *const gemv_activations_names[]; /* NULL at the end */

/* x of a token. */
double gemv_activation(enum gemv_activations form, size_t token, size_t column);

/* Floats, or words of as many bytes, of a token's activations with what the loops need besides. */
size_t gemv_stride(enum gemv_type type, enum gemv_activations form, size_t columns);

struct gemv_isa;

/* Writes the activations of a token to x[gemv_stride()], in the order in which the loops take them:
 * for each vector of words of weights first their first columns, then their second, ... */
void gemv_arrange(const struct gemv_isa *isa, enum gemv_type type, enum gemv_activations form,
	size_t token, size_t columns, float *x);

/* ---- loops */

/* Multiplies a row with one token, or with several whose activations are `stride` floats apart, and
 * writes the sum of each to sums[tokens]. turns: as many as make a row. For every GEMV_FETCHED
 * bytes, lines `ahead` bytes further on are fetched at once. */
typedef void gemv_loop(
	const char *w, const float *x, size_t stride, size_t turns, ptrdiff_t ahead, float *sums);

#define GEMV_TOKENS  4    /* at once, at most */
#define GEMV_ROWS    4    /* at once, `stride` bytes apart, by other loops: `ahead` is 0 */
#define GEMV_LANES   16   /* at most */
#define GEMV_FETCHED 1024 /* a quarter of a page, at whose end processors stop prefetching */

/* GEMV_ROWS rows times several tokens. `next` is a place behind w, from which on a part of each of
 * the next rows is fetched: step bytes in a turn. */
struct gemv_tile {
	const char *w; /* rows are `stride` bytes apart */
	size_t stride;
	const float *x; /* those of tokens are so many floats apart */
	size_t x_stride, turns;
	const char *next;
	size_t step;
	float sums[GEMV_ROWS][GEMV_TOKENS];
};

typedef void gemv_tile_loop(struct gemv_tile *tile);

struct gemv_isa {
	const char *name;
	bool (*has)(void);          /* whether the CPU has it and the system saves its registers */
	size_t lanes;               /* words, and floats, of a vector */
	int added;                  /* to each int8 weight, of those for int8 activations */
	size_t columns[GEMV_TYPES]; /* of a turn */
	gemv_loop *loops[GEMV_TYPES][GEMV_TOKENS]; /* for 1 token, for 2, ... */
	gemv_loop *rows[GEMV_TYPES]; /* NULL, or of GEMV_ROWS rows with one token: sums of each */
	gemv_tile_loop *tiles[GEMV_TYPES][GEMV_TOKENS]; /* of GEMV_ROWS rows, or NULL */
};

/* For activations in f32, and those of int8. */
extern const struct gemv_isa gemv_scalar, gemv_dots_scalar;
#if defined(__x86_64__)
extern const struct gemv_isa gemv_sse2, gemv_avx2, gemv_avx512;
extern const struct gemv_isa gemv_dots_avx2, gemv_dots_avxvnni, gemv_dots_avx512vnni;
#elif defined(__aarch64__)
extern const struct gemv_isa gemv_neon, gemv_dots_neon, gemv_dots_dotprod;
#endif

/* Choices of `isa`, the same on all architectures: auto, then the instruction sets. */
#define GEMV_AUTO 0
#define GEMV_ISAS 8
extern const char *const gemv_isa_names[];

/* Whether there are loops of this one, not auto, for such activations. */
bool gemv_isa_is_for(enum gemv_activations form, int isa);

/* Writes the names of those that this CPU has for such activations to buffer[n]. */
const char *gemv_usable(enum gemv_activations form, char *buffer, size_t n);

/* Choices of `prefetch`: auto, then distances, and the bytes of each. */
extern const char *const gemv_ahead_names[];
#define GEMV_AHEADS 8
size_t gemv_ahead(int ahead);

/* Choices of `rows`: auto, one, GEMV_ROWS. */
extern const char *const gemv_rows_names[];
#define GEMV_ROWS_CHOICES 2

/* What a user chose, indices of the names. */
struct gemv_choice {
	int isa, ahead, rows;
};

struct gemv_way {
	const struct gemv_isa *isa;
	int ahead;   /* of gemv_ahead_names */
	size_t rows; /* at once */
};

#define GEMV_WAYS (3 * GEMV_ISAS) /* at most */

/* Some rows of W, and what they are multiplied with. */
struct gemv_product {
	struct gemv_way way;
	enum gemv_type type;
	enum gemv_activations activations;
	size_t columns, batch;
	const float *x; /* [batch][gemv_stride()], arranged for the instruction set of the way */
};

/* Whether GEMV_ROWS rows are of use for such a product. */
bool gemv_has_rows(const struct gemv_product *p, const struct gemv_isa *isa);

/* Fills in the ways that the choices allow on this CPU for such a product; returns how many. auto
 * leaves out scalar where there is another one. */
size_t gemv_ways(
	const struct gemv_product *p, struct gemv_choice choice, struct gemv_way ways[GEMV_WAYS]);

/* Rows of W, one after the other in memory. */
struct gemv_rows {
	const char *w;
	size_t count;
	size_t behind; /* rows that stand behind these and are needed next: nothing else is fetched
			*/
};

/* y[row][token] = scales[row] * (the row's weights, x of the token). */
void gemv_multiply(
	const struct gemv_product *p, const struct gemv_rows *rows, const float *scales, float *y);

/* May gemv_multiply() be in the loop of this name? */
bool gemv_may_take(const struct gemv_product *p, const char *loop);

/* Rows that a trial of a way should multiply. */
size_t gemv_trial_rows(const struct gemv_product *p);

/* The way that multiplies these rows quickest; x may be in any order. Takes some milliseconds, and
 * writes to y. */
struct gemv_way gemv_quickest(struct gemv_product p, const struct gemv_way *ways, size_t n,
	struct gemv_rows rows, const float *scales, float *y);

#endif
