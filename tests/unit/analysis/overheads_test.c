/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What far memory costs, from known counts of a run and of its baseline. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/claims.h"
#include "analysis/needs.h"
#include "analysis/overheads.h"

enum { WALKS, IDEAL, STALLS, MISSES, EVENTS };
enum { NEAR, FAR, RUNS };

/* Of 10 units, in each of three samples: near memory takes 100 cycles a unit, 20 of them in walks;
 * far memory 140, as many in walks. */
static double counts[RUNS][COUNTED_SAMPLES][EVENTS] = {
	{{200, 800, 300, 20}, {200, 800, 300, 20}, {200, 800, 300, 20}},
	{{200, 1190, 700, 40}, {200, 1200, 700, 40}, {200, 1210, 700, 40}},
};

static const char *names[] = {"W", "I", "S", "M"};
static size_t events_of_pass[] = {0, 1, 2, 3};
static struct counted_event events[EVENTS];
static struct counting_pass pass = {.events = events_of_pass, .names = names, .n = EVENTS};
static struct counted_metric metrics[] = {{.name = "walk_cycles"}, {.name = "ideal_cycles"},
	{.name = "memory_stalls"}, {.name = "page_walks"}};
static struct counting counting = {.events = events,
	.nevents = EVENTS,
	.passes = &pass,
	.npasses = 1,
	.metrics = metrics,
	.nmetrics = EVENTS};
static struct plan_thread place;
static struct plan_op op = {.label = (char *)"load"};
static struct thread_sample threads[RUNS][COUNTED_SAMPLES];
static struct sample counted[RUNS][COUNTED_SAMPLES];
static struct op_result results[RUNS];
static struct run runs[RUNS];
static char *values[] = {"near", "far"}, *words[] = {"p=near"};
static size_t combinations[] = {0, 1};
static struct variable variable = {.name = "p", .values = {.word = values, .count = RUNS}};
static struct experiment x = {.runs = runs,
	.nruns = RUNS,
	.counting = &counting,
	.file.baseline = {.word = words, .count = 1},
	.sweep = {.variables = &variable,
		.nvariables = 1,
		.combinations = combinations,
		.count = RUNS}};

