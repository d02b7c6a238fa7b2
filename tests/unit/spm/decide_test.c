/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which loops of the dissertation's programs are accepted, by the numbers that its compiler would
 * compute, with the caches of its machine. Sizes at which a number is within 1% of the threshold
 * are left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "dissertation.h"

enum { DOUBLE = 8 };

/* 600 to 2400, but for sizes that are too near to a threshold. */
static const uint64_t sizes[] = {600, 800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400};

/* Sums of i, and of i * i, for i = 0 .. n - 1. */
static uint64_t sum(uint64_t n)
{
	return n * (n - 1) / 2;
}

static uint64_t squares(uint64_t n)
{
	return (n - 1) * n * (2 * n - 1) / 6;
}

struct matrix {
	const char *name;
	uint64_t (*executions)(uint64_t n);
	uint64_t accepted_from, rejected_up_to;
};

#define ALWAYS 0, 0
#define NEVER  UINT64_MAX, UINT64_MAX

static uint64_t once(uint64_t n)
{
	return n * n;
}

static uint64_t cubed(uint64_t n)
{
	return n * n * n;
}

/* A[j,i] / A[i,i]; A[j,k] -= ... A[i,k]; C[i,k] = A[i,k] */
static uint64_t lu_a(uint64_t n)
{
	return 2 * sum(n) + 3 * squares(n) + sum(n + 1);
}

/* B[i,i] = 1; B[j,i] = ...; ... B[j,i] * ... */
static uint64_t lu_b(uint64_t n)
{
	return n + sum(n) + squares(n);
}

static uint64_t lu_c(uint64_t n)
{
	return sum(n + 1);
}

/* A[i,i] and A[i,j]: both sides of the branch count */
static uint64_t cholesky_a(uint64_t n)
{
	return 2 * sum(n + 1);
}

/* B[i,k] * B[j,k]; both sides: B[i,j] = ..., B[i,j] = ... B[j,j] */
static uint64_t cholesky_b(uint64_t n)
{
	return squares(n) + sum(n) + 3 * sum(n + 1);
}

static const struct matrix matrices[] = {
	{"product's A and B", cubed, ALWAYS},
	{"product's C", once, NEVER},
	{"lu's A", lu_a, ALWAYS},
	{"lu's B", lu_b, 800, 0}, /* at 600: 200.001 */
	{"lu's C", lu_c, NEVER},
	{"cholesky's A", cholesky_a, NEVER},
	{"cholesky's B", cholesky_b, 800, 0}, /* at 600: 201.5 */
	{"add's A, B and C", once, NEVER},
	{"a fill", once, NEVER},
};

static void test_matrices(void **state)
{
	(void)state;
	for (size_t m = 0; m < sizeof(matrices) / sizeof(matrices[0]); m++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			uint64_t n = sizes[i];
			bool accepted = accepts(n * n, DOUBLE, matrices[m].executions(n));

			if (n >= matrices[m].accepted_from && !accepted)
				fail_msg("%s are rejected at %d", matrices[m].name, (int)n);
			if (n <= matrices[m].rejected_up_to && accepted)
				fail_msg("%s are accepted at %d", matrices[m].name, (int)n);
		}
}

/* The sums are those of the text: 72 000 400 executions for 360 000 elements. */
static void test_sums(void **state)
{
	(void)state;
	assert_int_equal(lu_b(600), 72000400);
	assert_int_equal(cholesky_b(600), 599 * 600 * 601 / 3 + 3 * 600 * 601 / 2);
}

/* A slice of 64 MiB, patterns of 16 characters. */
static void test_strsearch(void **state)
{
	enum { SLICE = 64 << 20, PATTERN = 16 };

	(void)state;
	for (uint64_t queries = 8; queries <= 4096; queries *= 2) {
		uint64_t positions = queries * (SLICE - PATTERN + 1);

		assert_int_equal(accepts(SLICE, 1, positions * PATTERN), queries >= 16);
		/* every comparison fails at the first character */
		assert_int_equal(accepts(SLICE, 1, positions), queries >= 256);
	}
}

/* One of 64 buckets of `elements` int; comparisons of its selection sort. */
static bool sort_accepted(uint64_t elements)
{
	uint64_t n = elements / 64;

	return accepts(n, sizeof(int), sum(n));
}

static void test_bucketsort(void **state)
{
	(void)state;
	for (uint64_t n = 10000000; n <= 28000000; n += 2000000) {
		config.size_test = true;
		config.cache_factor = 0.2;
		assert_int_equal(sort_accepted(n), n == 28000000);
		config.cache_factor = 0.1;
		assert_int_equal(sort_accepted(n), n >= 14000000);
		config.cache_factor = 1;
		assert_false(sort_accepted(n));
		config.size_test = false;
		assert_true(sort_accepted(n));
	}
}

/* As figure 3.6 prints the rule, the dissertation's add would have been migrated. */
static void test_raw(void **state)
{
	(void)state;
	config.reuse_mode = SPM_RAW;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		assert_true(accepts(sizes[i] * sizes[i], DOUBLE, once(sizes[i])));
	assert_false(accepts(1000000, DOUBLE, 200));
	assert_true(accepts(1000000, DOUBLE, 201));
}

/* 200 for each element are 102400 for each page of 512 doubles. */
static void test_per_page(void **state)
{
	(void)state;
	config.reuse_mode = SPM_PER_PAGE;
	config.reuse_threshold = 102400;
	assert_false(accepts(1000000, DOUBLE, 200000000));
	assert_true(accepts(1000000, DOUBLE, 200000001));
	config.reuse_threshold = 204800; /* of int */
	assert_false(accepts(1000000, sizeof(int), 200000000));
	assert_true(accepts(1000000, sizeof(int), 200000001));
}

static void test_strict(void **state)
{
	struct spm_use use = {CACHES / 8, UINT64_MAX, 1};

	(void)state;
	assert_false(accepts(1000000, DOUBLE, 200000000)); /* at the threshold */
	assert_true(accepts(1000000, DOUBLE, 200000001));
	config.cache_factor = 0.125;
	assert_int_equal(spm_decide(&config, &use, PAGE), SPM_TOO_SMALL);
	use.bytes++;
	assert_int_equal(spm_decide(&config, &use, PAGE), SPM_DONE);
}

static void test_order(void **state)
{
	struct spm_use use = {1, 0, 1};

	(void)state;
	assert_int_equal(spm_decide(&config, &use, PAGE), SPM_TOO_SMALL);
	config.size_test = false;
	assert_int_equal(spm_decide(&config, &use, PAGE), SPM_TOO_LITTLE_REUSE);
}

#define TEST(text, function)                                                \
	{                                                                   \
		.name = text, .test_func = function, .setup_func = defaults \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the compiler's sums are those of the text", test_sums),
		TEST("product's, lu's, cholesky's and add's matrices", test_matrices),
		TEST("strsearch is accepted from 16 queries on, really from 256 on",
			test_strsearch),
		TEST("bucketsort is accepted by its size", test_bucketsort),
		TEST("raw executions accept what the mean of an element rejects", test_raw),
		TEST("per page is per element, times the elements of a page", test_per_page),
		TEST("a use at a threshold is rejected", test_strict),
		TEST("the size is tested first", test_order),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("decide", tests, NULL, NULL);
}
