/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of described machines, and what must hold of the machine that runs this test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "topology/topo.h"

#define RING "tests/topologies/ring4.xml" /* relative to the top folder, where make runs */

struct machine {
	struct topo topo;
	struct errors errors;
};

static void load(struct machine *m, const char *variable, const char *value)
{
	int result;

	*m = (struct machine){0};
	if (variable)
		setenv(variable, value, 1);
	result = topo_load(&m->topo, &m->errors);
	if (variable)
		unsetenv(variable);
	errors_print(&m->errors, 0, stderr);
	assert_int_equal(result, 0);
	assert_int_equal(m->errors.count, 0);
}

static void release(struct machine *m)
{
	topo_free(&m->topo);
	errors_free(&m->errors);
}

static void test_shape(void **state)
{
	struct machine m;
	const struct topo *t = &m.topo;
	char text[64];

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "numa:4 core:2 pu:2");
	assert_int_equal(t->nnodes, 4);
	assert_int_equal(t->ncpus, 16);
	assert_int_equal(t->ncores, 8);
	assert_int_equal(t->npackages, 0);
	assert_false(t->this_system);
	assert_string_equal(t->source, "HWLOC_SYNTHETIC=numa:4 core:2 pu:2");
	for (int i = 0; i < 16; i++) {
		const struct topo_cpu *c = topo_cpu(t, i);

		assert_ptr_equal(c, &t->cpus[i]);
		assert_int_equal(c->core, i / 2);
		assert_int_equal(c->thread, i % 2);
		assert_int_equal(c->node, i / 4);
		assert_int_equal(c->package, -1);
		assert_true(c->allowed);
	}
	assert_int_equal(topo_node(t, 3)->allowed_cpus, 4);
	assert_string_equal(topo_usable_cpus(t, text, sizeof(text)), "0-15");
	assert_string_equal(topo_usable_thread_nodes(t, text, sizeof(text)), "0-3");
	assert_string_equal(topo_usable_memory_nodes(t, text, sizeof(text)), "0-3");
	release(&m);
}

static void test_absent_numbers(void **state)
{
	static const int absent[] = {-1, 16, 1000000};
	struct machine m;

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "numa:4 core:2 pu:2");
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		assert_null(topo_cpu(&m.topo, absent[i]));
		assert_null(topo_node(&m.topo, absent[i]));
	}
	release(&m);
}

static void test_memory_only(void **state)
{
	static const int cpus[] = {16, 0, 16, 0};
	struct machine m;
	const struct topo *t = &m.topo;
	char text[64];

	(void)state;
	load(&m, "HWLOC_SYNTHETIC",
		"pack:2 [numa(memory=64GB)] [numa(memory=256GB)] l3:2 core:4 pu:2");
	assert_int_equal(t->nnodes, 4);
	assert_int_equal(t->npackages, 2);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(t->nodes[i].node, i);
		assert_int_equal(t->nodes[i].cpus, cpus[i]);
		assert_int_equal(t->nodes[i].allowed_cpus, cpus[i]);
		assert_true(t->nodes[i].allowed);
	}
	assert_true(t->nodes[1].bytes == UINT64_C(256000000000));
	assert_int_equal(topo_cpu(t, 31)->node, 2);
	assert_int_equal(topo_cpu(t, 31)->package, 1);
	assert_string_equal(topo_usable_thread_nodes(t, text, sizeof(text)), "0,2");
	assert_string_equal(topo_usable_memory_nodes(t, text, sizeof(text)), "0-3");
	/* A memory-only node cannot hold threads, so it is neither near nor far. */
	assert_int_equal(topo_near(t, 0), 2);
	assert_int_equal(topo_far(t, 2), 0);
	assert_int_equal(topo_far(t, 3), 0);
	release(&m);
}

static void test_caches(void **state)
{
	struct machine m;
	const struct topo_cache *c = m.topo.caches;

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "numa:2 l3:2(size=8MB) l2:2(size=256KB) l1:1 core:1 pu:2");
	assert_true(c[3].bytes == UINT64_C(8000000));
	assert_int_equal(c[3].count, 4);
	assert_int_equal(c[3].shared_by, 4);
	assert_int_equal(c[2].level, 2);
	assert_int_equal(c[2].count, 8);
	assert_int_equal(c[2].shared_by, 2);
	assert_int_equal(c[1].count, 8);
	assert_true(c[4].bytes == 0);
	release(&m);
}

