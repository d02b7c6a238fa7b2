/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures from known samples. */
#include "derive_stage.h"

#include "statistics/intervals.h"

static void costs_are_means_without_warm_up(void **state)
{
	struct figures f;

	(void)state;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_int_equal(f.cost.stats.n, 3);
	assert_true(fabs(f.cost.value - 0.002) < 1e-12);
	/* t(2, 0.975) = 4.302653 times sd 0.001 / sqrt(3) */
	assert_true(fabs(f.cost.high - f.cost.low - 2 * 4.302653 * 0.001 / sqrt(3)) < 1e-8);
	assert_true(fabs(f.cost.stats.min - 0.001) < 1e-12);
	assert_true(fabs(f.cost.stats.max - 0.003) < 1e-12);
}

static void a_sleep_is_in_the_cost_and_not_in_the_rate(void **state)
{
	struct figures f;

	(void)state;
	assert_int_equal(derive_thread(&all, 0, 1, &f), 0);
	assert_true(fabs(f.cost.value - 0.006) < 1e-12);
	assert_true(fabs(f.busy.value - 0.005) < 1e-12);
	assert_true(fabs(f.ns_per_unit - 5000) < 1e-6);
	assert_true(fabs(f.units_per_s - 200000) < 1e-6);
	assert_true(fabs(f.bytes_per_s - 1600000) < 1e-5);
}

/* Thread 1 begins 1 ms later: thread 0 works for 1, 2 and 3 ms and thread 1 for 3, 5 and 7 ms;
 * both work at the same time for 0, 1 and 2 ms. */
static void overlap_is_the_part_in_which_all_threads_worked(void **state)
{
	struct figures f;

	(void)state;
	derive_thread(&all, 0, 0, &f);
	assert_true(fabs(f.overlap - 0.5) < 1e-9);
	derive_thread(&all, 0, 1, &f);
	assert_true(fabs(f.overlap - 0.2) < 1e-9);
	plan.nthreads = 1;
	derive_thread(&all, 0, 0, &f);
	plan.nthreads = 2;
	assert_true(fabs(f.overlap - 1) < 1e-9);
}

static void the_statistic_asked_for_is_the_cost(void **state)
{
	struct figures f;

	(void)state;
	request.statistic = STATISTIC_MEDIAN;
	derive_thread(&all, 1, 1, &f);
	assert_true(fabs(f.cost.value - 0.006) < 1e-12);
	assert_true(isnan(f.cost.low)); /* three samples give no 95 % interval of the median */
	request.statistic = STATISTIC_MIN;
	derive_thread(&all, 1, 1, &f);
	assert_true(fabs(f.cost.value - 0.003) < 1e-12);
	assert_true(isnan(f.cost.low) && isnan(f.cost.high));
}

static void totals_are_max_min_sum_or_mean_of_the_threads(void **state)
{
	static const double expected[] = {0.006, 0.002, 0.008, 0.004};

	(void)state;
	for (int summary = SUMMARY_MAX; summary <= SUMMARY_MEAN; summary++) {
		request.summary = summary;
		assert_true(
			fabs(derive_cost(&all, 0, ALL_THREADS).value - expected[summary]) < 1e-12);
	}
	request.summary = SUMMARY_SUM;
	/* 5, 8 and 11 ms: t(2, 0.975) = 4.302653 times sd 3 / sqrt(3) */
	struct amount sum = derive_cost(&all, 0, ALL_THREADS);
	assert_true(fabs((sum.high - sum.low) / 2 - 4.302653 * 0.003 / sqrt(3)) < 1e-8);
}

