/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of samples that were disturbed: less the time lost, beside those of the others. */
#include "analysis/undisturbed.h"

#include "derive_stage.h"

#define MANY 20

static struct thread_sample many_threads[MANY][2];
static struct sample many[MANY];

/* Operation a has 20 samples of 1 ms, the first `disturbed` of which lost and cost so much more. */
static void disturb(size_t disturbed, int64_t lost_us, int64_t hidden_us)
{
	for (size_t i = 0; i < MANY; i++) {
		bool hit = i < disturbed;

		many[i] = (struct sample){.start_ns = 1000,
			.threads = many_threads[i],
			.disturbed = hit ? DISTURBED_PREEMPTED : 0};
		for (int t = 0; t < 2; t++)
			many_threads[i][t] = (struct thread_sample){.left_ns = 1000,
				.begin_ns = 1000,
				.end_ns = 1001000 + i +
					  (hit ? (uint64_t)(lost_us + hidden_us) * 1000 : 0),
				.units = 1000,
				.off_ns = hit ? lost_us * 1000 : 0};
	}
	results[0].samples = many;
	results[0].count = MANY;
	request.warmup = 0;
	request.statistic = STATISTIC_MEDIAN;
}

static int fill_and_reset(void **state)
{
	fill(state);
	request.warmup = 1;
	return 0;
}

static double us(double seconds)
{
	return seconds * 1e6;
}

static void test_less(void **state)
{
	struct figures f;

	(void)state;
	disturb(MANY, 500, 0);
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_float_equal(us(f.cost.value), 1000, 0.1);
	assert_float_equal(us(f.busy.value), 1000, 0.1);
	assert_float_equal(f.ns_per_unit, 1000, 0.1);
	assert_true(isnan(f.undisturbed));
}

static void test_late(void **state)
{
	struct figures f;

	(void)state;
	disturb(0, 0, 0);
	for (size_t i = 0; i < MANY; i++) {
		many_threads[i][0].begin_ns += 300000;
		many_threads[i][0].late_ns = 300000;
	}
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_float_equal(us(f.cost.value), 700, 0.1);
	assert_float_equal(us(f.busy.value), 700, 0.1);
}

/* Stolen time comes in ticks of 10 ms, which need not have been lost within a short sample. */
static void test_tick(void **state)
{
	struct figures f;

	(void)state;
	disturb(0, 0, 0);
	for (size_t i = 0; i < MANY; i++)
		many_threads[i][0].stolen_ns = 10000000;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_float_equal(us(f.cost.value), 1000, 0.1);
}

/* One that had its CPU for less than it seems would be the least. */
static void test_minimum(void **state)
{
	struct figures f;

	(void)state;
	disturb(1, 500, 0);
	many_threads[0][0].off_ns = 1400000;
	many[0].disturbed = DISTURBED_STOLEN;
	request.statistic = STATISTIC_MIN;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_float_equal(us(f.cost.value), 1000, 0.1);
	/* known losses are no reason */
	disturb(MANY, 500, 0);
	request.statistic = STATISTIC_MIN;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	for (int i = 0; i < MANY; i++)
		many[i].disturbed = DISTURBED_STOLEN;
	assert_int_equal(derive_thread(&all, 0, 0, &f), -1);
}

static void test_hull(void **state)
{
	struct figures f;

	(void)state;
	/* one in twenty is no more than 5 % */
	disturb(1, 500, 100);
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	double width = us(f.cost.high - f.cost.low);
	assert_true(width < 0.1);
	/* a median whose interval does not reach the hidden cost, and a mean that does */
	disturb(3, 500, 100);
	request.statistic = STATISTIC_MEAN;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_float_equal(us(f.cost.value), 1015, 0.1);
	assert_float_equal(us(f.undisturbed), 1000, 0.1);
	assert_true(us(f.cost.low) < 1000.02);
	assert_true(us(f.cost.high) > 1030);
	/* below a mean's own interval, 1026 to 1074 */
	disturb(MANY / 2, 500, 100);
	request.statistic = STATISTIC_MEAN;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_float_equal(us(f.cost.value), 1050, 0.1);
	assert_float_equal(us(f.undisturbed), 1000, 0.1);
	assert_true(us(f.cost.low) < 1000.02);
	assert_true(us(f.cost.high) > 1070);
}

