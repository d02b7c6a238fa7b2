/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of string instructions and of the C library: what they fill, copy and find, piece by
 * piece, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "kernel_stage.h"

static const char *const names[] = {
	"fill", "fill_zero", "copy_string", "memset", "memcpy", "memmove"};

static bool copies(const char *id)
{
	return !strcmp(id, "copy_string") || !strcmp(id, "memcpy") || !strcmp(id, "memmove");
}

static bool is_here(const char *id)
{
	const struct kernel *k = find_kernel(id);

	return !k->lacks || !k->lacks();
}

/* What one instruction writes: a line, or the block of Arm's dc zva where that is larger. */
static size_t block_of(const char *id)
{
	size_t block = 64;

#if defined(__aarch64__)
	uint64_t dczid;

	__asm__("mrs %0, dczid_el0" : "=r"(dczid));
	if (!strcmp(id, "fill_zero") && ((size_t)4 << (dczid & 15)) > block)
		block = (size_t)4 << (dczid & 15);
#else
	(void)id;
#endif
	return block;
}

static void stage_op(struct stage *s, const char *id, const char *settings, size_t bytes)
{
	stage_kernel(s, id, settings);
	stage_vector(s, TYPE_CHAR, 1, bytes);
	if (copies(id) || !strcmp(id, "memcmp"))
		stage_vector(s, TYPE_CHAR, 1, bytes);
}

/* Number of bytes of the first vector that differ from the operation's result. */
static size_t wrong_bytes(const struct stage *s, const char *id)
{
	const double one = 1;
	const unsigned char *base = s->vectors[0].base;
	size_t wrong = 0;

	const size_t block = block_of(id);

	for (size_t i = 0; i < s->vectors[0].elements / block * block; i++) {
		unsigned char expected = ((const unsigned char *)&one)[i % 8];

		if (!strcmp(id, "fill") || !strcmp(id, "memset"))
			expected = 'X';
		else if (!strcmp(id, "fill_zero"))
			expected = 0;
		wrong += base[i] != expected;
	}
	return wrong;
}

static void test_rounds(void **state)
{
	static const char *const pieces[] = {
		"", "piece=64B", "piece=4KiB", "piece=8", "piece=1GiB"};
	static const size_t sizes[] = {64, 100, 4096, 65600, (1 << 20) + 192};

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++)
		for (size_t p = 0; p < LENGTH(pieces) && is_here(names[i]); p++)
			for (size_t z = 0; z < LENGTH(sizes); z++) {
				const size_t block = block_of(names[i]);
				struct stage s;

				if (sizes[z] < block)
					continue;
				stage_op(&s, names[i], pieces[p], sizes[z]);
				stage_setup(&s);
				assert_true(wrong_bytes(&s, names[i]) > 0);
				assert_int_equal(s.kernel->run(&s.worker, 3),
					3 * (sizes[z] / block * block / 8));
				assert_int_equal(wrong_bytes(&s, names[i]), 0);
				assert_null(stage_verify(&s));
				((char *)s.vectors[0].base)[16] ^= 1;
				assert_non_null(stage_verify(&s));
				stage_end(&s);
			}
}

/* A step is a piece, or the round if that is smaller; each step continues where the last one
 * ended. */
static void test_steps(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++) {
		struct stage s;

		if (!is_here(names[i]))
			continue;
		stage_op(&s, names[i], "piece=4KiB", 16384);
		stage_setup(&s);
		assert_int_equal(s.kernel->step(&s.worker, 1), 4096 / 8);
		assert_int_equal(s.kernel->step(&s.worker, 2), 2 * 4096 / 8);
		assert_true(wrong_bytes(&s, names[i]) > 0);
		assert_int_equal(s.kernel->step(&s.worker, 1), 4096 / 8);
		assert_int_equal(wrong_bytes(&s, names[i]), 0);
		stage_end(&s);

		stage_op(&s, names[i], "piece=1MiB", 16384);
		stage_setup(&s);
		assert_int_equal(s.kernel->step(&s.worker, 1), 16384 / 8);
		assert_null(stage_verify(&s));
		stage_end(&s);
	}
}

