/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What other programs did meanwhile is told as a fact, and warned of where it is much. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above it */
#include <cmocka.h>
#include <string.h>

#include "system/environment.h"

/* As if this process had begun a million seconds of CPU time ago, of which others used some. */
static void expect(double others_s, enum environment_during what, const char *warning)
{
	struct environment env = {0};
	struct errors e = {0};
	struct load before;

	load_take(&before);
	if (before.all_s <= 0)
		skip(); /* no /proc/stat here */
	before.all_s -= 1e6;
	before.busy_s -= others_s;
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
	expect(6e5, DURING_RUN, "other programs used 60.0 % of the machine's CPUs during the run");
	expect(6e5, DURING_CHECK,
		"other programs used 60.0 % of the machine's CPUs during the check");
	expect(0, DURING_CHECK, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "much use of the machine by others is warned of, in a run and in a check",
			.test_func = test_others},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("environment_load", tests, NULL, NULL);
}
