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
 * in registers up to the end of the row: four for one token, else two for each token, or one where
 * there are four rows.
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
#define QUARTER(type, i) { \
	WORD_##type(i) \
	sum##i += PART_##type(v, i) * X(x + (i)*LANES); \
	KEEP(sum##i); \
}

#define TURN(type, words) { \
	VU v; \
	QUARTER(type, 0) \
	QUARTER(type, 1) \
	QUARTER(type, 2) \
	QUARTER(type, 3) \
	w += (words)*BYTES; \
	x += 4 * LANES; \
}
/* clang-format on */
#define TURN_f32(type)  TURN(type, 4)
#define TURN_bf16(type) TURN(type, 2)
#define TURN_int8(type) TURN(type, 1)

LOOP(f32, 4 * BYTES, FRONT_NONE, TURN_f32, f32)
LOOP(bf16, 2 * BYTES, FRONT_NONE, TURN_bf16, bf16)
LOOP(int8, BYTES, FRONT_ONE, TURN_int8, int8)

/* q4: the sum of a block begins with what stands in front of its activations; the block's scale is
 * applied to all of it. */
/* clang-format off */
#define EIGHT(step, tokens) \
	step(tokens, 0) step(tokens, 1) step(tokens, 2) step(tokens, 3) \
	step(tokens, 4) step(tokens, 5) step(tokens, 6) step(tokens, 7)
#define NIBBLE_1(tokens, i) part0 += PART_q4(v, i) * X(x + ((i) + 1) * LANES);
#define GROUP(g) { \
	VU v = WORDS(w + (g)*BYTES); \
	KEEP_WORD(v); \
	VF part0 = X(x); \
	EIGHT(NIBBLE_1, 1) \
	sum0 += part0 * SCALES(w + 64 + (g)*LANES / 4 * 2); \
	KEEP(sum0); \
}

LOOP_q4(q4, GROUP, 9 * LANES)

/* Four rows at once with one token. */
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


/* Several tokens, with a row or four. */
#define TIMES(r, t, i) \
	sum##r##t += f * X(x##t + (i)*LANES); \
	KEEP(sum##r##t);
#define PART_TIMES(type, tokens, r, i) { \
	const VF f = PART_##type(v, i); \
	TOKENS_##tokens(TIMES, r, i) \
}
#define QUARTER_MANY(type, tokens, r, i) \
	WORD_##type(i) \
	PART_TIMES(type, tokens, r, i) \
	TOKENS_##tokens(AGAIN_OF_16, r, i)
#define QUARTERS(type, tokens) { \
	VU v; \
	QUARTER_MANY(type, tokens, 0, 0) \
	QUARTER_MANY(type, tokens, SECOND_##tokens, 1) \
	QUARTER_MANY(type, tokens, 0, 2) \
	QUARTER_MANY(type, tokens, SECOND_##tokens, 3) \
}
#define MANY_f32(tokens)  QUARTERS(f32, tokens)
#define MANY_bf16(tokens) QUARTERS(bf16, tokens)
#define MANY_int8(tokens) QUARTERS(int8, tokens)

#define ROW_OF_f32(tokens, r) { \
	ROW_WORD(r) \
	PART_TIMES(f32, tokens, r, 0) \
	TOKENS_##tokens(AGAIN_OF_16, r, 0) \
}
#define ROW_OF_bf16(tokens, r) { \
	ROW_WORD(r) \
	PART_TIMES(bf16, tokens, r, 0) \
	PART_TIMES(bf16, tokens, r, 1) \
	TOKENS_##tokens(AGAIN_OF_16, r, 0) \
}
#define ROW_OF_int8(tokens, r) { \
	ROW_WORD(r) \
	PART_TIMES(int8, tokens, r, 0) \
	PART_TIMES(int8, tokens, r, 1) \
	PART_TIMES(int8, tokens, r, 2) \
	PART_TIMES(int8, tokens, r, 3) \
	TOKENS_##tokens(AGAIN, r, 0) \
}

#define PART_BEGIN(r, t, i) VF part##t = X(x##t);
#define PART_SCALED(r, t, i) \
	sum##r##t += part##t * scale; \
	KEEP(sum##r##t);
#define PART_ADD(r, t, i) \
	part##t += f * X(x##t + ((i) + 1) * LANES); \
	KEEP(part##t);
#define NIBBLES(tokens, i) { \
	const VF f = PART_q4(v, i); \
	TOKENS_##tokens(PART_ADD, 0, i) \
}
#define ROW_OF_q4(tokens, r) { \
	VU v = WORDS(row + g*BYTES); \
	KEEP_WORD(v); \
	TOKENS_##tokens(PART_BEGIN, r, 0) \
	EIGHT(NIBBLES, tokens) \
	const VF scale = SCALES(row + 64 + g*LANES / 4 * 2); \
	TOKENS_##tokens(PART_SCALED, r, 0) \
	TOKENS_##tokens(AGAIN, r, 0) \
}

#define LOOPS_MANY(tokens) \
	LOOP_MANY(f32, 4 * BYTES, FRONT_NONE, 4 * LANES, tokens) \
	LOOP_MANY(bf16, 2 * BYTES, FRONT_NONE, 4 * LANES, tokens) \
	LOOP_MANY(int8, BYTES, FRONT_ONE, 4 * LANES, tokens) \
	LOOP_MANY_q4(q4, 9 * LANES, tokens)
LOOPS_MANY(2)
LOOPS_MANY(3)
LOOPS_MANY(4)

#define LOOPS_TILE(tokens) \
	LOOP_TILE(f32, 4, FRONT_NONE, LANES, tokens) \
	LOOP_TILE(bf16, 2, FRONT_NONE, 2 * LANES, tokens) \
	LOOP_TILE(int8, 1, FRONT_ONE, 4 * LANES, tokens) \
	LOOP_TILE_q4(q4, 9 * LANES, tokens)
LOOPS_TILE(2)
LOOPS_TILE(3)
LOOPS_TILE(4)

const struct gemv_isa NAME_2(gemv_, ISA) = {
		.name = QUOTED(ISA),
		.has = NAME_2(has_, ISA),
		.lanes = LANES,
		.columns = {4 * LANES, 4 * LANES, 4 * LANES, GEMV_COLUMNS},
		.loops = {ONE_ROW(f32), ONE_ROW(bf16), ONE_ROW(int8), ONE_ROW(q4)},
		.tiles = {{NULL, TILE_IF(VECTORS, f32, 2), TILE_IF(FUSED, f32, 3), TILE_IF(MANY, f32, 4)},
			{NULL, TILE_IF(VECTORS, bf16, 2), TILE_IF(FUSED, bf16, 3), TILE_IF(MANY, bf16, 4)},
			{NULL, TILE_IF(VECTORS, int8, 2), TILE_IF(FUSED, int8, 3), TILE_IF(MANY, int8, 4)},
			{NULL, TILE_IF(VECTORS, q4, 2), TILE_IF(MANY, q4, 3), TILE_IF(MANY, q4, 4)}},
		.rows = {NAME_4(rows_f32, ISA, 4), NAME_4(rows_bf16, ISA, 4), NAME_4(rows_int8, ISA, 4)},
};
/* clang-format on */

#include "gemv_vectors_end.h"
#undef ISA
#undef TARGET
#undef BITS
#undef AND_XOR
#undef NIBBLE
#undef LOOPS_MANY
#undef LOOPS_TILE
