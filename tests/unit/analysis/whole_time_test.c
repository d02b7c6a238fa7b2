/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The whole time of an experiment: two placements of two vectors, one of which only the second
 * thread uses. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/derive.h"
#include "analysis/whole_time.h"

#define SECOND UINT64_C(1000000000)

static const struct kernel kernel = {.unit = "access"};
static struct plan_job jobs[] = {{.kernel = &kernel}, {.kernel = &kernel}};
static int first[] = {0}, both[] = {0, 1};
static struct plan_thread places[] = {
	{.vector_ids = first, .nvectors = 1}, {.vector_ids = both, .nvectors = 2}};
static struct plan_op op = {.label = (char *)"load", .jobs = jobs};
static struct thread_sample threads[2];
static struct sample sample = {.threads = threads};
static struct op_result result = {.samples = &sample, .count = 1, .placements = 2};
static struct placement placements[4];
static struct run run;

static int build(void **state)
{
	static const uint64_t touched[] = {1, 20, 3, 40}; /* placement by placement */

	(void)state;
	threads[0].end_ns = 100 * SECOND;
	threads[1].end_ns = 200 * SECOND;
	for (int i = 0; i < 4; i++)
		placements[i].touch_ns = touched[i] * SECOND;
	result.fill_ns = 8 * SECOND;
	run.request.confidence = 0.95;
	run.request.window_ns = 0;
	run.plan = (struct plan){.request = &run.request,
		.nvectors = 2,
		.threads = places,
		.nthreads = 2,
		.ops = &op,
		.nops = 1};
	run.samples =
		(struct samples){.plan = &run.plan, .prepared = &run.prepared, .ops = &result};
	run.prepared = (struct prepared){.plan = &run.plan, .placements = placements, .made = 2};
	return 0;
}

static void test_parts(void **state)
{
	(void)state;
	assert_float_equal(whole_time_touch(&run.samples, 0), 2, 1e-9);
	assert_float_equal(whole_time_touch(&run.samples, 1), 32, 1e-9);
	assert_float_equal(whole_time_touch(&run.samples, ALL_THREADS), 32, 1e-9);
	assert_float_equal(whole_time_fill(&run.samples, 0), 4, 1e-9);
}

static void test_whole(void **state)
{
	const struct amount all = derive_cost(&run.samples, 0, ALL_THREADS);

	(void)state;
	assert_float_equal(whole_time(&run.samples, 0, 0).value, 100 + 2 + 4, 1e-9);
	assert_float_equal(whole_time(&run.samples, 0, ALL_THREADS).value, all.value + 36, 1e-9);
}

static void test_time(void **state)
{
	(void)state;
	run.request.window_ns = SECOND;
	assert_true(isnan(whole_time(&run.samples, 0, ALL_THREADS).value));
}

#define TEST(title, function)                      \
	{                                          \
		title, function, build, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("touching is that of the vectors that a thread uses, filling that of all",
			test_parts),
		TEST("both come to the cost once", test_whole),
		TEST("the cost of a unit has none", test_time),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
