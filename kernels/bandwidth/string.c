/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many bytes a second the processor fills and copies with its special instructions: the
 * bandwidth of a memset() or memcpy() that uses them.
 *
 *   fill         fills with a byte (x86: rep stosb)
 *   fill_zero    fills with zeros (x86: rep stosb; Arm: dc zva)
 *   copy_string  copies from the thread's second vector to the first (x86: rep movsb)
 *
 * Such an instruction overwrites whole lines and, unlike plain stores, need not fetch them first:
 * so `fills` is 0. One instruction handles `piece` bytes; small pieces show its startup time. A
 * unit is 8 bytes, a round accesses all vectors once, as in the other kernels of bandwidth; a step
 * of mode: time is one piece. The compiler cannot drop or merge the instructions, and verify()
 * checks the data in memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bandwidth_rounds.h"
#include "kernel.h"

/* Threads may share vectors: races are intended. */
#define HOT static __attribute__((noinline, aligned(64), no_sanitize("thread")))

#define LINE      64
#define FILL_BYTE 0x58 /* what the access kernels write */

enum string_op { STRING_FILL, STRING_ZERO, STRING_COPY };

struct string_args {
	struct extent piece;
};

static const struct param string_params[] = {
	{.name = "piece",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct string_args, piece),
		.fallback = "1MiB", /* takes long compared with the startup time */
		.min = 8,
		.max = 0x1p40,
		.help = "what one instruction fills or copies: bytes, or a number of 8-byte "
			"elements; dc zva: one line each"},
	{0},
};

static size_t piece_of(const struct worker *w)
{
	const struct string_args *args = w->args;

	return args->piece.value * (args->piece.bytes ? 1 : sizeof(double));
}

#if defined(__x86_64__)
#include <cpuid.h>

#define EBX_ERMS (1u << 9) /* of leaf 7: enhanced rep movsb and stosb */

static const char *lacks_fill(void)
{
	unsigned a, b = 0, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & EBX_ERMS)
		       ? NULL
		       : "the processor has no fast string instructions (ERMS)";
}

#define lacks_zero lacks_fill
#define lacks_copy lacks_fill

static size_t block_of_zero(void)
{
	return LINE;
}

#define PIECES(name, instruction, ...)                                                           \
	HOT double loop_##name(char *first_a, const char *first_b, const char *c, size_t blocks, \
		ptrdiff_t piece, uint64_t rounds)                                                \
	{                                                                                        \
		(void)first_b, (void)c;                                                          \
		do {                                                                             \
			char *a = first_a;                                                       \
			const char *b = first_b;                                                 \
			size_t left = blocks * LINE;                                             \
                                                                                                 \
			(void)b;                                                                 \
			do {                                                                     \
				size_t n = left < (size_t)piece ? left : (size_t)piece;          \
                                                                                                 \
				left -= n;                                                       \
				__asm__ volatile(instruction                                     \
						 : "+D"(a), "+c"(n)__VA_ARGS__                   \
						 : "memory");                                    \
			} while (left);                                                          \
		} while (--rounds);                                                              \
		return 0;                                                                        \
	}

PIECES(fill, "rep stosb", : "a"(FILL_BYTE))
PIECES(fill_zero, "rep stosb", : "a"(0))
PIECES(copy_string, "rep movsb", , "+S"(b) :)

#else

static const char *lacks_fill(void)
{
	return "its instruction is not known on this architecture";
}

#define lacks_copy lacks_fill

HOT double loop_fill(
	char *a, const char *b, const char *c, size_t blocks, ptrdiff_t piece, uint64_t rounds)
{
	(void)a, (void)b, (void)c, (void)blocks, (void)piece, (void)rounds;
	return 0;
}

#define loop_copy_string loop_fill

#if defined(__aarch64__)

#define DCZID_FORBIDDEN 0x10u
#define DCZID_SIZE      0x0fu /* log2 of words of 4 bytes */

static uint64_t dczid(void)
{
	uint64_t x;

	__asm__("mrs %0, dczid_el0" : "=r"(x));
	return x;
}

static const char *lacks_zero(void)
{
	return dczid() & DCZID_FORBIDDEN ? "dc zva is forbidden to programs here" : NULL;
}

static size_t block_of_zero(void)
{
	const size_t block = (size_t)4 << (dczid() & DCZID_SIZE);

	return block > LINE ? block : LINE;
}

HOT double loop_fill_zero(
	char *first, const char *b, const char *c, size_t blocks, ptrdiff_t piece, uint64_t rounds)
{
	const size_t one = (size_t)4 << (dczid() & DCZID_SIZE);
	const char *end = first + blocks * (one > LINE ? one : LINE);

	(void)b, (void)c, (void)piece;
	do {
		char *a = first;

		do {
			__asm__ volatile("dc zva, %0" : : "r"(a) : "memory");
			a += one;
		} while (a != end);
	} while (--rounds);
	return 0;
}

#else
#define lacks_zero     lacks_fill
#define loop_fill_zero loop_fill

static size_t block_of_zero(void)
{
	return LINE;
}
#endif
#endif

/* In the order of enum string_op. */
static const struct {
	bandwidth_loop *loop;
	int streams;
} ops[] = {{loop_fill, 1}, {loop_fill_zero, 1}, {loop_copy_string, 2}};

#define OWN_BYTES 256 /* no line shared with another thread's */
_Static_assert(
	sizeof(struct bandwidth_walk) <= OWN_BYTES, "the state of a thread has its own lines");

static size_t block_of(enum string_op op)
{
	return op == STRING_ZERO ? block_of_zero() : LINE;
}

