/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages that are taken away and copied back by the threads that touch them: content, counts, and
 * whose faults the handler takes. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "crew.h"
#include "touch_stage.h"
#include "migration/userfault.h"

static void scene_begin(struct scene *s, int advice)
{
	char why[256] = "";

	if (userfault_lacks(why, sizeof(why)) || sysconf(_SC_PAGESIZE) != 4096) {
		print_message("%s\n", why);
		skip(); /* some containers forbid userfaultfd */
	}
	scene_map(s, advice);
	s->userfault = userfault_make(&s->pages);
	assert_non_null(s->userfault);
}

static void scene_end(struct scene *s)
{
	userfault_free(s->userfault);
	scene_unmap(s);
}

/* A page, by the number that the system gave its memory: pages that were not touched are the same
 * afterwards. 0: the system does not tell. */
static uint64_t frame_of(const char *page)
{
	FILE *f = fopen("/proc/self/pagemap", "r");
	uint64_t entry = 0;

	if (f && (fseek(f, (long)((uintptr_t)page / 4096 * 8), SEEK_SET) ||
			 fread(&entry, sizeof(entry), 1, f) != 1))
		entry = 0;
	if (f)
		fclose(f);
	return entry & ((UINT64_C(1) << 55) - 1);
}

static void test_touches(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, MADV_NOHUGEPAGE);
	for (int sample = 0; sample < 4; sample++) {
		char *touched = s.base + 3 * MIB, *far = s.base + 5 * MIB;
		const uint64_t one = frame_of(touched), other = frame_of(far);

		assert_int_equal(userfault_arm(s.userfault), 0);
		assert_int_equal(*(volatile char *)touched, scene_content(3 * MIB));
		touched[4096] = 7; /* of the same unit */
		*(volatile char *)s.base;
		assert_int_equal(userfault_disarm(s.userfault), 0);
		assert_int_equal(userfault_disarm(s.userfault), 0);
		assert_int_equal(userfault_touched(s.userfault), 2);
		assert_int_equal(userfault_missed(s.userfault), 0);
		assert_int_equal(touched[4096], 7);
		touched[4096] = scene_content(3 * MIB + 4096);
		assert_null(scene_read(&s));
		if (one)
			assert_int_not_equal(frame_of(touched), one);
		assert_int_equal(frame_of(far), other);
		assert_null(moved_pages_home(&s.pages, (char[256]){0}, 256));
	}
	scene_end(&s);
}

static void test_all_units(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, MADV_NOHUGEPAGE);
	for (int sample = 0; sample < 3; sample++) {
		assert_int_equal(userfault_arm(s.userfault), 0);
		if (sample != 1) /* 1: nobody */
			assert_null(scene_read(&s));
		assert_int_equal(userfault_disarm(s.userfault), 0);
		assert_int_equal(userfault_touched(s.userfault), sample != 1 ? s.units : 0);
		assert_int_equal(moved_pages_away(&s.pages), 0);
	}
	assert_null(scene_read(&s));
	assert_int_equal(userfault_arm(s.userfault), 0);
	char *mapping = s.mapping, *base = s.base;

	userfault_free(s.userfault); /* armed */
	s.userfault = NULL;
	assert_int_equal(base[4 * MIB], scene_content(4 * MIB));
	assert_int_equal(mapping[0], 0);
	scene_end(&s);
}

/* Linux 6.1 does; memory may be too broken. */
static bool makes_huge_pages(void)
{
	const size_t huge = 2 * MIB;
	char *mapping =
		mmap(NULL, 2 * huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *aligned = (char *)(((uintptr_t)mapping + huge - 1) / huge * huge);

	assert_ptr_not_equal(mapping, MAP_FAILED);
	*aligned = 1;
	const bool makes = !madvise(aligned, huge, 25 /* MADV_COLLAPSE */);

	munmap(mapping, 2 * huge);
	return makes;
}

static void test_huge(void **state)
{
	struct scene s;
	char why[256] = "";

	(void)state;
	scene_begin(&s, MADV_HUGEPAGE);
	const bool huge = makes_huge_pages() && s.pages.huge_bytes == 6 * MIB; /* all that fit in */

	for (int sample = 0; sample < 2; sample++) {
		assert_int_equal(moved_pages_split(&s.pages), 0);
		assert_int_equal(userfault_arm(s.userfault), 0);
		*(volatile char *)(s.base + 3 * MIB);
		assert_int_equal(userfault_disarm(s.userfault), 0);
		assert_int_equal(userfault_touched(s.userfault), 1);
		if (huge) {
			assert_int_equal(moved_pages_huge(s.base, s.bytes), 4 * MIB);
			assert_int_equal(moved_pages_split(&s.pages), 1);
		}
		assert_null(scene_read(&s));
		const char *wrong = moved_pages_home(&s.pages, why, sizeof(why));

		if (!huge)
			break;
		assert_null(wrong);
		assert_int_equal(moved_pages_huge(s.base, s.bytes), 6 * MIB);
	}
	assert_null(scene_read(&s));
	scene_end(&s);
	if (!huge) {
		print_message("no transparent huge pages are made here\n");
		skip();
	}
}

static void test_races(void **state)
{
	struct scene s;

	(void)state;
	scene_begin(&s, MADV_NOHUGEPAGE);
	for (int sample = 0; sample < 20; sample++) {
		assert_int_equal(userfault_arm(s.userfault), 0);
		scene_race(&s);
		assert_int_equal(userfault_disarm(s.userfault), 0);
		assert_int_equal(
			userfault_touched(s.userfault) + userfault_missed(s.userfault), s.units);
	}
	scene_end(&s);
}

static void test_others(void **state)
{
	FILE *empty = tmpfile();
	struct scene s;

	(void)state;
	scene_handle(SIGBUS);
	scene_begin(&s, MADV_NOHUGEPAGE);
	assert_int_equal(userfault_arm(s.userfault), 0);
	char *beyond = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fileno(empty), 0);

	assert_ptr_not_equal(beyond, MAP_FAILED);
	scene_expect_former(beyond);
	munmap(beyond, 4096);
	fclose(empty);
	assert_int_equal(userfault_disarm(s.userfault), 0);
	scene_end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("units that are touched are new pages, the others stay", test_touches),
		TEST("all units, none, and a vector that is freed keep their content",
			test_all_units),
		TEST("a huge page that is touched is split, and made whole", test_huge),
		TEST("threads that touch the same units find their content", test_races),
		TEST("faults elsewhere are the former handler's", test_others),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
