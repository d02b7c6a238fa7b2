/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic with intervals whose two halves differ. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/amount.h"

static void check(struct amount found, double value, double low, double high)
{
	assert_true(fabs(found.value / value - 1) < 1e-9);
	assert_true(fabs(found.low / low - 1) < 1e-9);
	assert_true(fabs(found.high / high - 1) < 1e-9);
}

/* The least of a ratio is that of the least over the most. */
static void a_ratio_reaches_from_the_least_over_the_most(void **state)
{
	const struct amount a = {10, 9, 14}, b = {5, 4.9, 6};

	(void)state;
	check(amount_ratio(a, b), 2, 2 * exp(-hypot(0.1, 0.2)), 2 * exp(hypot(0.4, 0.02)));
	check(amount_ratio(b, a), 0.5, 0.5 * exp(-hypot(0.02, 0.4)), 0.5 * exp(hypot(0.2, 0.1)));
}

static void so_does_a_difference(void **state)
{
	(void)state;
	check(amount_difference((struct amount){10, 9, 14}, (struct amount){5, 4.9, 7}), 5,
		5 - hypot(1, 2), 5 + hypot(4, 0.1));
}

static void an_inverse_exchanges_the_ends(void **state)
{
	(void)state;
	check(amount_inverse((struct amount){4, 2, 5}), 0.25, 0.2, 0.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ratio_reaches_from_the_least_over_the_most),
		cmocka_unit_test(so_does_a_difference),
		cmocka_unit_test(an_inverse_exchanges_the_ends),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
