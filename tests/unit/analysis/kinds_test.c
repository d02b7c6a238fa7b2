/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of threads on cores of several kinds, from known samples. */
#include "derive_stage.h"

#define QUICK THREADS_OF_KIND(0)
#define SLOW  THREADS_OF_KIND(1)

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * fabs(b);
}

static int unlike(void **state)
{
	places[0].kind = 0;
	places[1].kind = 1;
	return fill(state);
}

static void costs_and_speedups_are_of_the_threads_of_a_kind(void **state)
{
	double base;

	(void)state;
	/* a: 1, 2, 3 ms and 4, 6, 8 ms; b: 10 ms and 3, 9, 6 ms */
	assert_true(near(derive_cost(&all, 0, QUICK).value, 0.002));
	assert_true(near(derive_cost(&all, 0, SLOW).value, 0.006));
	assert_true(near(derive_speedup(&all, 0, QUICK, &base).value, 5));
	assert_true(near(base, 0.002));
	assert_true(near(derive_speedup(&all, 0, SLOW, &base).value, 1));
	assert_true(near(derive_cost(&all, 0, ALL_THREADS).value, 0.006));
}

static void a_sum_of_a_kind_has_its_threads_only(void **state)
{
	(void)state;
	request.summary = SUMMARY_SUM;
	assert_true(near(derive_cost(&all, 0, QUICK).value, 0.002));
	assert_true(near(derive_cost(&all, 0, SLOW).value, 0.006));
	assert_true(near(derive_cost(&all, 0, ALL_THREADS).value, 0.008));
	places[1].kind = 0;
	assert_true(near(derive_cost(&all, 0, QUICK).value, 0.008));
}

/* 2 ms and 6 ms of one thread each. */
static void a_mean_of_a_kind_is_over_its_threads(void **state)
{
	(void)state;
	request.summary = SUMMARY_MEAN;
	assert_true(near(derive_cost(&all, 0, QUICK).value, 0.002));
	assert_true(near(derive_cost(&all, 0, SLOW).value, 0.006));
	assert_true(isnan(derive_cost(&all, 0, ALL_THREADS).value));
	places[1].kind = 0;
	assert_true(near(derive_cost(&all, 0, ALL_THREADS).value, 0.004));
}

static void the_mean_time_of_a_unit_is_that_of_a_kind(void **state)
{
	struct totals t;

	(void)state;
	assert_int_equal(derive_totals(&all, 0, ALL_THREADS, &t), 0);
	assert_true(isnan(t.ns_per_unit.value));
	assert_true(near(t.units_per_s.value, 1e9 / 3000));
	assert_int_equal(derive_totals(&all, 0, QUICK, &t), 0);
	assert_true(near(t.ns_per_unit.value, 2000));
	assert_true(near(t.bytes_per_s.value, 8 * 1e6 / 2));
	assert_true(near(t.busy.value, 0.002));
	assert_int_equal(derive_totals(&all, 0, SLOW, &t), 0);
	assert_true(near(t.ns_per_unit.value, 5000));
	places[1].kind = 0;
	derive_totals(&all, 0, ALL_THREADS, &t);
	assert_true(near(t.ns_per_unit.value, 3500));
}

static void overheads_are_of_a_kind(void **state)
{
	static struct plan alone_plan[2];
	static struct samples alone[2];
	struct run run = {.request = request, .plan = plan, .samples = all, .solos = alone};

	(void)state;
	/* thread k alone: the samples of thread 0 in operation 1, all 10 ms */
	for (int k = 0; k < 2; k++) {
		alone_plan[k] = plan;
		alone_plan[k].nthreads = 1;
		alone[k] = (struct samples){.plan = &alone_plan[k], .ops = results + 1};
	}
	assert_true(isnan(derive_overhead(&run, 0, ALL_THREADS).value));
	assert_true(near(derive_overhead(&run, 0, QUICK).value, (1 - 10 / 2.0) * 100));
	assert_true(near(derive_overhead(&run, 0, SLOW).value, (1 - 10 / 6.0) * 100));
}

static void a_kind_of_no_thread_has_no_figure(void **state)
{
	(void)state;
	assert_true(isnan(derive_cost(&all, 0, THREADS_OF_KIND(2)).value));
	assert_false(derive_keeps_apart(&plan, 2));
	assert_true(derive_keeps_apart(&plan, 0) && derive_keeps_apart(&plan, 1));
	places[1].kind = -1; /* not known: not another */
	assert_false(derive_keeps_apart(&plan, 0));
}

#define UNLIKE(name, function)                     \
	{                                          \
		name, function, unlike, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		UNLIKE("costs and speedups are of the threads of a kind",
			costs_and_speedups_are_of_the_threads_of_a_kind),
		UNLIKE("a sum of a kind has its threads only",
			a_sum_of_a_kind_has_its_threads_only),
		UNLIKE("a mean of a kind is over its threads",
			a_mean_of_a_kind_is_over_its_threads),
		UNLIKE("the mean time of a unit is that of a kind",
			the_mean_time_of_a_unit_is_that_of_a_kind),
		UNLIKE("overheads are of a kind", overheads_are_of_a_kind),
		UNLIKE("a kind of no thread has no figure", a_kind_of_no_thread_has_no_figure),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
