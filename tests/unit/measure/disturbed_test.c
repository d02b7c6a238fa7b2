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

#define MS INT64_C(1000000)

/* A call of 1000 units takes 1 ms; they fill a window of 100 ms, and one runs on behind it. */
static int64_t delay_of_window(int64_t inside, int64_t behind)
{
	struct thread_sample t = {
		.end_ns = 100 * (uint64_t)MS, .units = (uint64_t)(100 * MS - inside) / 1000};
	const int64_t all = (int64_t)t.end_ns + MS + behind;
	const struct watch before = {0}, after = {.delayed_ns = inside + behind,
						 .wall_ns = (uint64_t)all,
						 .cpu_ns = all - inside - behind};

	t.worked = t.units + 1000;
	disturbed_note(&t, &before, &after);
	assert_int_equal(t.off_ns, t.delayed_ns);
	return t.delayed_ns;
}

/* As near as the time of the reading itself is known. */
static bool near(int64_t a, int64_t b)
{
	return a - b < MS / 40 && b - a < MS / 40;
}

/* The window has not lost what the thread waited behind it: an access would seem to have cost less
 * than it can. */
static void only_a_delay_within_the_window_counts(void **state)
{
	(void)state;
	assert_true(near(delay_of_window(0, 0), 0));
	assert_true(near(delay_of_window(40 * MS, 0), 40 * MS));
	assert_true(near(delay_of_window(0, 70 * MS), 0));
	assert_true(near(delay_of_window(60 * MS, 39 * MS), 60 * MS));
}

/* One call was all of the work, and the thread waited between its end and the reading. */
static void nor_does_a_delay_after_the_work(void **state)
{
	(void)state;
	for (int64_t behind = 0; behind <= 40 * MS; behind += 10 * MS) {
		struct thread_sample t = {
			.end_ns = 100 * (uint64_t)MS, .units = 1000, .worked = 1000};

		const struct watch before = {0}, after = {.delayed_ns = 30 * MS,
							 .wall_ns = t.end_ns + (uint64_t)behind,
							 .cpu_ns = 70 * MS + behind};

		disturbed_note(&t, &before, &after);
		assert_true(near(t.delayed_ns, behind > 30 * MS ? 0 : 30 * MS - behind));
	}
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
	struct watch failed = {.migrations = -1, .delayed_ns = -1, .cpu_ns = -1};
	const struct thread_sample all[] = {
		between(read, failed), between(failed, read), between(failed, failed)};

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(all[i].migrations, -1);
		assert_int_equal(all[i].delayed_ns, -1);
		assert_int_equal(all[i].off_ns, -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_differences_of_two_readings),
		cmocka_unit_test(a_reading_that_failed_leaves_them_unknown),
		cmocka_unit_test(only_a_delay_within_the_window_counts),
		cmocka_unit_test(nor_does_a_delay_after_the_work),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
