/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of address translation, against numbers worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analysis/translation.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* Liblinear-train, section 5.2: +26.53 % and +17.89 % over the reference, so 6.8 % less. */
static void test_increase(void **state)
{
	(void)state;
	NEAR(translation_increase(126.53, 100), 0.2653);
	assert_int_equal(lround(1000 * translation_increase(1.1789, 1.2653)), -68);
	assert_true(isnan(translation_increase(1, 0)));
	assert_true(isnan(translation_increase(NAN, 1)));
}

/* 1000 cycles, 200 of them walks; 1100 when interleaved. */
static void test_overheads(void **state)
{
	(void)state;
	NEAR(translation_numa_overhead(1100, 1000, 800), 0.125);
	assert_true(isnan(translation_numa_overhead(1100, 1000, 0)));
	assert_true(isnan(translation_numa_overhead(NAN, 1000, 800)));
}

/* 10 misses of 20 cycles, three quarters of the memory in ranges. */
static void test_ranges(void **state)
{
	const double residual = translation_residual(0.75, 10, 20);

	(void)state;
	NEAR(residual, 50);
	NEAR(translation_cap_overhead(residual, 800), 0.0625);
	NEAR(translation_rcm_overhead(translation_residual(1, 10, 20), 80, 800), 0.1);
	NEAR(translation_rcm_overhead(residual, 30, 800), 0.1);
	assert_true(isnan(translation_cap_overhead(residual, NAN)));
	assert_true(isnan(translation_rcm_overhead(residual, NAN, 800)));
}

static void test_coverage(void **state)
{
	static const uint64_t few[] = {512, 1, 1}, sixth[] = {1, 5, 3, 1, 2};
	uint64_t many[64];

	(void)state;
	NEAR(translation_coverage(few, 3, 32), 1);
	NEAR(translation_coverage(few, 3, 3), 1);
	NEAR(translation_coverage(few, 3, 1), 512.0 / 514);
	NEAR(translation_coverage(sixth, 5, 2), 8.0 / 12);
	for (size_t i = 0; i < 64; i++)
		many[i] = 1024;
	NEAR(translation_coverage(many, 64, 32), 0.5);
	assert_true(isnan(translation_coverage(many, 0, 32)));
	assert_int_equal(sixth[0], 1);
}

static void test_decision(void **state)
{
	(void)state;
	NEAR(translation_gain(0.5, 0.6), 0.3);
	NEAR(translation_cost(700, 1000, 0.61), 0.09);
	assert_true(isnan(translation_cost(700, 0, 0.61)));
	assert_true(isnan(translation_gain(NAN, 0.6)));
	NEAR(translation_range_gain(1000, 0.5, 40), 20000);
	NEAR(translation_range_cost(1e6, 180e-9, 90e-9, 2e9), 180e6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "an increase is relative to its reference", .test_func = test_increase},
		{.name = "overheads are shares of the ideal time", .test_func = test_overheads},
		{.name = "what ranges leave of the walks, and far memory beside it",
			.test_func = test_ranges},
		{.name = "no more ranges than are counted cover all", .test_func = test_coverage},
		{.name = "gain and cost of far huge pages", .test_func = test_decision},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
