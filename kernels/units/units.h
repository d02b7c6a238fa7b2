/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Common parts of the kernels of execution units: chains of registers. An operation waits only for
 * the previous one in its chain.
 *
 * Every operation x -> y of a chain is followed by one that undoes it. So the values do not grow,
 * vanish, or become denormal, infinite or easy for a divider after many rounds. verify() detects a
 * wrong result: after each turn of the loop every chain has the value that it began with.
 */
#ifndef UNITS_H
#define UNITS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "keep.h"
#include "kernel.h"

/* Turns of a loop in a round. With about a hundred operations per turn a round takes around a
 * microsecond, short enough to make a sample of any length from whole rounds. */
#define TURNS 32

/* clang-format off */
/* X(f, 0) X(f, 1) ... for the number of chains in the name. */
#define CHAINS_1(X, f)  X(f, 0)
#define CHAINS_2(X, f)  CHAINS_1(X, f) X(f, 1)
#define CHAINS_3(X, f)  CHAINS_2(X, f) X(f, 2)
#define CHAINS_4(X, f)  CHAINS_3(X, f) X(f, 3)
#define CHAINS_5(X, f)  CHAINS_4(X, f) X(f, 4)
#define CHAINS_6(X, f)  CHAINS_5(X, f) X(f, 5)
#define CHAINS_8(X, f)  CHAINS_6(X, f) X(f, 6) X(f, 7)
#define CHAINS_12(X, f) CHAINS_8(X, f) X(f, 8) X(f, 9) X(f, 10) X(f, 11)
#define CHAINS_24(X, f) CHAINS_12(X, f) \
	X(f, 12) X(f, 13) X(f, 14) X(f, 15) X(f, 16) X(f, 17) \
	X(f, 18) X(f, 19) X(f, 20) X(f, 21) X(f, 22) X(f, 23)

#define TIMES_1(...)  __VA_ARGS__
#define TIMES_2(...)  __VA_ARGS__ __VA_ARGS__
#define TIMES_3(...)  TIMES_2(__VA_ARGS__) __VA_ARGS__
#define TIMES_4(...)  TIMES_2(TIMES_1(__VA_ARGS__)) TIMES_2(TIMES_1(__VA_ARGS__))
#define TIMES_5(...)  TIMES_4(__VA_ARGS__) __VA_ARGS__
#define TIMES_6(...)  TIMES_4(__VA_ARGS__) __VA_ARGS__ __VA_ARGS__
#define TIMES_10(...) TIMES_6(__VA_ARGS__) TIMES_4(__VA_ARGS__)
#define TIMES_12(...) TIMES_6(__VA_ARGS__) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ \
	__VA_ARGS__ __VA_ARGS__
#define TIMES_15(...) TIMES_10(__VA_ARGS__) __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ __VA_ARGS__ \
	__VA_ARGS__
#define TIMES_20(...) TIMES_15(__VA_ARGS__) TIMES_5(__VA_ARGS__)
#define TIMES_30(...) TIMES_20(__VA_ARGS__) TIMES_10(__VA_ARGS__)
#define TIMES_60(...) TIMES_30(__VA_ARGS__) TIMES_20(__VA_ARGS__) TIMES_10(__VA_ARGS__)

#define CHAIN_LOAD(f, i)  x##i = state[i];
#define CHAIN_DO(f, i)    f(x##i, a)
#define CHAIN_UNDO(f, i)  f(x##i, b)
#define CHAIN_STORE(f, i) state[i] = x##i;
#define CHAIN_NAME(f, i)  , x##i
#define CHAIN_ONE(f, i)   + 1
/* clang-format on */

#define MOST_CHAINS 24

/* The kernel `name`: op(x, y) on CHAINS of type T, first with y = a, then with y = b, which undoes
 * it, repeated until a turn has `ops` operations. The constants are hidden from the compiler: with
 * known constants it would replace a division by a multiplication. No core does more than `most` of
 * them in a cycle. */
#define CHAIN_KERNEL(                                                                          \
	name, target, T, CHAINS, TIMES, ops, op, a_is, b_is, start, lacking, most, what, text) \
	static const volatile T name##_constants[2] = {a_is, b_is};                            \
	HOT target void loop_##name(uint64_t turns, T *state)                                  \
	{                                                                                      \
		const T a = name##_constants[0], b = name##_constants[1];                      \
		T unused CHAINS(CHAIN_NAME, );                                                 \
                                                                                               \
		(void)unused;                                                                  \
		CHAINS(CHAIN_LOAD, )                                                           \
		do {                                                                           \
			TIMES(CHAINS(CHAIN_DO, op) CHAINS(CHAIN_UNDO, op))                     \
		} while (--turns);                                                             \
		CHAINS(CHAIN_STORE, )                                                          \
	}                                                                                      \
	static const char *name##_setup(struct worker *w)                                      \
	{                                                                                      \
		T *state = w->own = malloc(MOST_CHAINS * sizeof(*state));                      \
                                                                                               \
		for (int i = 0; state && i < MOST_CHAINS; i++)                                 \
			state[i] = start;                                                      \
		return state ? NULL : "no memory";                                             \
	}                                                                                      \
	static uint64_t name##_run(struct worker *w, uint64_t passes)                          \
	{                                                                                      \
		loop_##name(TURNS *passes, w->own);                                            \
		return passes * TURNS * ops;                                                   \
	}                                                                                      \
	static const char *name##_verify(const struct worker *w, char *why, size_t n)          \
	{                                                                                      \
		const T *state = w->own;                                                       \
                                                                                               \
		for (int i = 0; i < MOST_CHAINS; i++)                                          \
			if (!(state[i] == start)) {                                            \
				snprintf(why, n, "chain %d ended as %.17g, not %.17g", i,      \
					(double)state[i], (double)start);                      \
				return why;                                                    \
			}                                                                      \
		return NULL;                                                                   \
	}                                                                                      \
	const struct kernel name##_kernel = {                                                  \
		.summary = text,                                                               \
		.unit = what,                                                                  \
		.lacks = lacking,                                                              \
		.per_cycle = most,                                                             \
		.setup = name##_setup,                                                         \
		.run = name##_run,                                                             \
		.verify = name##_verify,                                                       \
		.teardown = units_free,                                                        \
	};

static inline void units_free(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

#endif
