/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cannot be combined with mode: time. The tests use kernels of their own because no test may
 * depend on the contents of kernels/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "plan/parts.h"

static const struct kernel alone = {.unit = "add"},
			   together = {.unit = "add", .meetings.together = true};
static char mode[] = "time:2s", *modes[] = {mode};
static struct request request = {
	.ops.at = {"t.args", 1}, .mode = {.word = modes, .count = 1}, .window_ns = 2000000000};
static struct plan_job jobs[2];
static struct plan_op op = {"op", jobs};
static struct plan plan = {
	.request = &request, .path = "t.args", .nthreads = 2, .ops = &op, .nops = 1};

static int clear(void **state)
{
	(void)state;
	request.window_ns = 2000000000;
	jobs[0] = (struct plan_job){.kernel = &alone, .name = "alone"};
	jobs[1] = jobs[0];
	return 0;
}

/* The plan is refused with this message, whose hint names the other mode. */
static void refused(const char *text)
{
	struct errors e = {0};

	assert_int_equal(plan_mode(&plan, &e), -1);
	assert_int_equal(errors_status(&e), STATUS_USAGE);
	assert_int_equal(e.count, 1);
	assert_string_equal(e.list[0].text, text);
	assert_non_null(strstr(e.list[0].hint, "mode: work"));
	errors_free(&e);
}

static void threads_that_wait_for_each_other_are_refused(void **state)
{
	struct errors e = {0};

	(void)state;
	assert_int_equal(plan_mode(&plan, &e), 0);
	assert_int_equal(e.count, 0);
	jobs[1] = (struct plan_job){.kernel = &together, .name = "together"};
	refused("t.args:1: together cannot be used with mode: time:2s: its threads wait for each "
		"other, and must do the same number of rounds");
}

static void a_fixed_amount_of_work_is_for_all_kernels(void **state)
{
	struct errors e = {0};

	(void)state;
	request.window_ns = 0;
	jobs[0] = jobs[1] =
		(struct plan_job){.kernel = &together, .name = "together", .common.sleep_ns = 1};
	assert_int_equal(plan_mode(&plan, &e), 0);
	assert_int_equal(e.count, 0);
}

static const char *reset(struct worker *w, char *why, size_t n)
{
	(void)w;
	(void)why;
	(void)n;
	return NULL;
}

static void kernels_that_use_up_their_vectors_are_refused(void **state)
{
	const struct kernel user = {.unit = "add", .reset = reset};

	(void)state;
	jobs[1] = (struct plan_job){.kernel = &user, .name = "user"};
	refused("t.args:1: user cannot be used with mode: time:2s: a sample uses up what it finds "
		"in its vectors");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(threads_that_wait_for_each_other_are_refused, clear),
		cmocka_unit_test_setup(kernels_that_use_up_their_vectors_are_refused, clear),
		cmocka_unit_test_setup(a_fixed_amount_of_work_is_for_all_kernels, clear),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
