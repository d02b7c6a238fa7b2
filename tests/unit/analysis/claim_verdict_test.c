/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an interval says of a claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/claims.h"

static void an_interval_on_one_side_of_the_bound_decides(void **state)
{
	const struct claim above = {.relation = CLAIM_ABOVE, .margin = 0.1},
			   below = {.relation = CLAIM_BELOW, .margin = 0.25},
			   alike = {.relation = CLAIM_ALIKE, .margin = 0.25},
			   points = {.relation = CLAIM_BELOW, .margin = 5, .differs = true};
	const struct {
		const struct claim *claim;
		double low, high;
		enum claim_verdict verdict;
	} cases[] = {
		{&above, 1.11, 1.2, CLAIM_HOLDS},
		{&above, 1.09, 1.2, CLAIM_NOT_SHOWN},
		{&above, 0.9, 1.09, CLAIM_FAILS},
		{&above, NAN, NAN, CLAIM_NOT_SHOWN},
		{&below, 0.5, 0.79, CLAIM_HOLDS}, /* 1 / 1.25 */
		{&below, 0.5, 0.81, CLAIM_NOT_SHOWN},
		{&below, 0.81, 2, CLAIM_FAILS},
		{&alike, 0.81, 1.24, CLAIM_HOLDS},
		{&alike, 0.79, 1.24, CLAIM_NOT_SHOWN},
		{&alike, 0.81, 1.26, CLAIM_NOT_SHOWN},
		{&alike, 1.26, 1.5, CLAIM_FAILS},
		{&alike, 0.5, 0.79, CLAIM_FAILS},
		{&points, -9, -5.1, CLAIM_HOLDS},
		{&points, -9, -4.9, CLAIM_NOT_SHOWN},
		{&points, -4.9, 0, CLAIM_FAILS},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(claim_verdict(cases[i].claim,
					 (struct amount){1, cases[i].low, cases[i].high}),
			cases[i].verdict);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_on_one_side_of_the_bound_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
