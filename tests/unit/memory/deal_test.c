/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many pages weights give to each node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory/deal.h"

static void turns_are_counted(size_t unit_pages)
{
	static const unsigned weights[MEM_MAX_NODES] = {[0] = 3, [2] = 1, [5] = 2};
	const size_t page = mem_base_page();
	size_t on[MEM_MAX_NODES] = {0};

	for (size_t pages = 1; pages < 60; pages++) {
		static const int turns[] = {0, 0, 0, 2, 5, 5};
		const struct mem m = {.bytes = pages * page};
		const struct deal d = {weights, unit_pages * page};

		on[turns[(pages - 1) / unit_pages % 6]]++;
		for (int node = 0; node < 8; node++)
			assert_int_equal(deal_expects(&m, &d, node), on[node]);
	}
}

static void each_page_counts(void **state)
{
	(void)state;
	turns_are_counted(1);
}

static void a_huge_page_counts_whole(void **state)
{
	(void)state;
	turns_are_counted(4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "nodes get as many pages as their weights, also in the last turn",
			.test_func = each_page_counts},
		{.name = "a unit of several pages goes to one node, the last part of one too",
			.test_func = a_huge_page_counts_whole},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