static void speedups_divide_costs_and_name_their_base(void **state)
{
	double base;
	struct amount ratio;

	(void)state;
	ratio = derive_speedup(&all, 0, 0, &base);
	assert_true(fabs(ratio.value - 5) < 1e-9);
	assert_true(fabs(base - 0.002) < 1e-12);
	/* 10 ms without spread over 2 ms +- 2.484 ms */
	assert_true(fabs(ratio.low - 5 * exp(-2.484138 / 2)) < 1e-5);
	assert_true(fabs(ratio.high - 5 * exp(2.484138 / 2)) < 1e-5);
	assert_true(fabs(derive_speedup(&all, 0, 1, &base).value - 1) < 1e-9);
	assert_true(fabs(derive_speedup(&all, 0, ALL_THREADS, &base).value - 10.0 / 6.0) < 1e-9);
	assert_true(fabs(base - 0.006) < 1e-12);
}

static void a_ratio_of_a_cost_with_itself_is_1_and_certain(void **state)
{
	double base;

	(void)state;
	speedup.over = 0;
	struct amount ratio = derive_speedup(&all, 0, 0, &base);
	speedup.over = 1;
	assert_true(ratio.value == 1);
	assert_true(isnan(ratio.low) && isnan(ratio.high));
	assert_true(fabs(base - 0.002) < 1e-12);
}

/* 2 ms +- 2.484 ms reaches below 0; a ratio with this divisor does not. */
static void no_interval_of_a_ratio_reaches_below_zero(void **state)
{
	struct amount wide = {2, -0.484, 4.484}, narrow = {3, 2.9, 3.1};
	struct amount list[] = {wide, narrow};

	(void)state;
	assert_true(amount_ratio(wide, narrow).low > 0);
	assert_true(amount_ratio(narrow, wide).low > 0);
	assert_true(amount_ratio(wide, wide).low > 0);
	assert_true(amount_geometric_mean(list, 2).low > 0);
	/* a ratio and its inverse make the same statement */
	struct amount there = amount_ratio(wide, narrow), back = amount_ratio(narrow, wide);
	assert_true(fabs(there.low * back.high - 1) < 1e-9);
}

/* Two tables of one experiment may be of the same samples; another experiment is another one. */
static void amounts_of_the_same_samples_tell_as_much_as_one(void **state)
{
	struct amount one = {2, 1.8, 2.2}, list[] = {one, one, one, one};
	const size_t same[] = {7, 7, 7, 7}, two[] = {1, 1, 2, 2};

	(void)state;
	struct amount alone = amount_geometric_mean(&one, 1), four = amount_geometric_mean(list, 4);
	struct amount once = amount_mean_of_sources(list, same, 4),
		      twice = amount_mean_of_sources(list, two, 4);
	assert_true(fabs(once.high - alone.high) < 1e-9 && fabs(once.low - alone.low) < 1e-9);
	assert_true(fabs(log(twice.high / 2) - log(alone.high / 2) / sqrt(2)) < 1e-9);
	assert_true(fabs(four.high - alone.high) < 1e-9 && fabs(four.low - alone.low) < 1e-9);
}

/* Half of it is at most a thousand times the figure, whatever makes it. */
static void an_interval_that_says_nothing_is_none(void **state)
{
	struct amount said = {2, -1990, 2000}, not_said = {2, -2010, 2000};
	const double apart[] = {1, 1e9}, ends[] = {1e-30, 1e30};
	double base;

	(void)state;
	assert_true(amount_said(said).low == -1990);
	assert_true(isnan(amount_said(not_said).low) && isnan(amount_said(not_said).high));
	assert_true(isnan(interval_of_values(apart, 2, 0.95).high));
	assert_true(fabs(interval_of_values(apart, 2, 0.95).value / sqrt(1e9) - 1) < 1e-9);
	assert_true(isnan(interval_of_ratio(ends, 2, apart, 2, 0.95).low));
	assert_true(isnan(amount_ratio((struct amount){2, 1, 34}, (struct amount){1, 1, 1}).low));
	assert_true(isnan(amount_inverse((struct amount){1, 1e-4, 2}).low));
	assert_true(amount_difference((struct amount){1, 0, 2}, (struct amount){1, 0, 2}).high > 1);
	/* three samples at a confidence near 1, of one placement */
	request.confidence = 0.999999999;
	assert_true(isnan(derive_cost(&all, 0, 0).low));
	assert_true(isnan(derive_speedup(&all, 0, 0, &base).low));
	request.confidence = 0.95;
}

