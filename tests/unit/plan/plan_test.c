/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan that lacks a part is never taken for a whole one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan/plan.h"

static void a_step_that_fails_without_a_message_fails_the_plan(void **state)
{
	/* a count that request_read() would have refused with a message */
	char *count[] = {"0"};
	const struct request request = {.threads = {.word = count, .count = 1}};
	const struct topo topo = {.source = "a test"};
	struct errors e = {0};
	struct plan plan;

	(void)state;
	assert_int_equal(plan_make(&plan, &request, &topo, "t.args", &e), -1);
	assert_int_equal(errors_status(&e), STATUS_FAILED);
	assert_int_equal(e.count, 1);
	assert_string_equal(e.list[0].text,
		"t.args: the plan is not complete, and no message says why: an error of affinity");
	assert_string_equal(e.list[0].hint, "report it, with this file");
	plan_free(&plan);
	errors_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_that_fails_without_a_message_fails_the_plan),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
