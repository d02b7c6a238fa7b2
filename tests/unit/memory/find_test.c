/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found of a mapping by the kernel's counts is what it says of each page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>
#include <unistd.h>

#include "mem_stage.h"

/* Both ways are there on this machine. */
static bool comparable(void)
{
	mem_ask(&rights);
	return !rights.move_pages && !access("/proc/self/numa_maps", R_OK);
}

#define NEED_BOTH          \
	if (!comparable()) \
	SKIP("move_pages or numa_maps is missing")

static void same(const struct mem *m)
{
	struct mem_found pages = {0}, counts = {0};

	assert_int_equal(mem_find(m->base, m->bytes, &pages), 0);
	assert_int_equal(mem_find_counts(m, &rights, &counts), 0);
	assert_int_equal(pages.proof, MEM_BY_MOVE_PAGES);
	assert_int_equal(counts.proof, MEM_BY_NUMA_MAPS);
	assert_int_equal(counts.pages, pages.pages);
	assert_int_equal(counts.absent, pages.absent);
	assert_memory_equal(counts.on_node, pages.on_node, sizeof(counts.on_node));
}

static void touch(const struct mem *m, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		((volatile char *)m->base)[i * mem_base_page()] = 1;
}

static void test_part(void **state)
{
	struct mem m;

	(void)state;
	NEED_BOTH;
	assert_int_equal(try(&m, MIB, MEM_BIND, PAGES_BASE), 0);
	same(&m);
	touch(&m, 1);
	same(&m);
	touch(&m, MIB / mem_base_page() / 2);
	same(&m);
	touch(&m, MIB / mem_base_page());
	same(&m);
	mem_unmap(&m);
}

/* Small mappings of the same policy are made side by side: the kernel would merge them. */
static void test_neighbours(void **state)
{
	struct mem m[4];

	(void)state;
	NEED_BOTH;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(try(&m[i], 8 * mem_base_page(), MEM_BIND, PAGES_BASE), 0);
		touch(&m[i], i + 1);
	}
	for (size_t i = 0; i < 4; i++) {
		struct mem_found counts;

		same(&m[i]);
		assert_int_equal(mem_find_counts(&m[i], &rights, &counts), 0);
		assert_int_equal(counts.absent, 7 - i);
	}
	for (size_t i = 0; i < 4; i++)
		mem_unmap(&m[i]);
}

static void test_split(void **state)
{
	struct mem m;

	(void)state;
	NEED_BOTH;
	assert_int_equal(try(&m, MIB, MEM_BIND, PAGES_BASE), 0);
	touch(&m, MIB / mem_base_page());
	assert_int_equal(mprotect((char *)m.base + MIB / 2, MIB / 4, PROT_READ), 0);
	same(&m);
	mem_unmap(&m);
}

/* Counted in pages of their own size. */
static void test_sizes(void **state)
{
	static const enum mem_pages sizes[] = {PAGES_SYSTEM, PAGES_THP, PAGES_2M};

	(void)state;
	NEED_BOTH;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct mem m;

		if (try(&m, 4 * MIB, MEM_BIND, sizes[i]))
			continue;
		touch(&m, m.bytes / mem_base_page());
		same(&m);
		mem_unmap(&m);
	}
}

/* A mapping that does not end where it should is not counted with what follows. */
static void test_cut(void **state)
{
	struct mem_found counts;
	struct mem m;

	(void)state;
	NEED_BOTH;
	assert_int_equal(try(&m, MIB, MEM_BIND, PAGES_BASE), 0);
	touch(&m, MIB / mem_base_page());
	m.bytes -= mem_base_page();
	if (!mem_find_counts(&m, &rights, &counts))
		assert_int_equal(counts.proof, MEM_BY_ONE_NODE);
	m.bytes += mem_base_page();
	mem_unmap(&m);
}

#define TEST(text, function)                                             \
	{                                                                \
		.name = text, .test_func = function, .setup_func = clean \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("pages that are there and pages that are not", test_part),
		TEST("each of several neighbours is counted alone", test_neighbours),
		TEST("a mapping in pieces is summed", test_split),
		TEST("huge pages count as the base pages that they hold", test_sizes),
		TEST("a mapping with another end is not counted", test_cut),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("find", tests, NULL, clean);
}