static void test_holes(void **state)
{
	struct machine m;
	const struct topo *t = &m.topo;
	char text[64];

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "numa:3(indexes=8,2,5) core:1 pu:2(indexes=0,3,10,13,20,23)");
	assert_int_equal(t->nnodes, 3);
	assert_int_equal(t->nodes[0].node, 2);
	assert_int_equal(t->nodes[2].node, 8);
	assert_null(topo_node(t, 0));
	assert_null(topo_cpu(t, 1));
	assert_int_equal(topo_cpu(t, 3)->node, 8);
	assert_int_equal(topo_cpu(t, 3)->core, 0);
	assert_int_equal(topo_cpu(t, 3)->thread, 1);
	assert_int_equal(topo_cpu(t, 20)->node, 5);
	assert_int_equal(topo_far(t, 2), 5);
	assert_string_equal(topo_usable_cpus(t, text, sizeof(text)), "0,3,10,13,20,23");
	assert_string_equal(topo_usable_memory_nodes(t, text, sizeof(text)), "2,5,8");
	release(&m);
}

static void test_no_cores(void **state)
{
	struct machine m;

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "numa:2 pu:3");
	assert_int_equal(m.topo.ncores, 6);
	assert_int_equal(topo_cpu(&m.topo, 5)->core, 5);
	assert_int_equal(topo_cpu(&m.topo, 5)->thread, 0);
	release(&m);
}

static void test_large(void **state)
{
	struct machine m;
	char text[64];

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "numa:64 core:8 pu:2");
	assert_int_equal(m.topo.nnodes, 64);
	assert_int_equal(m.topo.ncpus, 1024);
	assert_int_equal(topo_node(&m.topo, 63)->cpus, 16);
	assert_int_equal(topo_cpu(&m.topo, 1023)->node, 63);
	assert_int_equal(topo_cpu(&m.topo, 1023)->core, 511);
	assert_string_equal(topo_usable_thread_nodes(&m.topo, text, sizeof(text)), "0-63");
	release(&m);
}

static void test_default_distances(void **state)
{
	struct machine m;

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "numa:4 core:2 pu:2");
	assert_null(m.topo.distances);
	assert_true(topo_distance(&m.topo, 1, 1) == 10);
	assert_true(topo_distance(&m.topo, 1, 3) == 20);
	assert_int_equal(topo_far(&m.topo, 0), 1);
	assert_int_equal(topo_near(&m.topo, 1), 0);
	release(&m);
	load(&m, "HWLOC_SYNTHETIC", "numa:1 core:2 pu:2");
	assert_int_equal(topo_far(&m.topo, 0), -1);
	assert_int_equal(topo_near(&m.topo, 0), -1);
	release(&m);
}

static void test_ring(void **state)
{
	static const uint64_t from_0[] = {10, 21, 31, 21};
	struct machine m;
	const struct topo *t = &m.topo;

	(void)state;
	load(&m, "HWLOC_XMLFILE", RING);
	assert_non_null(t->distances);
	assert_string_equal(t->source, "HWLOC_XMLFILE=" RING);
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			assert_true(topo_distance(t, i, j) == from_0[(j - i + 4) % 4]);
	assert_int_equal(topo_far(t, 0), 2);
	assert_int_equal(topo_far(t, 3), 1);
	assert_int_equal(topo_near(t, 0), 1);
	assert_int_equal(topo_near(t, 3), 0);
	release(&m);
}

static void test_wrong_source(void **state)
{
	static const char *const cases[][2] = {
		{"HWLOC_SYNTHETIC", "nonsense:3"},
		{"HWLOC_SYNTHETIC", "numa:0 core:2"},
		{"HWLOC_XMLFILE", "/nowhere/machine.xml"},
		{"HWLOC_XMLFILE", "/etc/passwd"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct machine m = {0};
		int result;

		setenv(cases[i][0], cases[i][1], 1);
		result = topo_load(&m.topo, &m.errors);
		unsetenv(cases[i][0]);
		assert_int_equal(result, -1);
		assert_int_equal(m.errors.count, 1);
		assert_int_equal(errors_status(&m.errors), STATUS_USAGE);
		assert_non_null(strstr(m.errors.list[0].text, cases[i][0]));
		assert_non_null(strstr(m.errors.list[0].text, cases[i][1]));
		assert_non_null(m.errors.list[0].hint);
		release(&m);
	}
}

static void test_empty_variable(void **state)
{
	struct machine m;

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "");
	assert_true(m.topo.this_system);
	release(&m);
}

