/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The vector units: one instruction on a whole register is a unit, a round 3072 of them.
 *
 *   simd_OPERATION_ELEMENT_WIDTH_tput  enough independent chains to keep every pipeline busy
 *   simd_OPERATION_ELEMENT_WIDTH_lat   one chain: each instruction waits for the last
 *
 * Operations on floats (f32) and doubles (f64): add, mul, fma (to an accumulator), permute, move
 * (register to register, which many processors do by renaming alone). On ints (i32): iadd, imul,
 * lzcnt (leading zeros), shift (by one), vshift (each element by a count of its own), permute; on
 * longs (i64): iadd; on shorts (i16): permute. WIDTH is 128, 256 or 512 bits, or sve: the length of
 * the processor's registers. Every machine lists all kernels, and gives the reason for those that
 * it cannot run.
 *
 * The loops are assembly, which no compiler changes: .irp handles one chain after another, .rept
 * repeats. As in units.h every instruction is followed by one that undoes it, so that the values do
 * not grow, and verify() checks that every chain has its first value. lzcnt needs no undoing: its
 * chains hold 27, an int with 27 leading zeros.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keep.h"
#include "kernel.h"
#include "simd.h"

#define TURNS       32
#define OPS         96 /* a turn */
#define MOST_CHAINS 24
#define WIDEST      256 /* bytes of a register: SVE's limit */
#define ONE_CHAIN   "0"
#define ONE_TIMES   TIMES_48

#define TIMES_2(text)  text text
#define TIMES_4(text)  TIMES_2(text) TIMES_2(text)
#define TIMES_48(text) TIMES_4(text text text) TIMES_4(text text text text text text text text text)

struct simd {
	unsigned char state[MOST_CHAINS * WIDEST]; /* the chains between two rounds */
	unsigned char k[2][WIDEST];                /* constants: of the operation, of undoing it */
};

#if defined(__x86_64__)
#include "simd_x86.h"
#elif defined(__aarch64__)
#include "simd_arm.h"
#else
#include "simd_none.h"
#endif

/* The values of the chains and the constants: the same value in every element, or the element's
 * number, so that verify() finds an element in the wrong place. */
static void fill_float(struct simd *s, float start, float a, float b)
{
	for (size_t i = 0; i < sizeof(s->state); i += sizeof(start))
		memcpy(s->state + i, &start, sizeof(start));
	for (size_t i = 0; i < WIDEST; i += sizeof(a)) {
		memcpy(s->k[0] + i, &a, sizeof(a));
		memcpy(s->k[1] + i, &b, sizeof(b));
	}
}

static void fill_double(struct simd *s, double start, double a, double b)
{
	for (size_t i = 0; i < sizeof(s->state); i += sizeof(start))
		memcpy(s->state + i, &start, sizeof(start));
	for (size_t i = 0; i < WIDEST; i += sizeof(a)) {
		memcpy(s->k[0] + i, &a, sizeof(a));
		memcpy(s->k[1] + i, &b, sizeof(b));
	}
}

static void fill_int(struct simd *s, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < sizeof(s->state) / sizeof(i); i++)
		memcpy(s->state + i * sizeof(i), &i, sizeof(i));
	for (uint32_t i = 0; i < WIDEST / sizeof(a); i++) {
		memcpy(s->k[0] + i * sizeof(a), &a, sizeof(a));
		memcpy(s->k[1] + i * sizeof(b), &b, sizeof(b));
	}
}

static void fill_long(struct simd *s, uint64_t a, uint64_t b)
{
	fill_int(s, 0, 0);
	for (size_t i = 0; i < WIDEST; i += sizeof(a)) {
		memcpy(s->k[0] + i, &a, sizeof(a));
		memcpy(s->k[1] + i, &b, sizeof(b));
	}
}

/* The factor b undoes the factor a modulo 2^32. x86 multiplies the even ints and stores longs, of
 * which only the lower half counts. So the longs begin as the product of an undoing multiplication
 * and have this value again after each undoing multiplication. */
static void fill_products(struct simd *s, int32_t a, int32_t b)
{
	fill_int(s, (uint32_t)a, (uint32_t)b);
	for (uint32_t i = 0; i < sizeof(s->state) / sizeof(int64_t); i++) {
		const int64_t product = (int64_t)(int32_t)((12345 + i) * (uint32_t)a) * b;

		memcpy(s->state + i * sizeof(product), &product, sizeof(product));
	}
}

static void fill_zeros(struct simd *s)
{
	const uint32_t fixed = 27;

	for (size_t i = 0; i < sizeof(s->state); i += sizeof(fixed))
		memcpy(s->state + i, &fixed, sizeof(fixed));
	memset(s->k, 0, sizeof(s->k));
}