/* Three placements of ten samples each; of all, two are undisturbed and cost 1 and 9 % more than
 * their placement: the interval is not made of these two. */
static void test_few(void **state)
{
	static const unsigned placed_us[] = {216200, 215400, 220300};
	static struct sample list[30];
	static struct thread_sample each[30][2];
	struct figures f;

	(void)state;
	for (size_t i = 0; i < 30; i++) {
		const bool left = i == 4 || i == 24;
		const double cost_us = placed_us[i / 10] * (0.98 + 0.04 * (double)(i % 10) / 9);

		list[i] = (struct sample){.start_ns = 1000,
			.placement = i / 10,
			.threads = each[i],
			.disturbed = left ? 0 : DISTURBED_PREEMPTED};
		for (int t = 0; t < 2; t++)
			each[i][t] = (struct thread_sample){.left_ns = 1000,
				.begin_ns = 1000,
				.end_ns = 1000 + (uint64_t)(1000 * (i == 4           ? 219200
									   : i == 24 ? 235200
										     : cost_us)),
				.units = 1000};
	}
	results[0] = (struct op_result){.samples = list, .count = 30};
	request.warmup = 0;
	request.statistic = STATISTIC_MEDIAN;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_float_equal(us(f.cost.value), 217300, 1000);
	assert_true(us(f.undisturbed) > 1.02 * us(f.cost.value));
	/* the costliest sample */
	assert_float_equal(us(f.cost.high), 235200, 0.1);
	assert_true(us(f.cost.low) > 0.95 * us(f.cost.value));
	request.statistic = STATISTIC_MEAN;
	assert_int_equal(derive_thread(&all, 0, 0, &f), 0);
	assert_float_equal(us(f.cost.high), 235200, 0.1);
}

static void test_again(void **state)
{
	(void)state;
	disturb(0, 0, 0);
	assert_false(undisturbed_again(&all, 0));
	disturb(10, 500, 0);
	assert_float_equal(undisturbed_rest(&all, 0), 0.5, 1e-6);
	assert_false(undisturbed_again(&all, 0));
	disturb(11, 500, 0);
	assert_true(undisturbed_again(&all, 0));
	/* a thread that waits by itself */
	for (size_t i = 0; i < MANY; i++)
		many[i].disturbed = DISTURBED_BLOCKED;
	assert_false(undisturbed_again(&all, 0));
	/* each way of losing the CPU does */
	static const unsigned ways[] = {
		DISTURBED_MOVED, DISTURBED_PREEMPTED, DISTURBED_FAULTED, DISTURBED_STOLEN};

	for (size_t way = 0; way < 4; way++) {
		for (size_t i = 0; i < MANY; i++)
			many[i].disturbed = i <= MANY / 2 ? ways[way] : 0;
		assert_float_equal(undisturbed_rest(&all, 0), 0.55, 1e-9);
		assert_true(undisturbed_again(&all, 0));
	}
	/* a sixth, but too few others */
	disturb(1, 500, 0);
	results[0].count = 5;
	assert_true(undisturbed_again(&all, 0));
	results[0].count = 6;
	assert_false(undisturbed_again(&all, 0));
}

#define OWN(name, function)                                \
	{                                                  \
		name, function, fill_and_reset, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OWN("figures are made of samples less the time lost", test_less),
		OWN("a late start without a CPU is no cost", test_late),
		OWN("ticks of stolen time that a sample cannot contain are left out", test_tick),
		OWN("a minimum is that of samples whose loss is known", test_minimum),
		OWN("above 5 % disturbed an interval reaches over both figures", test_hull),
		OWN("few undisturbed samples do not make it wider than samples are", test_few),
		OWN("above 50 % disturbed, or with too few others, measure again", test_again),
	};

	(void)fill_window;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
