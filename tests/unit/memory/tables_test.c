/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page tables: how many a mapping has, when counts show them, and that a task's policy comes back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <numaif.h>
#include <string.h>

#include "memory/capacity.h"
#include "memory/tables.h"

static void test_needed(void **state)
{
	const size_t page = mem_base_page(), covers = page / 8 * page;
	const uintptr_t at = 40 * covers;

	(void)state;
	assert_int_equal(mem_tables_needed((void *)at, page), 1);
	assert_int_equal(mem_tables_needed((void *)at, covers), 1);
	assert_int_equal(mem_tables_needed((void *)at, covers + page), 2);
	assert_int_equal(mem_tables_needed((void *)(at + page), covers), 2);
	assert_int_equal(mem_tables_needed((void *)(at - page), 64 * covers), 65);
}

static void test_there(void **state)
{
	static const struct {
		struct mem_tables t;
		bool there;
	} cases[] = {
		{{0, 0, 0, false}, true},
		{{64, 64, 0, false}, true},
		{{64, 56, 8, false}, true},
		{{64, 55, 0, false}, false},
		{{64, 900, 0, false}, true},
		{{64, 64, 31, false}, true},
		{{64, 64, 32, false}, false},
		{{64, 64, -64, false}, true},
		{{64, 900, 64, false}, false},
		{{64, -3, 64, false}, false},
		{{64, -3, 0, true}, true},
		{{1, 0, 1, false}, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(mem_tables_there(&cases[i].t), cases[i].there);
}

static void test_policy_comes_back(void **state)
{
	unsigned long mask[MEM_MAX_NODES / (8 * sizeof(long)) + 1] = {0};
	struct mem_task_policy before;
	bool nodes[MEM_MAX_NODES];
	int node = 0, mode = -1;

	(void)state;
	capacity_nodes(nodes);
	while (!nodes[node])
		node++;
	if (mem_tables_begin(node, &before)) {
		print_message("# skipped: set_mempolicy: %s\n", strerror(errno));
		return;
	}
	assert_int_equal(get_mempolicy(&mode, mask, MEM_MAX_NODES + 1, NULL, 0), 0);
	assert_int_equal(mode & 0xff, MPOL_PREFERRED);
	assert_int_equal(mask[0], 1UL << node);
	mem_task_end(&before);
	assert_int_equal(get_mempolicy(&mode, NULL, 0, NULL, 0), 0);
	assert_int_equal(mode, before.mode);
	assert_int_equal(mode, MPOL_DEFAULT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a mapping has a table for each part that one covers",
			.test_func = test_needed},
		{.name = "counts show tables if an eighth at most is missing, and few are "
			 "elsewhere",
			.test_func = test_there},
		{.name = "the policy of the task is as before",
			.test_func = test_policy_comes_back},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
