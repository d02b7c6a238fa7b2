/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many bytes come from which node: the thesis's listing with its faults mended. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hugepages/lines.h"
#include "rhp/decide.h"

#define HUGE ((uint64_t)2 << 20)
#define MOST 8

static void check(struct rhp_node *nodes, size_t n, uint64_t bytes, const struct rhp_part *expected,
	size_t count)
{
	struct rhp_part parts[MOST + 1];

	rhp_sort(nodes, n);
	assert_int_equal(rhp_decide(nodes, n, bytes, HUGE, parts), count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(parts[i].node, expected[i].node);
		assert_int_equal(parts[i].bytes, expected[i].bytes);
	}
}

static void the_callers_node_comes_first_then_the_nearest(void **state)
{
	struct rhp_node nodes[] = {{0, 20, 8 * HUGE}, {1, 10, 2 * HUGE}, {2, 15, 3 * HUGE}};
	const struct rhp_part parts[] = {{1, 2 * HUGE}, {2, 3 * HUGE}, {0, 1 * HUGE}};

	(void)state;
	check(nodes, 3, 6 * HUGE, parts, 3);
}

static void of_equally_far_nodes_the_smaller_number_comes_first(void **state)
{
	struct rhp_node nodes[] = {{12, 20, HUGE}, {3, 20, HUGE}, {1000, 20, HUGE}, {7, 10, HUGE}};
	const struct rhp_part parts[] = {{7, HUGE}, {3, HUGE}, {12, HUGE}, {1000, HUGE}};

	(void)state;
	check(nodes, 4, 4 * HUGE, parts, 4);
}

/* The printed loop only advances where a node has something, and so never ends here. */
static void nodes_without_huge_blocks_are_passed_over(void **state)
{
	struct rhp_node nodes[] = {{0, 10, 0}, {1, 20, HUGE - 1}, {2, 30, 4 * HUGE}};
	const struct rhp_part parts[] = {{2, 4 * HUGE}};
	const struct rhp_part rest[] = {{-1, 4 * HUGE}};

	(void)state;
	check(nodes, 3, 4 * HUGE, parts, 1);
	check(nodes, 2, 4 * HUGE, rest, 1);
	check(nodes, 0, 4 * HUGE, rest, 1);
}

static void what_no_node_has_is_the_rest(void **state)
{
	struct rhp_node nodes[] = {{0, 10, 2 * HUGE}, {1, 20, HUGE + 5}};
	const struct rhp_part parts[] = {{0, 2 * HUGE}, {1, HUGE}, {-1, 7 * HUGE}};

	(void)state;
	check(nodes, 2, 10 * HUGE, parts, 3);
}

static void a_tail_of_less_than_a_huge_page_belongs_to_the_last_part(void **state)
{
	struct rhp_node nodes[] = {{0, 10, 2 * HUGE}, {1, 20, 5 * HUGE}};
	const struct rhp_part parts[] = {{0, 2 * HUGE}, {1, HUGE + 4096}};
	const struct rhp_part small[] = {{-1, 4096}};

	(void)state;
	check(nodes, 2, 3 * HUGE + 4096, parts, 2);
	check(nodes, 2, 4096, small, 1);
}

static void deals(const unsigned char *weights, uint64_t bytes, size_t *turn,
	const struct rhp_part *expected, size_t n)
{
	static struct rhp_part parts[RHP_NODES + 1];

	assert_int_equal(rhp_deal(weights, bytes, HUGE, turn, parts), n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(parts[i].node, expected[i].node);
		assert_int_equal(parts[i].bytes, expected[i].bytes);
	}
}

static void weights_deal_huge_pages_in_turns(void **state)
{
	static const unsigned char weights[RHP_NODES] = {[1] = 3, [1023] = 1}, none[RHP_NODES];
	const struct rhp_part first[] = {{1, 2 * HUGE}, {1023, HUGE}, {1, 2 * HUGE + 4096}};
	const struct rhp_part second[] = {{1023, HUGE}, {1, 2 * HUGE}};
	size_t turn = 0;

	(void)state;
	deals(weights, 5 * HUGE + 4096, &turn, first, 3);
	/* goes on where the first one ended, the tail was a unit */
	deals(weights, 3 * HUGE, &turn, second, 2);
	deals(none, HUGE, &turn, NULL, 0);
	deals(weights, 0, &turn, NULL, 0);
}

