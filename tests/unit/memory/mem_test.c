/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Real mappings on this machine: where pages are, how large they are, what is refused. Tests of
 * features that the machine lacks are skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mem_stage.h"

static void map(struct mem *m, size_t bytes, enum mem_policy policy, enum mem_pages pages)
{
	if (!try(m, bytes, policy, pages))
		return;
	errors_print(&errors, 0, stderr);
	fail_msg("cannot map %zu bytes", bytes);
}

static void write_all(const struct mem *m)
{
	memset(m->base, 1, m->bytes);
}

static void read_all(const struct mem *m)
{
	const volatile char *p = m->base;

	for (size_t i = 0; i < m->bytes; i += mem_base_page())
		assert_int_equal(p[i], 0);
}

/* Containers often forbid even the query. */
static bool may_ask(void)
{
	struct mem_found found = {0};
	void *page = (void *)((uintptr_t)nodes / mem_base_page() * mem_base_page());

	return !mem_find(page, mem_base_page(), &found);
}

#define NEED_ANSWERS    \
	if (!may_ask()) \
	SKIP("move_pages: %s", strerror(errno))

static struct mem_found find(const struct mem *m)
{
	struct mem_found found = {0};

	assert_int_equal(mem_find(m->base, m->bytes, &found), 0);
	assert_int_equal(found.pages, m->bytes / mem_base_page());
	return found;
}

static void test_written(void **state)
{
	static const enum mem_policy policies[] = {
		MEM_BIND, MEM_INTERLEAVE, MEM_PREFERRED, MEM_LOCAL};
	struct mem m;

	(void)state;
	NEED_ANSWERS;
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		struct mem_found found;
		size_t present = 0;

		map(&m, 3 * MIB + 1, policies[i], PAGES_BASE);
		assert_int_equal(m.bytes, 3 * MIB + mem_base_page());
		write_all(&m);
		found = find(&m);
		for (int n = 0; n < MEM_MAX_NODES; n++)
			present += found.on_node[n];
		assert_int_equal(present, found.pages);
		assert_int_equal(found.absent, 0);
		if (policies[i] == MEM_BIND)
			assert_int_equal(found.on_node[first_node()], found.pages);
		mem_unmap(&m);
	}
}

static void test_interleaved(void **state)
{
	struct mem_found found;
	struct mem m;
	bool allowed[MEM_MAX_NODES];
	int count = 0;

	(void)state;
	capacity_nodes(nodes);
	topo_system_mems(allowed);
	for (int n = 0; n < MEM_MAX_NODES; n++)
		count += nodes[n] = nodes[n] && allowed[n];
	NEED_ANSWERS;
	if (count == 1)
		SKIP("one node only may be used");
	map(&m, (size_t)count * MIB, MEM_INTERLEAVE, PAGES_BASE);
	write_all(&m);
	found = find(&m);
	for (int n = 0; n < MEM_MAX_NODES; n++)
		assert_int_equal(found.on_node[n], nodes[n] ? MIB / mem_base_page() : 0);
	mem_unmap(&m);
}

static void test_untouched(void **state)
{
	struct mem_found found;
	struct mem m;

	(void)state;
	NEED_ANSWERS;
	map(&m, MIB, MEM_BIND, PAGES_BASE);
	found = find(&m);
	assert_int_equal(found.absent, found.pages);
	*(volatile char *)m.base = 1;
	found = find(&m);
	assert_int_equal(found.absent, found.pages - 1);
	mem_unmap(&m);
}

/* Pages of [base, base + bytes) that belong to the process; the kernel's page of zeros is not
 * counted. */
static size_t resident(const struct mem *m)
{
	const uintptr_t begin = (uintptr_t)m->base, end = begin + m->bytes;
	FILE *smaps = fopen("/proc/self/smaps", "r");
	uintptr_t from = 0, to = 0;
	size_t kib, pages = 0;
	char line[512];

	assert_non_null(smaps);
	while (fgets(line, sizeof(line), smaps))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
			continue;
		else if (sscanf(line, "Rss: %zu kB", &kib) == 1 && from < end && to > begin)
			pages += kib * 1024 / mem_base_page();
	fclose(smaps);
	return pages;
}

/* Most kernels map their page of zeros where memory is only read; some give it pages of its own. */
static void test_only_read(void **state)
{
	static const enum mem_pages pages[] = {PAGES_BASE, PAGES_THP};
	struct mem_found found;
	struct mem m;

	(void)state;
	NEED_ANSWERS;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		if (try(&m, 4 * MIB, MEM_BIND, pages[i]))
			continue;
		read_all(&m);
		found = find(&m);
		assert_int_equal(found.absent, found.pages - resident(&m));
		mem_unmap(&m);
	}
}

static void test_sum(void **state)
{
	struct mem_found found = {0};
	struct mem m;

	(void)state;
	NEED_ANSWERS;
	/* More than one batch, and not a multiple of it. */
	map(&m, 70 * MIB, MEM_BIND, PAGES_BASE);
	write_all(&m);
	find(&m);
	assert_int_equal(mem_find(m.base, 35 * MIB, &found), 0);
	assert_int_equal(mem_find((char *)m.base + 35 * MIB, 35 * MIB, &found), 0);
	assert_int_equal(found.pages, 70 * MIB / mem_base_page());
	assert_int_equal(found.on_node[first_node()], found.pages);
	mem_unmap(&m);
}

