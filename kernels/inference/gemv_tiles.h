/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops of gemv for several tokens: a row, or a tile of GEMV_ROWS rows, times 2, 3 or 4 of them.
 * Each weight is loaded and decoded once for all of the tokens, and the activations come from their
 * cache once for all of the rows. For gemv_loops.h and gemv_dots.h, behind gemv_turns.h. Sums are
 * called sumRT, of row R and token T; activations of token T are at xT.
 */
#ifndef GEMV_TILES_H
#define GEMV_TILES_H

/* Whether the loops have 32 registers for vectors, not 16. A tile exists where its sums fit, and
 * what it needs besides: without a fused multiply-add a product has a register, too, and single
 * words have too few for addresses. */
#if defined(__aarch64__)
#define MANY (LANES > 1)
#else
#define MANY (LANES == 16)
#endif
#define FUSED   (MANY || LANES == 8)
#define VECTORS (LANES > 1)

#define TILE_IF(exists, type, tokens) ((exists) ? NAME_4(tile_##type, ISA, tokens) : NULL)

/* step(row, token, i) for each token of a row, and for each row, too. */
/* clang-format off */
#define TOKENS_2(step, r, i) step(r, 0, i) step(r, 1, i)
#define TOKENS_3(step, r, i) TOKENS_2(step, r, i) step(r, 2, i)
#define TOKENS_4(step, r, i) TOKENS_3(step, r, i) step(r, 3, i)
#define TILE(tokens, step, i) \
	TOKENS_##tokens(step, 0, i) \
	TOKENS_##tokens(step, 1, i) \
	TOKENS_##tokens(step, 2, i) \
	TOKENS_##tokens(step, 3, i)
/* clang-format on */

#define SUM_BEGIN(r, t, i) VF sum##r##t = ZERO;
#define SUM_FRONT(r, t, i) sum##r##t = X(x##t);
#define MOVE_X(r, t, n)    x##t += (n);

/* A product that reads its activations in its own instruction: the compiler would keep those of all
 * rows in registers, which it lacks. */
#define AGAIN(r, t, i) keep_changed(x##t);
#define AGAIN_OF_16(r, t, i)   \
	if (!MANY) {           \
		AGAIN(r, t, i) \
	}

#define MANY_FRONT_NONE(tokens)
#define MANY_FRONT_ONE(tokens) TOKENS_##tokens(SUM_FRONT, 0, 0) TOKENS_##tokens(MOVE_X, 0, LANES)
#define TILE_FRONT_NONE(tokens)
#define TILE_FRONT_ONE(tokens)     \
	TILE(tokens, SUM_FRONT, 0) \
	TOKENS_##tokens(MOVE_X, 0, LANES)

#define MANY_END(r, t, i) sums[t] = TOTAL(sum0##t + sum1##t);
#define TILE_END(r, t, i) tile->sums[r][t] = TOTAL(sum##r##t);

/* clang-format off */
#define MANY_BEGIN(tokens) \
	const float *x0 = x, *x1 = x0 + stride, *x2 = x1 + stride, *x3 = x2 + stride; \
	TOKENS_##tokens(SUM_BEGIN, 0, 0) \
	TOKENS_##tokens(SUM_BEGIN, 1, 0) \
	(void)x1, (void)x2, (void)x3;

/* A row: MANY_name(tokens) is a turn of so many bytes and floats of each token. Two or three tokens
 * have two sums each, since so few would wait for themselves: the second one is the SECOND. */
#define SECOND_2 1
#define SECOND_3 1
#define SECOND_4 0

#define LOOP_MANY(name, bytes, front, floats, tokens)                          \
	HOT TARGET void NAME_4(name, ISA, tokens) SIGNATURE                    \
	{                                                                      \
		MANY_BEGIN(tokens)                                             \
		MANY_##front(tokens)                                           \
		do {                                                           \
			FETCH(bytes)                                           \
			MANY_##name(tokens)                                    \
			w += (bytes);                                          \
			TOKENS_##tokens(MOVE_X, 0, floats)                     \
		} while (--turns);                                             \
		TOKENS_##tokens(MANY_END, 0, 0)                                \
	}

