/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of several placements: one value each, and intervals over these values. */
#include "analysis/enough.h"

#include "derive_stage.h"

#include "statistics/intervals.h"

/* Each of the three samples that count becomes a placement of its own. */
static int place(void **state)
{
	fill(state);
	for (int op = 0; op < 2; op++)
		for (size_t i = 1; i < 4; i++)
			samples[op][i].placement = i - 1;
	return 0;
}

static void same(struct amount a, struct amount b)
{
	const double found[] = {a.value, a.low, a.high}, expected[] = {b.value, b.low, b.high};

	for (int i = 0; i < 3; i++)
		if (isnan(expected[i]) ? !isnan(found[i])
				       : !(fabs(found[i] / expected[i] - 1) < 1e-9))
			fail_msg("number %d is %.12g, not %.12g", i, found[i], expected[i]);
}

static void the_interval_of_a_cost_is_that_over_placements(void **state)
{
	static const double costs[] = {0.001, 0.002, 0.003};
	struct figures f;

	(void)state;
	for (int statistic = STATISTIC_MEAN; statistic <= STATISTIC_MIN; statistic++) {
		request.statistic = statistic;
		assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
		assert_int_equal(f.cost.placements, 3);
		same(estimate_amount(&f.cost), interval_of_values(costs, 3, 0.95));
	}
	assert_int_equal(f.cost.stats.n, 3);
	assert_true(fabs(estimate_spread(&f.cost) - 2) < 1e-9);
	/* 1000 units in each: 1, 2 and 3 us, and the rate has the inverse interval */
	struct amount rate = interval_of_values(costs, 3, 0.95);
	assert_true(fabs(f.units_per_s * rate.value - 1000) < 1e-6);
}

static void a_placement_of_several_samples_is_one_value(void **state)
{
	/* placement 0: 1 and 2 ms, placement 1: 3 ms */
	static const double means[] = {0.0015, 0.003}, least[] = {0.001, 0.003};
	struct figures f;

	(void)state;
	samples[0][2].placement = 0;
	samples[0][3].placement = 1;
	derive_thread(&all, 0, 0, &f);
	same(estimate_amount(&f.cost), interval_of_values(means, 2, 0.95));
	request.statistic = STATISTIC_MIN;
	derive_thread(&all, 0, 0, &f);
	same(estimate_amount(&f.cost), interval_of_values(least, 2, 0.95));
}

static void warm_up_of_a_placement_does_not_count(void **state)
{
	static const double costs[] = {0.001, 0.003};
	struct figures f;

	(void)state;
	samples[0][2].warmup = true;
	derive_thread(&all, 0, 0, &f);
	assert_int_equal(f.cost.stats.n, 2);
	same(estimate_amount(&f.cost), interval_of_values(costs, 2, 0.95));
}

static void one_placement_keeps_its_own_interval(void **state)
{
	struct figures f;

	(void)state;
	fill(state);
	derive_thread(&all, 0, 0, &f);
	assert_int_equal(f.cost.placements, 1);
	assert_true(fabs(f.cost.high - f.cost.low - 2 * 4.302653 * 0.001 / sqrt(3)) < 1e-8);
	assert_true(estimate_spread(&f.cost) == 0);
}

static void totals_are_taken_inside_each_sample(void **state)
{
	/* the slower thread changes: 9, 7 and 8 ms in the three samples */
	static const unsigned slower[2][3] = {{9, 1, 1}, {1, 7, 8}};
	static const double maxima[] = {0.009, 0.007, 0.008}, sums[] = {0.010, 0.008, 0.009};

	(void)state;
	for (int t = 0; t < 2; t++)
		for (int i = 0; i < 3; i++)
			threads[0][i + 1][t].end_ns = 1000 + slower[t][i] * 1000000ull;
	same(derive_cost(&all, 0, ALL_THREADS), interval_of_values(maxima, 3, 0.95));
	request.summary = SUMMARY_SUM;
	same(derive_cost(&all, 0, ALL_THREADS), interval_of_values(sums, 3, 0.95));
}

static void ratios_are_taken_in_each_placement(void **state)
{
	static const double over[] = {10, 10, 10}, under[] = {1, 2, 3};
	struct amount expected;
	double base;

	(void)state;
	stats_paired_ratio(over, under, 3, 0.95, &expected);
	same(derive_speedup(&all, 0, 0, &base), expected);
	/* what slows both costs of a placement down does not widen their ratio */
	for (int i = 1; i < 4; i++)
		threads[1][i][0].end_ns = 1000 + cost_ms[0][0][i] * 5 * 1000000ull;
	same(derive_speedup(&all, 0, 0, &base), (struct amount){5, 5, 5});
}

