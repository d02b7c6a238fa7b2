/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which proof of a thread's CPU the samples are. */
#include "analysis/proven.h"

#include "derive_stage.h"

/* Thread 0 is to be on CPU 3, thread 1 on CPU 5, and both were there. */
static int bind_and_fill(void **state)
{
	fill(state);
	places[0].cpu = 3;
	places[1].cpu = 5;
	for (int op = 0; op < 2; op++)
		for (int i = 0; i < 4; i++)
			for (int t = 0; t < 2; t++)
				threads[op][i][t].cpu_before = threads[op][i][t].cpu_after =
					places[t].cpu;
	return 0;
}

static void test_mask(void **state)
{
	(void)state;
	assert_string_equal(proven_cpu(&all, 0), "sched_getaffinity");
	assert_string_equal(proven_cpu(&all, 1), "sched_getaffinity");
	samples[0][2].disturbed = DISTURBED_PREEMPTED | DISTURBED_BLOCKED;
	assert_string_equal(proven_cpu(&all, 0), "sched_getaffinity");
}

static void test_getcpu(void **state)
{
	(void)state;
	samples[1][3].disturbed = DISTURBED_MOVED;
	assert_string_equal(proven_cpu(&all, 0), "getcpu");
	threads[1][3][1].migrations = -1; /* not reported */
	assert_string_equal(proven_cpu(&all, 1), "getcpu");
}

static void test_elsewhere(void **state)
{
	(void)state;
	threads[0][1][0].cpu_before = 4;
	assert_null(proven_cpu(&all, 0));
	threads[0][1][0].cpu_before = 3;
	threads[1][3][0].cpu_after = 4;
	assert_null(proven_cpu(&all, 0));
	threads[1][3][0].cpu_after = 3;
	threads[0][2][0].migrations = 2;
	assert_null(proven_cpu(&all, 0));
	assert_string_equal(proven_cpu(&all, 1), "sched_getaffinity");
}

static void test_warmup(void **state)
{
	(void)state;
	samples[0][0].disturbed = DISTURBED_MOVED;
	threads[0][0][0].cpu_after = 4;
	assert_string_equal(proven_cpu(&all, 0), "sched_getaffinity");
}

static void test_none(void **state)
{
	(void)state;
	places[0].cpu = UNBOUND;
	assert_null(proven_cpu(&all, 0));
	results[0].count = results[1].count = 1; /* warm-up */
	assert_null(proven_cpu(&all, 1));
	all.ops = NULL;
	assert_null(proven_cpu(&all, 1));
	all.ops = results;
}

#undef TEST
#define TEST(name, function)                              \
	{                                                 \
		name, function, bind_and_fill, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the mask before each sample is the proof", test_mask),
		TEST("without the mask, where the thread was is the proof", test_getcpu),
		TEST("a thread that was elsewhere once is not proven", test_elsewhere),
		TEST("warm-up does not count", test_warmup),
		TEST("a thread without a CPU or samples has no proof", test_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
