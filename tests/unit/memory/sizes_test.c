/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of a mapping's pages are those that smaps has, however the kernel was asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "memory/mem.h"

/* The sum of a line "KEY: 123 kB" over the parts of the mapping, in bytes. */
static size_t from_smaps(const struct mem *m, const char *key)
{
	const uintptr_t begin = (uintptr_t)m->base, end = begin + m->bytes;
	FILE *smaps = fopen("/proc/self/smaps", "r");
	size_t kib, sum = 0, length = strlen(key);
	unsigned long from = 0, to = 0;
	char line[512];

	assert_non_null(smaps);
	while (fgets(line, sizeof(line), smaps))
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			continue;
		else if (!strncmp(line, key, length) && from < end && to > begin &&
			 sscanf(line + length, ": %zu kB", &kib) == 1)
			sum += kib * 1024;
	fclose(smaps);
	return sum;
}

/* Every `step`-th huge page may be huge. Many that take turns are more regions than one answer of
 * the kernel has room for. */
static void compare(size_t pages, size_t step)
{
	struct mem_request r = {pages * mem_huge_page(), MEM_LOCAL, NULL, PAGES_THP, false, NULL};
	struct mem_sizes sizes, again;
	size_t huge = mem_huge_page();
	struct mem_rights rights = {0};
	struct errors e = {0};
	struct mem m;

	if (!huge || mem_map(&m, &r, &rights, "vector 0", NOWHERE, &e)) {
		/* cmocka 1.1.5 prints its own skip() as "not ok" */
		fprintf(stderr, "# skipped: no transparent huge pages\n");
		errors_free(&e);
		return;
	}
	for (size_t i = 0; i < pages; i++) {
		char *page = (char *)m.base + i * huge;

		if (i % step)
			assert_int_equal(madvise(page, huge, MADV_NOHUGEPAGE), 0);
		*(volatile char *)page = 1;
	}
	assert_int_equal(mem_sizes(&m, &sizes), 0);
	assert_int_equal(sizes.huge_bytes, from_smaps(&m, "AnonHugePages"));
	assert_int_equal(sizes.kernel_page_bytes, mem_base_page());
	again = sizes;
	assert_int_equal(mem_sizes_again(&m, &again), 0);
	assert_memory_equal(&again, &sizes, sizeof(sizes));
	mem_unmap(&m);
	errors_free(&e);
}

static void test_huge(void **state)
{
	(void)state;
	compare(4, 1);
}

static void test_turns(void **state)
{
	(void)state;
	compare(140, 2);
}

/* One huge page is split, another one made, and as many bytes as before are in huge pages. */
static void test_places(void **state)
{
	struct mem_rights rights = {0};
	size_t huge = mem_huge_page();
	struct mem_request r = {2 * huge, MEM_LOCAL, NULL, PAGES_THP, false, NULL};
	struct mem_sizes before = {0}, after = {0};
	struct errors e = {0};
	struct mem m;

	(void)state;
	if (!huge || mem_map(&m, &r, &rights, "vector 0", NOWHERE, &e)) {
		fprintf(stderr, "# skipped: no transparent huge pages\n");
		errors_free(&e);
		return;
	}
	*(volatile char *)m.base = 1;
	assert_int_equal(mem_sizes(&m, &before), 0);
	assert_int_equal(madvise(m.base, huge, MADV_DONTNEED), 0);
	*(volatile char *)((char *)m.base + huge) = 1;
	assert_int_equal(mem_sizes(&m, &after), 0);
	assert_int_equal(after.huge_bytes, before.huge_bytes);
	if (before.huge_places)
		assert_int_not_equal(after.huge_places, before.huge_places);
	else
		fprintf(stderr, "# smaps has no addresses of huge pages\n");
	mem_unmap(&m);
	errors_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "huge pages are as many as smaps has", .test_func = test_huge},
		{.name = "huge and small pages in turns are told apart", .test_func = test_turns},
		{.name = "huge pages at other addresses differ", .test_func = test_places},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
