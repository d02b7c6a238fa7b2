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
#define HALF_1(i) { \
	VU v = WORDS(w + (i)*BYTES); \
	KEEP_WORD(v); \
	sum##i += FLOATS(DOT(v, x + (i)*2 * LANES)) * X(x + ((i)*2 + 1) * LANES); \
	KEEP(sum##i); \
}
#define HALF_4(i) { \
	VU v = WORDS(w + (i)*BYTES); \
	KEEP_WORD(v); \
	HALF_OF(0, x, i) \
	HALF_OF(1, x1, i) \
	HALF_OF(2, x2, i) \
	HALF_OF(3, x3, i) \
}
#define HALF_OF(token, x, i) \
	sum##token += FLOATS(DOT(v, (x) + (i)*2 * LANES)) * X((x) + ((i)*2 + 1) * LANES); \
	KEEP(sum##token);

#define HALVES(type, tokens) { \
	HALF_##tokens(0) \
	HALF_##tokens(1) \
	w += 2 * BYTES; \
	ADVANCE(4 * LANES); \
}

LOOP(dots_int8, 2 * BYTES, FRONT_ONE, HALVES, int8, 1)
LOOP(dots_int8, 2 * BYTES, FRONT_ONE, HALVES, int8, 4)

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
#define EIGHTS_SCALE(g) SCALES(w + 64 + (g)*LANES / 4 * 2)

/* Single words have few registers, which would run out if parts of a word, or several addresses in
 * the same activations, were kept. */
#define FRUGAL(v)       \
	if (LANES == 1) \
	keep_changed(v)

/* Two sums in turns, where a chunk has several vectors. */
#define EIGHTS_1(g) { \
	FRUGAL(x); \
	VU v = WORDS(w + (g)*BYTES); \
	KEEP_WORD(v); \
	const VF sum = sum0 + EIGHTS_OF(x) * (EIGHTS_SCALE(g) * X(x + 3 * LANES)); \
	sum0 = GROUPS > 1 ? sum1 : sum; \
	sum1 = GROUPS > 1 ? sum : sum1; \
	KEEP(sum0); \
}
#define EIGHTS_TOKEN(token, x) \
	sum##token += EIGHTS_OF(x) * (scale * X((x) + 3 * LANES)); \
	KEEP(sum##token); \
	FRUGAL(v); \
	FRUGAL(x);
#define EIGHTS_4(g) { \
	VU v = WORDS(w + (g)*BYTES); \
	KEEP_WORD(v); \
	const VF scale = EIGHTS_SCALE(g); \
	EIGHTS_TOKEN(0, x) \
	EIGHTS_TOKEN(1, x1) \
	EIGHTS_TOKEN(2, x2) \
	EIGHTS_TOKEN(3, x3) \
}

LOOP_q4(dots_q4, EIGHTS, 4 * LANES, 1)
LOOP_q4(dots_q4, EIGHTS, 4 * LANES, 4)

#define ROW_dots_q4(r) { \
	VU v = WORDS(row + g*BYTES); \
	KEEP_WORD(v); \
	sum##r += EIGHTS_OF(x) * (SCALES(row + 64 + g*LANES / 4 * 2) * scale); \
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

#define PAIR(type) {NAME_4(type, ISA, 1), NAME_4(type, ISA, 4)}

const struct gemv_isa NAME_2(gemv_dots_, ISA) = {
		.name = QUOTED(ISA),
		.has = NAME_2(has_, ISA),
		.lanes = LANES,
		.added = UNSIGNED,
		.columns = {[GEMV_INT8] = 8 * LANES, [GEMV_Q4] = GEMV_COLUMNS},
		.loops = {[GEMV_INT8] = PAIR(dots_int8), [GEMV_Q4] = PAIR(dots_q4)},
		.rows = {[GEMV_INT8] = NAME_4(rows_dots_int8, ISA, 4),
			[GEMV_Q4] = NAME_4(rows_dots_q4, ISA, 4)},
};
/* clang-format on */

#undef ISA
#undef TARGET
#undef UNSIGNED
#undef DOT
#undef DOTS
