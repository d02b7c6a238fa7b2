/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "statistics/robust.h"

static void the_median_leaves_missing_values_out(void **state)
{
	(void)state;
	assert_float_equal(robust_median((double[]){5, NAN, 1, 90}, 4), 5, 0);
	assert_float_equal(robust_median((double[]){5, 1, 2, 90}, 4), 3.5, 0);
	assert_true(isnan(robust_median((double[]){NAN, NAN}, 2)));
}

static void an_array_with_missing_values_may_be_asked_again(void **state)
{
	double values[] = {NAN, 5, NAN, 1, 3};

	(void)state;
	assert_true(robust_median_at(values, 5, 1) == 3);
	assert_true(robust_median_at(values + 1, 2, 2) == 3);
	assert_true(isnan(values[0]) && values[1] == 5);
	assert_true(robust_median(values, 5) == 3);
	assert_true(robust_median(values, 5) == 3);
	assert_true(fabs(robust_spread(values, 5, 3) - 1.4826 * 2) < 1e-12);
}

static void many_values_have_the_same_median_as_few(void **state)
{
	double values[101];

	(void)state;
	for (int i = 0; i < 101; i++)
		values[i] = (i * 37) % 101;
	assert_float_equal(robust_median(values, 101), 50, 0);
	for (int i = 0; i < 31; i++)
		values[i] = (i * 7) % 31;
	assert_float_equal(robust_median(values, 31), 15, 0);
}

static void a_median_without_a_value_is_that_of_the_others(void **state)
{
	(void)state;
	for (size_t n = 1; n < 9; n++)
		for (size_t but = 0; but < n; but++) {
			double sorted[9], others[9];

			for (size_t i = 0; i < n; i++)
				sorted[i] = (double)(i / 2 * 3); /* some are equal */
			for (size_t i = 0; i < n; i++)
				others[i] = i == but ? NAN : sorted[i];
			const double expected = robust_median(others, n);

			if (n > 1)
				assert_float_equal(
					robust_median_but(sorted, n, sorted[but]), expected, 0);
			else
				assert_true(isnan(robust_median_but(sorted, n, sorted[but])));
		}
}

static void a_wild_value_does_not_move_the_spread(void **state)
{
	(void)state;
	assert_float_equal(robust_spread((double[]){1, 2, 3, 4, 1000}, 5, 3), 1.4826, 1e-9);
	assert_float_equal(robust_spread((double[]){1, NAN, 3}, 3, 2), 1.4826, 1e-9);
}

static void the_largest_are_counted_from_above(void **state)
{
	(void)state;
	assert_float_equal(robust_largest((double[]){3, 9, 1, 7}, 4, 1), 9, 0);
	assert_float_equal(robust_largest((double[]){3, 9, 1, 7}, 4, 2), 7, 0);
}

/* Tables of the distributions. */
static void any_of_many_is_the_kth_largest(void **state)
{
	(void)state;
	for (size_t n = 1; n < 200; n += 7)
		for (size_t k = 1; k <= n; k += 3) {
			double values[200];

			for (size_t i = 0; i < n; i++)
				values[i] = (double)(i * 37 % n / 2 * 2);
			double sorted[200];

			memcpy(sorted, values, sizeof(sorted));
			robust_sort(sorted, n);
			assert_float_equal(robust_largest(values, n, k), sorted[n - k], 0);
		}
}

static void quantiles_are_those_of_the_tables(void **state)
{
	(void)state;
	assert_float_equal(robust_normal_limit(0.025), 1.95996, 1e-5);
	assert_float_equal(robust_t_half(0.95, 2), 4.30265, 1e-5);
	assert_float_equal(robust_variance_bias(2), log(2), 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_median_leaves_missing_values_out),
		cmocka_unit_test(an_array_with_missing_values_may_be_asked_again),
		cmocka_unit_test(many_values_have_the_same_median_as_few),
		cmocka_unit_test(a_median_without_a_value_is_that_of_the_others),
		cmocka_unit_test(a_wild_value_does_not_move_the_spread),
		cmocka_unit_test(the_largest_are_counted_from_above),
		cmocka_unit_test(any_of_many_is_the_kth_largest),
		cmocka_unit_test(quantiles_are_those_of_the_tables),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
