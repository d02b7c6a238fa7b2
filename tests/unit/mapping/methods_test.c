/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random mappings, libgomp's order, counts of instructions, and the names of mappings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "mapping_stage.h"

static void random_is_a_permutation_that_the_seed_repeats(void **state)
{
	struct scene s, again;
	int first[8] = {0};

	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct mapping_request r = {{MAPPING_RANDOM, seed, ""}, MAPPING_SPREAD, false};
		int taken[8] = {0};

		build(&s, 2, 2, 2);
		for (int i = 0; i < 8; i++)
			add_thread(&s, 0, 0.1);
		again = s;
		assert_int_equal(
			mapping_make(&r, s.seats, 8, s.threads, 8, s.place, s.why, sizeof(s.why)),
			MAPPING_TYPES);
		mapping_make(&r, again.seats, 8, again.threads, 8, again.place, again.why,
			sizeof(again.why));
		for (int i = 0; i < 8; i++) {
			assert_int_equal(s.place[i], again.place[i]);
			assert_int_equal(taken[s.place[i]]++, 0);
		}
		first[s.place[0]]++;
	}
	/* every place is thread 0's in 50 of 400 seeds on average; 20 are 4.5 deviations less */
	for (int i = 0; i < 8; i++)
		assert_true(first[i] >= 20 && first[i] <= 90);
}

static void gomp_goes_by_the_numbers(void **state)
{
	struct scene s;
	struct mapping_request r = {{MAPPING_GOMP, 0, ""}, MAPPING_SPREAD, true};

	(void)state;
	build(&s, 1, 2, 2); /* core 0 has CPUs 0 and 2 */
	for (int i = 0; i < 4; i++)
		add_thread(&s, 0, 0.1);
	map(&s, MAPPING_GOMP);
	expect_cpus(&s, (int[]){0, 1, 2, 3});
	for (int i = 0; i < 4; i++)
		add_thread(&s, 0, 0.1);
	mapping_make(&r, s.seats, s.nseats, s.threads, 8, s.place, s.why, sizeof(s.why));
	expect_cpus(&s, (int[]){0, 0, 1, 1, 2, 2, 3, 3});
}

/* As libgomp 12 binds a team to 3 and to 2 places (omp_get_place_num()). */
static void gomp_deals_the_threads_that_are_left_one_by_one(void **state)
{
	static const struct {
		int nthreads, nseats, cpus[7];
	} cases[] = {
		{4, 3, {0, 1, 2, 0}},
		{5, 3, {0, 1, 2, 0, 1}},
		{5, 2, {0, 0, 1, 1, 0}},
		{7, 2, {0, 0, 0, 1, 1, 1, 0}},
		{2, 3, {0, 1}},
	};
	struct mapping_request r = {{MAPPING_GOMP, 0, ""}, MAPPING_SPREAD, true};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene s;

		build(&s, 1, cases[i].nseats, 1);
		for (int k = 0; k < cases[i].nthreads; k++)
			add_thread(&s, 0, 0.1);
		mapping_make(&r, s.seats, s.nseats, s.threads, s.nthreads, s.place, s.why,
			sizeof(s.why));
		expect_cpus(&s, cases[i].cpus);
	}
}

static void without_a_type_that_all_threads_have_there_is_no_order(void **state)
{
	struct scene s;

	(void)state;
	build(&s, 1, 1, 2);
	for (int i = 0; i < 2; i++) {
		add_thread(&s, 0, 0.1);
		for (int type = 0; type < MAPPING_TYPES; type++)
			s.threads[i].share[type] = NAN;
	}
	assert_int_equal(map(&s, MAPPING_INSTRUCTION), -1);
	assert_string_equal(s.why,
		"there is no type of instructions whose share is known for every thread (branch "
		"not known, fp not known, int not known, load not known, store not known)");
}

/* A thread with few instructions, all of them floating point, against one with many. */
static void counts_sort_before_shares(void **state)
{
	static const double fp[] = {100, 900, 300, 800};
	struct scene s;

	(void)state;
	build(&s, 1, 2, 2);
	for (int i = 0; i < 4; i++) {
		add_thread(&s, 0, 1 - i * 0.1);
		s.threads[i].count[MAPPING_FP] = fp[i];
		s.threads[i].counted = true;
	}
	assert_int_equal(map(&s, MAPPING_INSTRUCTION), MAPPING_FP);
	expect_cpus(&s, (int[]){2, 0, 3, 1}); /* most and fewest, 1 and 0, on core 0 */
	assert_string_equal(s.why, "sorted by the number of instructions of the type fp, which "
				   "differs most (numbers: branch 0 .. 0, fp 100 .. 900, "
				   "int 0 .. 0, load 0 .. 0, store 0 .. 0)");
	s.threads[3].counted = false; /* not all are known: shares */
	map(&s, MAPPING_INSTRUCTION);
	expect_cpus(&s, (int[]){0, 1, 3, 2});
}

static void names_are_read(void **state)
{
	static const struct {
		const char *word, *name, *told;
	} cases[] = {
		{"os", "os", NULL},
		{"random", "random:1", NULL},
		{"random:18446744073709551615", "random:18446744073709551615", NULL},
		{"scatter:L3", "scatter:L3", NULL},
		{"roundrobin:L3", "roundrobin:L3", NULL},
		{"scatter:", NULL, "affinity: unknown key 'scatter:'; did you mean 'scatter'?"},
		{"compact:L3", NULL, "affinity: unknown key 'compact:L3'; did you mean 'compact'?"},
		{"random:", NULL, "affinity: key: 'random:' has no seed"},
		{"random:x", NULL, "affinity: key: 'random:x' has no seed"},
		{"gonp", NULL, "affinity: unknown key 'gonp'; did you mean 'gomp'?"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct mapping_choice m;
		struct errors e = {0};
		int failed = mapping_read("key", cases[i].word, NOWHERE, &m, &e);

		assert_int_equal(failed, cases[i].told ? -1 : 0);
		if (cases[i].told) {
			assert_string_equal(e.list[0].text, cases[i].told);
		} else {
			char *name = mapping_name(&m);

			assert_string_equal(name, cases[i].name);
			free(name);
		}
		errors_free(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"random takes every place once, all alike, and a seed repeats it",
			random_is_a_permutation_that_the_seed_repeats, NULL, NULL, NULL},
		{"of more threads than places gomp deals those that are left one by one",
			gomp_deals_the_threads_that_are_left_one_by_one, NULL, NULL, NULL},
		{"without a type that all threads have there is no order",
			without_a_type_that_all_threads_have_there_is_no_order, NULL, NULL, NULL},
		{"gomp takes CPUs in the order of their numbers", gomp_goes_by_the_numbers, NULL,
			NULL, NULL},
		{"threads whose instructions are counted are sorted by their number",
			counts_sort_before_shares, NULL, NULL, NULL},
		{"names of mappings are read, with seeds", names_are_read, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
