/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trials: which way they choose, and of which they do only a few. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"
#include "now.h"
#include "trials.h"

#define WAYS 3

/* Units of a trial: so many more or less that it does not matter how long a trial takes. */
#define SLOW   1.
#define MIDDLE 1e12
#define QUICK  1e24

struct ways {
	double units[WAYS][3]; /* of each way in turn */
	size_t calls[WAYS];
};

/* Lasts at least a step of the clock. */
static double work(void *arg, size_t way)
{
	struct ways *w = arg;
	const uint64_t begin = now_ns();

	while (now_ns() == begin)
		;
	return w->units[way][w->calls[way]++ % 3];
}

static void test_most_trials_count(void **state)
{
	struct ways sometimes = {.units = {{QUICK, SLOW, SLOW}, {MIDDLE, MIDDLE, MIDDLE}}};
	struct ways mostly = {.units = {{MIDDLE, MIDDLE, MIDDLE}, {QUICK, SLOW, QUICK}}};

	(void)state;
	assert_int_equal(trials_quickest(2, work, &sometimes), 1);
	assert_int_equal(trials_quickest(2, work, &mostly), 1);
}

static void test_slow_ways_have_few_trials(void **state)
{
	struct ways w = {
		.units = {{SLOW, SLOW, SLOW}, {QUICK, MIDDLE, QUICK}, {QUICK, MIDDLE, MIDDLE}}};

	(void)state;
	assert_int_equal(trials_quickest(WAYS, work, &w), 1);
	assert_int_equal(w.calls[0], 3);
	assert_true(w.calls[1] > 3 && w.calls[2] == w.calls[1]);
}

static void test_one_way_is_not_tried(void **state)
{
	struct ways w = {.units = {{QUICK}}};

	(void)state;
	assert_int_equal(trials_quickest(1, work, &w), 0);
	assert_int_equal(w.calls[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a way that is quick in a few trials only is not chosen",
			test_most_trials_count),
		TEST("a way that is always slow has three trials", test_slow_ways_have_few_trials),
		TEST("one way alone is not tried", test_one_way_is_not_tried),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
