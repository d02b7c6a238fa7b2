/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of memory, memory attributes and memory-side caches of described machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../described.h"
#include "topology/topo.h"

static void nodes_have_kinds_of_memory(void **state)
{
	static const char *const kinds[] = {"DRAM", "DRAM", "HBM", "HBM", "NVM", "CXL"};
	char buffer[64];
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", "tests/topologies/tiers.xml");
	for (int i = 0; i < 6; i++) {
		assert_string_equal(t.nodes[i].memory, kinds[i]);
		assert_false(t.nodes[i].guessed);
	}
	assert_string_equal(topo_memories(&t, buffer, sizeof(buffer)), "DRAM, HBM, NVM, CXL");
	assert_true(topo_has_memory(&t.nodes[2], "HBM"));
	assert_false(topo_has_memory(&t.nodes[0], "HBM"));
	topo_free(&t);
}

static void attributes_are_those_of_the_cpus_of_a_node(void **state)
{
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", "tests/topologies/tiers.xml");
	assert_int_equal(t.bandwidths[0 * 6 + 2], 300000);
	assert_int_equal(t.bandwidths[1 * 6 + 2], 50000);
	assert_int_equal(t.latencies[1 * 6 + 4], 320);
	assert_int_equal(t.bandwidths[2 * 6 + 2], 0); /* it has no CPUs */
	assert_int_equal(topo_best(&t, t.bandwidths, false, 0), 2);
	assert_int_equal(topo_best(&t, t.bandwidths, false, 1), 3);
	assert_int_equal(topo_best(&t, t.latencies, true, 0), 0);
	assert_int_equal(topo_best(&t, t.bandwidths, false, 2), -1);
	assert_int_equal(topo_best(&t, NULL, false, 0), -1);
	assert_false(t.measured);
	topo_free(&t);
}

static void the_memory_of_gpus_is_no_target(void **state)
{
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", "tests/topologies/gpu.xml");
	assert_true(topo_is_target(topo_node(&t, 0)));
	assert_string_equal(topo_node(&t, 8)->memory, TOPO_GPU);
	assert_false(topo_is_target(topo_node(&t, 8)));
	assert_true(topo_has_memory(topo_node(&t, 8), TOPO_GPU));
	topo_free(&t);
}

static void memory_side_caches_belong_to_their_nodes(void **state)
{
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", "tests/topologies/memcache.xml");
	assert_int_equal(t.nodes[0].cache, 96ull << 30);
	assert_int_equal(t.nodes[1].cache, 96ull << 30);
	assert_null(t.nodes[0].memory);
	topo_free(&t);
	described(&t, "HWLOC_XMLFILE", "tests/topologies/ring4.xml");
	assert_int_equal(t.nodes[0].cache, 0);
	assert_null(t.bandwidths);
	topo_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"nodes have kinds of memory", nodes_have_kinds_of_memory, NULL, NULL, NULL},
		{"attributes are those of the CPUs of a node",
			attributes_are_those_of_the_cpus_of_a_node, NULL, NULL, NULL},
		{"the memory of GPUs is no target", the_memory_of_gpus_is_no_target, NULL, NULL,
			NULL},
		{"memory-side caches belong to their nodes",
			memory_side_caches_belong_to_their_nodes, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
