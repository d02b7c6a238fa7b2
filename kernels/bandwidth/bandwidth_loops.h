/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hot loops of the bandwidth kernels for one instruction set; included once for each, without a
 * guard. Before it, define
 *
 *   ISA          its name, part of the loops' names: triad_avx2_u4 triad_avx2_u4_ahead
 *   TARGET       the function attribute that allows its instructions, or nothing
 *   VEC          a vector of doubles (or one double), WIDTH its bytes
 *   LOAD(p) STORE(p, x) STREAM(p, x)    aligned; STREAM stores past the caches, may be undefined
 *   FILL(s) ADD(x, y) MUL(x, y) MULADD(x, y, z) HSUM(x)    z + x * y; sum of the elements
 *   KEEP(x)      x must exist in a register (keep.h, which has HOT)
 *   HIDE(x)      the same, and the compiler forgets its value
 *
 * This file undefines these names at the end.
 *
 * Stores stand between barriers and loads between KEEPs, so the compiler cannot drop, merge, widen
 * or reorder them. It does not know the constants: it would turn a product with -1 into a change of
 * the sign, whose mask gcc 16 loads each time. scripts/loops counts the accesses of the built
 * objects.
 */

#define JOIN_3(op, isa, n)     op##_##isa##_u##n
#define NAME_3(op, isa, n)     JOIN_3(op, isa, n)
#define JOIN_AHEAD(op, isa, n) op##_##isa##_u##n##_ahead
#define NAME_AHEAD(op, isa, n) JOIN_AHEAD(op, isa, n)

#define TIMES_1(M) M(0)
#define TIMES_2(M) M(0) M(1)
#define TIMES_4(M) M(0) M(1) M(2) M(3)
#define TIMES_8(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)

#define AT(p, i) ((p) + (i)*width)

/* clang-format off */
#define STORED(i, value) do { \
	VEC x = value; \
	KEEP(x); \
	STORE(AT(a, i), x); \
	keep_memory(); \
} while (0);
#define STREAMED(i, value) do { \
	VEC x = value; \
	KEEP(x); \
	STREAM(AT(a, i), x); \
	keep_memory(); \
} while (0);

#define STEP_load(i) do { VEC x = LOAD(AT(a, i)); KEEP(x); } while (0);
#define STEP_store(i)    STORED(i, s)
#define STEP_store_nt(i) STREAMED(i, s)
#define STEP_copy(i)     STORED(i, LOAD(AT(b, i)))
#define STEP_copy_nt(i)  STREAMED(i, LOAD(AT(b, i)))
#define STEP_scale(i)    STORED(i, MUL(s, LOAD(AT(b, i))))
#define STEP_add(i)      STORED(i, ADD(LOAD(AT(b, i)), LOAD(AT(c, i))))
#define STEP_triad(i)    STORED(i, MULADD(s, LOAD(AT(c, i)), LOAD(AT(b, i))))
#define STEP_update(i)   STORED(i, MUL(minus, LOAD(AT(a, i))))
#define STEP_sum(i)      sum##i = ADD(sum##i, LOAD(AT(a, i))); KEEP(sum##i);
/* clang-format on */

/* Fetches each line once per block and stream. Where several vectors share a line, the first one
 * fetches it. */
#define FETCH(p, i)              \
	if ((i)*WIDTH % 64 == 0) \
		__builtin_prefetch(AT(p, i) + ahead);
#define FETCH_A(i) FETCH(a, i)
#define FETCH_B(i) FETCH(b, i)
#define FETCH_C(i) FETCH(c, i)
#define FETCH_NONE(n)
#define FETCH_ONE_A(n) TIMES_##n(FETCH_A)
#define FETCH_ONE_B(n) TIMES_##n(FETCH_B)
#define FETCH_TWO(n)   TIMES_##n(FETCH_B) TIMES_##n(FETCH_C)
#define AHEAD_load     FETCH_ONE_A
#define AHEAD_store    FETCH_NONE
#define AHEAD_store_nt FETCH_NONE
#define AHEAD_copy     FETCH_ONE_B
#define AHEAD_copy_nt  FETCH_ONE_B
#define AHEAD_scale    FETCH_ONE_B
#define AHEAD_add      FETCH_TWO
#define AHEAD_triad    FETCH_TWO
#define AHEAD_update   FETCH_ONE_A
#define AHEAD_sum      FETCH_ONE_A