static int build(void **state)
{
	(void)state;
	for (int m = 0; m < EVENTS; m++)
		if (formula_read(&metrics[m].formula, names[m]))
			return -1;
	for (int run = 0; run < RUNS; run++) {
		for (int i = 0; i < COUNTED_SAMPLES; i++) {
			threads[run][i] = (struct thread_sample){.worked = 10};
			counted[run][i] = (struct sample){.pass = &pass,
				.counts = counts[run][i],
				.threads = &threads[run][i]};
		}
		results[run] =
			(struct op_result){.counted = counted[run], .ncounted = COUNTED_SAMPLES};
		runs[run].request.confidence = 0.95;
		runs[run].plan = (struct plan){.request = &runs[run].request,
			.threads = &place,
			.nthreads = 1,
			.ops = &op,
			.nops = 1,
			.counting = &counting};
		runs[run].samples = (struct samples){.plan = &runs[run].plan, .ops = &results[run]};
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (int m = 0; m < EVENTS; m++)
		formula_free(&metrics[m].formula);
	return 0;
}

/* O_NUMA = (140 - 100) / 80; of 1200 the samples are 10 apart, which is +-24.8 by t(2), 2.48 a
 * unit. */
static void the_overhead_of_far_memory_is_of_ideal_cycles(void **state)
{
	const struct amount a = overheads_numa(&x, FAR, 0, 0);

	(void)state;
	assert_float_equal(a.value, 50, 1e-9);
	assert_float_equal(a.high, 50 + 100 * 2.48 / 80, 0.1);
	assert_float_equal(a.low, 50 - 100 * 2.48 / 80, 0.1);
}

/* 700 of 1400 cycles, and 300 of 1000. */
static void the_cost_is_what_stalls_take_more(void **state)
{
	const struct amount a = overheads_stalls(&x, FAR, 0, 0);

	(void)state;
	assert_float_equal(a.value, 20, 1e-9);
	assert_true(a.low < 20 && a.low > 19 && a.high > 20 && a.high < 21);
}

/* 32 of 128 equal ranges hold a quarter; the rest of 4 misses a unit takes 10 cycles each, as a
 * walk of the baseline does, of 80; far memory stalls 40 more. */
static void ranges_leave_the_misses_that_they_do_not_cover(void **state)
{
	uint64_t lengths[128];

	(void)state;
	for (size_t i = 0; i < 128; i++)
		lengths[i] = 512;
	runs[FAR].prepared.physical.frames = (struct frames){lengths, 128};
	assert_float_equal(overheads_coverage_32(&x, FAR, 0, 0).value, 25, 1e-9);
	assert_float_equal(overheads_coverage(&runs[FAR], 128), 1, 1e-12);
	struct amount a = overheads_cap(&x, FAR, 0, 0);

	assert_float_equal(a.value, 37.5, 1e-9);
	assert_float_equal(a.low, 37.5, 1e-6);
	assert_float_equal(overheads_rcm(&x, FAR, 0, 0).value, 87.5, 1e-9);
	/* fewer ranges than the TLB holds cover all */
	runs[FAR].prepared.physical.frames.count = 5;
	assert_float_equal(overheads_coverage_32(&x, FAR, 0, 0).value, 100, 1e-9);
	assert_float_equal(overheads_cap(&x, FAR, 0, 0).value, 0, 1e-9);
	assert_float_equal(overheads_rcm(&x, FAR, 0, 0).value, 50, 1e-9);
	/* the frames are hidden */
	runs[FAR].prepared.physical.frames.count = 0;
	assert_true(isnan(overheads_coverage_32(&x, FAR, 0, 0).value));
	assert_true(isnan(overheads_cap(&x, FAR, 0, 0).value));
}

static void the_baseline_has_none_and_neither_has_what_is_not_counted(void **state)
{
	(void)state;
	assert_true(isnan(overheads_numa(&x, NEAR, 0, 0).value));
	counting.nmetrics = IDEAL;
	assert_true(isnan(overheads_numa(&x, FAR, 0, 0).value));
	counting.nmetrics = STALLS;
	assert_false(isnan(overheads_numa(&x, FAR, 0, 0).value));
	assert_true(isnan(overheads_stalls(&x, FAR, 0, 0).value));
	counting.nmetrics = EVENTS;
}

/* Samples of 0, 800 and 1600: t(2) puts the mean's interval around 0. */
static void an_overhead_of_what_may_be_nothing_has_no_interval(void **state)
{
	struct amount a;

	(void)state;
	counts[NEAR][0][IDEAL] = 0;
	counts[NEAR][2][IDEAL] = 1600;
	a = overheads_numa(&x, FAR, 0, 0);
	counts[NEAR][0][IDEAL] = counts[NEAR][2][IDEAL] = 800;
	assert_float_equal(a.value, 50, 1e-9);
	assert_true(isnan(a.low) && isnan(a.high));
}

static void what_ranges_save_needs_a_baseline_and_counts(void **state)
{
	const struct view v = {.key = "table", .quantity = QUANTITY_RCM_OVERHEAD};
	struct errors e = {0};

	(void)state;
	runs[NEAR].request.physical_ranges = true;
	assert_int_equal(needs_check(&v, &x, &e), 0);
	counting.nmetrics = MISSES; /* all but the last */
	assert_int_equal(needs_check(&v, &x, &e), -1);
	counting.nmetrics = EVENTS;
	x.file.baseline.count = 0;
	assert_int_equal(needs_check(&v, &x, &e), -1);
	x.file.baseline.count = 1;
	runs[NEAR].request.physical_ranges = false;
	errors_free(&e);
}

static double low_of_first_claim(size_t claims)
{
	struct line lines[] = {{.key = "claim",
				       .text = (char *)"ideal_cycles p=far > p=near",
				       .at = {"t.args", 1}},
		{.key = "claim",
			.text = (char *)"memory_stalls p=far > p=near",
			.at = {"t.args", 2}}};
	struct errors e = {0};
	struct claims c;

	x.file.claims = (struct lines){lines, claims};
	assert_int_equal(claims_read(&c, &x, &e), 0);
	claims_judge(&c, &x);
	assert_int_equal(c.asked, claims);
	assert_int_equal(c.tests[0].verdict, CLAIM_HOLDS);
	assert_float_equal(c.tests[0].figure.value, 1.5, 1e-9);
	const double low = c.tests[0].figure.low;

	claims_free(&c);
	errors_free(&e);
	return low;
}

/* t(2) is 4.3027 for 95 %, and 6.2053 for 97.5 %. */
static void claims_about_counts_hold_together_too(void **state)
{
	const double one = log(1.5) - log(low_of_first_claim(1)),
		     two = log(1.5) - log(low_of_first_claim(2));

	(void)state;
	assert_float_equal(two / one, 6.2053 / 4.3027, 0.01);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_overhead_of_far_memory_is_of_ideal_cycles),
		cmocka_unit_test(the_cost_is_what_stalls_take_more),
		cmocka_unit_test(ranges_leave_the_misses_that_they_do_not_cover),
		cmocka_unit_test(an_overhead_of_what_may_be_nothing_has_no_interval),
		cmocka_unit_test(what_ranges_save_needs_a_baseline_and_counts),
		cmocka_unit_test(claims_about_counts_hold_together_too),
		cmocka_unit_test(the_baseline_has_none_and_neither_has_what_is_not_counted),
	};

	return cmocka_run_group_tests(tests, build, tear_down);
}