/* The kernel reads the byte, so that a fault becomes an error instead of a signal. */
static int readable(const void *p)
{
	int ends[2], result;

	assert_int_equal(pipe(ends), 0);
	result = write(ends[1], p, 1) == 1;
	close(ends[0]);
	close(ends[1]);
	return result;
}

static void test_guard(void **state)
{
	struct mem m;
	char *first, *end;

	(void)state;
	map(&m, 5 * MIB, MEM_BIND, PAGES_SYSTEM);
	first = m.base;
	end = first + m.bytes;
	assert_true(readable(first));
	assert_true(readable(end - 1));
	assert_false(readable(first - 1));
	assert_false(readable(first - mem_base_page()));
	assert_false(readable(end));
	assert_false(readable(end + mem_base_page() - 1));
	mem_unmap(&m);
	assert_false(readable(first));
	mem_unmap(&m);
}

static void test_neighbours(void **state)
{
	struct mem m[3];
	struct mem_sizes sizes;

	(void)state;
	for (int i = 0; i < 3; i++) {
		map(&m[i], 64 * mem_base_page(), MEM_BIND, PAGES_BASE);
		write_all(&m[i]);
	}
	for (int i = 0; i < 3; i++)
		assert_int_equal(mem_sizes(&m[i], &sizes), 0);
	for (int i = 0; i < 3; i++)
		mem_unmap(&m[i]);
}

static void test_split(void **state)
{
	struct mem m;
	struct mem_sizes sizes;

	(void)state;
	map(&m, 4 * MIB, MEM_BIND, PAGES_BASE);
	write_all(&m);
	assert_int_equal(mprotect((char *)m.base + MIB, MIB, PROT_READ), 0);
	assert_int_equal(mem_sizes(&m, &sizes), 0);
	assert_int_equal(sizes.kernel_page_bytes, mem_base_page());
	assert_int_equal(munmap((char *)m.base + MIB, MIB), 0);
	assert_int_equal(mem_sizes(&m, &sizes), -1);
	mem_unmap(&m);
}

static void test_small_pages(void **state)
{
	struct mem_sizes sizes;
	struct mem m;

	(void)state;
	map(&m, 8 * MIB, MEM_BIND, mem_base_page() == 4096 ? PAGES_4K : PAGES_BASE);
	write_all(&m);
	assert_int_equal(mem_sizes(&m, &sizes), 0);
	assert_int_equal(sizes.kernel_page_bytes, mem_base_page());
	assert_int_equal(sizes.huge_bytes, 0);
	mem_unmap(&m);
}

static void test_huge_pages(void **state)
{
	size_t huge = mem_huge_page();
	struct mem_sizes sizes;
	struct mem m;

	(void)state;
	NEED_ANSWERS;
	if (try(&m, 3 * huge + 1, MEM_BIND, PAGES_THP)) {
		assert_int_equal(errors_status(&errors), STATUS_PLACEMENT);
		assert_non_null(errors.list[0].hint);
		SKIP("%s", errors.list[0].text);
	}
	assert_int_equal(m.bytes, 4 * huge);
	assert_int_equal((uintptr_t)m.base % huge, 0);
	write_all(&m);
	assert_int_equal(mem_sizes(&m, &sizes), 0);
	assert_int_equal(find(&m).absent, 0);
	mem_unmap(&m);
	if (sizes.huge_bytes == 0)
		SKIP("the kernel had no huge page to give");
	assert_int_equal(sizes.huge_bytes % huge, 0);
	assert_int_equal(sizes.kernel_page_bytes, mem_base_page());
}

static void test_pool(void **state)
{
	static const enum mem_pages pages[] = {PAGES_2M, PAGES_1G};
	static const size_t bytes[] = {2 * MIB, 1024 * MIB};
	int done = 0;

	(void)state;
	NEED_ANSWERS;
	for (int i = 0; i < 2; i++) {
		struct mem_sizes sizes;
		struct mem m;

		if (!capacity_pool_free(first_node(), bytes[i]))
			continue;
		map(&m, 1, MEM_BIND, pages[i]);
		assert_int_equal(m.bytes, bytes[i]);
		assert_int_equal(m.page_bytes, bytes[i]);
		write_all(&m);
		assert_int_equal(mem_sizes(&m, &sizes), 0);
		assert_int_equal(sizes.kernel_page_bytes, bytes[i]);
		assert_int_equal(find(&m).on_node[first_node()], bytes[i] / mem_base_page());
		mem_unmap(&m);
		done++;
	}
	if (!done)
		SKIP("the pools of huge pages are empty");
}

#define TEST(text, function)                                             \
	{                                                                \
		.name = text, .test_func = function, .setup_func = clean \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("written pages are where the policy puts them", test_written),
		TEST("interleaved pages are spread evenly", test_interleaved),
		TEST("untouched pages are absent", test_untouched),
		TEST("pages that were only read are absent unless they are resident",
			test_only_read),
		TEST("pages of several parts add up", test_sum),
		TEST("an inaccessible page lies on either side", test_guard),
		TEST("neighbouring mappings stay apart", test_neighbours),
		TEST("a mapping in pieces is summed, with a hole refused", test_split),
		TEST("base pages hold no huge page", test_small_pages),
		TEST("thp is aligned and made of huge pages", test_huge_pages),
		TEST("pages of a pool have its size", test_pool),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("mem", tests, NULL, clean);
}
