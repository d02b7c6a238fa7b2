/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gups, gather, scatter and traffic: their results, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"

static void test_gups(void **state)
{
	enum { WORDS = 5000 };
	struct stage s;
	size_t changed = 0;

	(void)state;
	stage_kernel(&s, "gups", "");
	stage_vector(&s, TYPE_CHAR, 1, WORDS * 8 + 5);
	stage_setup(&s);
	const uint64_t *v = s.vectors[0].base;
	assert_int_equal(s.kernel->run(&s.worker, 1), WORDS);
	uint64_t all = 0, expected = 0;
	for (size_t i = 0; i < WORDS; i++) {
		changed += v[i] != i;
		all ^= v[i];
		expected ^= i ^ i; /* the initial value, and an update with each number */
	}
	assert_int_equal(all, expected);
	/* random places: 1 - 1/e of all are accessed at least once */
	assert_true(changed >= WORDS * 60 / 100 && changed <= WORDS * 66 / 100);
	s.kernel->run(&s.worker, 3);
	for (size_t i = 0; i < WORDS; i++)
		assert_int_equal(v[i], i);
	assert_null(stage_verify(&s));
	s.kernel->run(&s.worker, 1);
	assert_null(stage_verify(&s));
	s.kernel->run(&s.worker, 1);
	((uint64_t *)s.vectors[0].base)[77] ^= 1;
	assert_non_null(stage_verify(&s));
	stage_end(&s);
}

static void test_gups_threads_differ(void **state)
{
	enum { WORDS = 1000 };
	struct stage s[2];
	size_t equal = 0;

	(void)state;
	for (int i = 0; i < 2; i++) {
		stage_kernel(&s[i], "gups", "");
		s[i].worker.id = i;
		stage_vector(&s[i], TYPE_LONG, 8, WORDS);
		stage_setup(&s[i]);
		s[i].kernel->run(&s[i].worker, 1);
	}
	for (size_t i = 0; i < WORDS; i++)
		equal += ((uint64_t *)s[0].vectors[0].base)[i] ==
			 ((uint64_t *)s[1].vectors[0].base)[i];
	assert_true(equal <= WORDS / 4); /* words that neither accessed: 1/e^2 */
	stage_end(&s[0]);
	stage_end(&s[1]);
}

static void indexed(struct stage *s, const char *id, const char *settings, size_t words)
{
	stage_kernel(s, id, settings);
	stage_vector(s, TYPE_DOUBLE, 8, words);
	stage_vector(s, TYPE_CHAR, 1, words * 8 + 3);
	stage_setup(s);
}

static void test_index(void **state)
{
	enum { WORDS = 3000 };
	static const char *const orders[] = {"order=random", "order=forward", "order=reverse"};
	struct stage s;

	(void)state;
	for (int o = 0; o < 3; o++) {
		bool met[WORDS] = {false};
		size_t in_turn = 0;

		indexed(&s, "gather", orders[o], WORDS);
		const uint64_t *index = s.vectors[1].base;
		for (size_t i = 0; i < WORDS; i++) {
			assert_true(index[i] < WORDS && !met[index[i]]);
			met[index[i]] = true;
			in_turn += i && (o == 2 ? index[i - 1] - 1 : index[i - 1] + 1) == index[i];
		}
		if (o)
			assert_int_equal(in_turn, WORDS - 1);
		else
			assert_true(in_turn <= 20);
		stage_end(&s);
	}
}

static void test_gather(void **state)
{
	struct stage s;

	(void)state;
	indexed(&s, "gather", "", 1001);
	assert_int_equal(s.kernel->run(&s.worker, 2), 2 * 1001);
	assert_null(stage_verify(&s));
	((uint64_t *)s.vectors[0].base)[500]++;
	s.kernel->run(&s.worker, 1);
	assert_string_equal(
		stage_verify(&s), "the sum of what was gathered is not that of the elements");
	stage_end(&s);
}

static void test_scatter(void **state)
{
	struct stage s;

	(void)state;
	indexed(&s, "scatter", "", 1001);
	assert_int_equal(s.kernel->run(&s.worker, 2), 2 * 1001);
	const uint64_t *data = s.vectors[0].base, *index = s.vectors[1].base;
	for (size_t i = 0; i < 1001; i++)
		assert_int_equal(data[index[i]], i);
	assert_null(stage_verify(&s));
	((uint64_t *)s.vectors[0].base)[500]++;
	assert_non_null(stage_verify(&s));
	stage_end(&s);
}