static void test_here(void **state)
{
	struct machine m;
	const struct topo *t = &m.topo;
	int homes = 0, allowed = 0;
	cpu_set_t mask;

	(void)state;
	load(&m, NULL, NULL);
	assert_true(t->this_system);
	assert_string_equal(t->source, "this machine");
	assert_true(t->nnodes > 0);
	for (int i = 0; i < t->nnodes; i++)
		homes += t->nodes[i].cpus;
	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[i];

		assert_ptr_equal(topo_cpu(t, c->cpu), c);
		assert_true(i == 0 || c->core > c[-1].core || c->thread == c[-1].thread + 1);
		allowed += c->allowed;
	}
	assert_int_equal(homes, t->ncpus);
	assert_int_equal(sched_getaffinity(0, sizeof(mask), &mask), 0);
	assert_int_equal(allowed, CPU_COUNT(&mask));
	release(&m);
}

static void test_bind(void **state)
{
	struct machine m;
	const struct topo *t = &m.topo;
	cpu_set_t before, after;

	(void)state;
	load(&m, NULL, NULL);
	sched_getaffinity(0, sizeof(before), &before);
	for (int i = 0; i < t->ncpus; i++) {
		if (!t->cpus[i].allowed)
			continue;
		assert_int_equal(topo_bind(t, t->cpus[i].cpu), 0);
		assert_int_equal(sched_getcpu(), t->cpus[i].cpu);
	}
	assert_int_equal(topo_bind(t, -1), 0);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
	assert_int_equal(topo_bind(t, t->ncpu_index), -1);
	assert_int_equal(errno, EINVAL);
	release(&m);
}

static void test_affinity(void **state)
{
	struct machine m;
	cpu_set_t before, one;
	char text[64], first[16];
	int cpu = 0;

	(void)state;
	sched_getaffinity(0, sizeof(before), &before);
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	load(&m, NULL, NULL);
	sched_setaffinity(0, sizeof(before), &before);
	snprintf(first, sizeof(first), "%d", cpu);
	assert_string_equal(topo_usable_cpus(&m.topo, text, sizeof(text)), first);
	assert_true(m.topo.ncpus >= CPU_COUNT(&before));
	release(&m);
}

static void test_bind_elsewhere(void **state)
{
	struct machine m;

	(void)state;
	load(&m, "HWLOC_SYNTHETIC", "numa:4 core:2 pu:2");
	assert_int_equal(topo_bind(&m.topo, 0), -1);
	assert_int_equal(errno, ENOSYS);
	release(&m);
}

static int plain_environment(void **state)
{
	static const char *const names[] = {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT",
		"HWLOC_THISSYSTEM", "HWLOC_COMPONENTS"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "cores, hardware threads and nodes are counted as described",
			.test_func = test_shape},
		{.name = "a number that no CPU or node has finds nothing",
			.test_func = test_absent_numbers},
		{.name = "of two nodes with the same CPUs the second is memory-only",
			.test_func = test_memory_only},
		{.name = "caches have a size, a count and sharers", .test_func = test_caches},
		{.name = "numbers of nodes and CPUs may have holes and any order",
			.test_func = test_holes},
		{.name = "without cores each hardware thread is one", .test_func = test_no_cores},
		{.name = "64 nodes and 1024 CPUs load", .test_func = test_large},
		{.name = "without firmware values other nodes are at 20",
			.test_func = test_default_distances},
		{.name = "on a ring the farthest node is across, the nearest beside",
			.test_func = test_ring},
		{.name = "a variable that describes no machine is an error with a hint",
			.test_func = test_wrong_source},
		{.name = "an empty variable is none", .test_func = test_empty_variable},
		{.name = "this machine's CPUs each have one place and a home",
			.test_func = test_here},
		{.name = "a thread runs where it is bound and is free again after -1",
			.test_func = test_bind},
		{.name = "only CPUs of the process's affinity are allowed",
			.test_func = test_affinity},
		{.name = "binding on a machine that is not this one fails",
			.test_func = test_bind_elsewhere},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("topo", tests, plain_environment, NULL);
}
