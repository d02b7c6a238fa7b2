/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests that cannot be met are refused before anything is mapped, each with advice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "mem_stage.h"

static void test_empty_pool(void **state)
{
	static const enum mem_policy policies[] = {
		MEM_BIND, MEM_INTERLEAVE, MEM_PREFERRED, MEM_LOCAL};
	size_t page = 2 * MIB, had = 0;
	struct mem m;

	(void)state;
	if (!capacity_pool_exists(page))
		SKIP("there is no pool of 2 MiB pages");
	for (int n = 0; n < MEM_MAX_NODES; n++)
		had += capacity_pool_free(n, page);
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		errors_free(&errors);
		assert_int_equal(try(&m, had * page + 1, policies[i], PAGES_2M), -1);
		assert_null(m.map);
		assert_int_equal(errors.count, 1);
		assert_int_equal(errors_status(&errors), STATUS_PLACEMENT);
		assert_non_null(strstr(errors.list[0].text, "vector 0: "));
		assert_non_null(strstr(errors.list[0].hint, "echo "));
		assert_non_null(strstr(errors.list[0].hint, "/hugepages-2048kB/nr_hugepages"));
	}
}

static void test_absent_node(void **state)
{
	static const enum mem_policy policies[] = {MEM_BIND, MEM_INTERLEAVE, MEM_PREFERRED};
	const int absent = MEM_MAX_NODES - 1;
	struct mem m;

	(void)state;
	if (capacity_total(absent))
		SKIP("this machine has all nodes");
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		errors_free(&errors);
		nodes[absent] = true;
		assert_int_equal(try(&m, MIB, policies[i], PAGES_SYSTEM), -1);
		assert_null(m.base);
		assert_int_equal(errors_status(&errors), STATUS_PLACEMENT);
		assert_non_null(strstr(errors.list[0].text, "1023"));
		assert_non_null(strstr(errors.list[0].hint, "may be used"));
	}
}

static void test_impossible_size(void **state)
{
	static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 8192, SIZE_MAX / 2, (size_t)1 << 46};
	struct mem m;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		errors_free(&errors);
		assert_int_equal(try(&m, sizes[i], MEM_BIND, PAGES_BASE), -1);
		assert_null(m.map);
		assert_int_equal(errors.count, 1);
		assert_int_equal(errors_status(&errors), STATUS_FAILED);
	}
}

static void test_no_huge_pages(void **state)
{
	struct mem m;

	(void)state;
	assert_int_equal(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
	assert_int_equal(try(&m, MIB, MEM_BIND, PAGES_THP), -1);
	assert_int_equal(prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
	assert_int_equal(errors_status(&errors), STATUS_PLACEMENT);
	assert_non_null(strstr(errors.list[0].text, "transparent huge pages"));
	assert_non_null(errors.list[0].hint);
}

#define TEST(text, function)                                             \
	{                                                                \
		.name = text, .test_func = function, .setup_func = clean \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a pool with too few pages is refused with the command that helps",
			test_empty_pool),
		TEST("huge pages that are switched off are refused", test_no_huge_pages),
		TEST("a node that does not exist is refused", test_absent_node),
		TEST("a size beyond all memory is refused", test_impossible_size),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("mem_check", tests, NULL, clean);
}