static const char *string_check(const struct worker *w, enum string_op op, char *why, size_t n)
{
	const int streams = ops[op].streams;

	if (piece_of(w) % LINE) {
		snprintf(why, n, "piece = %zu bytes is not a multiple of a line's %d", piece_of(w),
			LINE);
		return why;
	}
	if (bandwidth_misfit(w, streams, why, n))
		return why;
	for (int g = 0; g < bandwidth_groups(w, streams); g++) {
		const size_t bytes = bandwidth_group(w, streams, g).bytes;

		if (streams == 2 && w->nvectors > 1 &&
			bandwidth_bytes(&w->vectors[g * 2 + 1]) != bytes) {
			snprintf(why, n, "its vectors must be of the same size");
			return why;
		}
		if (bytes < block_of(op)) {
			snprintf(why, n,
				"%zu bytes to go through are less than the %zu that one "
				"instruction "
				"writes",
				bytes, block_of(op));
			return why;
		}
	}
	return NULL;
}

/* The source of a copy, the second vector of each pair, must still hold the data from setup(). */
static const char *copy_string_finds(const struct worker *w, int k)
{
	if (w->nvectors == 1)
		return "two parts";
	return k % 2 ? "ones" : NULL;
}

static void fill_stream(char *p, size_t bytes, double value)
{
	double *x = (double *)p;

	for (size_t i = 0; i < bytes / sizeof(*x); i++)
		x[i] = value;
}

static const char *string_setup(struct worker *w, enum string_op op)
{
	struct bandwidth_walk *walk = w->own = aligned_alloc(OWN_BYTES, OWN_BYTES);

	if (!walk)
		return "no memory left for its state";
	*walk = (struct bandwidth_walk){.op = op == STRING_COPY ? BANDWIDTH_copy : BANDWIDTH_store,
		.streams = ops[op].streams,
		.loop = ops[op].loop,
		.block = block_of(op),
		.step = piece_of(w),
		.ahead = (ptrdiff_t)piece_of(w)};
	for (int g = 0; g < bandwidth_groups(w, walk->streams); g++) {
		const struct bandwidth_group group = bandwidth_group(w, walk->streams, g);

		fill_stream(group.streams[0], group.bytes, -1);
		if (op == STRING_COPY)
			fill_stream(group.streams[1], group.bytes, 1);
	}
	bandwidth_begin(walk, w);
	return NULL;
}

static uint64_t string_run(struct worker *w, uint64_t passes)
{
	return bandwidth_rounds(w->own, w, passes);
}

static uint64_t string_step(struct worker *w, uint64_t steps)
{
	return bandwidth_steps(w->own, w, steps);
}

/* The value of 8 bytes of the target at the end. */
static uint64_t result_of(enum string_op op)
{
	const double one = 1;
	uint64_t bits;

	if (op == STRING_FILL)
		return UINT64_C(0x0101010101010101) * FILL_BYTE;
	memcpy(&bits, &one, sizeof(bits));
	return op == STRING_COPY ? bits : 0;
}

static const char *string_verify(const struct worker *w, enum string_op op, char *why, size_t n)
{
	struct bandwidth_walk *walk = w->own;
	const uint64_t expected = result_of(op);

	bandwidth_complete(walk, w);
	for (int g = 0; g < bandwidth_groups(w, walk->streams); g++) {
		const struct bandwidth_group group = bandwidth_group(w, walk->streams, g);

		for (size_t k = 0; k < bandwidth_checked(walk, &group); k++) {
			const size_t i = bandwidth_place(walk, &group, k);
			uint64_t found;

			memcpy(&found, group.streams[0] + i * sizeof(found), sizeof(found));
			if (found == expected)
				continue;
			snprintf(why, n, "element %zu of group %d is %#" PRIx64 ", not %#" PRIx64,
				i, g, found, expected);
			return why;
		}
	}
	return NULL;
}

static void string_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

/* Defines the kernel `name` with the functions that depend on its operation. */
#define STRING_KERNEL(name, op_is, lacking, l, found, text)                           \
	static const char *name##_check(const struct worker *w, char *why, size_t n)  \
	{                                                                             \
		return string_check(w, op_is, why, n);                                \
	}                                                                             \
	static const char *name##_setup(struct worker *w)                             \
	{                                                                             \
		return string_setup(w, op_is);                                        \
	}                                                                             \
	static const char *name##_verify(const struct worker *w, char *why, size_t n) \
	{                                                                             \
		return string_verify(w, op_is, why, n);                               \
	}                                                                             \
	const struct kernel name##_kernel = {                                         \
		.summary = text,                                                      \
		.unit = "element",                                                    \
		.params = string_params,                                              \
		.args_size = sizeof(struct string_args),                              \
		.min_vectors = 1,                                                     \
		.types = TYPES_WORDS,                                                 \
		.per_unit = {.loads = l, .stores = 1, .bytes = 8 * (l + 1)},          \
		.prepares = true,                                                     \
		.finds = found,                                                       \
		.lacks = lacking,                                                     \
		.check = name##_check,                                                \
		.setup = name##_setup,                                                \
		.run = string_run,                                                    \
		.step = string_step,                                                  \
		.verify = name##_verify,                                              \
		.teardown = string_teardown,                                          \
	};

STRING_KERNEL(fill, STRING_FILL, lacks_fill, 0, NULL,
	"fills with a byte by the processor's string instruction, as a memset() may")
STRING_KERNEL(fill_zero, STRING_ZERO, lacks_zero, 0, NULL,
	"fills with zeros by the processor's own instruction, as a memset() may")
STRING_KERNEL(copy_string, STRING_COPY, lacks_copy, 1, copy_string_finds,
	"copies by the processor's string instruction, as a memcpy() may")
