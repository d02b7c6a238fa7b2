/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which values of pagesPerVector are base pages, which are a pool's, and how large they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory/pages.h"

static void test_pools(void **state)
{
	static const struct {
		enum mem_pages pages;
		size_t mib;
	} pools[] = {{PAGES_2M, 2}, {PAGES_32M, 32}, {PAGES_512M, 512}, {PAGES_1G, 1024},
		{PAGES_16G, 16384}};

	(void)state;
	for (size_t i = 0; i < sizeof(pools) / sizeof(*pools); i++) {
		assert_true(mem_from_pool(pools[i].pages));
		assert_false(mem_only_base(pools[i].pages));
		assert_int_equal(mem_page_bytes(pools[i].pages), pools[i].mib << 20);
	}
	for (size_t i = 1; i < MEM_POOLS; i++)
		assert_true(mem_pool_bytes[i] > mem_pool_bytes[i - 1]);
}

static void test_base(void **state)
{
	static const enum mem_pages base[] = {PAGES_4K, PAGES_16K, PAGES_BASE};

	(void)state;
	for (size_t i = 0; i < sizeof(base) / sizeof(*base); i++) {
		assert_false(mem_from_pool(base[i]));
		assert_true(mem_only_base(base[i]));
		assert_int_equal(mem_page_bytes(base[i]), mem_base_page());
	}
	assert_false(mem_only_base(PAGES_SYSTEM));
	assert_false(mem_only_base(PAGES_THP));
	assert_false(mem_from_pool(PAGES_SYSTEM));
	assert_int_equal(mem_page_bytes(PAGES_SYSTEM), mem_base_page());
}

/* The one size that is a base page of some kernels and a pool's of others. */
static void test_64k(void **state)
{
	(void)state;
	assert_int_equal(mem_page_bytes(PAGES_64K), 65536);
	assert_int_equal(mem_from_pool(PAGES_64K), mem_base_page() != 65536);
	assert_int_equal(mem_only_base(PAGES_64K), mem_base_page() == 65536);
}

/* thp:2M is thp itself where huge pages have 2 MiB. */
static void test_thp(void **state)
{
	(void)state;
	for (enum mem_pages p = PAGES_THP_16K; p <= PAGES_THP_256M; p++) {
		size_t bytes = (size_t)16384 << (p - PAGES_THP_16K);

		assert_int_equal(mem_page_bytes(p), bytes);
		assert_int_equal(mem_is_thp(p), bytes == mem_huge_page());
		assert_int_equal(mem_is_mthp(p), bytes != mem_huge_page());
		assert_false(mem_from_pool(p));
		assert_false(mem_only_base(p));
	}
	assert_int_equal(mem_page_bytes(PAGES_THP_256M), (size_t)256 << 20);
	assert_true(mem_is_thp(PAGES_THP));
	assert_false(mem_is_mthp(PAGES_THP));
	assert_false(mem_is_thp(PAGES_2M));
	assert_false(mem_is_mthp(PAGES_SYSTEM));
}

/* The half that is touched first has the odd huge page. */
static void test_halves(void **state)
{
	const size_t huge = mem_huge_page();

	(void)state;
	assert_int_equal(mem_page_bytes(PAGES_THP_BASE), huge);
	assert_false(mem_is_thp(PAGES_THP_BASE) || mem_is_mthp(PAGES_THP_BASE));
	assert_false(mem_only_base(PAGES_THP_BASE) || mem_from_pool(PAGES_THP_BASE));
	assert_true(mem_is_half_thp(PAGES_THP_BASE));
	assert_false(mem_is_half_thp(PAGES_THP_256M));
	assert_int_equal(mem_huge_part(PAGES_THP_BASE, 8 * huge), 4 * huge);
	assert_int_equal(mem_huge_part(PAGES_THP_BASE, 5 * huge), 3 * huge);
	assert_int_equal(mem_huge_part(PAGES_THP, 5 * huge), 5 * huge);
	assert_int_equal(mem_huge_part(PAGES_SYSTEM, 8 * huge), 0);
	assert_int_equal(mem_huge_part(PAGES_4K, 8 * huge), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "pools have the sizes of their names", .test_func = test_pools},
		{.name = "base pages are as large as the kernel's", .test_func = test_base},
		{.name = "transparent huge pages have the sizes of their names",
			.test_func = test_thp},
		{.name = "of half a vector in huge pages the half is whole huge pages",
			.test_func = test_halves},
		{.name = "64 KiB are a base page, or a pool's", .test_func = test_64k},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