static void what_was_not_measured_has_no_figures(void **state)
{
	struct figures f;
	struct tally t;
	double base;

	(void)state;
	results[1].count = 1; /* interrupted after the warm-up */
	assert_int_equal(derive_thread(&all, 1, 0, &f), -1);
	assert_true(isnan(derive_cost(&all, 1, ALL_THREADS).value));
	assert_true(isnan(derive_speedup(&all, 0, 0, &base).value));
	derive_tally(&all, 1, &t);
	assert_int_equal(t.samples, 0);
	assert_true(isnan(t.skew_max_ns));
}

static void disturbed_samples_are_counted_by_kind(void **state)
{
	struct tally t;

	(void)state;
	samples[0][0].disturbed = DISTURBED_MOVED; /* warm-up: not counted */
	samples[0][1].disturbed = DISTURBED_PREEMPTED | DISTURBED_FAULTED;
	samples[0][3].disturbed = DISTURBED_PREEMPTED;
	derive_tally(&all, 0, &t);
	assert_int_equal(t.samples, 3);
	assert_int_equal(t.disturbed, 2);
	assert_int_equal(t.preempted, 2);
	assert_int_equal(t.faulted, 1);
	assert_int_equal(t.moved, 0);
	assert_true(t.skew_median_ns > 1.5 && t.skew_median_ns < 2.5);
	assert_true(t.skew_max_ns > 2.5 && t.skew_max_ns < 3.5);
}

/* Of 3, 5 and 7 ms of thread 1; thread 0 loses less. */
static void the_lost_time_is_that_of_the_thread_that_lost_most(void **state)
{
	struct tally t;

	(void)state;
	for (int i = 1; i < 4; i++) {
		threads[0][i][0].off_ns = 1000;
		threads[0][i][1].off_ns = i == 2 ? 2500000 : 300000;
		samples[0][i].disturbed = i == 2 ? DISTURBED_THROTTLED | DISTURBED_STOLEN : 0;
	}
	threads[0][0][0].off_ns = 50000000; /* warm-up */
	derive_tally(&all, 0, &t);
	assert_float_equal(t.lost_max, 0.5, 1e-9);
	assert_float_equal(t.lost_median, 0.1, 1e-9);
	assert_int_equal(t.throttled, 1);
	assert_int_equal(t.stolen, 1);
	assert_int_equal(t.blocked, 0);
	threads[0][3][0].off_ns = threads[0][3][0].delayed_ns = -1; /* not known */
	derive_tally(&all, 0, &t);
	assert_true(isnan(t.lost_max) && isnan(t.lost_median));
}

static void with_a_window_a_cost_is_the_time_of_a_unit(void **state)
{
	struct figures f;
	double base;

	(void)state;
	fill_window();
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	/* 36000, 18000 and 12000 units in 18 ms: 0.5, 1 and 1.5 us each */
	assert_true(fabs(f.cost.value - 1e-6) < 1e-15);
	assert_true(fabs(f.cost.stats.min - 0.5e-6) < 1e-15);
	assert_true(fabs(f.ns_per_unit - 1000) < 1e-6);
	assert_true(fabs(f.units_per_s - 1e6) < 1e-3);
	assert_true(fabs(f.bytes_per_s - 8e6) < 1e-2);
	assert_true(fabs(f.busy.value - 0.018) < 1e-12);
	assert_true(fabs(f.units - 22000) < 1e-6);
	/* t(2, 0.975) = 4.302653 times sd 0.5 / sqrt(3) of a mean of 1: this holds for the rate
	 * too, although every sample took equally long */
	assert_true(fabs(estimate_error(&f.unit_s) - 4.302653 * 0.5 / sqrt(3)) < 1e-6);
	assert_true(fabs(derive_speedup(&all, 0, 0, &base).value - 5) < 1e-9);
	assert_true(fabs(base - 1e-6) < 1e-15);
	assert_true(fabs(derive_cost(&all, 0, ALL_THREADS).value - 3e-6) < 1e-15);
}

