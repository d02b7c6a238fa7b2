/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where threads that are not bound were seen. */
#include "analysis/unbound.h"

#include "derive_stage.h"

/* CPUs 0 and 1 on node 0, 2 on node 5, 3 on no node. */
static struct topo_cpu cpus[] = {{.cpu = 0, .node = 0}, {.cpu = 1, .node = 0},
	{.cpu = 2, .node = 5}, {.cpu = 3, .node = -1}};
static int cpu_index[] = {0, 1, 2, 3};
static struct topo topo = {.cpus = cpus, .ncpus = 4, .cpu_index = cpu_index, .ncpu_index = 4};

/* Sample 0 is warm-up. */
static void was_on(int sample, int before, int after, int migrations)
{
	threads[0][sample][1].cpu_before = before;
	threads[0][sample][1].cpu_after = after;
	threads[0][sample][1].migrations = migrations;
}

static void test_jumps(void **state)
{
	struct unbound seen;

	(void)state;
	plan.topo = &topo;
	was_on(0, 2, 2, 7);
	was_on(1, 0, 1, 1); /* within a node */
	was_on(2, 2, 3, 2); /* a jump; nobody knows where CPU 3 is */
	was_on(3, 2, 0, 0); /* on node 5 as before; a jump back */
	unbound_find(&all, 0, 1, &seen);
	assert_int_equal(seen.jumps, 2);
	assert_int_equal(seen.migrations, 3);
	for (int cpu = 0; cpu < 4; cpu++)
		assert_true(seen.cpus[cpu]);
	unbound_free(&seen);
}

static void test_unknown(void **state)
{
	struct unbound seen;

	(void)state;
	plan.topo = &topo;
	was_on(1, -1, 9, 1);
	was_on(2, 1, 1, -1);
	was_on(3, 1, 1, 4);
	unbound_find(&all, 0, 1, &seen);
	assert_int_equal(seen.jumps, 0);
	assert_int_equal(seen.migrations, -1);
	assert_false(seen.cpus[0]);
	assert_true(seen.cpus[1]);
	unbound_free(&seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a jump is a reading on another node than the one before, warm-up left out",
			test_jumps),
		TEST("unknown CPUs and counts are no jumps and no migrations", test_unknown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
