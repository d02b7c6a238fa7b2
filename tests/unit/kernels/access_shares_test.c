/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The access kernels with a hot part, or with vectors in turn: what they refuse and visit. The
 * order is access_order_test.c's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "access.h"
#include "contract/kernel.h"

/* hot and alternate: what is refused of a vector of 10000 chars and one of `elements`. */
static void test_check_shares(void **state)
{
	static const struct {
		struct trial trial;
		size_t elements;
		const char *why; /* NULL: accepted */
	} cases[] = {
		{{{1, true}, 1, 0, FORWARD, 0, 0.1, 0.9}, 1000, NULL},
		{{{1, true}, 1, 0, REVERSE, 0, 0.5, 0.5}, 1000, NULL},
		{{{192, true}, 1, 0, FORWARD, 0, 0.1, 0.9}, 1900,
			"hot = 0.1: stride = 192 elements is above the 190 elements of the hot "
			"part"},
		{{{192, true}, 1, 0, FORWARD, 0, 0.1, 0.9}, 1000,
			"hot = 0.1: stride = 192 elements is above the 100 elements of the hot "
			"part"},
		{{{192, true}, 1, 0, FORWARD, 0, 0.9, 0.95}, 1000,
			"hot = 0.9: stride = 192 elements is above the 100 elements of the rest"},
		{{{1, true}, 1, 0, FORWARD, 0, 1, 0.99}, 1000,
			"hot = 1: stride = 1 elements is above the 0 elements of the rest"},
		{{{1, true}, 1, 0, FORWARD, 0, 0.6, 0.5}, 1000,
			"hotAccesses = 0.5 is too little for hot = 0.6: the hot part would be "
			"visited less than the rest"},
		{{{1, true}, 1, 0, RANDOM, 0, 0.1, 0.9}, 1000,
			"hot needs order: forward or reverse: in random order the hot part's share "
			"of the accesses is not exact"},
		{{{1, true}, 1, 0, FORWARD, 1, 0.1, 0.9}, 1000,
			"hot and alternate cannot be used together"},
		{{{1, true}, 1, 0, FORWARD, 0, 0.1, 0.905}, 1000,
			"hotAccesses is no whole number of percent"},
		{{{1, true}, 1, 0, FORWARD, 7, 0, 0.9}, 1000, NULL},
		{{{1, true}, 1, 0, RANDOM, 7, 0, 0.9}, 1000, NULL},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		stage_expect(i, &cases[i].trial, TYPE_CHAR, cases[i].elements, cases[i].why);
}

static void test_check_one_vector(void **state)
{
	static const struct trial t = {.stride = {1, true}, .fraction = 1, .alternate = 5};
	struct stage s = {.why = ""};

	(void)state;
	stage_set(&s, next_access(NULL)->kernel, &t);
	stage_add(&s, TYPE_CHAR, 10, NULL);
	assert_string_equal(next_access(NULL)->kernel->check(&s.worker, s.why, sizeof(s.why)),
		"alternate = 5 needs 2 to 64 vectors of the thread, not 1");
}

/* verify() finds its value in every element: the hot part is visited whole, and more often. */
static void test_hot_visits_all(void **state)
{
	static const struct trial t = {
		.stride = {3, false}, .fraction = 0.9, .hot = 0.37, .hot_accesses = 0.37};

	(void)state;
	for (const struct kernel_id *k = next_access(NULL); k; k = next_access(k)) {
		struct stage s = {.why = ""};

		stage_set(&s, k->kernel, &t);
		stage_add(&s, TYPE_INT, 1000, calloc(1000, sizeof(int)));
		assert_non_null(s.vectors[0].base);
		assert_null(k->kernel->check(&s.worker, s.why, sizeof(s.why)));
		k->kernel->run(&s.worker, 1);
		if (k->kernel->verify)
			assert_null(k->kernel->verify(&s.worker, s.why, sizeof(s.why)));
		assert_string_equal(k->kernel->accesses.revisits(&s.worker, s.why, sizeof(s.why)),
			"hot = 0.37");
		free(s.vectors[0].base);
	}
}

#define TEST(title, function)                     \
	{                                         \
		title, function, NULL, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("hot and alternate that cannot be kept are refused", test_check_shares),
		TEST("a thread alternates between two vectors at least", test_check_one_vector),
		TEST("a hot part and the rest are visited whole", test_hot_visits_all),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
