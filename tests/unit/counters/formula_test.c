/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas with known values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "counters/formula.h"

static double value(const void *arg, const char *name)
{
	(void)arg;
	if (!strcmp(name, "perf::CPU-CYCLES"))
		return 10;
	if (!strcmp(name, "A:B:c=1"))
		return 3;
	return strcmp(name, "zero") ? NAN : 0;
}

static double of(const char *text)
{
	struct formula f;

	assert_int_equal(formula_read(&f, text), 0);
	double result = formula_value(&f, value, NULL);
	formula_free(&f);
	return result;
}

static void test_values(void **state)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{"7", 7},
		{"A:B:c=1", 3},
		{"1 + 2 * 3", 7},
		{"( 1 + 2 ) * 3", 9},
		{"2 * 3 + 1", 7},
		{"10 - 3 - 2", 5},
		{"100 / 10 / 2", 5},
		{"100 * A:B:c=1 / perf::CPU-CYCLES", 30},
		{"100 * ( perf::CPU-CYCLES - A:B:c=1 ) / ( ( A:B:c=1 + 4 ) * 0.5 )", 200},
		{"zero / perf::CPU-CYCLES", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_true(fabs(of(cases[i].text) - cases[i].value) < 1e-12);
}

static void test_no_value(void **state)
{
	(void)state;
	assert_true(isnan(of("A:B:c=1 / zero")));
	assert_true(isnan(of("unknown")));
	assert_true(isnan(of("zero * unknown")));
	assert_true(isnan(of("zero / zero + 1")));
}

static void test_refused(void **state)
{
	static const char *const wrong[] = {"", " ", "+", "A +", "+ A", "A B", "A ( B )", "( A",
		"A )", "( )", "A + * B", "( A + ) B"};
	struct formula f;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(formula_read(&f, wrong[i]), -1);
}

static void test_names(void **state)
{
	struct formula f;

	(void)state;
	assert_int_equal(formula_read(&f, "A / ( A + B )"), 0);
	assert_int_equal(f.nnames, 2);
	assert_string_equal(f.names[0], "A");
	assert_string_equal(f.names[1], "B");
	assert_string_equal(f.text, "A / ( A + B )");
	formula_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"operators bind as in school", test_values, NULL, NULL, NULL},
		{"what cannot be computed has no value", test_no_value, NULL, NULL, NULL},
		{"what is no formula is refused", test_refused, NULL, NULL, NULL},
		{"a name is listed once", test_names, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
