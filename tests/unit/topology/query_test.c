/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers about described machines: which node is far, and how much cache a core has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "topology/caches.h"
#include "topology/levels.h"
#include "topology/pairs.h"

static void load(struct topo *t, const char *variable, const char *value)
{
	struct errors e = {0};

	setenv(variable, value, 1);
	assert_int_equal(topo_load(t, &e), 0);
	unsetenv(variable);
	errors_free(&e);
}

/* Nodes 0, 2 and 4 have CPUs, 1, 3 and 5 have none. */
static void far_from_a_node_without_cpus_is_by_distance(void **state)
{
	struct topo machine, *t = &machine;

	(void)state;
	load(t, "HWLOC_SYNTHETIC", "pack:3 [numa(memory=64GB)] [numa(memory=256GB)] core:4 pu:2");
	for (int from = 0; from < 6; from += 2)
		for (int to = 0; to < 6; to++)
			topo_take_access(t, "four.json", from, to, 100);
	topo_take_access(t, "four.json", 0, 4, 300);
	assert_int_equal(topo_far(t, 0), 4);
	assert_int_equal(topo_near(t, 0), 2);
	/* no CPU of node 1 can measure: by distance, the lowest of equals */
	assert_int_equal(topo_far(t, 1), 0);
	assert_int_equal(topo_near(t, 1), 0);
	topo_free(t);
}

/* Four cores with an L2 cache of 1.25 MiB each, two clusters of four with 2 MiB each. */
static void the_share_of_a_core_is_that_of_one_cache(void **state)
{
	struct topo machine, *t = &machine;

	(void)state;
	load(t, "HWLOC_XMLFILE", "tests/topologies/laptop.xml");
	assert_int_equal((int)topo_cache_of_machine(t, 2, true), 1280 << 10);
	assert_int_equal((int)topo_cache_of_machine(t, 2, false), 2 << 20);
	assert_true(topo_caches(t, true) == topo_cache_of_machine(t, 1, true) + (1280 << 10) +
						    topo_cache_of_machine(t, 3, true));
	topo_free(t);
}

static void a_cache_without_usable_cores_is_no_share(void **state)
{
	struct topo machine, *t = &machine;

	(void)state;
	load(t, "HWLOC_SYNTHETIC", "numa:1 l2:2(size=1MiB) core:2 pu:1");
	assert_int_equal((int)topo_cache_of_machine(t, 2, true), 512 << 10);
	t->caches[2].each[1] = (struct topo_one_cache){.bytes = 8 << 20, .shared_by = 2};
	assert_int_equal((int)topo_cache_of_machine(t, 2, true), 512 << 10);
	topo_free(t);
}

/* Firmware gives 64 at all levels but one; the user's levels are one more. */
static void caches_of_the_user_keep_the_lines_of_the_machine(void **state)
{
	static const struct topo_given_cache given[] = {
		{32 << 10, 1}, {1 << 20, 1}, {8 << 20, 4}, {64 << 20, 4}};
	struct topo machine, *t = &machine, own;

	(void)state;
	load(t, "HWLOC_XMLFILE", "tests/topologies/memcache.xml");
	t->caches[2].line = 128;
	topo_with_caches(&own, t, given, 4, CACHES_USER, NULL);
	for (int level = 1; level < TOPO_LEVELS; level++) {
		assert_int_equal(own.caches[level].line, level == 2 ? 128 : 64);
		assert_false(own.caches[level].line_assumed);
	}
	topo_drop_caches(&own);
	for (int level = 1; level < TOPO_LEVELS; level++)
		t->caches[level].line_assumed = true;
	topo_with_caches(&own, t, given, 4, CACHES_USER, NULL);
	assert_int_equal(own.caches[2].line, TOPO_LINE);
	assert_true(own.caches[2].line_assumed);
	topo_drop_caches(&own);
	topo_free(t);
}

/* How many pairs of a class there are, by looking at each. */
static long look_at_pairs(const struct topo *t, struct topo_pair of)
{
	long n = 0;

	for (int i = 0; i < t->ncpus; i++)
		for (int k = 0; k < i; k++)
			n += t->cpus[i].allowed && t->cpus[k].allowed &&
			     topo_pair_is(topo_pair(t, &t->cpus[k], &t->cpus[i]), of);
	return n;
}

static void check_class(const struct topo *t, int a, int b, const char *name, long pairs)
{
	const struct topo_pair p = topo_pair(t, topo_cpu(t, a), topo_cpu(t, b));
	char buffer[128];

	assert_string_equal(topo_pair_name(t, p, buffer, sizeof(buffer)), name);
	assert_int_equal(topo_pair_count(t, p), pairs);
	assert_int_equal(look_at_pairs(t, p), pairs);
}

/* Two packages of two nodes, each with an L3, in it two L2 of two cores of two hardware threads. */
static void classes_of_pairs_are_of_their_innermost_common_place(void **state)
{
	struct topo machine, *t = &machine;

	(void)state;
	load(t, "HWLOC_SYNTHETIC", "pack:2 [numa] l3:2 l2:2 core:2 pu:2");
	check_class(t, 0, 1, "same core", 16);
	check_class(t, 0, 2, "same L2", 32);
	check_class(t, 0, 4, "same L3", 64);
	check_class(t, 0, 8, "same node = package", 128);
	check_class(t, 0, 16, "other package", 256);
	topo_free(t);
	load(t, "HWLOC_XMLFILE", "tests/topologies/laptop.xml");
	check_class(t, 0, 1, "same core", 4);
	topo_free(t);
}

/* Whether CPUs that hide their L3 share one is not known; that they do not share one which others
 * show is. */
static void pairs_that_hide_a_level_are_a_class_of_their_own(void **state)
{
	struct topo machine, *t = &machine;

	(void)state;
	load(t, "HWLOC_SYNTHETIC", "pack:2 [numa] l3:2 core:3 pu:1");
	t->caches_hidden = true;
	for (int i = 3; i < 12; i++)
		t->cpus[i].caches[3] = -1;
	topo_load_levels(t, NULL);
	check_class(t, 0, 1, "same L3", 3);
	check_class(t, 0, 3, "same node = package", 9);
	check_class(t, 3, 4, "same node = package (L3 not known)", 3 + 15);
	check_class(t, 5, 6, "other package", 36);
	topo_free(t);
	load(t, "HWLOC_SYNTHETIC", "l3:2 numa:2 core:2 pu:1");
	t->caches_hidden = true;
	for (int i = 4; i < 8; i++)
		t->cpus[i].caches[3] = -1;
	topo_load_levels(t, NULL);
	check_class(t, 0, 4, "other L3", 16);
	check_class(t, 4, 6, "other L3 (L3 not known)", 4);
	topo_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(far_from_a_node_without_cpus_is_by_distance),
		cmocka_unit_test(the_share_of_a_core_is_that_of_one_cache),
		cmocka_unit_test(a_cache_without_usable_cores_is_no_share),
		cmocka_unit_test(caches_of_the_user_keep_the_lines_of_the_machine),
		cmocka_unit_test(classes_of_pairs_are_of_their_innermost_common_place),
		cmocka_unit_test(pairs_that_hide_a_level_are_a_class_of_their_own),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
