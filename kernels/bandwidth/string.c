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
 * so `fills` is 0. One instruction handles `piece` bytes; small pieces show its startup time. The
 * compiler cannot drop or merge the instructions.
 */
#include "pieces.h"

static const struct param string_params[] = {
	{.name = "piece",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct pieces_args, piece),
		.fallback = "1MiB", /* takes long compared with the startup time */
		.min = 8,
		.max = 0x1p40,
		.help = "what one instruction fills or copies: bytes, or a number of 8-byte "
			"elements; dc zva: one line each"},
	{0},
};

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

#define block_of_zero NULL

#define PIECES(name, instruction, ...) \
	PIECES_EACH(name, __asm__ volatile(instruction : "+D"(a), "+c"(n)__VA_ARGS__ : "memory"))

PIECES(fill, "rep stosb", : "a"(PIECES_FILL))
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

	return block > PIECES_LINE ? block : PIECES_LINE;
}

HOT double loop_fill_zero(
	char *first, const char *b, const char *c, size_t blocks, ptrdiff_t piece, uint64_t rounds)
{
	const size_t one = (size_t)4 << (dczid() & DCZID_SIZE);
	const char *end = first + blocks * (one > PIECES_LINE ? one : PIECES_LINE);

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
#define block_of_zero  NULL
#endif
#endif

static const struct pieces_op fill_op = {
	.loop = loop_fill, .streams = 1, .after = UINT64_C(0x0101010101010101) * PIECES_FILL};
static const struct pieces_op fill_zero_op = {
	.loop = loop_fill_zero, .streams = 1, .block = block_of_zero};
static const struct pieces_op copy_string_op = {
	.loop = loop_copy_string, .streams = 2, .after = PIECES_ONES};

PIECES_KERNEL(fill, lacks_fill, string_params, 0, 1, 0,
	"fills with a byte by the processor's string instruction, as a memset() may")
PIECES_KERNEL(fill_zero, lacks_zero, string_params, 0, 1, 0,
	"fills with zeros by the processor's own instruction, as a memset() may")
PIECES_KERNEL(copy_string, lacks_copy, string_params, 1, 1, 0,
	"copies by the processor's string instruction, as a memcpy() may")
