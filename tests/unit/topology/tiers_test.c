/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of memory, memory attributes and memory-side caches of described machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "edited.h"
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

#define TIERS "tests/topologies/tiers.xml"

static void names_of_other_versions_of_hwloc_mean_the_same(void **state)
{
	static const struct {
		const char *of_hwloc, *name;
	} names[] = {{"MCDRAM", "HBM"}, {"CXL-NVM", "CXL"}, {"GPUMemory", "GPU"}, {"SPM", "SPM"},
		{"NVM", "NVM"}};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *type = alloc_format("name=\"DAXType\" value=\"%s\"", names[i].of_hwloc);
		struct topo t;

		edited(&t, TIERS, (const char *[]){"name=\"DAXType\" value=\"NVM\"", type, NULL});
		assert_string_equal(t.nodes[4].memory, names[i].name);
		free(type);
		topo_free(&t);
	}
}

/* Memory-only nodes without a name; the best of the nodes with CPUs has 90000. */
static void names_are_guessed_from_bandwidths(void **state)
{
	static const struct {
		const char *nvm, *name;
	} nodes[] = {{"179999", NULL}, {"180000", "HBM"}, {"45000", "slow"}, {"45001", NULL},
		{"0", NULL}};

	(void)state;
	for (size_t i = 0; i < sizeof(nodes) / sizeof(*nodes); i++) {
		char *value = alloc_format("value=\"%s\"", nodes[i].nvm);
		struct topo t;

		edited(&t, TIERS,
			(const char *[]){"<info name=\"DAXType\" value=\"NVM\"/>", "",
				"subtype=\"DRAM\"", "", "name=\"MemoryTier\"", "name=\"Unused\"",
				"name=\"DAXDevice\"", "name=\"UnusedDevice\"",
				"value=\"20000\" initiator_cpuset=\"0x0000000f\"",
				"value=\"0\" initiator_cpuset=\"0x0000000f\"", "value=\"35000\"",
				value, "value=\"90000\" initiator_cpuset=\"0x000000f0\"",
				"value=\"40000\" initiator_cpuset=\"0x000000f0\"", NULL});
		free(value);
		assert_null(t.nodes[1].memory); /* slow, but it has CPUs */
		assert_null(t.nodes[0].memory);
		assert_string_equal(t.nodes[2].memory, "HBM");
		assert_false(t.nodes[2].guessed);
		if (nodes[i].name)
			assert_string_equal(t.nodes[4].memory, nodes[i].name);
		else
			assert_null(t.nodes[4].memory);
		assert_int_equal(t.nodes[4].guessed, nodes[i].name != NULL);
		topo_free(&t);
	}
}

static void bandwidths_for_reads_stand_for_others(void **state)
{
	struct topo t;

	(void)state;
	edited(&t, TIERS,
		(const char *[]){"memattr name=\"Bandwidth\"", "memattr name=\"ReadBandwidth\"",
			"memattr name=\"Latency\"", "memattr name=\"ReadLatency\"", NULL});
	assert_int_equal(t.bandwidths[0 * 6 + 2], 300000);
	assert_int_equal(t.latencies[1 * 6 + 4], 320);
	topo_free(&t);
}

static void the_first_of_equal_nodes_is_the_best(void **state)
{
	struct topo t;

	(void)state;
	edited(&t, TIERS,
		(const char *[]){"value=\"50000\"", "value=\"300000\"", "value=\"160\"",
			"value=\"95\"", NULL});
	assert_int_equal(topo_best(&t, t.bandwidths, false, 1), 2);
	assert_int_equal(topo_best(&t, t.latencies, true, 1), 0);
	topo_free(&t);
}

static void nodes_that_are_forbidden_or_empty_are_no_targets(void **state)
{
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", TIERS);
	assert_true(topo_is_target(&t.nodes[2]));
	t.nodes[2].allowed = false;
	assert_false(topo_is_target(&t.nodes[2]));
	assert_false(topo_has_memory(&t.nodes[2], "HBM"));
	assert_int_equal(topo_best(&t, t.bandwidths, false, 0), 0);
	t.nodes[2].allowed = true;
	t.nodes[2].bytes = 0;
	assert_false(topo_is_target(&t.nodes[2]));
	assert_false(topo_has_memory(&t.nodes[2], "HBM"));
	topo_free(&t);
}

static void caches_one_behind_the_other_add_up(void **state)
{
	struct topo t;

	(void)state;
	edited(&t, "tests/topologies/memcache.xml",
		(const char *[]){"gp_index=\"3\" cache_size=\"103079215104\"",
			"gp_index=\"903\" cache_size=\"4294967296\" depth=\"2\" "
			"cache_linesize=\"64\" cache_associativity=\"1\" cache_type=\"0\">"
			"<object type=\"MemCache\" cpuset=\"0x0000000f\" "
			"complete_cpuset=\"0x0000000f\" nodeset=\"0x00000001\" "
			"complete_nodeset=\"0x00000001\" gp_index=\"3\" "
			"cache_size=\"103079215104\"",
			"gp_index=\"4\" local_memory=\"549755813888\"/>",
			"gp_index=\"4\" local_memory=\"549755813888\"/></object>", NULL});
	assert_int_equal(t.nodes[0].cache, 100ull << 30);
	assert_int_equal(t.nodes[1].cache, 96ull << 30);
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
		{"names of other versions of hwloc mean the same",
			names_of_other_versions_of_hwloc_mean_the_same, NULL, NULL, NULL},
		{"names are guessed from bandwidths", names_are_guessed_from_bandwidths, NULL, NULL,
			NULL},
		{"bandwidths for reads stand for others", bandwidths_for_reads_stand_for_others,
			NULL, NULL, NULL},
		{"the first of equal nodes is the best", the_first_of_equal_nodes_is_the_best, NULL,
			NULL, NULL},
		{"nodes that are forbidden or empty are no targets",
			nodes_that_are_forbidden_or_empty_are_no_targets, NULL, NULL, NULL},
		{"caches one behind the other add up", caches_one_behind_the_other_add_up, NULL,
			NULL, NULL},
		{"memory-side caches belong to their nodes",
			memory_side_caches_belong_to_their_nodes, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
