/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where pages of this machine lie, and how counts are printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/pagemap.h"
#include "fake.h"

#define MIB ((size_t)1 << 20)

static void pages_are_found_on_the_real_machine(void **state)
{
	struct rhp *r = rhp_init(NULL);
	static struct rhp_pages pages;
	uint64_t written = 0;

	(void)state;
	assert_non_null(r);
	char *block = rhp_allocate(r, 8 * MIB);
	assert_non_null(block);
	for (size_t i = 0; i < 4 * MIB; i += 4096)
		block[i] = 1;
	rhp_where(r, block, 8 * MIB, &pages);
	for (int i = 0; i < RHP_NODES; i++)
		written += pages.on_node[i];
	assert_int_equal(pages.absent + pages.unknown + written, 8 * MIB);
	assert_true(pages.unknown || written == 4 * MIB);
	assert_true(pages.huge <= 4 * MIB);
	rhp_end(r);
}

/* Four huge pages: never written, swapped out, huge, swapped out in half. */
static int scan_of_four(int file, struct pagemap_scan *scan)
{
	struct pagemap_region *regions = (struct pagemap_region *)(uintptr_t)scan->regions;
	const uint64_t page = 2 * MIB, base = scan->start;

	(void)file;
	assert_int_equal(scan->all_of, 0);
	assert_int_equal(scan->any_of, PAGEMAP_PRESENT | PAGEMAP_SWAPPED);
	regions[0] = (struct pagemap_region){base + page, base + 2 * page, 0};
	regions[1] = (struct pagemap_region){
		base + 2 * page, base + 3 * page, PAGEMAP_PRESENT | PAGEMAP_HUGE};
	regions[2] = (struct pagemap_region){base + 3 * page, base + 3 * page + MIB, 0};
	scan->walk_end = scan->end;
	return 3;
}

static int no_scan(int file, struct pagemap_scan *scan)
{
	(void)file, (void)scan;
	errno = ENOTTY;
	return -1;
}

static int all_on_node_1(size_t n, void **pages, int *status)
{
	(void)pages;
	for (size_t i = 0; i < n; i++)
		status[i] = 1;
	return 0;
}

static size_t asked;

/* In questions of 128 pages. */
static int third_of_many(size_t n, void **pages, int *status)
{
	(void)pages;
	for (size_t i = 0; i < n; i++, asked++)
		status[i] = asked / 512 == 2 ? 1 : -ENOENT;
	return 0;
}

static void a_page_that_is_swapped_out_was_written(void **state)
{
	static struct rhp_pages pages;
	char smaps[256];

	(void)state;
	for (int scans = 0; scans < 2; scans++) {
		fake_begin();
		struct rhp_system system = fake_system();
		system.scan = scans ? scan_of_four : no_scan;
		system.nodes_of = scans ? all_on_node_1 : third_of_many;
		asked = 0;
		struct rhp *r = rhp_start(NULL, &system, fake_root);
		char *block = rhp_allocate(r, 8 * MIB);
		assert_non_null(block);
		snprintf(smaps, sizeof(smaps),
			"%lx-%lx rw-p 00000000 00:00 0\nAnonHugePages: 2048 kB\nSwap: 3072 kB\n",
			(unsigned long)block, (unsigned long)(block + 8 * MIB));
		fake_file("/proc/self/smaps", smaps);
		memset(&pages, 0, sizeof(pages));
		rhp_where(r, block, 8 * MIB, &pages);
		assert_int_equal(pages.on_node[1], 2 * MIB);
		assert_int_equal(pages.huge, 2 * MIB);
		assert_int_equal(pages.unknown, 3 * MIB);
		assert_int_equal(pages.huge_unknown, 3 * MIB);
		assert_int_equal(pages.absent, 3 * MIB);
		rhp_end(r);
	}
}

