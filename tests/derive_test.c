/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures from samples that are known. */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "derive.h"

/* Two operations, two threads; costs in milliseconds by operation, thread and sample, the first of
 * them warm-up. Thread 1 sleeps 1 ms in each. */
static const unsigned cost_ms[2][2][4] = {
	{{99, 1, 2, 3}, {99, 4, 6, 8}}, {{99, 10, 10, 10}, {99, 3, 9, 6}}};

static const struct kernel kernel = {.unit = "access", .per_unit = {.loads = 1, .bytes = 8}};
static struct request request = {.confidence = 0.95, .warmup = 1};
static struct plan_job jobs[2] = {{.kernel = &kernel}, {.kernel = &kernel}};
static struct plan_op ops[2] = {{"a", jobs}, {"b", jobs}};
static struct plan_speedup speedup = {"b/a", 1, 0};
static struct plan plan = {.request = &request,
	.nthreads = 2,
	.ops = ops,
	.nops = 2,
	.speedups = &speedup,
	.nspeedups = 1};
static struct stint stints[2][4][2];
static struct sample samples[2][4];
static struct op_result results[2];
static struct run run = {.plan = &plan, .ops = results};

static int fill(void **state)
{
	(void)state;
	for (int op = 0; op < 2; op++) {
		for (int i = 0; i < 4; i++) {
			samples[op][i] = (struct sample){.start_ns = 1000,
				.skew_ns = (uint64_t)i,
				.warmup = i == 0,
				.stints = stints[op][i]};
			for (int t = 0; t < 2; t++)
				stints[op][i][t] = (struct stint){.left_ns = 1000,
					.begin_ns = 1000 + (t ? 1000000 : 0),
					.end_ns = 1000 + cost_ms[op][t][i] * 1000000ull,
					.units = 1000};
		}
		results[op] = (struct op_result){.samples = samples[op], .count = 4};
	}
	request.summary = SUMMARY_MAX;
	request.statistic = STATISTIC_MEAN;
	request.window_ns = 0;
	jobs[1].kernel = &kernel;
	return 0;
}

/* The same costs, in milliseconds, become what 1000 units took of a window of 20 ms: thread 1 did
 * so many more. */
static void fill_window(void)
{
	request.window_ns = 20000000;
	for (int op = 0; op < 2; op++)
		for (int i = 0; i < 4; i++) {
			samples[op][i].window_ns = request.window_ns;
			for (int t = 0; t < 2; t++) {
				stints[op][i][t].begin_ns = 1000;
				stints[op][i][t].end_ns = 1000 + 18000000;
				stints[op][i][t].units = 18000 / cost_ms[op][t][i] * 2;
			}
		}
}

static void costs_are_means_without_warm_up(void **state)
{
	struct figures f;

	(void)state;
	assert_int_equal(derive_thread(&run, 0, 0, &f), 0);
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
	assert_int_equal(derive_thread(&run, 0, 1, &f), 0);
	assert_true(fabs(f.cost.value - 0.006) < 1e-12);
	assert_true(fabs(f.busy.value - 0.005) < 1e-12);
	assert_true(fabs(f.ns_per_unit - 5000) < 1e-6);
	assert_true(fabs(f.units_per_s - 200000) < 1e-6);
	assert_true(fabs(f.bytes_per_s - 1600000) < 1e-5);
}

static void the_statistic_asked_for_is_the_cost(void **state)
{
	struct figures f;

	(void)state;
	request.statistic = STATISTIC_MEDIAN;
	derive_thread(&run, 1, 1, &f);
	assert_true(fabs(f.cost.value - 0.006) < 1e-12);
	assert_true(isnan(f.cost.low)); /* three samples give no 95 % interval of the median */
	request.statistic = STATISTIC_MIN;
	derive_thread(&run, 1, 1, &f);
	assert_true(fabs(f.cost.value - 0.003) < 1e-12);
	assert_true(isnan(f.cost.low) && isnan(f.cost.high));
}

static void totals_are_max_min_or_sum_of_the_threads(void **state)
{
	static const double expected[] = {0.006, 0.002, 0.008};

	(void)state;
	for (int summary = SUMMARY_MAX; summary <= SUMMARY_SUM; summary++) {
		request.summary = summary;
		assert_true(
			fabs(derive_cost(&run, 0, ALL_THREADS).value - expected[summary]) < 1e-12);
	}
	/* half-widths 2.484 ms and 4.968 ms (t(2, 0.975) = 4.302653): their root of the sum of
	 * squares */
	struct amount sum = derive_cost(&run, 0, ALL_THREADS);
	assert_true(fabs((sum.high - sum.low) / 2 - 0.0055547) < 1e-6);
}

