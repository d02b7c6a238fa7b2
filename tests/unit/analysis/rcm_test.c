/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which free ranges an area gets: the rule of Remote Contiguous Mappings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/rcm.h"
#include "analysis/translation.h"

#define MOST 40

/* Takes a whole area; pieces[MOST]. Returns how many there are. */
static size_t take(
	struct rcm_ranges *r, const struct rcm_rule *rule, uint64_t bytes, struct rcm_piece *pieces)
{
	size_t n = 0;

	while (bytes) {
		assert_true(n < MOST);
		pieces[n] = rcm_take(r, rule, bytes);
		assert_true(pieces[n].bytes >= 1 && pieces[n].bytes <= bytes);
		bytes -= pieces[n++].bytes;
	}
	return n;
}

static struct rcm_node own_and_two[] = {{0, 0, 0}, {7, 15, 0}, {3, 20, 0}};

#define RANGES(list) ((struct rcm_ranges){list, sizeof(list) / sizeof(*(list)), own_and_two, 3})

static int setup(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		own_and_two[i].rover = 0;
	return 0;
}

/* Figure 4.3 of the thesis: six pieces on the own node, or one on another. */
static void one_far_range_stands_for_six_near_ones(void **state)
{
	struct rcm_range list[] = {{0, 64}, {0, 64}, {0, 64}, {3, 512}, {0, 64}, {0, 64}, {0, 64}};
	struct rcm_range again[7];
	const struct rcm_rule rcm = {0.5, 0.5, RCM_NEAREST, true}, own = {0, 0, RCM_NEAREST, false};
	struct rcm_piece pieces[MOST];
	struct rcm_ranges r = RANGES(list);

	(void)state;
	for (size_t i = 0; i < 7; i++)
		again[i] = list[i];
	assert_int_equal(take(&r, &rcm, 384, pieces), 1);
	assert_int_equal(pieces[0].node, 3);
	assert_true(pieces[0].qualified);
	assert_int_equal(list[3].bytes, 128);
	r = RANGES(again);
	assert_int_equal(take(&r, &own, 384, pieces), 6);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(pieces[i].node, 0);
}

static void the_nearest_candidate_that_holds_enough_is_taken(void **state)
{
	static const struct {
		double local, far;
		uint64_t bytes;
		int node;
		bool qualified;
	} cases[] = {
		{0.5, 0.5, 200, 0, true}, /* exactly half of it */
		{0.5, 0.5, 201, 7, true}, /* a block more than twice the own range */
		{0.5, 0.5, 500, 3, true}, /* 150 are not half of it */
		{0.1, 0.3, 900, 0, true}, /* the program's own defaults */
		{0.1, 0.3, 1001, 3, true}, {0.5, 0.5, 2000, 0, false}, /* none: the nearest */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rcm_range list[] = {{3, 800}, {7, 150}, {0, 100}};
		const struct rcm_rule rule = {cases[i].local, cases[i].far, RCM_NEAREST, true};
		struct rcm_ranges r = RANGES(list);
		struct rcm_piece p = rcm_take(&r, &rule, cases[i].bytes);

		assert_int_equal(p.node, cases[i].node);
		assert_int_equal(p.qualified, cases[i].qualified);
		setup(NULL);
	}
}

static void what_happens_when_none_holds_enough_is_chosen(void **state)
{
	struct rcm_range list[] = {{0, 100}, {7, 300}, {3, 300}};
	struct rcm_rule rule = {0.5, 0.5, RCM_NEAREST, true};
	struct rcm_ranges r = RANGES(list);
	struct rcm_piece p = rcm_take(&r, &rule, 2000);

	(void)state;
	assert_int_equal(p.node, 0);
	assert_int_equal(p.bytes, 100);
	rule.otherwise = RCM_LARGEST;
	p = rcm_take(&r, &rule, 2000);
	assert_int_equal(p.node, 7);
	assert_false(p.qualified);
	rule.otherwise = RCM_NONE;
	p = rcm_take(&r, &rule, 2000);
	assert_int_equal(p.node, -1);
	assert_int_equal(p.bytes, 2000);
	assert_int_equal(list[2].bytes, 300);
}

