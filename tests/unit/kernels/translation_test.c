/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hashjoin and hotcold: what they read, their results, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"

static void join(struct stage *s, size_t keys, size_t table)
{
	stage_kernel(s, "hashjoin", "");
	stage_vector(s, TYPE_CHAR, 1, keys * 8 + 5);
	stage_vector(s, TYPE_DOUBLE, 8, table);
	stage_setup(s);
}

static void test_hashjoin(void **state)
{
	static const size_t sizes[][2] = {{1, 1}, {1000, 7}, {7, 1000}, {4099, 4096}};

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct stage s;

		join(&s, sizes[i][0], sizes[i][1]);
		assert_int_equal(s.kernel->run(&s.worker, 3), 3 * sizes[i][0]);
		assert_null(stage_verify(&s));
		stage_end(&s);
	}
}

/* Each look-up of a key reads the element of B that its key says: a change of every element is in
 * the sum, and so is one of a key. */
static void test_hashjoin_reads(void **state)
{
	struct stage s;

	(void)state;
	join(&s, 5000, 300);
	for (size_t i = 0; i < 300; i++) {
		((uint64_t *)s.vectors[1].base)[i]++;
		s.kernel->run(&s.worker, 1);
		assert_string_equal(
			stage_verify(&s), "the sum of what was read is not that of the elements");
		((uint64_t *)s.vectors[1].base)[i]--;
		s.kernel->teardown(&s.worker);
		stage_setup(&s);
	}
	((uint64_t *)s.vectors[0].base)[4999] += UINT64_C(1) << 40;
	s.kernel->run(&s.worker, 1);
	assert_non_null(stage_verify(&s));
	stage_end(&s);
}

/* The keys and the table are the other way round, and all else is the same. */
static void test_hashjoin_table_first(void **state)
{
	enum { TABLE, KEYS };
	struct stage s;

	(void)state;
	stage_kernel(&s, "hashjoin", "tableFirst=yes");
	stage_vector(&s, TYPE_DOUBLE, 8, 300);
	stage_vector(&s, TYPE_DOUBLE, 8, 8000);
	stage_setup(&s);
	assert_int_equal(s.kernel->run(&s.worker, 3), 3 * 8000);
	assert_null(stage_verify(&s));
	assert_true(s.kernel->accesses.reach(&s.worker) == 1);
	assert_string_equal(s.kernel->finds(&s.worker, TABLE), "numbers");
	assert_string_equal(s.kernel->finds(&s.worker, KEYS), "keys");
	for (uint64_t i = 0; i < 300; i++)
		assert_int_equal(((uint64_t *)s.vectors[TABLE].base)[i], i);
	((uint64_t *)s.vectors[TABLE].base)[299]++;
	s.kernel->run(&s.worker, 1);
	assert_non_null(stage_verify(&s));
	stage_end(&s);
}

/* Both write the same, so they may share the vectors. */
static void test_hashjoin_threads_differ(void **state)
{
	struct stage s;

	(void)state;
	join(&s, 1000, 1000);
	s.worker.id = 1; /* its places are others, so that the sum is another one */
	s.kernel->run(&s.worker, 1);
	assert_non_null(stage_verify(&s));
	stage_end(&s);
}

/* A few keys touch a few lines of a large table, however often. */
static void test_hashjoin_reach(void **state)
{
	static const struct {
		size_t keys, table;
		double reach;
	} cases[] = {{1000, 1000, 1}, {1000, 8000, 1}, {1000, 99000, 0.09}, {1000, 8, 1}};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		join(&s, cases[i].keys, cases[i].table);
		assert_true(s.kernel->accesses.reach(&s.worker) == cases[i].reach);
		stage_end(&s);
	}
}

/* A table as large as the number of keys: 1 - 1/e of it is read at least once, as at random, and
 * neighbours in A are not neighbours in B. */
