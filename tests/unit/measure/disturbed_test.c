/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readings of the system's counters before and after a sample, of which each can fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/disturbed.h"

static struct thread_sample between(struct watch before, struct watch after)
{
	struct thread_sample t = {0};

	disturbed_note(&t, &before, &after);
	return t;
}

static void counters_are_differences_of_two_readings(void **state)
{
	struct thread_sample t = between((struct watch){.migrations = 3, .delayed_ns = 1000},
		(struct watch){.migrations = 5, .delayed_ns = 1000});

	(void)state;
	assert_int_equal(t.migrations, 2);
	assert_int_equal(t.delayed_ns, 0);
}

/* -1 is no number of migrations and no time to compute with. */
static void a_reading_that_failed_leaves_them_unknown(void **state)
{
	struct watch read = {.migrations = 3, .delayed_ns = 1000};
	struct watch failed = {.migrations = -1, .delayed_ns = -1};
	const struct thread_sample all[] = {
		between(read, failed), between(failed, read), between(failed, failed)};

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(all[i].migrations, -1);
		assert_int_equal(all[i].delayed_ns, -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_differences_of_two_readings),
		cmocka_unit_test(a_reading_that_failed_leaves_them_unknown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