/* Next fit: the first that holds it after the last search; else the largest of all. */
static void a_nodes_candidate_is_by_next_fit(void **state)
{
	struct rcm_range list[] = {{0, 50}, {3, 999}, {0, 80}, {0, 60}};
	const struct rcm_rule own = {0, 0, RCM_NEAREST, false};
	struct rcm_ranges r = RANGES(list);

	(void)state;
	assert_int_equal(rcm_take(&r, &own, 55).bytes, 55);
	assert_int_equal(list[2].bytes, 25);
	/* 50 would hold it, but the search begins at the third range */
	assert_int_equal(rcm_take(&r, &own, 40).bytes, 40);
	assert_int_equal(list[3].bytes, 20);
	/* around the end */
	assert_int_equal(rcm_take(&r, &own, 45).bytes, 45);
	assert_int_equal(list[0].bytes, 5);
	/* none holds it: the largest */
	assert_int_equal(rcm_take(&r, &own, 70).bytes, 25);
	assert_int_equal(rcm_take(&r, &own, 70).bytes, 20);
	assert_int_equal(rcm_take(&r, &own, 70).bytes, 5);
	assert_int_equal(rcm_take(&r, &own, 70).node, -1);
}

/* Chapter 2.4: the next search begins after the chosen range, which is tried last, though it has
 * something left. */
static void a_chosen_range_is_tried_last(void **state)
{
	struct rcm_range list[] = {{0, 300}, {0, 300}};
	const struct rcm_rule own = {0, 0, RCM_NEAREST, false};
	struct rcm_piece pieces[MOST];
	struct rcm_ranges r = RANGES(list);

	(void)state;
	assert_int_equal(take(&r, &own, 100, pieces), 1);
	assert_int_equal(take(&r, &own, 100, pieces), 1);
	assert_int_equal(list[0].bytes, 200);
	assert_int_equal(list[1].bytes, 200);
	assert_int_equal(take(&r, &own, 250, pieces), 2);
}

/* Experiment D (5.3): five large ranges hold half of the program, the rest are single blocks. With
 * ranges of another node coverage is 100 %, and only far accesses cost something. */
static void far_ranges_cover_what_near_ones_do_not(void **state)
{
	struct rcm_range list[32 + 5 + 1];
	const struct rcm_rule rcm = {0.5, 0.5, RCM_NEAREST, true}, own = {0, 0, RCM_NEAREST, false};
	struct rcm_piece pieces[MOST];
	uint64_t lengths[MOST];
	struct rcm_ranges r = RANGES(list);

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		for (size_t i = 0; i < 37; i++)
			list[i] = (struct rcm_range){0, i < 5 ? 100 : 1};
		list[37] = (struct rcm_range){3, 2000};
		size_t n = take(&r, turn ? &own : &rcm, turn ? 532 : 1000, pieces);
		for (size_t i = 0; i < n; i++)
			lengths[i] = pieces[i].bytes;
		double covered = translation_coverage(lengths, n, 32);
		assert_int_equal(n, turn ? 37 : 1);
		assert_true(turn ? covered > 0.990 && covered < 0.991 : covered == 1);
		setup(NULL);
	}
	assert_true(translation_rcm_overhead(translation_residual(1, 1e9, 40), 5e9, 1e11) == 0.05);
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_far_range_stands_for_six_near_ones),
		TEST(the_nearest_candidate_that_holds_enough_is_taken),
		TEST(what_happens_when_none_holds_enough_is_chosen),
		TEST(a_nodes_candidate_is_by_next_fit),
		TEST(a_chosen_range_is_tried_last),
		TEST(far_ranges_cover_what_near_ones_do_not),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
