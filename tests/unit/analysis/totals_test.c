/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Totals over all threads, from known samples. */
#include "analysis/work.h"
#include "derive_stage.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * fabs(b);
}

static void together_is_from_the_first_beginning_to_the_last_end(void **state)
{
	struct totals t;

	(void)state;
	assert_int_equal(derive_totals(&all, 0, ALL_THREADS, &t), 0);
	/* busy 1, 2, 3 and 3, 5, 7 ms (a sleep of 1 ms); 2000 units, finished after 4, 6, 8 ms */
	assert_true(near(t.busy.value, 0.005));
	assert_true(near(t.units_per_s.value, 1e9 / 3000));
	assert_true(near(t.bytes_per_s.value, 8e9 / 3000));
	assert_true(near(t.ns_per_unit.value, 3500));
	/* 2, 3, 4 us per unit: t(2, 0.975) times 1 / sqrt(3) of 3 */
	assert_true(fabs(1 / (t.units_per_s.high * 3000e-9) - (1 - 4.302653 / sqrt(3) / 3)) < 1e-6);
}

/* Thread 0 works for 8 ms and loses 4 of them, thread 1 begins 3 ms late and loses 1 of 6: without
 * that, both work for 5 ms from the second millisecond on, or from the start. */
static void each_begins_and_ends_as_without_its_losses(void **state)
{
	struct totals t;

	(void)state;
	for (int i = 1; i < 4; i++) {
		struct thread_sample *s = threads[0][i];

		s[0].begin_ns = 1000 + 1000000;
		s[0].end_ns = s[0].begin_ns + 8000000;
		s[0].off_ns = 4000000;
		s[1].begin_ns = 1000 + 3000000;
		s[1].late_ns = 3000000;
		s[1].end_ns = s[1].begin_ns + 6000000;
		s[1].off_ns = 1000000;
	}
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(near(t.units_per_s.value, 2000 / 0.005));
	/* a loss of one thread is none of the other */
	for (int i = 1; i < 4; i++)
		threads[0][i][0].off_ns = 2000000;
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(near(t.units_per_s.value, 2000 / 0.007));
}

/* Busy for 1 to 3 and 3 to 7 ms, of which each loses half: so much less for each of 2000 units. */
static void the_time_of_a_unit_is_less_what_was_lost(void **state)
{
	struct totals t;

	(void)state;
	for (int i = 1; i < 4; i++)
		for (int k = 0; k < 2; k++)
			threads[0][i][k].off_ns =
				(int64_t)(threads[0][i][k].end_ns - threads[0][i][k].begin_ns) / 2;
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(near(t.ns_per_unit.value, 1750));
}

static void who_works_after_the_other_does_not_add_to_its_rate(void **state)
{
	struct totals t;

	(void)state;
	for (int i = 1; i < 4; i++)
		for (unsigned k = 0; k < 2; k++) {
			threads[0][i][k].begin_ns = 1000 + k * 10000000;
			threads[0][i][k].end_ns = threads[0][i][k].begin_ns + 10000000;
		}
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(near(t.busy.value, 0.01));
	assert_true(near(t.units_per_s.value, 2000 / 0.02));
}

static void a_handover_of_two_is_not_counted_twice(void **state)
{
	static const struct kernel game = {.unit = "handover", .meetings.together = true};
	struct totals t;

	(void)state;
	jobs[0].kernel = &game;
	jobs[1].kernel = &game;
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(isnan(t.units_per_s.value));
	assert_true(near(t.ns_per_unit.value, 3500));
	jobs[0].kernel = &kernel;
}

static void with_a_window_together_is_the_sum_of_the_rates(void **state)
{
	struct totals t;

	(void)state;
	fill_window();
	assert_int_equal(derive_totals(&all, 0, ALL_THREADS, &t), 0);
	/* 2.5, 4 / 3 and 11 / 12 units per microsecond */
	assert_true(near(t.units_per_s.value, 1e6 / ((1 / 2.5 + 3.0 / 4 + 12.0 / 11) / 3)));
	assert_true(near(t.busy.value, 0.018));
	request.statistic = STATISTIC_MIN;
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(near(t.bytes_per_s.value, 8 * 2.5e6));
	assert_true(isnan(t.bytes_per_s.low));
}