/* Counts of 0 to 7, small enough that the shifts lose no bit of the elements' numbers. The counts
 * that undo them are negative, as Arm takes them. */
static void fill_counts(struct simd *s)
{
	fill_int(s, 0, 0);
	for (int32_t i = 0; i < WIDEST / (int32_t)sizeof(i); i++) {
		const int32_t left = i % 8, right = -left;

		memcpy(s->k[0] + (size_t)i * sizeof(i), &left, sizeof(i));
		memcpy(s->k[1] + (size_t)i * sizeof(i), &right, sizeof(i));
	}
}

/* The constants of a permutation are the indices of the elements in reverse order. An instruction
 * uses only the bits of an index that select an element of its register. */
static void fill_reverse(struct simd *s, size_t element)
{
	fill_int(s, 0, 0);
	for (size_t i = 0; i < WIDEST / element; i++) {
		uint64_t index = WIDEST / element - 1 - i; /* little endian */
		memcpy(s->k[0] + i * element, &index, element);
	}
}

#define FILL_add_f32     fill_float(s, 1.1f, 0.75f, -0.75f)
#define FILL_add_f64     fill_double(s, 1.1, 0.75, -0.75)
#define FILL_mul_f32     fill_float(s, 1.1f, 1.25f, 0.8f)
#define FILL_mul_f64     fill_double(s, 1.1, 1.25, 0.8)
#define FILL_fma_f32     fill_float(s, 1.1f, 0.5f, -0.5f)
#define FILL_fma_f64     fill_double(s, 1.1, 0.5, -0.5)
#define FILL_iadd_i32    fill_int(s, 12345, -12345u)
#define FILL_iadd_i64    fill_long(s, 1234567890123, -1234567890123u)
#define FILL_imul_i32    fill_products(s, 0x2c1b3c6d, 0x64ea2d65)
#define FILL_lzcnt_i32   fill_zeros(s)
#define FILL_vshift_i32  fill_counts(s)
#define FILL_permute_i16 fill_reverse(s, sizeof(short))
#define FILL_permute_i32 fill_reverse(s, sizeof(int))
#define FILL_shift_i32   fill_int(s, 0, 0)
#define FILL_permute_f32 fill_reverse(s, sizeof(float))
#define FILL_permute_f64 fill_reverse(s, sizeof(double))
#define FILL_move_f32    fill_float(s, 1.1f, 0, 0) /* through one register: all the same */
#define FILL_move_f64    fill_double(s, 1.1, 0, 0)

typedef void simd_fill(struct simd *s);

static const char *simd_setup(struct worker *w, simd_fill *fill)
{
	w->own = aligned_alloc(WIDEST, sizeof(struct simd));
	if (!w->own)
		return "no memory";
	fill(w->own);
	return NULL;
}

static const char *simd_verify(const struct worker *w, simd_fill *fill, char *why, size_t n)
{
	const struct simd *s = w->own;
	struct simd before;

	fill(&before);
	for (size_t i = 0; i < sizeof(s->state); i++)
		if (s->state[i] != before.state[i]) {
			snprintf(why, n, "byte %zu of its chains ended as %#x, not %#x", i,
				s->state[i], before.state[i]);
			return why;
		}
	return NULL;
}

static void simd_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

/* The meaning of the names of operations, elements and widths. */
#define TEXT_add             "adds"
#define TEXT_mul             "multiplies"
#define TEXT_fma             "multiplies and adds, fused,"
#define TEXT_iadd            "adds"
#define TEXT_imul            "multiplies"
#define TEXT_lzcnt           "counts the leading zeros of"
#define TEXT_vshift          "shifts, by a vector of counts,"
#define UNIT_imul            "multiply"
#define UNIT_lzcnt           "count"
#define UNIT_vshift          "shift"
#define TEXT_i16             "shorts"
#define TEXT_i64             "longs"
#define TEXT_shift           "shifts"
#define TEXT_permute         "permutes"
#define TEXT_move            "moves"
#define UNIT_add             "add"
#define UNIT_mul             "multiply"
#define UNIT_fma             "FMA"
#define UNIT_iadd            "add"
#define UNIT_shift           "shift"
#define UNIT_permute         "permute"
#define UNIT_move            "move"
#define TEXT_f32             "floats"
#define TEXT_f64             "doubles"
#define TEXT_i32             "ints"
#define TEXT_128             "128-bit vectors"
#define TEXT_256             "256-bit vectors"
#define TEXT_512             "512-bit vectors"
#define TEXT_sve             "SVE vectors"
#define TEXT_lat             "each waits for the last"
#define TEXT_tput            "independent of each other"
#define LACKS_add_f32(l)     l
#define LACKS_add_f64(l)     l
#define LACKS_mul_f32(l)     l
#define LACKS_mul_f64(l)     l
#define LACKS_fma_f32(l)     (l ? l : lacks_fma())
#define LACKS_fma_f64(l)     (l ? l : lacks_fma())
#define LACKS_iadd_i32(l)    l
#define LACKS_iadd_i64(l)    l
#define LACKS_imul_i32(l)    l
#define LACKS_lzcnt_i32(l)   (l ? l : lacks_lzcnt())
#define LACKS_shift_i32(l)   l
#define LACKS_vshift_i32(l)  (l ? l : lacks_vshift())
#define LACKS_permute_i16(l) (l ? l : lacks_words())
#define LACKS_permute_i32(l) l
#define LACKS_permute_f32(l) l
#define LACKS_permute_f64(l) l
#define LACKS_move_f32(l)    l
#define LACKS_move_f64(l)    l
#define CHOSE_128            NULL
#define CHOSE_256            NULL
#define CHOSE_512            NULL