static void test_hashjoin_scatters(void **state)
{
	enum { WORDS = 8192 };
	const uint64_t salt = 0x5851f42d4c957f2d + 0x14057b7ef767814f; /* of thread 0 */
	struct stage s;
	uint64_t *keys, *table;
	size_t met = 0, near = 0, before = 0;

	(void)state;
	join(&s, WORDS, WORDS);
	keys = s.vectors[0].base;
	table = s.vectors[1].base;
	memset(table, 0, WORDS * 8);
	for (size_t j = 0; j < WORDS; j++) {
		uint64_t x = (keys[j] ^ salt) * 0x5851f42d4c957f2d;
		size_t at = (size_t)((unsigned __int128)x * WORDS >> 64);

		met += !table[at]++;
		near += at < before + 64 && before < at + 64;
		before = at;
	}
	assert_true(met >= WORDS * 60 / 100 && met <= WORDS * 66 / 100);
	assert_true(near <= WORDS * 2 / 100); /* 127 of 8192: 1.6 % */
	stage_end(&s);
}

static void test_hotcold(void **state)
{
	enum { WORDS = 4000 };
	struct stage s;

	(void)state;
	stage_kernel(&s, "hotcold", "hot=25%");
	stage_vector(&s, TYPE_CHAR, 1, WORDS * 8 + 3);
	stage_vector(&s, TYPE_LONG, 8, 40);
	stage_setup(&s);
	assert_true(s.kernel->accesses.reach(&s.worker) == 0.25);
	assert_int_equal(s.kernel->run(&s.worker, 2), 2 * (1000 + 10));
	assert_null(stage_verify(&s));
	/* nothing reads the rest */
	for (size_t i = 1000; i < WORDS; i++)
		((uint64_t *)s.vectors[0].base)[i] = 0;
	s.kernel->run(&s.worker, 1);
	assert_null(stage_verify(&s));
	for (size_t i = 0; i < 1000; i++)
		((uint64_t *)s.vectors[0].base)[i] = 0;
	s.kernel->run(&s.worker, 1);
	assert_non_null(stage_verify(&s));
	stage_end(&s);
}

static void test_hotcold_threads_differ(void **state)
{
	struct stage s;

	(void)state;
	stage_kernel(&s, "hotcold", "hot=1");
	stage_vector(&s, TYPE_LONG, 8, 1000);
	stage_setup(&s);
	s.worker.id = 1; /* its places are others, so that the sum is another one */
	s.kernel->run(&s.worker, 1);
	assert_non_null(stage_verify(&s));
	stage_end(&s);
}

static void test_refused(void **state)
{
	static const struct {
		const char *id;
		int nvectors;
		size_t bytes[3];
		const char *why;
	} cases[] = {
		{"hashjoin", 1, {512},
			"it takes two vectors of each thread, the keys A and the table B; not 1"},
		{"hashjoin", 3, {512, 512, 512},
			"it takes two vectors of each thread, the keys A and the table B; not 3"},
		{"hashjoin", 2, {512, 7}, "its vectors must have 8 bytes at least"},
		{"hotcold", 2, {512, 7}, "its vectors must have 8 bytes at least"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_kernel(&s, cases[i].id, "");
		for (int k = 0; k < cases[i].nvectors; k++)
			stage_vector(&s, TYPE_CHAR, 1, cases[i].bytes[k]);
		assert_non_null(stage_check(&s));
		assert_string_equal(s.why, cases[i].why);
		stage_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("hashjoin looks every key up once a round", test_hashjoin),
		TEST("hashjoin reads the keys, and every element of the table",
			test_hashjoin_reads),
		TEST("the table of hashjoin may be the first vector", test_hashjoin_table_first),
		TEST("threads of hashjoin take different places", test_hashjoin_threads_differ),
		TEST("hashjoin reaches a line of the table for each key", test_hashjoin_reach),
		TEST("keys have no pattern in the table", test_hashjoin_scatters),
		TEST("hotcold reads the hot part and nothing else", test_hotcold),
		TEST("threads of hotcold take different places", test_hotcold_threads_differ),
		TEST("vectors that do not fit are refused", test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