/* The same of q4: ROW_OF_name(tokens, r) is the g-th part of a chunk of the row at `row`. */
#define LOOP_MANY_q4(name, floats, tokens)                                     \
	HOT TARGET void NAME_4(name, ISA, tokens) SIGNATURE                    \
	{                                                                      \
		MANY_BEGIN(tokens)                                             \
		do {                                                           \
			const char *row = w;                                   \
			__builtin_prefetch(w + ahead, 0, 2);                   \
			for (size_t g = 0; g < GROUPS; g++) {                  \
				ROW_OF_##name(tokens, 0)                       \
				TOKENS_##tokens(MOVE_X, 0, floats)             \
			}                                                      \
			w += 72;                                               \
		} while (--turns);                                             \
		TOKENS_##tokens(MANY_END, 0, 0)                                \
	}

/* Of a tile, a part of each of the next rows, as other tiles of the same rows fetch other parts:
 * while these take the rows from a cache, memory would have nothing to do. */
#define FETCH_NEXT \
	__builtin_prefetch(IN_ROW_0(next), 0, 2); \
	__builtin_prefetch(IN_ROW_1(next), 0, 2); \
	__builtin_prefetch(IN_ROW_2(next), 0, 2); \
	__builtin_prefetch(IN_ROW_3(next), 0, 2); \
	next += step;

#define TILE_BEGIN(tokens, vectors) \
	const char *w = tile->w, *next = tile->next; \
	const float *x0 = tile->x, *x1 = x0 + tile->x_stride, *x2 = x1 + tile->x_stride, \
		*x3 = x2 + tile->x_stride; \
	const size_t stride = tile->stride, three = 3 * stride, step = tile->step / (vectors); \
	size_t n = tile->turns * (vectors); \
	TILE(tokens, SUM_BEGIN, 0) \
	(void)x1, (void)x2, (void)x3;

/* A tile: ROW_OF_name(tokens, r) is a vector of words of a row, of which a turn has so many, times
 * so many floats of each token. */
#define LOOP_TILE(name, vectors, front, floats, tokens)                        \
	HOT TARGET void NAME_4(tile_##name, ISA, tokens)(struct gemv_tile *tile) \
	{                                                                      \
		TILE_BEGIN(tokens, vectors)                                    \
		TILE_##front(tokens)                                           \
		do {                                                           \
			FETCH_NEXT                                             \
			ROW_OF_##name(tokens, 0)                               \
			ROW_OF_##name(tokens, 1)                               \
			ROW_OF_##name(tokens, 2)                               \
			ROW_OF_##name(tokens, 3)                               \
			w += BYTES;                                            \
			TOKENS_##tokens(MOVE_X, 0, floats)                     \
		} while (--n);                                                 \
		TILE(tokens, TILE_END, 0)                                      \
	}

#define NEXT_ROW \
	row += stride; \
	keep_changed(row); /* or each row's address has a register */

#define LOOP_TILE_q4(name, floats, tokens)                                     \
	HOT TARGET void NAME_4(tile_##name, ISA, tokens)(struct gemv_tile *tile) \
	{                                                                      \
		TILE_BEGIN(tokens, 1)                                          \
		do {                                                           \
			FETCH_NEXT                                             \
			for (size_t g = 0; g < GROUPS; g++) {                  \
				const char *row = w;                           \
				ROW_OF_##name(tokens, 0)                       \
				NEXT_ROW                                       \
				ROW_OF_##name(tokens, 1)                       \
				NEXT_ROW                                       \
				ROW_OF_##name(tokens, 2)                       \
				NEXT_ROW                                       \
				ROW_OF_##name(tokens, 3)                       \
				TOKENS_##tokens(MOVE_X, 0, floats)             \
			}                                                      \
			w += 72;                                               \
		} while (--n);                                                 \
		TILE(tokens, TILE_END, 0)                                      \
	}

#define ONE_ROW(type) \
	{NAME_4(type, ISA, 1), NAME_4(type, ISA, 2), NAME_4(type, ISA, 3), NAME_4(type, ISA, 4)}
/* clang-format on */

#endif
