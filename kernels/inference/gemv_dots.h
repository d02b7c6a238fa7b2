/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hot loops of gemv for activations of 8 bits, for one instruction set; included once for each,
 * without a guard. Products of integers are added up as integers, of four columns in each lane, or
 * of eight where weights have 4 bits; the scales of their blocks make floats of these sums. Before
 * it, define ISA, TARGET, LANES, VU, VF, ZERO, TOTAL, SCALES, KEEP and KEEP_WORD as for
 * gemv_loops.h, and
 *
 *   VI            vectors of int
 *   FLOATS(v)     VF: the values of VI
 *   UNSIGNED      what DOT takes int8 weights for: 128 where it adds that to each, else 0
 *   DOT(w, x)     VI: in each lane the sum of four products, of int8 weights, VU, and of the int8
 *                 activations from x on, which are never -128
 *   DOTS(x, even, odd)    VI: that of eight, of weights from 0 to 15, VU, and of the activations
 *                 behind a VI from x on, to which they are added: first those of even
 *
 * This file undefines ISA, TARGET, UNSIGNED, DOT and DOTS at the end: instruction sets may have the
 * same vectors, and gemv_vectors_end.h undefines these.
 */

#include "gemv_turns.h"

/* Vectors at any address, of any type. */
typedef VU NAME_2(words_, ISA) __attribute__((aligned(1), may_alias));
typedef VI NAME_2(ints_, ISA) __attribute__((aligned(1), may_alias));
typedef VF NAME_2(floats_, ISA) __attribute__((aligned(1), may_alias));

#define INTS(p) (*(const NAME_2(ints_, ISA) *)(p))

/* int8: for each vector of words its activations, then the scale of each lane. A turn has two such
 * vectors with a sum each, since one sum would wait for itself. */
/* clang-format off */
#define HALF(i) { \
	VU v = WORDS(w + (i)*BYTES); \
	KEEP_WORD(v); \
	sum##i += FLOATS(DOT(v, x + (i)*2 * LANES)) * X(x + ((i)*2 + 1) * LANES); \
	KEEP(sum##i); \
}
#define HALVES(type) { \
	HALF(0) \
	HALF(1) \
	w += 2 * BYTES; \
	x += 4 * LANES; \
}

LOOP(dots_int8, 2 * BYTES, FRONT_ONE, HALVES, int8)

#define ROW_dots_int8(r) { \
	ROW_WORD(r) \
	sum##r += FLOATS(DOT(v, x)) * scale; \
	KEEP(sum##r); \
}
#define WORDS_dots_int8 \
	const VF scale = X(x + LANES); \
	EACH_ROW(ROW_dots_int8)

LOOP_ROWS(dots_int8, 2, FRONT_ONE, 2 * LANES)

/* q4: for each vector of words what its sums begin with, then the activations of even columns, of
 * odd ones, and the scale of each lane. */
#define EVEN(v) ((v) & 0x0f0f0f0fu)
#define ODD(v)  ((v) >> 4 & 0x0f0f0f0fu)
#define EIGHTS_OF(x) FLOATS(DOTS(x, EVEN(v), ODD(v)))
#define EIGHTS_SCALE(row, g) SCALES((row) + 64 + (g)*LANES / 4 * 2)

/* Single words have few registers, which would run out if parts of a word, or several addresses in
 * the same activations, were kept. */
#define FRUGAL(v)       \
	if (LANES == 1) \
	keep_changed(v)

/* Two sums in turns, where a chunk has several vectors. */
#define EIGHTS(g) { \
	FRUGAL(x); \
	VU v = WORDS(w + (g)*BYTES); \
	KEEP_WORD(v); \
	const VF sum = sum0 + EIGHTS_OF(x) * (EIGHTS_SCALE(w, g) * X(x + 3 * LANES)); \
	sum0 = GROUPS > 1 ? sum1 : sum; \
	sum1 = GROUPS > 1 ? sum : sum1; \
	KEEP(sum0); \
}

LOOP_q4(dots_q4, EIGHTS, 4 * LANES)

