/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of one kind of nodes, and of two. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "statistics/random.h"
#include "affinity-fleet/kinds.h"

#define MOST 1000

static double normal(uint64_t *state)
{
	const double u = ((double)(random_next(state) >> 11) + 1) * 0x1p-53,
		     v = (double)(random_next(state) >> 11) * 0x1p-53;

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* In how many of 1000 fleets two kinds are seen, of which the first `others` nodes differ by gap.
 */
static size_t seen(size_t nodes, size_t others, double gap)
{
	uint64_t state = 7;
	double values[MOST];
	size_t count = 0;

	for (int fleet = 0; fleet < 1000; fleet++) {
		for (size_t i = 0; i < nodes; i++)
			values[i] = normal(&state) + (i < others ? gap : 0);
		count += kinds_of(values, nodes).two;
	}
	return count;
}

static void nodes_of_one_kind_are_rarely_taken_for_two(void **state)
{
	(void)state;
	assert_true(seen(30, 0, 0) <= 20);
	assert_true(seen(50, 0, 0) <= 8);
	assert_int_equal(seen(200, 0, 0), 0);
	assert_int_equal(seen(1000, 0, 0), 0);
}

static void two_kinds_are_seen_from_five_standard_deviations_on(void **state)
{
	(void)state;
	assert_true(seen(100, 20, 5) >= 930);
	assert_true(seen(100, 50, 5) >= 940);
	assert_true(seen(1000, 200, 5) >= 990);
	assert_true(seen(100, 20, 2) <= 20);
}

static void the_smaller_side_is_counted_and_missing_values_are_none(void **state)
{
	double values[32];

	(void)state;
	for (size_t i = 0; i < 32; i++)
		values[i] = i % 3 ? 0.01 * (double)(i % 7) : 5 + 0.01 * (double)(i % 7);
	values[31] = NAN;
	const struct kinds k = kinds_of(values, 32);

	assert_true(k.two);
	assert_int_equal(k.above, 11);
	assert_float_equal(k.gap, 5, 0.05);
}

static void a_few_slow_nodes_are_no_kind(void **state)
{
	double values[100];

	(void)state;
	for (size_t i = 0; i < 100; i++)
		values[i] = 0.1 * (double)(i % 10) + (i < 5 ? 10 : 0);
	assert_false(kinds_of(values, 100).two);
	assert_false(kinds_of(values, 29).two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_of_one_kind_are_rarely_taken_for_two),
		cmocka_unit_test(two_kinds_are_seen_from_five_standard_deviations_on),
		cmocka_unit_test(the_smaller_side_is_counted_and_missing_values_are_none),
		cmocka_unit_test(a_few_slow_nodes_are_no_kind),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
