/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of kernels of their own: of a thread, joined, and what they say against the cost. */
#include "derive_stage.h"

#include <string.h>

#include "analysis/doubts.h"
#include "analysis/kernel_figures.h"

static const struct kernel_figure moved[] = {
	{"pages", "page", "how many", FIGURE_SUM, NULL, false},
	{"each", "ns", "how long", FIGURE_MEAN, NULL, false},
	{0},
};
static const struct kernel_figure done[] = {
	{"rate", "token/s", "how many", FIGURE_LEAST, NULL, true},
	{"idle", "", "nothing", FIGURE_SUM, NULL, false},
	{0},
};
static const struct kernel worker_of_all = {.unit = "page", .figures = done};
static const struct kernel_figure refused[] = {
	{"refused", "page", "how many stayed", FIGURE_SUM, "they stayed", false},
	{"pages", "page", "how many", FIGURE_SUM, NULL, false},
	{0},
};
static const struct kernel mover = {.unit = "page", .figures = moved},
			   other = {.unit = "page", .figures = refused};
static double told[4][4]; /* by sample: two of each thread */

/* In sample i, warm-up first: thread 0 tells 10 i and i; thread 1 two values from `second`. */
static void tell(const struct kernel *k1, double second, double last)
{
	jobs[0].kernel = &mover;
	jobs[1].kernel = k1;
	for (int i = 0; i < 4; i++) {
		told[i][0] = 10 * i;
		told[i][1] = i;
		told[i][2] = second;
		told[i][3] = last;
		samples[0][i].told = told[i];
	}
}

static int restore(void **state)
{
	jobs[0].kernel = &kernel;
	return fill(state);
}

static double value(int who, const char *name)
{
	return kernel_figure_of(&all, 0, who, name).value;
}

static void test_join(void **state)
{
	(void)state;
	tell(&mover, 100, 4);
	assert_true(value(0, "pages") == 20);
	assert_true(value(1, "pages") == 100);
	assert_true(value(ALL_THREADS, "pages") == 120);
	assert_true(value(0, "each") == 2);
	assert_true(value(ALL_THREADS, "each") == 3);
	assert_true(isnan(value(0, "refused")));
	restore(state);
}

/* What all do together is done when the last has its part, whichever thread that is. */
static void test_least(void **state)
{
	(void)state;
	tell(&worker_of_all, 7, 0);
	jobs[0].kernel = &worker_of_all;
	assert_true(value(0, "rate") == 20);
	assert_true(value(1, "rate") == 7);
	assert_true(value(ALL_THREADS, "rate") == 7);
	for (int i = 0; i < 4; i++)
		told[i][2] = 100;
	assert_true(value(ALL_THREADS, "rate") == 20);
	for (int i = 0; i < 4; i++)
		told[i][2] = NAN;
	assert_true(isnan(value(ALL_THREADS, "rate")));
	restore(state);
}

/* Samples 1 to 3 are of a placement each. Counts add up, also where one of them is 0. */
static void test_placements(void **state)
{
	(void)state;
	tell(&other, 0, 0);
	for (int i = 1; i < 4; i++) {
		samples[0][i].placement = (size_t)i - 1;
		told[i][2] = i == 3 ? 504 : 0;
		told[i][3] = i == 3 ? 8 : 512;
	}
	assert_true(fabs(value(1, "refused") - 168) < 1e-9);
	assert_true(fabs(value(1, "pages") - 344) < 1e-9);
	struct amount pages = kernel_figure_of(&all, 0, 1, "pages");
	/* t(2) = 4.3027 at 95 %, sd 504 / sqrt(3) */
	assert_true(fabs(pages.high - pages.value - 4.302653 * 504 / 3) < 0.01);
	restore(state);
}

static void test_kernels(void **state)
{
	struct kernel_figures l;

	(void)state;
	tell(&other, 5, 100);
	assert_true(value(1, "pages") == 100);
	assert_true(value(ALL_THREADS, "pages") == 120);
	assert_true(value(ALL_THREADS, "each") == 2);
	assert_true(isnan(value(0, "refused")));
	assert_true(value(ALL_THREADS, "refused") == 5);
	kernel_figures_of_op(&l, &plan, 0);
	assert_int_equal(l.count, 3);
	assert_string_equal(l.list[0]->name, "pages");
	assert_string_equal(l.list[1]->name, "each");
	assert_string_equal(l.list[2]->name, "refused");
	kernel_figures_free(&l);
	restore(state);
}

static void test_unknown(void **state)
{
	(void)state;
	tell(&mover, NAN, 4);
	assert_true(isnan(value(1, "pages")));
	assert_true(isnan(value(ALL_THREADS, "pages")));
	assert_true(value(ALL_THREADS, "each") == 3);
	restore(state);
}

static void test_doubt(void **state)
{
	struct run run = {.label = (char *)"n=2", .plan = plan, .samples = all, .request = request};
	struct experiment x = {.runs = &run, .nruns = 1};
	struct errors e = {0};

	(void)state;
	run.plan.nops = 1;
	tell(&other, 0, 100);
	run.samples.plan = &run.plan;
	doubts_tell_figures(&x, &e);
	assert_int_equal(e.count, 0);
	told[2][2] = 7;
	doubts_tell_figures(&x, &e);
	assert_int_equal(e.count, 1);
	assert_string_equal(e.list[0].text,
		"affinity: warning: a, run n=2: refused is 7 in a sample (1 operation above 0)");
	assert_string_equal(e.list[0].hint, "they stayed");
	errors_free(&e);
	restore(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a figure of all threads is the sum or the mean of theirs", test_join),
		TEST("or the least, of what is done by all together", test_least),
		TEST("over placements it is their arithmetic mean", test_placements),
		TEST("threads whose kernels lack a figure have no part in it", test_kernels),
		TEST("what a kernel does not know stays unknown", test_unknown),
		TEST("a figure that speaks against the cost is a warning above 0", test_doubt),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
