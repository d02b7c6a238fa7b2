/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the hot loops of gemv have in common, whatever they multiply: how they go over a row, fetch
 * its lines, and add up. For gemv_loops.h and gemv_dots.h, which say what ISA, TARGET, LANES, VU,
 * VF, ZERO and TOTAL are.
 */
#ifndef GEMV_TURNS_H
#define GEMV_TURNS_H

#define JOIN_4(type, isa, n) gemv_##type##_##isa##_u##n
#define NAME_4(type, isa, n) JOIN_4(type, isa, n)
#define JOIN_2(a, b)         a##b
#define NAME_2(a, b)         JOIN_2(a, b)
#define TEXT(x)              #x
#define QUOTED(x)            TEXT(x)

#define BYTES    (LANES * 4)
#define WORDS(p) (*(const NAME_2(words_, ISA) *)(p))
#define X(p)     (*(const NAME_2(floats_, ISA) *)(p))

/* Sums begin with what stands in front of the activations. */
#define FRONT_NONE
#define FRONT_ONE            \
	{                    \
		sum0 = X(x); \
		x += LANES;  \
	}

/* Each line of the turns that come `ahead` bytes later once, to the second-level cache (2): lines
 * on their way to the first one take up its few buffers for misses as long as memory takes. */
#define FETCH(bytes)                                                              \
	{                                                                         \
		const char *p = w + ahead;                                        \
		keep_changed(p); /* or each line's address has a register */      \
		_Pragma("GCC unroll 64") for (size_t k = 0; k < (bytes); k += 64) \
			__builtin_prefetch(p + k, 0, 2);                          \
	}

#define SIGNATURE \
	(const char *w, const float *x, size_t stride, size_t turns, ptrdiff_t ahead, float *sums)

/* clang-format off */
#define TWICE(...) __VA_ARGS__ __VA_ARGS__
/* clang-format on */

/* With one token eight turns follow each other without a branch, and their lines are fetched before
 * all of them. Few of the instructions that a processor looks ahead are loads of weights, and
 * activations stand between them: this way it sees which lines follow each other, and goes on. */
#define BLOCK 8

/* clang-format off */
/* turn(type): a turn over so many bytes, which moves w and x on. */
#define LOOP(name, bytes, front, turn, type)                                 \
	HOT TARGET void NAME_4(name, ISA, 1) SIGNATURE                       \
	{                                                                    \
		VF sum0 = ZERO, sum1 = sum0, sum2 = sum0, sum3 = sum0;       \
		(void)stride;                                                \
		front                                                        \
		do {                                                         \
			if (turns >= BLOCK) {                                \
				FETCH(BLOCK *(bytes))                        \
				TWICE(TWICE(TWICE(turn(type))))              \
				turns -= BLOCK;                              \
			} else {                                             \
				FETCH(bytes)                                 \
				turn(type)                                   \
				turns--;                                     \
			}                                                    \
		} while (turns);                                             \
		sums[0] = TOTAL((sum0 + sum1) + (sum2 + sum3));              \
	}
/* clang-format on */

/* q4: a chunk a turn, LANES of its 16 words at a time. group(g) is the g-th part, for so many
 * floats of activations. */
#define GROUPS (16 / LANES)

/* Turns of 72 bytes are too long to follow each other without a branch: the lines of fourteen are
 * fetched at once, and of every byte, since a line that is left out is waited for. */
/* clang-format off */
#define LOOP_q4(name, group, floats)                                         \
	HOT TARGET void NAME_4(name, ISA, 1) SIGNATURE                       \
	{                                                                    \
		VF sum0 = ZERO, sum1 = sum0;                                 \
		(void)stride;                                                \
		do {                                                         \
			size_t n = turns < 14 ? turns : 14;                  \
			const char *p = w + ahead, *end = p + n * 72;        \
                                                                             \
			for (turns -= n; p < end; p += 64)                   \
				__builtin_prefetch(p, 0, 2);                 \
			do {                                                 \
				for (size_t g = 0; g < GROUPS; g++) {        \
					group(g)                             \
					x += (floats);                       \
				}                                            \
				w += 72;                                     \
			} while (--n);                                       \
		} while (turns);                                             \
		sums[0] = TOTAL(sum0 + sum1);                                \
	}
/* clang-format on */

/* ---- four rows at once with one token, `stride` bytes apart: activations are loaded once for all
 * of them. Each of them is followed in memory by those that the next calls multiply. A processor
 * follows such a stream by itself, so that nothing is fetched for it. */
#define EACH_ROW(step) step(0) step(1) step(2) step(3)
#define IN_ROW_0(p)    (p)
#define IN_ROW_1(p)    ((p) + stride)
#define IN_ROW_2(p)    ((p) + 2 * stride)
#define IN_ROW_3(p)    ((p) + three)

/* clang-format off */
#define ROW_WORD(r) \
	VU v = WORDS(IN_ROW_##r(w)); \
	KEEP_WORD(v);
/* clang-format on */
#define ROW_SUM(r) sums[r] = TOTAL(sum##r);

/* What the sums of rows begin with. */
#define ROWS_FRONT_NONE
#define ROWS_FRONT_ONE                    \
	sum0 = sum1 = sum2 = sum3 = X(x); \
	x += LANES;

/* clang-format off */
/* WORDS_name: a vector of words of each row, of which a turn has so many, times so many floats. */
#define LOOP_ROWS(name, vectors, front, floats)                                \
	HOT TARGET void NAME_4(rows_##name, ISA, 4) SIGNATURE                  \
	{                                                                      \
		const size_t three = 3 * stride;                               \
		VF sum0 = ZERO, sum1 = sum0, sum2 = sum0, sum3 = sum0;         \
		size_t n = turns * (vectors);                                  \
                                                                               \
		(void)ahead;                                                   \
		ROWS_##front                                                   \
		do {                                                           \
			WORDS_##name                                           \
			w += BYTES;                                            \
			x += (floats);                                         \
		} while (--n);                                                 \
		EACH_ROW(ROW_SUM)                                              \
	}
/* clang-format on */

/* q4: GROUP_name is the g-th part of a chunk of each row, for so many floats. */
/* clang-format off */
#define LOOP_ROWS_q4(name, floats)                                             \
	HOT TARGET void NAME_4(rows_##name, ISA, 4) SIGNATURE                  \
	{                                                                      \
		VF sum0 = ZERO, sum1 = sum0, sum2 = sum0, sum3 = sum0;         \
                                                                               \
		(void)ahead;                                                   \
		do {                                                           \
			for (size_t g = 0; g < GROUPS; g++) {                  \
				GROUP_##name                                   \
				x += (floats);                                 \
			}                                                      \
			w += 72;                                               \
		} while (--turns);                                             \
		EACH_ROW(ROW_SUM)                                              \
	}
/* clang-format on */

#include "gemv_tiles.h"

#endif
