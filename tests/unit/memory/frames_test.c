/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical ranges out of what the kernel would say of pages. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include <cmocka.h>

#include "memory/frames.h"

#define PRESENT (UINT64_C(1) << 63)
#define DIRTY   (UINT64_C(1) << 55)

/* The entries of pages from page 3 on. */
static FILE *pagemap(const uint64_t *entries, size_t n)
{
	const uint64_t other[3] = {PRESENT | 98, PRESENT | 99, PRESENT | 99};
	FILE *f = tmpfile();

	assert_non_null(f);
	assert_int_equal(fwrite(other, sizeof(*other), 3, f), 3);
	assert_int_equal(fwrite(entries, sizeof(*entries), n, f), n);
	assert_int_equal(fflush(f), 0);
	return f;
}

static void frames_that_follow_each_other_are_a_range(void **state)
{
	/* the fourth page is in no memory, and the last frame continues that before it */
	const uint64_t entries[] = {PRESENT | 100, PRESENT | DIRTY | 101, PRESENT | 103, 102,
		PRESENT | 104, PRESENT | 7, PRESENT | 8, PRESENT | 9};
	struct frames f = {0};
	FILE *file = pagemap(entries, 8);

	(void)state;
	assert_int_equal(frames_add_from(&f, fileno(file), 3, 8), 0);
	assert_int_equal(f.count, 4);
	assert_int_equal(f.lengths[0], 2);
	assert_int_equal(f.lengths[1], 1);
	assert_int_equal(f.lengths[2], 1);
	assert_int_equal(f.lengths[3], 3);
	/* another vector has ranges of its own */
	assert_int_equal(frames_add_from(&f, fileno(file), 8, 1), 0);
	assert_int_equal(f.count, 5);
	fclose(file);
	frames_free(&f);
}

static void many_pages_are_read_in_pieces(void **state)
{
	enum { PAGES = 20000 };
	static uint64_t entries[PAGES];
	struct frames f = {0};

	(void)state;
	for (size_t i = 0; i < PAGES; i++)
		entries[i] = PRESENT | (1000 + i);
	FILE *file = pagemap(entries, PAGES);

	assert_int_equal(frames_add_from(&f, fileno(file), 3, PAGES), 0);
	assert_int_equal(f.count, 1);
	assert_int_equal(f.lengths[0], PAGES);
	fclose(file);
	frames_free(&f);
}

static void hidden_frames_are_no_range(void **state)
{
	const uint64_t entries[] = {PRESENT, PRESENT};
	struct frames f = {0};
	FILE *file = pagemap(entries, 2);

	(void)state;
	assert_int_equal(frames_add_from(&f, fileno(file), 3, 2), -1);
	assert_int_equal(errno, EPERM);
	assert_int_equal(f.count, 0);
	/* nor is the end of the file */
	assert_int_equal(frames_add_from(&f, fileno(file), 5, 1), -1);
	assert_int_equal(f.count, 0);
	fclose(file);
	frames_free(&f);
}

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_that_follow_each_other_are_a_range),
		cmocka_unit_test(many_pages_are_read_in_pieces),
		cmocka_unit_test(hidden_frames_are_no_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