/* Vector instructions that a core begins in a cycle: four to six; it renames more moves. */
#define MOST 8

/* One kernel around loop_NAME. */
#define KERNEL(name, op, type, width, mode)                                                \
	static uint64_t name##_run(struct worker *w, uint64_t passes)                      \
	{                                                                                  \
		loop_##name(passes *TURNS, w->own);                                        \
		return passes * TURNS * OPS;                                               \
	}                                                                                  \
	const struct kernel name##_kernel = {                                              \
		.summary = TEXT_##op " " TEXT_##width " of " TEXT_##type ", " TEXT_##mode, \
		.unit = UNIT_##op,                                                         \
		.per_cycle = MOST,                                                         \
		.lacks = lacks_##op##_##type##_##width,                                    \
		.setup = setup_##op##_##type##_##width,                                    \
		.chose = CHOSE_##width,                                                    \
		.run = name##_run,                                                         \
		.verify = verify_##op##_##type##_##width,                                  \
		.teardown = simd_teardown,                                                 \
	};

/* The loops, or, on an architecture without them, empty functions that are never called. */
#define LOOPS_1(op, type, width)                                                         \
	LOOP(simd_##op##_##type##_##width##_lat, REGISTER_##width, ONE_CHAIN, ONE_TIMES, \
		DO_##op##_##type(REGISTER_##width, width),                               \
		UNDO_##op##_##type(REGISTER_##width, width))                             \
	LOOP(simd_##op##_##type##_##width##_tput, REGISTER_##width, CHAINS, TPUT_TIMES,  \
		DO_##op##_##type(REGISTER_##width, width),                               \
		UNDO_##op##_##type(REGISTER_##width, width))
#define NO_LOOP(name)                                                  \
	static inline void loop_##name(uint64_t turns, struct simd *s) \
	{                                                              \
		(void)turns;                                           \
		(void)s;                                               \
	}
#define LOOPS_0(op, type, width)                    \
	NO_LOOP(simd_##op##_##type##_##width##_lat) \
	NO_LOOP(simd_##op##_##type##_##width##_tput)
#define LOOPS_(has, op, type, width) LOOPS_##has(op, type, width)
#define LOOPS(has, op, type, width)  LOOPS_(has, op, type, width)

/* Both kernels of an operation: X of SIMD_ALL. */
#define PAIR(K, op, type, width)                                             \
	LOOPS(HAS_##width, op, type, width)                                  \
	static void fill_##op##_##type##_##width(struct simd *s)             \
	{                                                                    \
		FILL_##op##_##type;                                          \
	}                                                                    \
	static const char *lacks_##op##_##type##_##width(void)               \
	{                                                                    \
		return LACKS_##op##_##type(lacks_##width());                 \
	}                                                                    \
	static const char *setup_##op##_##type##_##width(struct worker *w)   \
	{                                                                    \
		return simd_setup(w, fill_##op##_##type##_##width);          \
	}                                                                    \
	static const char *verify_##op##_##type##_##width(                   \
		const struct worker *w, char *why, size_t n)                 \
	{                                                                    \
		return simd_verify(w, fill_##op##_##type##_##width, why, n); \
	}                                                                    \
	KERNEL(simd_##op##_##type##_##width##_lat, op, type, width, lat)     \
	KERNEL(simd_##op##_##type##_##width##_tput, op, type, width, tput)

SIMD_ALL(PAIR, )