static void units_of_different_kinds_have_no_total(void **state)
{
	static const struct kernel other = {.unit = "add"};

	(void)state;
	jobs[1].kernel = &other;
	assert_false(derive_same_unit(&plan, 0));
	assert_true(isfinite(derive_cost(&all, 0, ALL_THREADS).value));
	fill_window();
	assert_true(isnan(derive_cost(&all, 0, ALL_THREADS).value));
	assert_true(isfinite(derive_cost(&all, 0, 1).value));
}

static void a_thread_that_counts_nothing_has_no_cost_in_a_window(void **state)
{
	struct figures f;

	(void)state;
	threads[0][2][0].units = 0;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	fill_window();
	threads[0][2][0].units = 0;
	assert_int_equal(derive_thread(&all, 0, 0, &f), -1);
}

static void geometric_means_are_of_what_is_there(void **state)
{
	struct amount a[] = {{2, 1.9, 2.1}, {NAN, NAN, NAN}, {8, 7.6, 8.4}}, bare = {5, NAN, NAN};

	(void)state;
	struct amount mean = amount_geometric_mean(a, 3);
	assert_true(fabs(mean.value - 4) < 1e-12);
	/* two relative errors of 0.05, which may have the same cause */
	assert_true(fabs(mean.high - 4 * exp(0.05)) < 1e-12);
	assert_true(fabs(mean.low - 4 * exp(-0.05)) < 1e-12);
	assert_true(fabs(amount_geometric_mean(&bare, 1).value - 5) < 1e-12);
	assert_true(isnan(amount_geometric_mean(&bare, 1).low));
	assert_true(isnan(amount_geometric_mean(a + 1, 1).value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("costs are means without warm-up", costs_are_means_without_warm_up),
		TEST("a sleep is in the cost and not in the rate",
			a_sleep_is_in_the_cost_and_not_in_the_rate),
		TEST("overlap is the part in which all threads worked",
			overlap_is_the_part_in_which_all_threads_worked),
		TEST("the statistic asked for is the cost", the_statistic_asked_for_is_the_cost),
		TEST("totals are max, min or sum of the threads",
			totals_are_max_min_sum_or_mean_of_the_threads),
		TEST("speedups divide costs and name their base",
			speedups_divide_costs_and_name_their_base),
		TEST("a ratio of a cost with itself is 1 and certain",
			a_ratio_of_a_cost_with_itself_is_1_and_certain),
		TEST("no interval of a ratio reaches below zero",
			no_interval_of_a_ratio_reaches_below_zero),
		TEST("amounts of the same samples tell as much as one",
			amounts_of_the_same_samples_tell_as_much_as_one),
		TEST("geometric means are of what is there", geometric_means_are_of_what_is_there),
		TEST("an interval that says nothing is none",
			an_interval_that_says_nothing_is_none),
		TEST("what was not measured has no figures", what_was_not_measured_has_no_figures),
		TEST("disturbed samples are counted by kind",
			disturbed_samples_are_counted_by_kind),
		TEST("the lost time is that of the thread that lost most",
			the_lost_time_is_that_of_the_thread_that_lost_most),
		TEST("with a window a cost is the time of a unit",
			with_a_window_a_cost_is_the_time_of_a_unit),
		TEST("units of different kinds have no total",
			units_of_different_kinds_have_no_total),
		TEST("a thread that counts nothing has no cost in a window",
			a_thread_that_counts_nothing_has_no_cost_in_a_window),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
