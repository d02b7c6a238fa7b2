/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hot loops of gemv for one instruction set; included once for each, without a guard. Before
 * it, define
 *
 *   ISA        its name, part of the loops' names: gemv_bf16_avx2_u4
 *   TARGET     the function attribute that allows its instructions, or nothing
 *   LANES      words of a vector
 *   VU VF      vectors of unsigned and float, or one of them
 *   ZERO       VF of zeros
 *   BITS(v)    VF with the bits of VU
 *   TOTAL(x)   float: the sum of the lanes of VF
 *   AND_XOR(v, a, b)    (v & a) ^ b, of VU and two constants
 *   NIBBLE(v, i)        PLAIN_NIBBLE(v, i), or what gives the same and is quicker
 *   SCALES(p)  VF: the scale of each lane's block of 4 words, bf16 one after another from p on
 *   KEEP(x)    x must exist in a register (keep.h, which has HOT), so that nothing is merged
 *
 * This file undefines these names at the end. Vectors are written with the operators of C: the
 * compiler makes a fused multiply-add of a product and a sum where TARGET has one. The sums stay
 * in registers up to the end of the row: four for one token, else one for each token.
 */

#include "gemv_turns.h"

/* Vectors at any address, of any type. */
typedef VU NAME_2(words_, ISA) __attribute__((aligned(1), may_alias));
typedef VF NAME_2(floats_, ISA) __attribute__((aligned(1), may_alias));

/* The i-th column of each word, i of a type with so many columns in a word. */
#define PART_f32(v, i)  BITS((VU)(v))
#define PART_bf16(v, i) BITS((i) % 2 ? (VU)(v)&0xffff0000u : (VU)(v) << 16)

/* Integers become floats without a conversion: as the upper bits of the mantissa of a 1, which is
 * gained by an AND and an XOR, one instruction of AVX-512. x is so much larger, and each sum begins
 * with what the 1, and the 128 or 8 in each weight, add to it (gemv_arrange()). The XOR also turns
 * the sign of int8 over, which makes it a number from 0 to 255. */
#define PLACED(v, from, to)                                              \
	((VU)((from) < (to) ? (v) << ((from) < (to) ? (to) - (from) : 0) \
			    : (v) >> ((from) < (to) ? 0 : (from) - (to))))
#define PART_int8(v, i)    BITS(AND_XOR(PLACED(v, (i) % 4 * 8, 15), 0x007f8000u, 0x3fc00000u))
#define PART_q4(v, i)      NIBBLE(v, i)
#define PLAIN_NIBBLE(v, i) BITS(AND_XOR(PLACED(v, (i)*4, 19), 0x00780000u, 0x3f800000u))

/* A quarter of a turn, whose word is the i-th column's: of a type with several columns in a word
 * that of the quarter before, except for the first of them. */
#define WORD_f32(i) TAKE((i)*BYTES)
#define WORD_bf16(i)      \
	if ((i) % 2 == 0) \
	TAKE((i) / 2 * BYTES)
#define WORD_int8(i)  \
	if ((i) == 0) \
	TAKE(0)
#define TAKE(at)                     \
	{                            \
		v = WORDS(w + (at)); \
		KEEP_WORD(v);        \
	}

/* clang-format off */
#define QUARTER_1(type, i) { \
	WORD_##type(i) \
	sum##i += PART_##type(v, i) * X(x + (i)*LANES); \
	KEEP(sum##i); \
}
#define QUARTER_4(type, i) { \
	WORD_##type(i) \
	const VF f = PART_##type(v, i); \
	sum0 += f * X(x + (i)*LANES); \
	sum1 += f * X(x1 + (i)*LANES); \
	sum2 += f * X(x2 + (i)*LANES); \
	sum3 += f * X(x3 + (i)*LANES); \
	KEEP(sum0); \
	KEEP(sum1); \
	KEEP(sum2); \
	KEEP(sum3); \
}
/* clang-format on */

#define FOUR(step, type) step(type, 0) step(type, 1) step(type, 2) step(type, 3)

/* clang-format off */
#define TURN(type, words, tokens) { \
	VU v; \
	FOUR(QUARTER_##tokens, type) \
	w += (words)*BYTES; \
	ADVANCE(4 * LANES); \
}
/* clang-format on */
#define TURN_f32(type, tokens)  TURN(type, 4, tokens)
#define TURN_bf16(type, tokens) TURN(type, 2, tokens)
#define TURN_int8(type, tokens) TURN(type, 1, tokens)

