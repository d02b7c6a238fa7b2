/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best share of two memories has the shares in its interval that are as good; the advice is the
 * ratio of the bandwidths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/shares.h"

static void expect(struct amount a, double value, double low, double high)
{
	assert_float_equal(a.value, value, 1e-9);
	assert_float_equal(a.low, low, 1e-9);
	assert_float_equal(a.high, high, 1e-9);
}

static void test_best(void **state)
{
	/* in no order, and one that was not measured; 80 % reaches the best from below, 20 % not */
	struct share_point points[] = {{100, {20, 19, 21}}, {0, {10, 9, 11}}, {80, {28, 27, 29.5}},
		{67, {30, 29, 31}}, {50, AMOUNT_NONE}, {40, {29, 28, 30}}, {20, {15, 14, 16}}};
	const size_t n = sizeof(points) / sizeof(*points);

	(void)state;
	expect(shares_best(points, n), 67, 40, 80);
	points[3].share = NAN; /* lies otherwise */
	expect(shares_best(points, n), 40, 40, 80);
	assert_true(isnan(shares_best(points, 0).value));
}

static void test_no_interval(void **state)
{
	const struct share_point points[] = {{100, {20, NAN, NAN}}, {0, {30, NAN, NAN}}};
	struct amount best = shares_best(points, 2);

	(void)state;
	assert_float_equal(best.value, 0, 0);
	assert_true(isnan(best.low) && isnan(best.high));
}

static void test_advice(void **state)
{
	const struct amount near = {30, 30, 30}, far = {10, 10, 10};
	struct amount wide;

	(void)state;
	expect(shares_advised(near, far), 75, 75, 75);
	/* a tenth more or less of the far bandwidth, on a logarithmic scale */
	wide = shares_advised(near, (struct amount){10, 9, 11});
	expect(wide, 75, 100 / (1 + exp(0.1) / 3), 100 / (1 + exp(-0.1) / 3));
	assert_true(isnan(shares_advised(near, AMOUNT_NONE).value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the best share is that of the highest bandwidth, with those as good",
			.test_func = test_best},
		{.name = "figures without intervals give a share without one",
			.test_func = test_no_interval},
		{.name = "the advice is the ratio of the bandwidths", .test_func = test_advice},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