static void what_one_gains_and_the_other_loses_is_no_spread_together(void **state)
{
	struct figures f;
	struct totals t;

	(void)state;
	fill_window();
	for (unsigned i = 1; i < 4; i++) {
		threads[0][i][0].units = i * 10000;
		threads[0][i][1].units = (4 - i) * 10000;
	}
	derive_thread(&all, 0, 0, &f);
	assert_true(estimate_error(&f.unit_s) > 0.5);
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(near(t.units_per_s.value, 40000 / 0.018));
	assert_true(near(t.units_per_s.high, 40000 / 0.018));
}

static void bytes_together_are_of_those_that_move_some(void **state)
{
	static const struct kernel other = {.unit = "add"};
	struct totals t;

	(void)state;
	jobs[1].kernel = &other;
	assert_int_equal(derive_totals(&all, 0, ALL_THREADS, &t), 0);
	assert_true(isnan(t.units_per_s.value) && isnan(t.ns_per_unit.value));
	/* 1000 units of 8 bytes in 1, 2, 3 ms */
	assert_true(near(t.bytes_per_s.value, 4e6));
	jobs[0].kernel = &other;
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(isnan(t.bytes_per_s.value));
	jobs[0].kernel = &kernel;
}

/* Each element is read and stored to: 16 bytes, and 8 that caches fetch for the store. */
static void traffic_has_the_lines_that_stores_fetch(void **state)
{
	static const struct kernel copy = {
		.unit = "access", .per_unit = {.loads = 1, .stores = 1, .bytes = 16, .fills = 8}};
	struct figures f;
	struct totals t;

	(void)state;
	jobs[0].kernel = jobs[1].kernel = &copy;
	jobs[0].times_caches = jobs[1].times_caches = 2;
	assert_true(near(work_traffic(&jobs[0]), 1.5));
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_true(near(f.traffic_bytes_per_s, 1.5 * f.bytes_per_s));
	assert_int_equal(derive_totals(&all, 0, ALL_THREADS, &t), 0);
	assert_true(near(t.bytes_per_s.value, 16e9 / 3000));
	assert_true(near(t.traffic_bytes_per_s.value, 24e9 / 3000));
	/* how many lines were there already is not known */
	jobs[1].times_caches = 1.9;
	assert_true(isnan(work_traffic(&jobs[1])));
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(isnan(t.traffic_bytes_per_s.value) && !isnan(t.bytes_per_s.value));
	jobs[1].times_caches = 2;
	jobs[1].shares_lines = true;
	assert_true(isnan(work_traffic(&jobs[1])));
	/* loads alone fetch what they ask for, wherever it is */
	jobs[0].kernel = jobs[1].kernel = &kernel;
	assert_true(near(work_traffic(&jobs[1]), 1));
	jobs[1].shares_lines = false;
	jobs[0].times_caches = jobs[1].times_caches = 0;
}

static void who_finished_nothing_leaves_the_whole_unknown(void **state)
{
	struct totals t;

	(void)state;
	fill_window();
	threads[0][2][0].units = 0;
	assert_int_equal(derive_totals(&all, 0, ALL_THREADS, &t), 0);
	assert_true(isnan(t.bytes_per_s.value) && isnan(t.units_per_s.value));
	assert_true(isnan(t.ns_per_unit.value));
	results[1].count = 1;
	assert_int_equal(derive_totals(&all, 1, ALL_THREADS, &t), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("together is from the first beginning to the last end",
			together_is_from_the_first_beginning_to_the_last_end),
		TEST("each begins and ends as without its losses",
			each_begins_and_ends_as_without_its_losses),
		TEST("the time of a unit is less what was lost",
			the_time_of_a_unit_is_less_what_was_lost),
		TEST("who works after the other does not add to its rate",
			who_works_after_the_other_does_not_add_to_its_rate),
		TEST("a handover of two is not counted twice",
			a_handover_of_two_is_not_counted_twice),
		TEST("with a window together is the sum of the rates",
			with_a_window_together_is_the_sum_of_the_rates),
		TEST("what one gains and the other loses is no spread together",
			what_one_gains_and_the_other_loses_is_no_spread_together),
		TEST("bytes together are of those that move some",
			bytes_together_are_of_those_that_move_some),
		TEST("traffic has the lines that stores fetch",
			traffic_has_the_lines_that_stores_fetch),
		TEST("who finished nothing leaves the whole unknown",
			who_finished_nothing_leaves_the_whole_unknown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
