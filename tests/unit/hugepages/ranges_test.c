/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Physical ranges out of flags of pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "hugepages/ranges.h"

#define PER_BLOCK 4

/* A letter for each page: f free, anything else not. Blocks of four pages from page `first` on. */
static void add(struct ranges *r, uint64_t first, const char *pages)
{
	uint64_t flags[64] = {0};

	for (size_t i = 0; pages[i]; i++)
		flags[i] = pages[i] == 'f' ? RANGES_FREE | 1 : ~RANGES_FREE;
	r->per_block = PER_BLOCK;
	ranges_add(r, first, flags, strlen(pages));
}

static void whole_blocks_that_follow_each_other_are_a_range(void **state)
{
	struct ranges r = {0};

	(void)state;
	/* the pages between two blocks are free, but no block */
	add(&r, 8, "ffffffff.fffffff");
	assert_int_equal(r.count, 2);
	assert_int_equal(r.blocks, 3);
	assert_int_equal(r.all[0].first, 2);
	assert_int_equal(r.all[0].blocks, 2);
	assert_int_equal(r.all[1].first, 5);
	/* goes on where the last call ended */
	add(&r, 24, "ffff....");
	assert_int_equal(r.count, 2);
	assert_int_equal(r.all[1].blocks, 2);
	assert_int_equal(ranges_longest(&r), 2);
	/* other pages lie between */
	add(&r, 40, "ffff");
	assert_int_equal(r.count, 3);
	assert_int_equal(ranges_longest(&r), 2);
	ranges_free(&r);
}

static void the_longest_ranges_are_kept_and_the_last_one_is_cut(void **state)
{
	struct ranges r = {0};

	(void)state;
	add(&r, 0, "ffff....ffffffffffff....ffffffff");
	ranges_keep(&r, 2, 4);
	assert_int_equal(r.count, 2);
	assert_int_equal(r.blocks, 4);
	assert_int_equal(r.all[0].first, 2);
	assert_int_equal(r.all[0].blocks, 3);
	assert_int_equal(r.all[1].first, 6);
	assert_int_equal(r.all[1].blocks, 1);
	assert_false(ranges_has(&r, 3));
	assert_false(ranges_has(&r, 7));
	assert_true(ranges_has(&r, 8));
	assert_true(ranges_has(&r, 19));
	assert_true(ranges_has(&r, 27));
	assert_false(ranges_has(&r, 28));
	ranges_free(&r);
}

static void fewer_blocks_than_wanted_are_all_kept(void **state)
{
	struct ranges r = {0};

	(void)state;
	add(&r, 0, "ffff....ffffffff....ffff");
	ranges_keep(&r, 1, 9);
	assert_int_equal(r.count, 1);
	assert_int_equal(r.blocks, 2);
	ranges_keep(&r, 9, 0);
	assert_int_equal(r.count, 0);
	assert_int_equal(ranges_longest(&r), 0);
	ranges_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_blocks_that_follow_each_other_are_a_range),
		cmocka_unit_test(the_longest_ranges_are_kept_and_the_last_one_is_cut),
		cmocka_unit_test(fewer_blocks_than_wanted_are_all_kept),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
