/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties that hold of the memory and the pools of any machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "memory/capacity.h"

#define PAGE_2M ((size_t)2 << 20)

static void test_nodes(void **state)
{
	bool nodes[LINUX_NODES];
	int found = 0;

	(void)state;
	assert_true(capacity_nodes(nodes) > 0);
	for (int n = 0; n < LINUX_NODES; n++) {
		found += nodes[n];
		assert_true((capacity_total(n) > 0) >= nodes[n]);
		assert_int_equal(capacity_available(n) > 0, nodes[n]);
		assert_true(capacity_available(n) <= capacity_total(n));
	}
	assert_int_equal(capacity_nodes(nodes), found);
}

static void test_pools(void **state)
{
	char file[128];

	(void)state;
	for (int n = 0; n < LINUX_NODES; n++)
		assert_true(capacity_pool_free(n, PAGE_2M) <= capacity_pool_size(n, PAGE_2M));
	assert_false(capacity_pool_exists(12345));
	assert_int_equal(capacity_pool_free(0, 12345), 0);
	capacity_pool_file(0, PAGE_2M, file, sizeof(file));
	assert_non_null(strstr(file, "/hugepages-2048kB/nr_hugepages"));
}

/* The memory left in a control group or in the node, whichever is less; memory is allocated and
 * freed meanwhile. */
static void test_left(void **state)
{
	struct capacity_left anywhere = capacity_left(-1);
	bool nodes[LINUX_NODES];

	(void)state;
	capacity_nodes(nodes);
	assert_true(anywhere.bytes > 0);
	for (int n = 0; n < LINUX_NODES; n++) {
		struct capacity_left left = capacity_left(n);

		assert_true(left.bytes <= capacity_total(n));
		assert_true(!nodes[n] || left.bytes > 0);
	}
}

static void test_absent(void **state)
{
	static const int absent[] = {-1, LINUX_NODES, 1000000};

	(void)state;
	for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
		assert_int_equal(capacity_total(absent[i]), 0);
		assert_int_equal(capacity_available(absent[i]), 0);
		assert_int_equal(capacity_pool_size(absent[i], PAGE_2M), 0);
		assert_int_equal(capacity_pool_free(absent[i], PAGE_2M), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "nodes with memory have some to give, others none",
			.test_func = test_nodes},
		{.name = "what is left for this process is no more than a node has",
			.test_func = test_left},
		{.name = "a pool has no more free pages than pages", .test_func = test_pools},
		{.name = "a node that does not exist has nothing", .test_func = test_absent},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("capacity", tests, NULL, NULL);
}