static void ratios_of_other_placements_are_not_paired(void **state)
{
	struct estimate a, b;

	(void)state;
	assert_int_equal(derive_cost_estimate(&all, 1, 1, &a), 0);
	assert_int_equal(derive_cost_estimate(&all, 0, 1, &b), 0);
	same(estimate_ratio(&request, &a, &b, NULL), interval_of_ratio(a.each, 3, b.each, 3, 0.95));
	/* one placement on a side says nothing of others */
	b.placements = 1;
	struct amount ratio = estimate_ratio(&request, &a, &b, NULL);
	assert_true(isfinite(ratio.value) && isnan(ratio.low));
	ratio = estimate_ratio(&request, &a, &b, &PRIOR_NONE);
	assert_true(isfinite(ratio.value) && isnan(ratio.low));
}

/* What disturbed samples may hide in one of the costs, their ratio may hide too. */
static void a_widened_cost_widens_its_ratio(void **state)
{
	struct estimate a, b;

	(void)state;
	assert_int_equal(derive_cost_estimate(&all, 1, 1, &a), 0);
	assert_int_equal(derive_cost_estimate(&all, 0, 1, &b), 0);
	assert_true(a.moved == 0 && a.unsure == 0 && b.moved == 0 && b.unsure == 0);
	const struct amount narrow = estimate_ratio(&request, &a, &b, NULL);

	/* undisturbed samples cost a tenth less */
	a.moved = log(0.9);
	const struct amount wide = estimate_ratio(&request, &a, &b, NULL);

	same((struct amount){wide.value, wide.low, narrow.high}, wide);
	assert_float_equal(wide.low / narrow.low, 0.9, 1e-9);
	/* and so do those of the other, which may be true of neither or of both */
	b.moved = log(0.9);
	assert_float_equal(estimate_ratio(&request, &a, &b, NULL).low / narrow.low, 0.9, 1e-9);
	assert_float_equal(
		estimate_ratio(&request, &a, &b, NULL).high * 0.9 / narrow.high, 1, 1e-9);
	a.moved = b.moved = 0;
	a.unsure = 0.3;
	b.unsure = 0.4;
	assert_float_equal(log(estimate_ratio(&request, &a, &b, NULL).high / narrow.value),
		hypot(0.5, log(narrow.high / narrow.value)), 1e-9);
	b.hidden = true;
	same(estimate_ratio(&request, &a, &b, NULL), (struct amount){a.value / b.value, NAN, NAN});
}

static void slowdown_and_overhead_are_taken_in_each_placement(void **state)
{
	static struct plan alone_plan[2];
	static struct samples alone[2];
	struct run run = {.request = request, .plan = plan, .samples = all, .solos = alone};

	(void)state;
	/* thread k alone: the samples of operation 1, in which a solo's thread is number 0 */
	for (int k = 0; k < 2; k++) {
		alone_plan[k] = plan;
		alone_plan[k].nthreads = 1;
		alone[k] = (struct samples){.plan = &alone_plan[k], .ops = results + 1};
	}
	for (int i = 1; i < 4; i++)
		for (int t = 0; t < 2; t++)
			threads[0][i][t].end_ns = 1000 + 2000000ull * (unsigned)i;
	for (int i = 1; i < 4; i++)
		threads[1][i][0].end_ns = 1000 + 1000000ull * (unsigned)i;
	same(derive_slowdown(&run, 0, 0), (struct amount){2, 2, 2});
	same(derive_overhead(&run, 0, ALL_THREADS), (struct amount){50, 50, 50});
	/* value and interval are of the same figure: the sums of each placement */
	static const double sums_alone[] = {2, 4, 6}, sums_together[] = {12, 8, 8};
	static const unsigned together_ms[] = {10, 4, 2};
	struct amount share;

	for (int i = 1; i < 4; i++)
		threads[0][i][1].end_ns = 1000 + 1000000ull * together_ms[i - 1];
	stats_paired_ratio(sums_alone, sums_together, 3, 0.95, &share);
	same(derive_overhead(&run, 0, ALL_THREADS),
		(struct amount){
			100 * (1 - share.value), 100 * (1 - share.high), 100 * (1 - share.low)});
	for (int i = 1; i < 4; i++)
		threads[0][i][1].end_ns = 1000 + 2000000ull * (unsigned)i;
	/* of disturbed samples that is not known so well */
	results[0].samples[3].disturbed = DISTURBED_PREEMPTED;
	struct amount slowdown = derive_slowdown(&run, 0, 0),
		      overhead = derive_overhead(&run, 0, ALL_THREADS);
	assert_true(slowdown.low < 1.5 && slowdown.high > 2.5);
	assert_true(overhead.low < 45 && overhead.high > 55);
	results[0].samples[3].disturbed = 0;
}