static void test_traffic(void **state)
{
	struct stage s;

	(void)state;
	for (unsigned sixteenths = 0; sixteenths <= 16; sixteenths++)
		for (int gap = 0; gap <= 3; gap += 3) {
			char settings[64];
			size_t stored = 0;

			snprintf(settings, sizeof(settings), "writes=%g gap=%d", sixteenths / 16.0,
				gap);
			stage_kernel(&s, "traffic", settings);
			stage_vector(&s, TYPE_CHAR, 1, 5000);
			stage_setup(&s);
			assert_int_equal(s.kernel->run(&s.worker, 2), 2 * 64);
			for (size_t i = 0; i < 5000 / 8; i++)
				stored += ((uint64_t *)s.vectors[0].base)[i] != 0;
			/* 64 of the 78 lines are whole groups of 16, and all 8 words of a line
			 * count */
			assert_int_equal(stored, 4 * 8 * sixteenths);
			const struct work w = s.kernel->work(s.args);
			assert_true(w.bytes == 64 && w.fills == 4 * sixteenths);
			assert_true(w.stores == 0.5 * sixteenths && w.loads + w.stores == 8);
			stage_end(&s);
		}
}

/* Checks that exactly these lines of 64 bytes of vector k were stored to, and clears them. */
static void expect_lines(struct stage *s, int k, size_t from, size_t to)
{
	uint64_t *v = s->vectors[k].base;

	for (size_t i = 0; i < s->vectors[k].elements; i++)
		if (!v[i] == (i / 8 >= from && i / 8 < to))
			fail_msg("vector %d: line %zu is%s stored to, not lines %zu to %zu", k,
				i / 8, v[i] ? "" : " not", from, to);
	memset(v, 0, s->vectors[k].elements * 8);
}

/* A round is 64 groups of 16 lines. */
static void test_traffic_goes_round(void **state)
{
	static const size_t lines[] = {100 * 16, 64 * 16, 40 * 16};
	struct stage s;

	(void)state;
	stage_kernel(&s, "traffic", "writes=1");
	for (size_t k = 0; k < LENGTH(lines); k++)
		stage_vector(&s, TYPE_LONG, 8, lines[k] * 8);
	stage_setup(&s);
	for (int round = 0; round < 4; round++) {
		size_t from = round % 2 ? 64 * 16 : 0, to = round % 2 ? 100 * 16 : 64 * 16;

		assert_int_equal(s.kernel->run(&s.worker, 1), to - from + lines[1] + lines[2]);
		expect_lines(&s, 0, from, to);
		expect_lines(&s, 1, 0, lines[1]);
		expect_lines(&s, 2, 0, lines[2]);
	}
	stage_end(&s);
}

static void test_refused(void **state)
{
	static const struct {
		const char *id, *settings;
		int nvectors;
		size_t words[3];
		const char *why;
	} cases[] = {
		{"gather", "", 1, {512},
			"it takes two vectors of each thread, data and index; not 1"},
		{"scatter", "", 3, {512, 512, 512},
			"it takes two vectors of each thread, data and index; not 3"},
		{"gather", "", 2, {512, 513},
			"data has 512 elements of 8 bytes, index 513: they need the same number"},
		{"traffic", "writes=0.3", 1, {512},
			"writes = 0.3 is not a multiple of 1/16; the nearest are 0.25 and 0.3125"},
		{"traffic", "", 1, {127}, "its vectors must have 1024 bytes at least"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_kernel(&s, cases[i].id, cases[i].settings);
		for (int k = 0; k < cases[i].nvectors; k++)
			stage_vector(&s, TYPE_LONG, 8, cases[i].words[k]);
		assert_non_null(stage_check(&s));
		assert_string_equal(s.why, cases[i].why);
		stage_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("gups updates random places, and two equal rounds restore them", test_gups),
		TEST("threads of gups take different places", test_gups_threads_differ),
		TEST("an index holds each number once, in the order asked for", test_index),
		TEST("gather sums what the index names", test_gather),
		TEST("scatter stores where the index says", test_scatter),
		TEST("traffic stores to the part of the lines asked for", test_traffic),
		TEST("traffic goes on where it was, and from the end to the beginning",
			test_traffic_goes_round),
		TEST("vectors that do not fit are refused", test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