static void speedups_divide_costs_and_name_their_base(void **state)
{
	double base;
	struct amount ratio;

	(void)state;
	ratio = derive_speedup(&run, 0, 0, &base);
	assert_true(fabs(ratio.value - 5) < 1e-9);
	assert_true(fabs(base - 0.002) < 1e-12);
	/* 10 ms without spread over 2 ms +- 2.484 ms */
	assert_true(fabs((ratio.high - ratio.low) / 2 - 5 * 2.484138 / 2) < 1e-5);
	assert_true(fabs(derive_speedup(&run, 0, 1, &base).value - 1) < 1e-9);
	assert_true(fabs(derive_speedup(&run, 0, ALL_THREADS, &base).value - 10.0 / 6.0) < 1e-9);
	assert_true(fabs(base - 0.006) < 1e-12);
}

static void what_was_not_measured_has_no_figures(void **state)
{
	struct figures f;
	struct tally t;
	double base;

	(void)state;
	results[1].count = 1; /* interrupted after the warm-up */
	assert_int_equal(derive_thread(&run, 1, 0, &f), -1);
	assert_true(isnan(derive_cost(&run, 1, ALL_THREADS).value));
	assert_true(isnan(derive_speedup(&run, 0, 0, &base).value));
	derive_tally(&run, 1, &t);
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
	derive_tally(&run, 0, &t);
	assert_int_equal(t.samples, 3);
	assert_int_equal(t.disturbed, 2);
	assert_int_equal(t.preempted, 2);
	assert_int_equal(t.faulted, 1);
	assert_int_equal(t.moved, 0);
	assert_true(t.skew_median_ns > 1.5 && t.skew_median_ns < 2.5);
	assert_true(t.skew_max_ns > 2.5 && t.skew_max_ns < 3.5);
}

static void with_a_window_a_cost_is_the_time_of_a_unit(void **state)
{
	struct figures f;
	double base;

	(void)state;
	fill_window();
	assert_int_equal(derive_thread(&run, 0, 0, &f), 0);
	/* 36000, 18000 and 12000 units in 18 ms: 0.5, 1 and 1.5 us each */
	assert_true(fabs(f.cost.value - 1e-6) < 1e-15);
	assert_true(fabs(f.cost.stats.min - 0.5e-6) < 1e-15);
	assert_true(fabs(f.ns_per_unit - 1000) < 1e-6);
	assert_true(fabs(f.units_per_s - 1e6) < 1e-3);
	assert_true(fabs(f.bytes_per_s - 8e6) < 1e-2);
	assert_true(fabs(f.busy.value - 0.018) < 1e-12);
	assert_true(fabs(f.units - 22000) < 1e-6);
	/* t(2, 0.975) = 4.302653 times sd 0.5 / sqrt(3) of a mean of 1: of the rate too, although
	 * every sample took as long */
	assert_true(fabs(f.error - 4.302653 * 0.5 / sqrt(3)) < 1e-6);
	assert_true(fabs(derive_speedup(&run, 0, 0, &base).value - 5) < 1e-9);
	assert_true(fabs(base - 1e-6) < 1e-15);
	assert_true(fabs(derive_cost(&run, 0, ALL_THREADS).value - 3e-6) < 1e-15);
}

static void units_of_different_kinds_have_no_total(void **state)
{
	static const struct kernel other = {.unit = "add"};

	(void)state;
	jobs[1].kernel = &other;
	assert_false(derive_same_unit(&plan, 0));
	assert_true(isfinite(derive_cost(&run, 0, ALL_THREADS).value));
	fill_window();
	assert_true(isnan(derive_cost(&run, 0, ALL_THREADS).value));
	assert_true(isfinite(derive_cost(&run, 0, 1).value));
}

static void a_thread_that_counts_nothing_has_no_cost_in_a_window(void **state)
{
	struct figures f;

	(void)state;
	stints[0][2][0].units = 0;
	assert_int_equal(derive_thread(&run, 0, 0, &f), 0);
	fill_window();
	stints[0][2][0].units = 0;
	assert_int_equal(derive_thread(&run, 0, 0, &f), -1);
}

static void geometric_means_are_of_what_is_there(void **state)
{
	struct amount a[] = {{2, 1.9, 2.1}, {NAN, NAN, NAN}, {8, 7.6, 8.4}}, bare = {5, NAN, NAN};

	(void)state;
	struct amount mean = derive_geometric_mean(a, 3);
	assert_true(fabs(mean.value - 4) < 1e-12);
	/* two relative errors of 0.05: sqrt(2) * 0.05 / 2 */
	assert_true(fabs(mean.high - mean.value - (4 * 0.0353553390593274)) < 1e-12);
	assert_true(fabs(mean.value - mean.low - (mean.high - mean.value)) < 1e-12);
	assert_true(fabs(derive_geometric_mean(&bare, 1).value - 5) < 1e-12);
	assert_true(isnan(derive_geometric_mean(&bare, 1).low));
	assert_true(isnan(derive_geometric_mean(a + 1, 1).value));
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * fabs(b);
}

