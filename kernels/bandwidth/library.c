/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many bytes a second a program gets that leaves the work to the C library: its memcpy() and
 * others, each as this library has it for this processor.
 *
 *   memset    writes the thread's vector
 *   memcpy    copies from the second vector to the first
 *   memmove   the same by memmove(); the vectors do not overlap
 *   memcmp    compares two vectors, which are equal
 *   memchr    looks for a byte that the vector does not have
 *
 * A call handles `piece` bytes. The library does it in other ways from some sizes on (glibc's
 * x86_rep_movsb_threshold, x86_non_temporal_threshold), which the fact c_library of a report has:
 * so whether lines are fetched to be overwritten is not known. The functions are called through
 * pointers, since a compiler may put code of its own in place of a call by name.
 */
#include <string.h>

#include "pieces.h"

static const struct param library_params[] = {
	{.name = "piece",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct pieces_args, piece),
		.fallback = "0",
		.min = 0,
		.max = 0x1p40,
		.help = "what one call handles: bytes, or a number of 8-byte elements; 0: as much "
			"as the vector has"},
	{0},
};

typedef void *set(void *, int, size_t);
typedef void *copy(void *, const void *, size_t);
typedef int compare(const void *, const void *, size_t);
typedef void *find(const void *, int, size_t);

static set *volatile const call_memset = memset;
static copy *volatile const call_memcpy = memcpy, *volatile const call_memmove = memmove;
static compare *volatile const call_memcmp = memcmp;
static find *volatile const call_memchr = (find *)memchr;

/* `call` is of n bytes at a and b, and says how many were as they should be. */
#define CALLS(name, call) PIECES_EACH(name, found += (double)(call); a += n; b += n)

CALLS(memset, (call_memset(a, PIECES_FILL, n), 0))
CALLS(memcpy, (call_memcpy(a, b, n), 0))
CALLS(memmove, (call_memmove(a, b, n), 0))
CALLS(memcmp, call_memcmp(a, b, n) ? 0 : n / sizeof(double))
CALLS(memchr, call_memchr(a, PIECES_FILL, n) ? 0 : n / sizeof(double))

static const struct pieces_op memset_op = {
	.loop = loop_memset, .streams = 1, .after = UINT64_C(0x0101010101010101) * PIECES_FILL};
static const struct pieces_op memcpy_op = {.loop = loop_memcpy, .streams = 2, .after = PIECES_ONES};
static const struct pieces_op memmove_op = {
	.loop = loop_memmove, .streams = 2, .after = PIECES_ONES};
static const struct pieces_op memcmp_op = {
	.loop = loop_memcmp, .streams = 2, .reads = true, .after = PIECES_ONES};
static const struct pieces_op memchr_op = {
	.loop = loop_memchr, .streams = 1, .reads = true, .after = PIECES_ONES};

#define UNKNOWN __builtin_nan("")

PIECES_KERNEL(memset, NULL, library_params, 0, 1, UNKNOWN, "the C library's memset()")
PIECES_KERNEL(memcpy, NULL, library_params, 1, 1, UNKNOWN,
	"the C library's memcpy(), from the second vector to the first")
PIECES_KERNEL(memmove, NULL, library_params, 1, 1, UNKNOWN,
	"the C library's memmove(), from the second vector to the first")
PIECES_KERNEL(memcmp, NULL, library_params, 2, 0, 0, "the C library's memcmp() of equal vectors")
PIECES_KERNEL(memchr, NULL, library_params, 1, 0, 0,
	"the C library's memchr() of a byte that is not there, a search that reads all")
