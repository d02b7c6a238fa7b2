/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory attributes as another program reads them from the XML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

#include "topology/memattrs.h"

#define NODES 4

static struct topo topo;

static int load(void **state)
{
	struct errors e = {0};

	(void)state;
	setenv("HWLOC_SYNTHETIC", "numa:4(memory=8GB) core:2 pu:2", 1);
	return topo_load(&topo, &e);
}

static int unload(void **state)
{
	(void)state;
	topo_free(&topo);
	unsetenv("HWLOC_SYNTHETIC");
	return 0;
}

/* The latency from i to k, in ns, and the bandwidth, in bytes per second, that the tests use. */
static double latency(int i, int k)
{
	return 80.4 + 20 * i + k;
}

static double bandwidth(int i, int k)
{
	return (1000.0 * (i + 1) + k) * 1048576;
}

static size_t fill(struct topo_memattr *list, enum memattr attribute, double value(int i, int k))
{
	for (int i = 0; i < NODES; i++)
		for (int k = 0; k < NODES; k++)
			list[NODES * i + k] = (struct topo_memattr){attribute, i, k, value(i, k)};
	return (size_t)NODES * NODES;
}

/* Reads the XML again, without the variable that created it. */
static hwloc_topology_t reload(const char *xml)
{
	hwloc_topology_t hwloc;

	assert_non_null(xml);
	unsetenv("HWLOC_SYNTHETIC");
	assert_int_equal(hwloc_topology_init(&hwloc), 0);
	assert_int_equal(hwloc_topology_set_xmlbuffer(hwloc, xml, (int)strlen(xml) + 1), 0);
	assert_int_equal(hwloc_topology_load(hwloc), 0);
	setenv("HWLOC_SYNTHETIC", "numa:4(memory=8GB) core:2 pu:2", 1);
	return hwloc;
}

/* The value for the CPUs of node i and the memory of node k; 0: there is no value. */
static hwloc_uint64_t value_of(hwloc_topology_t hwloc, hwloc_memattr_id_t id, int i, int k)
{
	hwloc_obj_t from = hwloc_get_numanode_obj_by_os_index(hwloc, (unsigned)i);
	hwloc_obj_t to = hwloc_get_numanode_obj_by_os_index(hwloc, (unsigned)k);
	struct hwloc_location initiator = {
		.type = HWLOC_LOCATION_TYPE_CPUSET, .location.cpuset = from->cpuset};
	hwloc_uint64_t value = 0;

	return hwloc_memattr_get_value(hwloc, id, to, &initiator, 0, &value) ? 0 : value;
}

static void test_round_trip(void **state)
{
	static const struct topo_note note = {"MemoryAttributesFrom", "a test"};
	struct topo_memattr list[3 * NODES * NODES];
	struct errors e = {0};
	size_t n = fill(list, MEMATTR_READ_LATENCY, latency);

	(void)state;
	n += fill(list + n, MEMATTR_READ_BANDWIDTH, bandwidth);
	n += fill(list + n, MEMATTR_WRITE_BANDWIDTH, bandwidth);
	for (size_t i = 32; i < n; i++)
		list[i].value /= 2;
	char *xml = topo_memattrs_xml(&topo, list, n, &note, 1, &e);
	hwloc_topology_t hwloc = reload(xml);
	for (int i = 0; i < NODES; i++)
		for (int k = 0; k < NODES; k++) {
			hwloc_uint64_t ns = 80 + 20 * (unsigned)i + (unsigned)k;
			hwloc_uint64_t mib = 1000 * ((unsigned)i + 1) + (unsigned)k;

			assert_int_equal(value_of(hwloc, HWLOC_MEMATTR_ID_LATENCY, i, k), ns);
			assert_int_equal(value_of(hwloc, HWLOC_MEMATTR_ID_READ_LATENCY, i, k), ns);
			assert_int_equal(
				value_of(hwloc, HWLOC_MEMATTR_ID_READ_BANDWIDTH, i, k), mib);
			assert_int_equal(value_of(hwloc, HWLOC_MEMATTR_ID_WRITE_BANDWIDTH, i, k),
				(mib + 1) / 2);
			assert_int_equal(value_of(hwloc, HWLOC_MEMATTR_ID_BANDWIDTH, i, k),
				(3 * mib + 2) / 4);
			assert_int_equal(value_of(hwloc, HWLOC_MEMATTR_ID_WRITE_LATENCY, i, k), 0);
		}
	assert_string_equal(
		hwloc_obj_get_info_by_name(hwloc_get_root_obj(hwloc), "MemoryAttributesFrom"),
		"a test");
	hwloc_topology_destroy(hwloc);
	free(xml);
}

/* Programs ask hwloc for the best node of some CPUs. */
static void test_best(void **state)
{
	struct topo_memattr list[NODES * NODES];
	struct errors e = {0};
	size_t n = fill(list, MEMATTR_READ_LATENCY, latency);

	(void)state;
	list[NODES * 2 + 3].value = 5; /* node 3 has the lowest latency for the CPUs of node 2 */
	char *xml = topo_memattrs_xml(&topo, list, n, NULL, 0, &e);
	hwloc_topology_t hwloc = reload(xml);
	hwloc_obj_t from = hwloc_get_numanode_obj_by_os_index(hwloc, 2), best;
	struct hwloc_location initiator = {
		.type = HWLOC_LOCATION_TYPE_CPUSET, .location.cpuset = from->cpuset};
	hwloc_uint64_t value;

	assert_int_equal(hwloc_memattr_get_best_target(
				 hwloc, HWLOC_MEMATTR_ID_LATENCY, &initiator, 0, &best, &value),
		0);
	assert_int_equal(best->os_index, 3);
	assert_int_equal(value, 5);
	assert_int_equal(value_of(hwloc, HWLOC_MEMATTR_ID_READ_BANDWIDTH, 0, 0), 0);
	hwloc_topology_destroy(hwloc);
	free(xml);
}

static void test_unknown_node(void **state)
{
	struct topo_memattr wrong = {MEMATTR_READ_LATENCY, 0, 77, 100};
	struct errors e = {0};

	(void)state;
	assert_null(topo_memattrs_xml(&topo, &wrong, 1, NULL, 0, &e));
	assert_int_equal(errors_status(&e), STATUS_FAILED);
	errors_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "every figure is found again with its initiator, in hwloc's units",
			.test_func = test_round_trip},
		{.name = "hwloc names the best node by it, and knows nothing that was not given",
			.test_func = test_best},
		{.name = "a node that is not there is an error", .test_func = test_unknown_node},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, load, unload);
}
