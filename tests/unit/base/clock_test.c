/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guarantees of the clock; durations are not tested. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "base/clock.h"

static void test_monotone(void **state)
{
	uint64_t last = clock_ns(), now;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		now = clock_ns();
		assert_true(now >= last);
		last = now;
	}
}

static void test_measure(void **state)
{
	struct clock_cost cost = clock_measure();

	(void)state;
	assert_true(cost.read_ns > 0);
	assert_true(cost.step_ns >= 1);
}

static void test_sleep(void **state)
{
	/* Past, now, only spinning, the border, sleeping, sometimes across the end of a second */
	static const int64_t ahead_ns[] = {-1000000, 0, 1000, 60000, 61000, 5000000, 300000000};
	uint64_t until;

	(void)state;
	for (size_t i = 0; i < sizeof(ahead_ns) / sizeof(*ahead_ns); i++) {
		until = clock_ns() + (uint64_t)ahead_ns[i];
		clock_sleep_until(until);
		assert_true(clock_ns() >= until);
	}
	clock_sleep_until(0);
}

static void ignore(int number)
{
	(void)number;
}

static void test_sleep_signal(void **state)
{
	const struct itimerval every_ms = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
	struct sigaction action, before;
	uint64_t until;

	(void)state;
	memset(&action, 0, sizeof(action));
	action.sa_handler = ignore; /* without SA_RESTART */
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &every_ms, NULL), 0);
	until = clock_ns() + 20000000;
	clock_sleep_until(until);
	assert_true(clock_ns() >= until);
	assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the clock never goes back", .test_func = test_monotone},
		{.name = "reading the clock costs something and it has a step",
			.test_func = test_measure},
		{.name = "a sleep is not shorter than asked", .test_func = test_sleep},
		{.name = "a signal does not end a sleep", .test_func = test_sleep_signal},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