/* Three huge pages, the last one in part, and small ones; what follows is not told. */
static int scan_of_some(int file, struct pagemap_scan *scan)
{
	struct pagemap_region *regions = (struct pagemap_region *)(uintptr_t)scan->regions;
	const uint64_t base = scan->start;

	(void)file;
	if (asked)
		return -1;
	regions[0] = (struct pagemap_region){base, base + 5 * MIB, PAGEMAP_PRESENT | PAGEMAP_HUGE};
	regions[1] =
		(struct pagemap_region){base + 5 * MIB, base + 5 * MIB + 3 * 4096, PAGEMAP_PRESENT};
	scan->walk_end = base + 6 * MIB;
	return 2;
}

/* A huge page of zeros, which a read has left there, and pages that are gone or not told of. */
static int each_another(size_t n, void **pages, int *status)
{
	static const int all[] = {-ENOENT, 1, 1, -EFAULT, -EBUSY, 0};

	(void)pages;
	for (size_t i = 0; i < n && asked < 6; i++)
		status[i] = all[asked++];
	return 0;
}

static void each_page_counts_as_what_it_is(void **state)
{
	static struct rhp_pages pages;

	(void)state;
	fake_begin();
	struct rhp_system system = fake_system();
	system.scan = scan_of_some;
	system.nodes_of = each_another;
	asked = 0;
	struct rhp *r = rhp_start(NULL, &system, fake_root);
	char *block = rhp_allocate(r, 8 * MIB);
	assert_non_null(block);
	memset(&pages, 0, sizeof(pages));
	rhp_where(r, block, 8 * MIB, &pages);
	assert_int_equal(asked, 6); /* one question for a huge page */
	assert_int_equal(pages.on_node[1], 3 * MIB);
	assert_int_equal(pages.on_node[0], 4096);
	assert_int_equal(pages.huge, 3 * MIB);
	assert_int_equal(pages.absent, 2 * MIB + 4096);
	assert_int_equal(pages.huge_unknown, 8 * MIB - 5 * MIB - 3 * 4096);
	assert_int_equal(pages.unknown, pages.huge_unknown + 4096);
	rhp_end(r);
}

/* Before Linux 6.7: mappings of the block, and such as reach beyond it. */
static void sizes_come_from_the_mappings_of_the_block_alone(void **state)
{
	static const struct {
		const char *smaps; /* of its first half, after the range */
		long from;         /* MiB from the block's beginning to the first mapping's */
		size_t huge, unknown, huge_unknown, absent;
	} cases[] = {
		{"Swap: 1024 kB\nAnonHugePages: 2048 kB\n", 0, 2, 3, 3, 3},
		{"Swap: 8192 kB\nAnonHugePages: 2048 kB\n", 0, 2, 6, 6, 0},
		{"Swap: 1024 kB\nAnonHugePages: 2048 kB\n", -4, 0, 0, 2, 6},
	};
	static struct rhp_pages pages;
	char smaps[512];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		fake_begin();
		struct rhp_system system = fake_system();
		system.scan = no_scan;
		system.nodes_of = third_of_many;
		asked = 0;
		struct rhp *r = rhp_start(NULL, &system, fake_root);
		const unsigned long at = (unsigned long)rhp_allocate(r, 8 * MIB),
				    end = at + 8 * MIB;
		assert_int_not_equal(at, 0);
		snprintf(smaps, sizeof(smaps),
			"1000-2000 rw-p\nSwap: 4 kB\n"
			"%lx-%lx rw-p\n%s"
			"%lx-%lx rw-p\nSwap: 2048 kB\nAnonHugePages: 0 kB\n"
			"%lx-%lx rw-p\nSwap: 64 kB\nAnonHugePages: 4096 kB\n",
			at + (unsigned long)cases[i].from * MIB, at + 4 * MIB, cases[i].smaps,
			at + 4 * MIB, end, end, end + 4 * MIB);
		fake_file("/proc/self/smaps", smaps);
		memset(&pages, 0, sizeof(pages));
		rhp_where(r, (void *)at, 8 * MIB, &pages);
		assert_int_equal(pages.on_node[1], 2 * MIB);
		assert_int_equal(pages.huge, cases[i].huge * MIB);
		assert_int_equal(pages.unknown, cases[i].unknown * MIB);
		assert_int_equal(pages.huge_unknown, cases[i].huge_unknown * MIB);
		assert_int_equal(pages.absent, cases[i].absent * MIB);
		rhp_end(r);
	}
}

