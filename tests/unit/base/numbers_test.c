/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units and digits of the page. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/numbers.h"

static struct amount about(double value, double half)
{
	return (struct amount){value, value - half, value + half};
}

/* As the page writes it. */
static const char *shown(struct amount a)
{
	static char text[64];
	int decimals = numbers_decimals(a);

	if (isfinite(a.low))
		snprintf(text, sizeof(text), "%.*f ±%.*f", decimals, a.value, decimals,
			numbers_half(a, decimals));
	else
		snprintf(text, sizeof(text), "%.*f", decimals, a.value);
	return text;
}

static void a_figure_has_the_digits_that_its_interval_leaves_certain(void **state)
{
	(void)state;
	assert_string_equal(shown(about(2.166, 0.05)), "2.17 ±0.05");
	assert_string_equal(shown(about(97.31, 1.2)), "97 ±1");
	assert_string_equal(shown(about(97.31, 1.3)), "97 ±2");
	assert_string_equal(shown(about(123456, 3412)), "123456 ±3412");
	/* an interval is never 0, a figure never without its first digit */
	assert_string_equal(shown(about(0.04, 0.3)), "0.04 ±0.30");
	assert_string_equal(shown(about(100, 1e-9)), "100.000 ±0.001");
	assert_string_equal(shown((struct amount){0.123456, NAN, NAN}), "0.1235");
	assert_string_equal(shown((struct amount){64, NAN, NAN}), "64");
	assert_string_equal(shown((struct amount){123456, NAN, NAN}), "123456");
	assert_string_equal(shown((struct amount){0, NAN, NAN}), "0");
}

static void figures_of_one_size_have_decimals_in_common(void **state)
{
	const struct amount alike[] = {about(97.3, 0.2), about(204.4, 2), AMOUNT_NONE};
	const struct amount narrow[] = {about(97.3, 0.02), about(204.4, 2)};
	const struct amount apart[] = {about(1.25, 0.02), about(204.4, 2)};
	const struct amount small[] = {about(0.05, 0.3), about(0.3, 0.3)};
	const struct amount none[] = {AMOUNT_NONE};
	const struct amount whole[] = {{64, NAN, NAN}, {128, NAN, NAN}};
	const struct amount beside[] = {AMOUNT_ONE, about(1.87, 0.02)};

	(void)state;
	assert_int_equal(numbers_common_decimals(whole, 2), 0);
	assert_int_equal(numbers_common_decimals(beside, 2), 2);
	/* 97.3 ±0.2 is not 97 ±1 */
	assert_int_equal(numbers_common_decimals(alike, 3), 1);
	assert_int_equal(numbers_common_decimals(narrow, 2), -1);
	assert_int_equal(numbers_common_decimals(apart, 2), -1);
	assert_int_equal(numbers_common_decimals(small, 2), 2);
	assert_int_equal(numbers_common_decimals(none, 1), 0);
}

static void check_scale(const char *unit, double a, double b, const char *expected, double factor)
{
	const struct amount list[] = {{a, NAN, NAN}, AMOUNT_NONE, {b, NAN, NAN}};
	struct scale s = numbers_scale(unit, list, 3);

	assert_string_equal(s.unit, expected);
	assert_true(fabs(s.factor / factor - 1) < 1e-12);
}

static void times_have_a_unit_in_which_they_are_short(void **state)
{
	const struct amount one[] = {{2, NAN, NAN}};

	(void)state;
	check_scale("s", 1.45865e-07, 3e-7, "ns", 1e9);
	check_scale("s", 0.0000009, 0.0012, "us", 1e6); /* else 1.2 million of them */
	check_scale("s", 0.0000009, 0.0009, "ns", 1e9);
	check_scale("s", 0.0009, 0.0012, "us", 1e6);
	check_scale("s", 1e-7, 0.2, "us", 1e6);
	check_scale("s", 2, 3, "s", 1);
	check_scale("seconds per unit", 2e-6, 3e-6, "us per unit", 1e6);
	check_scale("ns", 97, 204, "ns", 1);
	check_scale("1/s", 2.1e6, 4e7, "million/s", 1e-6);
	/* what people read as it is, or nobody knows */
	assert_null(numbers_scale("GB/s", one, 1).unit);
	assert_null(numbers_scale(NULL, one, 1).unit);
	assert_null(numbers_scale("s", NULL, 0).unit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_figure_has_the_digits_that_its_interval_leaves_certain),
		cmocka_unit_test(figures_of_one_size_have_decimals_in_common),
		cmocka_unit_test(times_have_a_unit_in_which_they_are_short),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