static void a_block_shorter_than_a_turn_follows_the_weights(void **state)
{
	static const unsigned char weights[RHP_NODES] = {18, 8, 6, 4};
	static struct rhp_part parts[RHP_NODES + 1];
	uint64_t on[4] = {0};
	size_t turn = 0, n = rhp_deal(weights, 18 * HUGE, HUGE, &turn, parts);

	(void)state;
	for (size_t i = 0; i < n; i++)
		on[parts[i].node] += parts[i].bytes / HUGE;
	assert_int_equal(on[0], 9);
	assert_int_equal(on[1], 4);
	assert_int_equal(on[2], 3);
	assert_int_equal(on[3], 2);
}

static void a_large_block_has_few_parts_and_the_same_weights(void **state)
{
	static const unsigned char weights[RHP_NODES] = {5, 2, 1};
	static struct rhp_part parts[RHP_NODES + 1];
	const uint64_t bytes = 1000003 * HUGE;
	uint64_t on[3] = {0}, sum = 0;
	size_t turn = 0, n = rhp_deal(weights, bytes, HUGE, &turn, parts);

	(void)state;
	assert_true(n >= 3 && n <= RHP_NODES);
	for (size_t i = 0; i < n; i++)
		on[parts[i].node] += parts[i].bytes;
	for (size_t i = 0; i < 3; i++) {
		const uint64_t expected = bytes / 8 * weights[i];

		assert_true(on[i] >= expected - expected / 50 && on[i] <= expected + expected / 50);
		sum += on[i];
	}
	assert_int_equal(sum, bytes);
}

static uint64_t mib(const char *line, const struct zone_limits *limits)
{
	struct buddy_zone zone;

	assert_int_equal(buddy_line(line, &zone), 0);
	return rhp_usable(&zone, limits, 9) / 256;
}

static void the_printed_buddyinfo_gives_the_works_amounts(void **state)
{
	(void)state;
	assert_int_equal(mib("Node 0, zone Normal 99 156 142 123 37 9 2 0 1 2 15240", NULL), 60964);
	assert_int_equal(mib("Node 1, zone   Normal  24442  24597  24587  24582  24584  24580  "
			     "24578  24575  24575      2   3775 ",
				 NULL),
		15104);
}

/* The printed program knows two orders and the zone Normal. */
static void every_order_from_that_of_a_huge_page_on_counts(void **state)
{
	(void)state;
	assert_int_equal(
		mib("Node 10, zone DMA32 1 0 0 0 0 0 0 0 9 1 1 1 1 1", NULL), 2 + 4 + 8 + 16 + 32);
	assert_int_equal(mib("Node 1023, zone Movable 0 0 0 0 0 0 0 0 0 3", NULL), 6);
	assert_int_equal(mib("Node 0, zone Device 7", NULL), 0);
}

static void the_kernels_reserve_is_subtracted_where_small_blocks_do_not_cover_it(void **state)
{
	const struct zone_limits ten_mib = {.high = 2560},
				 protected = {.high = 256, .protection = 2304};

	(void)state;
	assert_int_equal(mib("Node 0, zone Normal 0 0 0 0 0 0 0 0 0 50", &ten_mib), 90);
	assert_int_equal(mib("Node 0, zone Normal 0 0 0 0 0 0 0 0 0 50", &protected), 90);
	assert_int_equal(mib("Node 0, zone Normal 1280 0 0 0 0 0 0 0 0 50", &ten_mib), 95);
	assert_int_equal(mib("Node 0, zone Normal 9000 0 0 0 0 0 0 0 0 50", &ten_mib), 100);
	assert_int_equal(mib("Node 0, zone DMA 0 0 0 0 0 0 0 0 0 3", &ten_mib), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_callers_node_comes_first_then_the_nearest),
		cmocka_unit_test(of_equally_far_nodes_the_smaller_number_comes_first),
		cmocka_unit_test(nodes_without_huge_blocks_are_passed_over),
		cmocka_unit_test(what_no_node_has_is_the_rest),
		cmocka_unit_test(a_tail_of_less_than_a_huge_page_belongs_to_the_last_part),
		cmocka_unit_test(weights_deal_huge_pages_in_turns),
		cmocka_unit_test(a_block_shorter_than_a_turn_follows_the_weights),
		cmocka_unit_test(a_large_block_has_few_parts_and_the_same_weights),
		cmocka_unit_test(the_printed_buddyinfo_gives_the_works_amounts),
		cmocka_unit_test(every_order_from_that_of_a_huge_page_on_counts),
		cmocka_unit_test(
			the_kernels_reserve_is_subtracted_where_small_blocks_do_not_cover_it),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