#define ACCUMULATOR(i) VEC sum##i = FILL(0);
#define COLLECT(i)     total += HSUM(sum##i);
#define NO_ACCUMULATOR(i)
#define FIRST_sum(n) TIMES_##n(ACCUMULATOR)
#define LAST_sum(n)  TIMES_##n(COLLECT)
#define FIRST_other(n)
#define LAST_other(n)

#define BODY(op, kind, n, fetch)                                           \
	{                                                                  \
		const size_t width = WIDTH;                                \
		char *const first_a = a;                                   \
		const char *const first_b = b, *const first_c = c;         \
		VEC s = FILL(BANDWIDTH_SCALAR), minus = FILL(-1);          \
		double total = 0;                                          \
                                                                           \
		(void)b, (void)c, (void)ahead;                             \
		HIDE(s);                                                   \
		HIDE(minus);                                               \
		FIRST_##kind(n) do                                         \
		{                                                          \
			size_t left = blocks;                              \
                                                                           \
			a = first_a;                                       \
			b = first_b;                                       \
			c = first_c;                                       \
			do {                                               \
				fetch TIMES_##n(STEP_##op) a += n * width; \
				b += n * width;                            \
				c += n * width;                            \
			} while (--left);                                  \
		}                                                          \
		while (--rounds)                                           \
			;                                                  \
		LAST_##kind(n) return total;                               \
	}

#define SIGNATURE \
	(char *a, const char *b, const char *c, size_t blocks, ptrdiff_t ahead, uint64_t rounds)

#define LOOP(op, kind, n)                                                      \
	HOT TARGET double NAME_3(op, ISA, n)                                   \
	SIGNATURE BODY(op, kind, n, ) HOT TARGET double NAME_AHEAD(op, ISA, n) \
	SIGNATURE BODY(op, kind, n, AHEAD_##op(n))

#define LOOPS(op, kind) LOOP(op, kind, 1) LOOP(op, kind, 2) LOOP(op, kind, 4) LOOP(op, kind, 8)

LOOPS(load, other)
LOOPS(store, other)
LOOPS(copy, other)
LOOPS(scale, other)
LOOPS(add, other)
LOOPS(triad, other)
LOOPS(update, other)
LOOPS(sum, sum)
#ifdef STREAM
LOOPS(store_nt, other)
LOOPS(copy_nt, other)
#endif

#define PAIR(op, n) {NAME_3(op, ISA, n), NAME_AHEAD(op, ISA, n)},
#define ROW(op)     [BANDWIDTH_##op] = {PAIR(op, 1) PAIR(op, 2) PAIR(op, 4) PAIR(op, 8)},

#define JOIN_2(a, b) a##b
#define NAME_2(a, b) JOIN_2(a, b)
#define TEXT(x)      #x
#define QUOTED(x)    TEXT(x)

static TARGET size_t NAME_2(width_, ISA)(void)
{
	return WIDTH;
}

const struct bandwidth_isa NAME_2(bandwidth_, ISA) = {
	.name = QUOTED(ISA),
	.has = NAME_2(has_, ISA),
	.width = NAME_2(width_, ISA),
	.loops = {ROW(load) ROW(store) ROW(copy) ROW(scale) ROW(add) ROW(triad) ROW(update) ROW(sum)
#ifdef STREAM
			ROW(store_nt) ROW(copy_nt)
#endif
	},
};

#undef ISA
#undef TARGET
#undef VEC
#undef WIDTH
#undef LOAD
#undef STORE
#undef STREAM
#undef FILL
#undef ADD
#undef MUL
#undef MULADD
#undef HSUM
#undef KEEP
#undef HIDE
