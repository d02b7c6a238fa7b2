/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other programs did meanwhile is told as a fact, and warned of where it is much. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above it */
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "system/environment.h"

/* As if this process had begun a million seconds of CPU time ago, of which others used some, and
 * the kernel some of that; NAN: its threads are not shown. */
static void expect(
	double others_s, double kernel_s, enum environment_during what, const char *warning)
{
	struct environment env = {0};
	struct errors e = {0};
	struct load before;

	load_take(&before);
	if (before.all_s <= 0)
		skip(); /* no /proc/stat here */
	before.all_s -= 1e6;
	before.busy_s -= others_s;
	before.kernel_s -= kernel_s;
	if (isnan(before.kernel_s) && kernel_s > 0)
		skip(); /* in a container */
	environment_load(&env, &before, what, &e);
	assert_non_null(environment_get(
		&env, what == DURING_RUN ? "others_load_during_run" : "others_load_during_check"));
	assert_int_equal(e.count, warning ? 1 : 0);
	if (warning)
		assert_non_null(strstr(e.list[0].text, warning));
	errors_free(&e);
	environment_free(&env);
}

static void test_others(void **state)
{
	(void)state;
	expect(6e5, 0, DURING_RUN,
		"other programs used 60.0 % of the machine's CPUs during the run");
	expect(6e5, NAN, DURING_CHECK,
		"other programs used 60.0 % of the machine's CPUs during the check");
	expect(0, 0, DURING_CHECK, NULL);
}

static void test_kernel(void **state)
{
	(void)state;
	expect(6e5, 2e5, DURING_RUN, "other programs used 60.0 %");
	expect(6e5, 4e5, DURING_RUN,
		"the kernel's own threads and interrupts used 40.0 % of the machine's CPUs during");
	/* no more than all others together */
	expect(6e5, 9e5, DURING_RUN, "the kernel's own threads and interrupts used 60.0 %");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "much use of the machine by others is warned of, in a run and in a check",
			.test_func = test_others},
		{.name = "what the kernel itself did is told apart from other programs",
			.test_func = test_kernel},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("environment_load", tests, NULL, NULL);
}