/* Without a piece a call of the library gets all of a vector. */
static void test_whole(void **state)
{
	struct stage s;

	(void)state;
	stage_op(&s, "memcpy", "", 16384);
	stage_setup(&s);
	assert_int_equal(s.kernel->step(&s.worker, 1), 16384 / 8);
	assert_int_equal(wrong_bytes(&s, "memcpy"), 0);
	stage_end(&s);
}

/* A search that ends early, or a difference, in any place. */
static void test_readers(void **state)
{
	static const struct {
		const char *id;
		unsigned char spoiled;
	} readers[] = {{"memcmp", 1}, {"memchr", 'X'}};

	(void)state;
	for (size_t i = 0; i < LENGTH(readers); i++)
		for (size_t at = 0; at < 16384; at += 4095) {
			struct stage s;

			stage_op(&s, readers[i].id, "piece=4KiB", 16384);
			stage_setup(&s);
			assert_int_equal(s.kernel->run(&s.worker, 2), 2 * 16384 / 8);
			assert_null(stage_verify(&s));
			((unsigned char *)s.vectors[0].base)[at] = readers[i].spoiled;
			s.kernel->run(&s.worker, 1);
			assert_string_equal(
				stage_verify(&s), "a call did not find what its vectors hold");
			stage_end(&s);
		}
}

static void test_work(void **state)
{
	static const char *const reading[] = {"memcmp", "memchr"};

	(void)state;
	for (size_t i = 0; i < LENGTH(names); i++) {
		const struct work w = find_kernel(names[i])->per_unit;

		assert_true(w.bytes == (copies(names[i]) ? 16 : 8));
		assert_true(strncmp(names[i], "mem", 3) ? w.fills == 0 : isnan(w.fills));
	}
	for (size_t i = 0; i < LENGTH(reading); i++)
		assert_true(find_kernel(reading[i])->per_unit.fills == 0);
	assert_true(find_kernel("memcmp")->per_unit.bytes == 16);
	assert_true(find_kernel("memchr")->per_unit.bytes == 8);
}

/* A vector that has lines, but no block of dc zva, would be measured without doing anything. */
static void refused_below_a_block(const char *id)
{
	const size_t block = block_of(id);
	char expected[128];
	struct stage s;

	snprintf(expected, sizeof(expected),
		"%zu bytes to go through are less than the %zu that one instruction writes",
		block - 64, block);
	stage_op(&s, id, "", block - 1);
	assert_string_equal(stage_check(&s), expected);
	stage_end(&s);
	stage_op(&s, id, "", block);
	assert_null(stage_check(&s));
	stage_end(&s);
}

static void test_refusals(void **state)
{
	struct stage s;

	(void)state;
	stage_op(&s, "fill", "piece=100B", 4096);
	assert_string_equal(stage_check(&s), "piece = 100 bytes is not a multiple of a line's 64");
	stage_end(&s);
	stage_op(&s, "fill", "", 63);
	assert_string_equal(stage_check(&s),
		"0 bytes to go through are less than the 64 that one instruction writes");
	stage_end(&s);
	refused_below_a_block("fill_zero");
	stage_op(&s, "copy_string", "", 4096);
	stage_vector(&s, TYPE_CHAR, 1, 4096);
	assert_string_equal(stage_check(&s),
		"it takes 2 vectors of each thread, or a multiple of that, or one in 2 parts; not "
		"3");
	stage_end(&s);
	stage_kernel(&s, "copy_string", "");
	stage_vector(&s, TYPE_CHAR, 1, 4096);
	stage_vector(&s, TYPE_CHAR, 1, 8192);
	assert_string_equal(stage_check(&s), "its vectors must be of the same size");
	stage_end(&s);
	stage_kernel(&s, "copy_string", "");
	stage_vector(&s, TYPE_DOUBLE, 8, 1024); /* one in two parts */
	assert_null(stage_check(&s));
	stage_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("rounds fill and copy whole lines, in pieces of any size, and no byte beyond",
			test_rounds),
		TEST("a step is a piece", test_steps),
		TEST("a call of the library gets a whole vector", test_whole),
		TEST("a call that finds something else is wrong", test_readers),
		TEST("a unit is 8 bytes stored, a copy 8 loaded too; instructions fetch no line to "
		     "be "
		     "overwritten, and the library's lines are not known",
			test_work),
		TEST("pieces of broken lines and vectors that do not fit are refused",
			test_refusals),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
