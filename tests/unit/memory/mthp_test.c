/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transparent huge pages of a chosen size. The kernel shows their true size to root only, which is
 * the oracle here. Changes settings of /sys, and restores them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "mem_stage.h"
#include "memory/mthp.h"

#define KIB   ((size_t)1 << 10)
#define SIZES 7 /* 16 KiB to 1 MiB */

/* Documentation/admin-guide/mm/pagemap.rst of Linux. */
#define PFN           ((UINT64_C(1) << 55) - 1)
#define COMPOUND_HEAD (UINT64_C(1) << 15)
#define COMPOUND_TAIL (UINT64_C(1) << 16)

static char settings[SIZES][16]; /* as found; empty: there is no such size */

static void set(size_t bytes, const char *value)
{
	char path[128];
	FILE *f = fopen(mem_thp_setting(bytes, path, sizeof(path)), "w");

	if (!f)
		return;
	fputs(value, f);
	fclose(f);
}

static size_t size_of(int i)
{
	return 16 * KIB << i;
}

static int save(void **state)
{
	char path[128], line[128];

	(void)state;
	/* other tests that change these settings wait */
	flock(open(THP_DIR "/enabled", O_RDONLY | O_CLOEXEC), LOCK_EX);
	for (int i = 0; i < SIZES; i++)
		if (!text_first_line(
			    mem_thp_setting(size_of(i), path, sizeof(path)), line, sizeof(line)) &&
			strchr(line, '['))
			sscanf(strchr(line, '['), "[%15[a-z]", settings[i]);
	return 0;
}

static int restore(void **state)
{
	for (int i = 0; i < SIZES; i++)
		if (*settings[i])
			set(size_of(i), settings[i]);
	return clean(state);
}

/* Switches these sizes on and all others below the usual one off. */
static void only(size_t one, size_t other)
{
	for (int i = 0; i < SIZES; i++)
		if (*settings[i])
			set(size_of(i),
				size_of(i) == one || size_of(i) == other ? "madvise" : "never");
}

static uint64_t entry(const char *path, uint64_t index)
{
	uint64_t value = 0;
	int file = open(path, O_RDONLY);

	if (file < 0 || pread(file, &value, sizeof(value), (off_t)(index * sizeof(value))) < 0)
		value = 0;
	if (file >= 0)
		close(file);
	return value;
}

static uint64_t frame(const char *p)
{
	return entry("/proc/self/pagemap", (uintptr_t)p / mem_base_page()) & PFN;
}

/* Is the block one page of that size, as the kernel's own flags have it? */
static bool is_page(const char *block, size_t bytes)
{
	uint64_t first = frame(block);

	for (size_t at = 0; at < bytes; at += mem_base_page()) {
		uint64_t flags = entry("/proc/kpageflags", frame(block + at));

		if (frame(block + at) != first + at / mem_base_page() ||
			!(flags & (at ? COMPOUND_TAIL : COMPOUND_HEAD)))
			return false;
	}
	return entry("/proc/kpageflags", first + bytes / mem_base_page()) & COMPOUND_TAIL ? false
											  : true;
}

static bool shows_frames(void)
{
	char here = 1;

	return frame(&here) && entry("/proc/kpageflags", frame(&here));
}

#define BYTES (33 * 64 * KIB) /* odd: the last block has no partner */

static void make(struct mem *m, size_t bytes)
{
	if (try(m, bytes, MEM_LOCAL, PAGES_THP_16K + 2)) {
		errors_print(&errors, 0, stderr);
		fail_msg("cannot map %zu bytes", bytes);
	}
}

#define NEED_SETTINGS                        \
	if (!*settings[2] || geteuid() != 0) \
	SKIP("needs root and a kernel with transparent huge pages of 64 KiB")

static void blocks_are_pages_of_the_size(size_t other)
{
	struct mem m;

	only(64 * KIB, other);
	make(&m, BYTES);
	assert_int_equal(m.bytes, BYTES);
	assert_int_equal((uintptr_t)m.base % (128 * KIB), 0);
	size_t shown = mthp_touch(m.base, (char *)m.base + m.bytes, m.page_bytes);

	if (shown < BYTES && shown)
		fprintf(stderr, "# %zu KiB of %zu only: memory is fragmented\n", shown / KIB,
			BYTES / KIB);
	else
		assert_int_equal(shown, BYTES);
	for (char *c = m.base; shows_frames() && shown == BYTES && c < (char *)m.base + BYTES;
		c += 64 * KIB)
		assert_true(is_page(c, 64 * KIB));
	mem_unmap(&m);
}

static void test_one_size(void **state)
{
	(void)state;
	NEED_SETTINGS;
	blocks_are_pages_of_the_size(0);
}

static void test_larger_sizes(void **state)
{
	(void)state;
	NEED_SETTINGS;
	blocks_are_pages_of_the_size(128 * KIB);
	blocks_are_pages_of_the_size(KIB * KIB);
}

static void test_smaller_sizes(void **state)
{
	(void)state;
	NEED_SETTINGS;
	blocks_are_pages_of_the_size(32 * KIB);
}

static void test_other_size_only(void **state)
{
	static const size_t others[] = {0, 32 * KIB, 128 * KIB};

	(void)state;
	NEED_SETTINGS;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct mem_found found = {0};
		struct mem m;

		only(64 * KIB, 0);
		make(&m, BYTES);
		only(others[i], 0);
		assert_int_equal(mthp_touch(m.base, (char *)m.base + m.bytes, m.page_bytes), 0);
		if (!mem_find(m.base, m.bytes, &found))
			assert_int_equal(found.absent, 0);
		mem_unmap(&m);
	}
}

static void test_already_there(void **state)
{
	struct mem m;

	(void)state;
	NEED_SETTINGS;
	only(64 * KIB, 0);
	make(&m, BYTES);
	memset(m.base, 1, m.bytes);
	/* the last block's small page goes, all others stay: nothing came by one write */
	assert_int_equal(mthp_touch(m.base, (char *)m.base + m.bytes, m.page_bytes), 0);
	mem_unmap(&m);
}

static void test_switched_off(void **state)
{
	char path[128];
	struct mem m;

	(void)state;
	NEED_SETTINGS;
	only(0, 0);
	assert_int_equal(try(&m, BYTES, MEM_LOCAL, PAGES_THP_16K + 2), -1);
	assert_int_equal(errors_status(&errors), STATUS_PLACEMENT);
	assert_non_null(
		strstr(errors.list[0].text, "transparent huge pages of 64 KiB are switched off"));
	assert_non_null(strstr(errors.list[0].hint, mem_thp_setting(64 * KIB, path, sizeof(path))));
}

#define TEST(text, function)                                                                       \
	{                                                                                          \
		.name = text, .test_func = function, .setup_func = clean, .teardown_func = restore \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each block is a page of the size asked for", test_one_size),
		TEST("larger sizes that are on do not interfere", test_larger_sizes),
		TEST("smaller sizes that are on do not interfere", test_smaller_sizes),
		TEST("pages of other sizes are no proof", test_other_size_only),
		TEST("pages that were there before are no proof", test_already_there),
		TEST("a size that is switched off is refused", test_switched_off),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("mthp", tests, save, restore);
}
