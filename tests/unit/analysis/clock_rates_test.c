/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clock rates of cores in figures, and the warnings of a rate that changed. */
#include "analysis/clock_rates.h"

#include <string.h>

#include "derive_stage.h"

static struct plan_thread places[2] = {{.cpu = 4}, {.cpu = 5}};
static struct run run = {.label = ""};
static const struct experiment experiment = {.runs = &run, .nruns = 1};

/* All samples of both operations at these rates, in GHz. */
static void rates(double first, double second)
{
	for (int op = 0; op < 2; op++)
		for (int i = 0; i < 4; i++)
			for (int t = 0; t < 2; t++) {
				double hz = (op ? second : first) * 1e9;

				threads[op][i][t].before = (struct clock_rate){hz, 0};
				threads[op][i][t].after = (struct clock_rate){hz, 0};
			}
	plan.threads = places;
	run.plan = plan;
	run.samples = all;
}

/* The same in a window: cycles of a unit do not depend on how long a sample is. */
static void test_window(void **state)
{
	struct clock_rates c;

	(void)state;
	fill_window();
	rates(2, 2);
	assert_int_equal(clock_rates(&all, 0, 0, &c), 0);
	assert_float_equal(c.cycles_per_unit * 1e-3, 2, 1e-5);
}

static void test_cycles(void **state)
{
	struct clock_rates c;

	(void)state;
	rates(2, 4);
	/* the warm-up sample does not count */
	threads[0][0][0].before.hz = 9e9;
	threads[0][1][0].before.hz = 1.9e9;
	assert_int_equal(clock_rates(&all, 0, 0, &c), 0);
	assert_float_equal(c.min_hz * 1e-9, 1.9, 1e-6);
	assert_float_equal(c.median_hz * 1e-9, 2, 1e-6);
	assert_float_equal(c.max_hz * 1e-9, 2, 1e-6);
	assert_float_equal(c.changed, 1.0 / 6, 1e-6);
	/* 1, 2 and 3 ms for 1000 units at 1.95, 2 and 2 GHz */
	assert_float_equal(c.cycles_per_unit * 1e-3, 11.95 / 3, 1e-5);
	/* both chains of a sample count */
	for (int i = 0; i < 4; i++)
		threads[0][i][0].after.hz = 4e9;
	assert_int_equal(clock_rates(&all, 0, 0, &c), 0);
	assert_float_equal(c.cycles_per_unit * 1e-3, 17.95 / 3, 1e-5);
	for (int i = 0; i < 4; i++)
		threads[0][i][0].after.hz = 2e9;
	/* in half of its time another had the CPU: the unit took no cycles then */
	for (int i = 0; i < 4; i++)
		threads[0][i][0].off_ns =
			(int64_t)(threads[0][i][0].end_ns - threads[0][i][0].begin_ns) / 2;
	assert_int_equal(clock_rates(&all, 0, 0, &c), 0);
	assert_float_equal(c.cycles_per_unit * 1e-3, 11.95 / 6, 1e-5);
	for (int i = 0; i < 4; i++)
		threads[0][i][0].off_ns = 0;
}

/* 1, 2 and 3 ms for 1000 units at 2, 2 and 4 GHz: 2, 4 and 12 cycles for each thousandth unit. */
static void test_statistic(void **state)
{
	const double wanted[] = {[STATISTIC_MEAN] = 6, [STATISTIC_MEDIAN] = 4, [STATISTIC_MIN] = 2};

	(void)state;
	rates(2, 2);
	threads[0][3][0].before.hz = threads[0][3][0].after.hz = 4e9;
	for (int i = STATISTIC_MEAN; i <= STATISTIC_MIN; i++) {
		struct clock_rates c;

		request.statistic = i;
		assert_int_equal(clock_rates(&all, 0, 0, &c), 0);
		assert_float_equal(c.cycles_per_unit * 1e-3, wanted[i], 1e-5);
	}
	/* a minimum is that of samples whose loss is known, as all figures are */
	samples[0][1].disturbed = DISTURBED_STOLEN;
	struct clock_rates c;

	assert_int_equal(clock_rates(&all, 0, 0, &c), 0);
	assert_float_equal(c.cycles_per_unit * 1e-3, 4, 1e-5);
}

static void test_unknown(void **state)
{
	struct clock_rates c;
	struct errors e = {0};

	(void)state;
	rates(2, 2);
	threads[0][2][1].after.hz = NAN;
	assert_int_equal(clock_rates(&all, 0, 1, &c), -1);
	clock_rates_tell(&experiment, &e);
	assert_int_equal(e.count, 0);
}

static void test_changed(void **state)
{
	struct errors e = {0};

	(void)state;
	rates(2, 2.03);
	clock_rates_tell(&experiment, &e);
	assert_int_equal(e.count, 0);
	threads[1][1][1].before.hz = 2.2e9;
	clock_rates_tell(&experiment, &e);
	assert_int_equal(e.count, 0);
	threads[1][1][1].after.hz = 2.2e9;
	clock_rates_tell(&experiment, &e);
	assert_int_equal(e.count, 1);
	assert_non_null(strstr(e.list[0].text,
		"b: the clock rate of thread 1's core changed: 2.03 to 2.2 GHz, median 2.03 GHz"));
	errors_free(&e);
}

static void test_different(void **state)
{
	struct errors e = {0};

	(void)state;
	rates(2, 3);
	clock_rates_tell(&experiment, &e);
	assert_int_equal(e.count, 1);
	assert_non_null(strstr(e.list[0].text,
		"was 2 GHz in a and 3 GHz in b: costs of the two cannot be compared as times"));
	assert_non_null(strstr(e.list[0].text, "the clock rate of CPU "));
	errors_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("cycles are a unit's time at the rates beside its sample", test_cycles),
		TEST("cycles of a unit are those of its time in a window too", test_window),
		TEST("cycles of a unit go by the statistic that is asked for", test_statistic),
		TEST("a rate that is not known gives no figure", test_unknown),
		TEST("a change by more than 2 % within an operation is told", test_changed),
		TEST("a change from one operation to another on a CPU is told", test_different),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