/* The cost of a kernel that does nothing can be 0, which has no logarithm. */
static void a_cost_of_zero_has_a_mean_and_no_interval(void **state)
{
	struct figures f;

	(void)state;
	threads[0][2][0].end_ns = 1000;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_true(fabs(f.cost.value - 0.004 / 3) < 1e-12);
	assert_true(isnan(f.cost.low) && isnan(f.cost.high));
}

/* An interval that ended the sampling must be wider: that of 97 % in place of 95 %. */
static void a_watched_interval_of_the_mean_is_wider(void **state)
{
	struct figures f;

	(void)state;
	fill(state);
	request.target_error = 0.01;
	derive_thread(&all, 0, 0, &f);
	request.target_error = 0;
	/* t(2, 0.985) = 5.642778 */
	assert_true(fabs(f.cost.high - f.cost.low - 2 * 5.642778 * 0.001 / sqrt(3)) < 1e-8);
}

/* So is one over placements. */
static void a_watched_interval_over_placements_is_wider(void **state)
{
	struct figures f, watched;

	(void)state;
	derive_thread(&all, 0, 1, &f);
	request.enough = 0.01;
	derive_thread(&all, 0, 1, &watched);
	request.enough = 0;
	assert_float_equal(watched.cost.value, f.cost.value, 1e-12);
	/* t(2, 0.985) and t(2, 0.975) */
	assert_float_equal(
		log(watched.cost.high / watched.cost.low) / log(f.cost.high / f.cost.low),
		5.642778 / 4.302653, 1e-5);
}

/* What is said of the target is said of the widest interval that is printed. */
static void the_target_is_that_of_the_printed_figure(void **state)
{
	double widest = 0;

	(void)state;
	for (int t = ALL_THREADS; t < 2; t++) {
		struct estimate x;

		assert_int_equal(derive_cost_estimate(&all, 0, t, &x), 0);
		widest = fmax(widest, estimate_error(&x));
	}
	assert_float_equal(enough_error(&all, 0), widest, 1e-12);
	results[0].ended = ENDED_TARGET;
	request.target_error = widest * 1.01;
	assert_int_equal(enough_ended(&all, 0), ENDED_TARGET);
	request.target_error = widest * 0.99;
	assert_int_equal(enough_ended(&all, 0), ENDED_TIME);
	threads[0][2][0].end_ns = 1000; /* a cost of zero has no interval */
	assert_true(isnan(enough_error(&all, 0)));
	assert_int_equal(enough_ended(&all, 0), ENDED_TIME);
	request.target_error = 0;
	results[0].ended = ENDED_COUNT;
	assert_int_equal(enough_ended(&all, 0), ENDED_COUNT);
}

#define PLACED(name, function)                    \
	{                                         \
		name, function, place, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLACED("the interval of a cost is that over placements",
			the_interval_of_a_cost_is_that_over_placements),
		PLACED("a placement of several samples is one value",
			a_placement_of_several_samples_is_one_value),
		PLACED("warm-up of a placement does not count",
			warm_up_of_a_placement_does_not_count),
		PLACED("one placement keeps its own interval",
			one_placement_keeps_its_own_interval),
		PLACED("totals are taken inside each sample", totals_are_taken_inside_each_sample),
		PLACED("ratios are taken in each placement", ratios_are_taken_in_each_placement),
		PLACED("ratios of other placements are not paired",
			ratios_of_other_placements_are_not_paired),
		PLACED("a widened cost widens its ratio", a_widened_cost_widens_its_ratio),
		PLACED("slowdown and overhead are taken in each placement",
			slowdown_and_overhead_are_taken_in_each_placement),
		PLACED("a cost of zero has a mean and no interval",
			a_cost_of_zero_has_a_mean_and_no_interval),
		PLACED("a watched interval of the mean is wider",
			a_watched_interval_of_the_mean_is_wider),
		PLACED("a watched interval over placements is wider",
			a_watched_interval_over_placements_is_wider),
		PLACED("the target is that of the printed figure",
			the_target_is_that_of_the_printed_figure),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