LOOP(f32, 4 * BYTES, FRONT_NONE, TURN_f32, f32, 1)
LOOP(f32, 4 * BYTES, FRONT_NONE, TURN_f32, f32, 4)
LOOP(bf16, 2 * BYTES, FRONT_NONE, TURN_bf16, bf16, 1)
LOOP(bf16, 2 * BYTES, FRONT_NONE, TURN_bf16, bf16, 4)
LOOP(int8, BYTES, FRONT_ONE, TURN_int8, int8, 1)
LOOP(int8, BYTES, FRONT_ONE, TURN_int8, int8, 4)

/* q4: the sum of a block begins with what stands in front of its activations; the block's scale is
 * applied to all of it. */
/* clang-format off */
#define NIBBLE_1(i) part0 += PART_q4(v, i) * X(x + ((i) + 1) * LANES);
#define NIBBLE_4(i) { \
	const VF f = PART_q4(v, i); \
	part0 += f * X(x + ((i) + 1) * LANES); \
	part1 += f * X(x1 + ((i) + 1) * LANES); \
	part2 += f * X(x2 + ((i) + 1) * LANES); \
	part3 += f * X(x3 + ((i) + 1) * LANES); \
	KEEP(part3); /* this one before the next, or registers run out */ \
}
#define EIGHT(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)

#define GROUP_1(g) { \
	VU v = WORDS(w + (g)*BYTES); \
	KEEP_WORD(v); \
	VF part0 = X(x); \
	EIGHT(NIBBLE_1) \
	sum0 += part0 * SCALES(w + 64 + (g)*LANES / 4 * 2); \
	KEEP(sum0); \
}
#define GROUP_4(g) { \
	VU v = WORDS(w + (g)*BYTES); \
	KEEP_WORD(v); \
	const VF scale = SCALES(w + 64 + (g)*LANES / 4 * 2); \
	VF part0 = X(x), part1 = X(x1), part2 = X(x2), part3 = X(x3); \
	EIGHT(NIBBLE_4) \
	sum0 += part0 * scale; \
	sum1 += part1 * scale; \
	sum2 += part2 * scale; \
	sum3 += part3 * scale; \
	KEEP(sum0); \
	KEEP(sum1); \
	KEEP(sum2); \
	KEEP(sum3); \
}

LOOP_q4(q4, GROUP, 9 * LANES, 1)
LOOP_q4(q4, GROUP, 9 * LANES, 4)

/* Four rows at once. */
#define ROW_f32(r) { \
	ROW_WORD(r) \
	sum##r += PART_f32(v, 0) * x0; \
	KEEP(sum##r); \
}
#define ROW_bf16(r) { \
	ROW_WORD(r) \
	sum##r += PART_bf16(v, 0) * x0; \
	sum##r += PART_bf16(v, 1) * x1; \
	KEEP(sum##r); \
}
#define ROW_int8(r) { \
	ROW_WORD(r) \
	sum##r += PART_int8(v, 0) * x0; \
	sum##r += PART_int8(v, 1) * x1; \
	sum##r += PART_int8(v, 2) * x2; \
	sum##r += PART_int8(v, 3) * x3; \
	KEEP(sum##r); \
}

#define WORDS_f32 \
	const VF x0 = X(x); \
	EACH_ROW(ROW_f32)
#define WORDS_bf16 \
	const VF x0 = X(x), x1 = X(x + LANES); \
	EACH_ROW(ROW_bf16)
#define WORDS_int8 \
	const VF x0 = X(x), x1 = X(x + LANES), x2 = X(x + 2 * LANES), x3 = X(x + 3 * LANES); \
	EACH_ROW(ROW_int8)

LOOP_ROWS(f32, 4, FRONT_NONE, LANES)
LOOP_ROWS(bf16, 2, FRONT_NONE, 2 * LANES)
LOOP_ROWS(int8, 1, FRONT_ONE, 4 * LANES)

#define PAIR(type) {NAME_4(type, ISA, 1), NAME_4(type, ISA, 4)}

const struct gemv_isa NAME_2(gemv_, ISA) = {
		.name = QUOTED(ISA),
		.has = NAME_2(has_, ISA),
		.lanes = LANES,
		.columns = {4 * LANES, 4 * LANES, 4 * LANES, GEMV_COLUMNS},
		.loops = {PAIR(f32), PAIR(bf16), PAIR(int8), PAIR(q4)},
		.rows = {NAME_4(rows_f32, ISA, 4), NAME_4(rows_bf16, ISA, 4), NAME_4(rows_int8, ISA, 4)},
};
/* clang-format on */

#include "gemv_vectors_end.h"
#undef ISA
#undef TARGET
#undef BITS
#undef AND_XOR
#undef NIBBLE
