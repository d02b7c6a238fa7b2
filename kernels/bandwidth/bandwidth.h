/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface between the bandwidth kernels and their hot loops: bandwidth.c calls the loops that
 * bandwidth_scalar.c, bandwidth_x86.c and bandwidth_arm.c build from bandwidth_loops.h, one set for
 * each instruction set. */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The loops, in the order of the tables. */
#define BANDWIDTH_OPS(X) \
	X(load)          \
	X(store)         \
	X(store_nt)      \
	X(copy)          \
	X(copy_nt)       \
	X(scale)         \
	X(add)           \
	X(triad)         \
	X(update)        \
	X(sum)

#define BANDWIDTH_ENUM(op) BANDWIDTH_##op,
enum bandwidth_op { BANDWIDTH_OPS(BANDWIDTH_ENUM) BANDWIDTH_OP_COUNT };

/* Vectors that one turn of a loop handles: 1 << index of the tables. */
#define BANDWIDTH_UNROLLS    4
#define BANDWIDTH_MAX_UNROLL 8

/* The factor of scale and triad, and the value that store writes. */
#define BANDWIDTH_SCALAR 3.0

/* Handles `blocks` > 0 blocks of (unrolling x width) bytes of each stream, `rounds` > 0 times; all
 * streams are aligned to width. An operation that stores writes a and loads from b and c; else it
 * loads a. With prefetching it also fetches the line `ahead` bytes further on. Returns the sum
 * (sum), else 0. Rounds are in here because a call for each costs as much as a fifth of a round of
 * 4 KiB, and the lines that it uses beside the streams push lines of these out of a cache that they
 * fill. */
typedef double bandwidth_loop(
	char *a, const char *b, const char *c, size_t blocks, ptrdiff_t ahead, uint64_t rounds);

struct bandwidth_isa {
	const char *name;
	bool (*has)(void);     /* whether the CPU has it and the system saves its registers */
	size_t (*width)(void); /* bytes of a vector */
	/* [operation][log2 of the unrolling][0 or 1: prefetching]; NULL: it lacks the instruction
	 */
	bandwidth_loop *loops[BANDWIDTH_OP_COUNT][BANDWIDTH_UNROLLS][2];
};

/* The number for all architectures, so that an argument file means the same on each. */
#define BANDWIDTH_ISAS 7

extern const struct bandwidth_isa bandwidth_scalar;
#if defined(__x86_64__)
extern const struct bandwidth_isa bandwidth_sse2, bandwidth_avx, bandwidth_avx2, bandwidth_avx512;
#elif defined(__aarch64__)
extern const struct bandwidth_isa bandwidth_neon, bandwidth_sve;
#endif

/* Choices of `isa` and `unroll`: auto, then the instruction sets from scalar on, and 1 2 4 8. */
#define BANDWIDTH_AUTO 0
extern const char *const bandwidth_isa_names[];

/* Writes the names of the instruction sets that can do op on this CPU to buffer[n]. */
const char *bandwidth_usable(enum bandwidth_op op, char *buffer, size_t n);

/* A way to do an operation. */
struct bandwidth_way {
	const struct bandwidth_isa *isa;
	int unroll; /* index of the tables */
};

#define BANDWIDTH_WAYS (BANDWIDTH_ISAS * BANDWIDTH_UNROLLS)

/* Fills in the ways that isa and unroll (indices of the choices) allow on this CPU; returns how
 * many. */
size_t bandwidth_ways(
	enum bandwidth_op op, int isa, int unroll, struct bandwidth_way ways[BANDWIDTH_WAYS]);

/* Bytes of each stream that one turn of the loop handles. */
size_t bandwidth_block(struct bandwidth_way way);

/* Waits for stores past the caches, which may be incomplete when a loop ends. */
void bandwidth_drain(enum bandwidth_op op);

/* Returns the index of the way that is quickest in these streams of `bytes` each. Takes some
 * milliseconds, and leaves the streams in the state after op. */
size_t bandwidth_quickest(enum bandwidth_op op, const struct bandwidth_way *ways, size_t n,
	char *const *streams, size_t bytes, bool ahead, ptrdiff_t distance);

#endif