static void together_is_from_the_first_beginning_to_the_last_end(void **state)
{
	struct totals t;

	(void)state;
	assert_int_equal(derive_totals(&run, 0, &t), 0);
	/* busy 1, 2, 3 and, without their sleep of 1 ms, 3, 5, 7 ms; 2000 units in each sample,
	 * which end after 4, 6, 8 ms */
	assert_true(near(t.busy.value, 0.005));
	assert_true(near(t.units_per_s.value, 1e9 / 3000));
	assert_true(near(t.bytes_per_s.value, 8e9 / 3000));
	assert_true(near(t.ns_per_unit.value, 3500));
	/* 2, 3, 4 us a unit: t(2, 0.975) times 1 / sqrt(3) of 3 */
	assert_true(fabs((t.units_per_s.high * 3000e-9 - 1) - 4.302653 / sqrt(3) / 3) < 1e-6);
}

static void who_works_after_the_other_does_not_add_to_its_rate(void **state)
{
	struct totals t;

	(void)state;
	for (int i = 1; i < 4; i++)
		for (unsigned k = 0; k < 2; k++) {
			stints[0][i][k].begin_ns = 1000 + k * 10000000;
			stints[0][i][k].end_ns = stints[0][i][k].begin_ns + 10000000;
		}
	derive_totals(&run, 0, &t);
	assert_true(near(t.busy.value, 0.01));
	assert_true(near(t.units_per_s.value, 2000 / 0.02));
}

static void a_handover_of_two_is_not_counted_twice(void **state)
{
	static const struct kernel game = {.unit = "handover", .together = true};
	struct totals t;

	(void)state;
	jobs[0].kernel = &game;
	jobs[1].kernel = &game;
	derive_totals(&run, 0, &t);
	assert_true(isnan(t.units_per_s.value));
	assert_true(near(t.ns_per_unit.value, 3500));
	jobs[0].kernel = &kernel;
}

static void with_a_window_together_is_the_sum_of_the_rates(void **state)
{
	struct totals t;

	(void)state;
	fill_window();
	assert_int_equal(derive_totals(&run, 0, &t), 0);
	/* 2.5, 4 / 3 and 11 / 12 units a microsecond */
	assert_true(near(t.units_per_s.value, 1e6 / ((1 / 2.5 + 3.0 / 4 + 12.0 / 11) / 3)));
	assert_true(near(t.busy.value, 0.018));
	request.statistic = STATISTIC_MIN;
	derive_totals(&run, 0, &t);
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
		stints[0][i][0].units = i * 10000;
		stints[0][i][1].units = (4 - i) * 10000;
	}
	derive_thread(&run, 0, 0, &f);
	assert_true(f.error > 0.5);
	derive_totals(&run, 0, &t);
	assert_true(near(t.units_per_s.value, 40000 / 0.018));
	assert_true(near(t.units_per_s.high, 40000 / 0.018));
}

static void bytes_together_are_of_those_that_move_some(void **state)
{
	static const struct kernel other = {.unit = "add"};
	struct totals t;

	(void)state;
	jobs[1].kernel = &other;
	assert_int_equal(derive_totals(&run, 0, &t), 0);
	assert_true(isnan(t.units_per_s.value) && isnan(t.ns_per_unit.value));
	/* 1000 units of 8 bytes in 1, 2, 3 ms */
	assert_true(near(t.bytes_per_s.value, 4e6));
	jobs[0].kernel = &other;
	derive_totals(&run, 0, &t);
	assert_true(isnan(t.bytes_per_s.value));
	jobs[0].kernel = &kernel;
}

static void who_finished_nothing_leaves_the_whole_unknown(void **state)
{
	struct totals t;

	(void)state;
	fill_window();
	stints[0][2][0].units = 0;
	assert_int_equal(derive_totals(&run, 0, &t), 0);
	assert_true(isnan(t.bytes_per_s.value) && isnan(t.units_per_s.value));
	assert_true(isnan(t.ns_per_unit.value));
	results[1].count = 1;
	assert_int_equal(derive_totals(&run, 1, &t), -1);
}

#define TEST(name, function)                     \
	{                                        \
		name, function, fill, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("costs are means without warm-up", costs_are_means_without_warm_up),
		TEST("a sleep is in the cost and not in the rate",
			a_sleep_is_in_the_cost_and_not_in_the_rate),
		TEST("the statistic asked for is the cost", the_statistic_asked_for_is_the_cost),
		TEST("totals are max, min or sum of the threads",
			totals_are_max_min_or_sum_of_the_threads),
		TEST("speedups divide costs and name their base",
			speedups_divide_costs_and_name_their_base),
		TEST("geometric means are of what is there", geometric_means_are_of_what_is_there),
		TEST("what was not measured has no figures", what_was_not_measured_has_no_figures),
		TEST("disturbed samples are counted by kind",
			disturbed_samples_are_counted_by_kind),
		TEST("with a window a cost is the time of a unit",
			with_a_window_a_cost_is_the_time_of_a_unit),
		TEST("units of different kinds have no total",
			units_of_different_kinds_have_no_total),
		TEST("a thread that counts nothing has no cost in a window",
			a_thread_that_counts_nothing_has_no_cost_in_a_window),
		TEST("together is from the first beginning to the last end",
			together_is_from_the_first_beginning_to_the_last_end),
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
		TEST("who finished nothing leaves the whole unknown",
			who_finished_nothing_leaves_the_whole_unknown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