#define ROW_dots_q4(r) { \
	VU v = WORDS(row + g*BYTES); \
	KEEP_WORD(v); \
	sum##r += EIGHTS_OF(x) * (EIGHTS_SCALE(row, g) * scale); \
	KEEP(sum##r); \
	row += stride; \
	FRUGAL(row); \
	FRUGAL(x); \
}
#define GROUP_dots_q4 \
	const VF scale = X(x + 3 * LANES); \
	const char *row = w; \
	EACH_ROW(ROW_dots_q4)

LOOP_ROWS_q4(dots_q4, 4 * LANES)

/* Several tokens, with a row or four. */
#define DOT_TIMES(r, t, i) \
	sum##r##t += FLOATS(DOT(v, x##t + (i)*2 * LANES)) * X(x##t + ((i)*2 + 1) * LANES); \
	KEEP(sum##r##t);
#define HALF_MANY(tokens, r, i) { \
	VU v = WORDS(w + (i)*BYTES); \
	KEEP_WORD(v); \
	TOKENS_##tokens(DOT_TIMES, r, i) \
	TOKENS_##tokens(AGAIN_OF_16, r, i) \
}
#define MANY_dots_int8(tokens) \
	HALF_MANY(tokens, 0, 0) \
	HALF_MANY(tokens, SECOND_##tokens, 1)
#define ROW_OF_dots_int8(tokens, r) { \
	ROW_WORD(r) \
	TOKENS_##tokens(DOT_TIMES, r, 0) \
	TOKENS_##tokens(AGAIN_OF_16, r, 0) \
}

#define EIGHTS_TIMES(r, t, i) \
	sum##r##t += EIGHTS_OF(x##t) * scale * X(x##t + 3 * LANES); \
	KEEP(sum##r##t); \
	FRUGAL(v); \
	FRUGAL(x##t);
#define ROW_OF_dots_q4(tokens, r) { \
	VU v = WORDS(row + g*BYTES); \
	KEEP_WORD(v); \
	const VF scale = EIGHTS_SCALE(row, g); \
	TOKENS_##tokens(EIGHTS_TIMES, r, 0) \
	TOKENS_##tokens(AGAIN, r, 0) \
}

#define LOOPS_MANY(tokens) \
	LOOP_MANY(dots_int8, 2 * BYTES, FRONT_ONE, 4 * LANES, tokens) \
	LOOP_MANY_q4(dots_q4, 4 * LANES, tokens)
LOOPS_MANY(2)
LOOPS_MANY(3)
LOOPS_MANY(4)

#define LOOPS_TILE(tokens) \
	LOOP_TILE(dots_int8, 2, FRONT_ONE, 2 * LANES, tokens) \
	LOOP_TILE_q4(dots_q4, 4 * LANES, tokens)
LOOPS_TILE(2)
LOOPS_TILE(3)
LOOPS_TILE(4)

const struct gemv_isa NAME_2(gemv_dots_, ISA) = {
		.name = QUOTED(ISA),
		.has = NAME_2(has_, ISA),
		.lanes = LANES,
		.added = UNSIGNED,
		.columns = {[GEMV_INT8] = 8 * LANES, [GEMV_Q4] = GEMV_COLUMNS},
		.loops = {[GEMV_INT8] = ONE_ROW(dots_int8), [GEMV_Q4] = ONE_ROW(dots_q4)},
		.tiles = {[GEMV_INT8] = {NULL, TILE_IF(VECTORS, dots_int8, 2), TILE_IF(VECTORS, dots_int8, 3), TILE_IF(MANY, dots_int8, 4)},
			[GEMV_Q4] = {NULL, TILE_IF(VECTORS, dots_q4, 2), TILE_IF(MANY, dots_q4, 3), TILE_IF(MANY, dots_q4, 4)}},
		.rows = {[GEMV_INT8] = NAME_4(rows_dots_int8, ISA, 4),
			[GEMV_Q4] = NAME_4(rows_dots_q4, ISA, 4)},
};
/* clang-format on */

#undef ISA
#undef TARGET
#undef UNSIGNED
#undef DOT
#undef DOTS
#undef LOOPS_MANY
#undef LOOPS_TILE
