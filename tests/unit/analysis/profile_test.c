/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Far huge pages: do they stay? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analysis/profile.h"
#include "analysis/translation.h"

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-9)

static const struct profile_point trace[] = {{0, 0}, {0, 2}, {100, 3}, {100, 4}, {300, 5}};
#define POINTS (sizeof(trace) / sizeof(*trace))

static void a_reference_run_is_read_between_its_points(void **state)
{
	static const struct {
		double from, to, cpu_s;
	} cases[] = {
		{0, 300, 5},
		{50, 100, 0.5},
		{100, 300, 2}, /* with the time that it stood still */
		{100, 200, 1.5},
		{50, 200, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		NEAR(profile_time(trace, POINTS, cases[i].from, cases[i].to), cases[i].cpu_s);
}

static void what_the_reference_run_does_not_show_is_not_known(void **state)
{
	const struct profile_point late[] = {{10, 1}, {20, 2}};

	(void)state;
	assert_true(isnan(profile_time(trace, POINTS, 200, 301)));
	assert_true(isnan(profile_time(trace, POINTS, 100, 100)));
	assert_true(isnan(profile_time(trace, POINTS, 100, 50)));
	assert_true(isnan(profile_time(trace, POINTS, 0, NAN)));
	assert_true(isnan(profile_time(trace, 0, 0, 1)));
	assert_true(isnan(profile_time(late, 2, 5, 15)));
	NEAR(profile_time(late, 2, 10, 15), 0.5);
	/* within a tick of the CPU's time */
	assert_true(
		isnan(profile_time((const struct profile_point[]){{10, 1}, {20, 1}}, 2, 10, 20)));
}

/* The work's liblinear-train: 26.53 % longer in small pages, of which a half is far; 17.89 % longer
 * with far memory (section 5.2). */
static void the_gain_of_half_the_memory_is_half_the_increase(void **state)
{
	double gain = translation_gain(0.5, translation_increase(1.2653, 1)),
	       cost = translation_increase(1.1789, 1);

	(void)state;
	NEAR(gain, 0.13265);
	NEAR(cost, 0.1789);
	NEAR(translation_increase(1.1789, 1.2653), -0.068284201374);
	assert_int_equal(profile_decide(PROFILE_OPEN, gain, cost, 0), PROFILE_BACK);
	assert_int_equal(profile_decide(PROFILE_OPEN, 2 * gain, cost, 0), PROFILE_STAY);
}

static void a_verdict_changes_only_beyond_the_margin(void **state)
{
	static const struct {
		enum profile_verdict before;
		double gain, cost, margin;
		enum profile_verdict after;
	} cases[] = {
		{PROFILE_OPEN, 0.10, 0.11, 0.05, PROFILE_BACK},
		{PROFILE_OPEN, 0.10, 0.10, 0.05, PROFILE_STAY},
		{PROFILE_STAY, 0.10, 0.14, 0.05, PROFILE_STAY},
		{PROFILE_STAY, 0.10, 0.16, 0.05, PROFILE_BACK},
		{PROFILE_BACK, 0.10, 0.06, 0.05, PROFILE_BACK},
		{PROFILE_BACK, 0.10, 0.04, 0.05, PROFILE_STAY},
		{PROFILE_STAY, 0, 0.01, 0, PROFILE_BACK},
		{PROFILE_OPEN, 0, -0.01, 0, PROFILE_STAY},
		{PROFILE_OPEN, NAN, 0.5, 0, PROFILE_OPEN},
		{PROFILE_STAY, 0.1, NAN, 0, PROFILE_STAY},
		{PROFILE_BACK, NAN, NAN, 0, PROFILE_BACK},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(profile_decide(cases[i].before, cases[i].gain, cases[i].cost,
					 cases[i].margin),
			cases[i].after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reference_run_is_read_between_its_points),
		cmocka_unit_test(what_the_reference_run_does_not_show_is_not_known),
		cmocka_unit_test(the_gain_of_half_the_memory_is_half_the_increase),
		cmocka_unit_test(a_verdict_changes_only_beyond_the_margin),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