static uint64_t found_bytes(struct rhp *r)
{
	static struct rhp_counts counts;
	uint64_t bytes = 0;

	rhp_total(r, &counts);
	for (int i = 0; i < RHP_NODES; i++)
		bytes += counts.found.on_node[i];
	return bytes + counts.found.absent + counts.found.unknown;
}

/* At the end of a program, whose destructors release blocks yet, and in a child of fork(). */
static void a_block_is_counted_once(void **state)
{
	static struct rhp_pages pages;

	(void)state;
	for (int child = 0; child < 2; child++) {
		fake_begin();
		struct rhp_system system = fake_system();
		struct rhp *r = rhp_start(NULL, &system, fake_root);
		char *cut = rhp_allocate(r, 8 * MIB), *whole = rhp_allocate(r, 4 * MIB);

		assert_true(cut && whole);
		if (child) {
			rhp_fork_begins(r);
			rhp_fork_child(r);
		} else {
			assert_int_equal(rhp_look(r, &pages, false), 0);
			assert_int_equal(pages.absent, 12 * MIB);
			assert_int_equal(rhp_look(r, &pages, true), 0);
			assert_int_equal(pages.absent, 12 * MIB);
		}
		assert_int_equal(rhp_look(r, &pages, true), 0);
		assert_int_equal(pages.absent, 0);
		assert_ptr_equal(rhp_resize(r, cut, 2 * MIB), cut);
		assert_int_equal(rhp_release(r, cut), 0);
		assert_int_equal(rhp_release(r, whole), 0);
		assert_int_equal(found_bytes(r), 0);
		/* its own is */
		whole = rhp_allocate(r, 4 * MIB);
		assert_ptr_equal(rhp_resize(r, whole, 2 * MIB), whole);
		assert_int_equal(found_bytes(r), 2 * MIB);
		assert_int_equal(rhp_release(r, whole), 0);
		assert_int_equal(found_bytes(r), 4 * MIB);
		rhp_end(r);
	}
}

static void counts_are_printed_with_every_fault(void **state)
{
	static struct rhp_counts c = {.own_policy = 6,
		.thp_off = 2,
		.buddyinfo_error = ENOENT,
		.distance_error = EBADMSG,
		.refused_error = EPERM,
		.refused = 3 << 20,
		.advice_error = EINVAL,
		.rest = 4 << 20};
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	c.promised[12] = 5 << 20;
	c.found.on_node[3] = 6 << 20;
	c.found.huge = 3 << 20;
	c.found.absent = 1 << 20;
	c.found.unknown = 2 << 20;
	c.found.huge_unknown = 2 << 20;
	rhp_print(&c, "# ", out);
	fclose(out);
	assert_string_equal(text,
		"# promised: node 12 5.0 MiB, rest 4.0 MiB\n"
		"# found: node 3 6.0 MiB, unknown 2.0 MiB, never written 1.0 MiB; in huge pages "
		"50.0 % of what was written; size of pages unknown of 2.0 MiB\n"
		"# the program's own memory policy (weighted-interleave) was kept: no node was "
		"chosen\n"
		"# transparent huge pages are off (prctl of this process): nothing was sent to "
		"another node\n"
		"# /proc/buddyinfo could not be read (No such file or directory): no node was "
		"chosen\n"
		"# distances of nodes could not be read (Bad message): taken by their numbers\n"
		"# the kernel refused to bind 3.0 MiB (Operation not permitted)\n"
		"# the kernel refused advice on huge pages (Invalid argument)\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_found_on_the_real_machine),
		cmocka_unit_test(a_page_that_is_swapped_out_was_written),
		cmocka_unit_test(each_page_counts_as_what_it_is),
		cmocka_unit_test(sizes_come_from_the_mappings_of_the_block_alone),
		cmocka_unit_test(a_block_is_counted_once),
		cmocka_unit_test(counts_are_printed_with_every_fault),
	};

	if (sysconf(_SC_PAGESIZE) != 4096) {
		puts("1..0 # SKIP the made-up machine has base pages of 4 KiB");
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
