/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kernels that give whole pieces of their vectors to one instruction (string.c) or to one call of
 * the C library (library.c). A unit is 8 bytes, a round accesses all vectors once, as in the other
 * kernels of bandwidth; a step of mode: time is one piece. verify() checks the data in memory.
 */
#ifndef PIECES_H
#define PIECES_H

#include <stddef.h>
#include <stdint.h>

#include "bandwidth_rounds.h"
#include "keep.h"
#include "kernel.h"
#include "own.h"

#define PIECES_LINE 64
#define PIECES_FILL 0x58 /* what the access kernels write */

struct pieces_args {
	struct extent piece;
};

/* What a kernel does to a piece. */
struct pieces_op {
	bandwidth_loop *loop;  /* its `ahead` is the size of a piece */
	int streams;           /* the first is stored to, unless it only reads */
	bool reads;            /* ones in all streams; the loop returns how many elements it found
				  to be as they should */
	uint64_t after;        /* 8 bytes of the first stream at the end */
	size_t (*block)(void); /* bytes that one instruction writes at least; NULL: a line's */
};

/* The bits of 1.0, which streams that are read are full of. */
#define PIECES_ONES UINT64_C(0x3ff0000000000000)

/* Defines the loop of an operation: `rounds` times all pieces, each by statements that go on by the
 * n bytes of a piece at a and b, and add to `found` how many were as they should be. */
#define PIECES_EACH(name, ...)                                                                   \
	HOT double loop_##name(char *first_a, const char *first_b, const char *c, size_t blocks, \
		ptrdiff_t piece, uint64_t rounds)                                                \
	{                                                                                        \
		double found = 0;                                                                \
                                                                                                 \
		(void)first_b, (void)c;                                                          \
		do {                                                                             \
			char *a = first_a;                                                       \
			const char *b = first_b;                                                 \
			size_t left = blocks * PIECES_LINE;                                      \
                                                                                                 \
			(void)b;                                                                 \
			do {                                                                     \
				size_t n = left < (size_t)piece ? left : (size_t)piece;          \
                                                                                                 \
				left -= n;                                                       \
				__VA_ARGS__;                                                     \
			} while (left);                                                          \
		} while (--rounds);                                                              \
		return found;                                                                    \
	}

/* The functions of struct kernel that depend on the operation. */
const char *pieces_check(const struct worker *w, const struct pieces_op *op, char *why, size_t n);
const char *pieces_setup(struct worker *w, const struct pieces_op *op);
const char *pieces_verify(const struct worker *w, const struct pieces_op *op, char *why, size_t n);
const char *pieces_finds(const struct worker *w, const struct pieces_op *op, int k);
/* Those that do not. */
uint64_t pieces_run(struct worker *w, uint64_t passes);
uint64_t pieces_step(struct worker *w, uint64_t steps);

/* Defines the kernel `name` of the operation name##_op; l and s: elements of a unit that are read
 * and written, f: bytes of write-allocate. */
#define PIECES_KERNEL(name, lacking, piece_params, l, s, f, text)                        \
	static const char *name##_check(const struct worker *w, char *why, size_t n)     \
	{                                                                                \
		return pieces_check(w, &name##_op, why, n);                              \
	}                                                                                \
	static const char *name##_setup(struct worker *w)                                \
	{                                                                                \
		return pieces_setup(w, &name##_op);                                      \
	}                                                                                \
	static const char *name##_verify(const struct worker *w, char *why, size_t n)    \
	{                                                                                \
		return pieces_verify(w, &name##_op, why, n);                             \
	}                                                                                \
	static const char *name##_finds(const struct worker *w, int k)                   \
	{                                                                                \
		return pieces_finds(w, &name##_op, k);                                   \
	}                                                                                \
	const struct kernel name##_kernel = {                                            \
		.summary = text,                                                         \
		.unit = "element",                                                       \
		.params = piece_params,                                                  \
		.args_size = sizeof(struct pieces_args),                                 \
		.min_vectors = 1,                                                        \
		.types = TYPES_WORDS,                                                    \
		.per_unit = {.loads = l, .stores = s, .bytes = 8 * (l + s), .fills = f}, \
		.prepares = true,                                                        \
		.finds = name##_finds,                                                   \
		.lacks = lacking,                                                        \
		.check = name##_check,                                                   \
		.setup = name##_setup,                                                   \
		.run = pieces_run,                                                       \
		.step = pieces_step,                                                     \
		.verify = name##_verify,                                                 \
		.teardown = free_own,                                                    \
	};

#endif
