/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which vectors count as misplaced. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "placement/prepare.h"

static bool nodes_0_and_2[MEM_MAX_NODES] = {[0] = true, [2] = true};
static bool node_2[MEM_MAX_NODES] = {[2] = true};
static struct placement found;
static struct mem mem;
static char why[640];

static int clear(void **state)
{
	(void)state;
	memset(&found, 0, sizeof(found));
	mem = (struct mem){.bytes = 1000 * mem_base_page(), .page_bytes = mem_base_page()};
	found.pages.pages = 1000;
	found.sizes.kernel_page_bytes = mem_base_page();
	found.sizes.proof = MEM_SIZES_BY_SMAPS;
	return 0;
}

static const char *wrong(enum mem_policy policy, bool *nodes, enum mem_pages pages)
{
	struct plan_vector v = {.policy = policy, .nodes = nodes, .pages = pages};

	return placement_wrong(&v, &mem, &found, why, sizeof(why));
}

static void a_bound_vector_must_be_on_its_node_whole(void **state)
{
	(void)state;
	found.pages.on_node[2] = 1000;
	assert_null(wrong(MEM_BIND, node_2, PAGES_SYSTEM));
	found.pages.on_node[2] = 999;
	found.pages.on_node[1] = 1;
	assert_string_equal(wrong(MEM_BIND, node_2, PAGES_SYSTEM),
		"1 of 1000 pages is elsewhere (node 1: 1, node 2: 999)");
}

static void a_page_that_is_not_there_is_no_placement(void **state)
{
	(void)state;
	found.pages.on_node[2] = 990;
	found.pages.absent = 10;
	assert_string_equal(
		wrong(MEM_BIND, node_2, PAGES_SYSTEM), "10 of 1000 pages are not in memory");
	assert_non_null(wrong(MEM_LOCAL, node_2, PAGES_SYSTEM));
}

/* Of 1000 pages 600 had free huge blocks on node 2, 300 on others, and 100 none. */
static void a_node_that_filled_meanwhile_breaks_the_promise(void **state)
{
	static const enum vector_placement by_blocks[] = {
		PLACEMENT_RHP_FRAG, PLACEMENT_RHP_FRAG_PROFILER};
	const size_t page = mem_base_page();

	(void)state;
	for (size_t i = 0; i < sizeof(by_blocks) / sizeof(*by_blocks); i++) {
		struct plan_vector v = {.policy = MEM_PREFERRED,
			.nodes = node_2,
			.home = 2,
			.placement = by_blocks[i]};

		found.promise = (struct promise){600 * page, 300 * page, 100 * page};
		found.pages.on_node[2] = 600;
		found.pages.on_node[1] = 400;
		assert_null(placement_wrong(&v, &mem, &found, why, sizeof(why)));
		found.pages.on_node[2] = 700;
		assert_null(placement_wrong(&v, &mem, &found, why, sizeof(why)));
		found.pages.on_node[2] = 512;
		assert_non_null(placement_wrong(&v, &mem, &found, why, sizeof(why)));
		assert_non_null(strstr(why, " of it are on node 2, not the "));
		assert_non_null(strstr(why, " that had free huge blocks"));
		found.pages.on_node[2] = 701;
		assert_non_null(placement_wrong(&v, &mem, &found, why, sizeof(why)));
	}
}

/* Every name has a share of huge pages: what is in them, in twentieths of the vector, with free
 * blocks for so many. */
static void each_name_has_its_promised_share_of_huge_pages(void **state)
{
	static const struct {
		enum vector_placement name;
		enum mem_pages pages;
		int blocks, found;
		bool wrong;
	} cases[] = {
		{PLACEMENT_LOCAL_2M, PAGES_THP, 20, 20, false},
		{PLACEMENT_LOCAL_2M, PAGES_THP, 20, 19, true},
		{PLACEMENT_REMOTE_2M, PAGES_THP, 20, 17, true},
		{PLACEMENT_INTERLEAVE_2M, PAGES_THP, 20, 10, true},
		{PLACEMENT_LOCAL_4K, PAGES_4K, 20, 0, false},
		{PLACEMENT_LOCAL_4K, PAGES_4K, 20, 1, true},
		{PLACEMENT_LOCAL_2M_4K, PAGES_THP_BASE, 20, 10, false},
		{PLACEMENT_LOCAL_2M_4K, PAGES_THP_BASE, 20, 11, true},
		{PLACEMENT_LOCAL_FRAG, PAGES_THP, 20, 20, false},
		{PLACEMENT_LOCAL_FRAG, PAGES_THP, 20, 17, true},
		{PLACEMENT_LOCAL_FRAG, PAGES_THP, 9, 9, false},
		{PLACEMENT_LOCAL_FRAG, PAGES_THP, 9, 8, false},
		{PLACEMENT_LOCAL_FRAG, PAGES_THP, 9, 7, true},
		{PLACEMENT_LOCAL_FRAG, PAGES_THP, 9, 20, false},
		{PLACEMENT_RHP_FRAG, PAGES_THP, 15, 15, false},
		{PLACEMENT_RHP_FRAG, PAGES_THP, 20, 15, true},
		{PLACEMENT_RHP_FRAG_PROFILER, PAGES_THP, 20, 15, true},
	};
	const size_t huge = mem_huge_page();

	(void)state;
	if (!huge)
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_vector v = {.policy = MEM_BIND,
			.nodes = node_2,
			.home = 2,
			.pages = cases[i].pages,
			.placement = cases[i].name};

		mem.bytes = 20 * huge;
		found.pages.pages = found.pages.on_node[2] = 20 * huge / mem_base_page();
		found.promise.local = (size_t)cases[i].blocks * huge;
		found.promise.rest = mem.bytes - found.promise.local;
		found.sizes.huge_bytes = (size_t)cases[i].found * huge;
		assert_int_equal(placement_wrong(&v, &mem, &found, why, sizeof(why)) != NULL,
			cases[i].wrong);
	}
}

/* Twentieths of the vector in huge pages, and on its node, in two placements: each is as it was
 * promised, and their mean is of neither. */
static void placements_of_other_shares_are_no_repetitions(void **state)
{
	static const struct {
		enum vector_placement name;
		int huge[2], near[2];
		bool unlike;
	} cases[] = {
		{PLACEMENT_LOCAL_FRAG, {20, 20}, {20, 20}, false},
		{PLACEMENT_LOCAL_FRAG, {20, 19}, {20, 20}, false},
		{PLACEMENT_LOCAL_FRAG, {20, 17}, {20, 20}, true},
		{PLACEMENT_LOCAL_FRAG, {9, 20}, {20, 20}, true},
		{PLACEMENT_RHP_FRAG, {20, 20}, {10, 13}, true},
		{PLACEMENT_RHP_FRAG_PROFILER, {20, 10}, {20, 20}, false}, /* found again later */
		{PLACEMENT_BY_NODE, {20, 0}, {20, 20}, false},
	};

	(void)state;
	mem.bytes = 200 * mem_base_page();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct plan_vector v = {.home = 2, .placement = cases[i].name};
		struct placement at[2] = {{.moved = 0}};

		for (int k = 0; k < 2; k++) {
			at[k].sizes.huge_bytes = mem.bytes / 20 * (size_t)cases[i].huge[k];
			at[k].pages.on_node[2] = 10 * (size_t)cases[i].near[k];
		}
		assert_int_equal(
			placement_unlike(&v, &mem, &at[0], &at[1], why, sizeof(why)) != NULL,
			cases[i].unlike);
	}
}

static void what_is_only_a_wish_is_not_broken(void **state)
{
	struct plan_vector v = {.policy = MEM_PREFERRED};

	(void)state;
	assert_false(placement_broken(&v, &found));
	found.broken = true;
	assert_false(placement_broken(&v, &found));
	v.placement = PLACEMENT_RHP_FRAG;
	assert_true(placement_broken(&v, &found));
	v = (struct plan_vector){.policy = MEM_BIND};
	assert_true(placement_broken(&v, &found));
}

static void interleaved_pages_must_be_dealt_out_evenly(void **state)
{
	size_t huge_pages = mem_huge_page() / mem_base_page();

	(void)state;
	found.pages.on_node[0] = 500;
	found.pages.on_node[2] = 500;
	assert_null(wrong(MEM_INTERLEAVE, nodes_0_and_2, PAGES_4K));
	found.pages.on_node[0] = 503;
	found.pages.on_node[2] = 497;
	assert_non_null(wrong(MEM_INTERLEAVE, nodes_0_and_2, PAGES_4K));
	assert_non_null(wrong(MEM_INTERLEAVE, nodes_0_and_2, PAGES_SYSTEM));
	found.sizes.huge_bytes = 2u << 20;
	if (huge_pages) /* one interleaving step may be a huge page */
		assert_null(wrong(MEM_INTERLEAVE, nodes_0_and_2, PAGES_SYSTEM));
	found.pages.on_node[0] = 0;
	found.pages.pages = 100000;
	found.pages.on_node[2] = 100000;
	assert_non_null(wrong(MEM_INTERLEAVE, nodes_0_and_2, PAGES_SYSTEM));
}

static void page_sizes_must_be_those_asked_for(void **state)
{
	(void)state;
	found.pages.on_node[2] = 1000;
	found.sizes.huge_bytes = 2u << 20;
	assert_string_equal(
		wrong(MEM_BIND, node_2, PAGES_4K), "2 MiB of it are in transparent huge pages");
	assert_string_equal(wrong(MEM_BIND, node_2, PAGES_THP),
		"only 2 MiB of it are in transparent huge pages");
	assert_null(wrong(MEM_BIND, node_2, PAGES_SYSTEM));
	found.sizes.huge_bytes = mem.bytes;
	assert_null(wrong(MEM_BIND, node_2, PAGES_THP));
	mem.page_bytes = 2u << 20;
	found.sizes = (struct mem_sizes){.proof = MEM_SIZES_BY_SMAPS, .kernel_page_bytes = 4096};
	assert_string_equal(wrong(MEM_BIND, node_2, PAGES_2M), "its pages are of 4 KiB");
}

static void a_half_in_huge_pages_must_be_the_half(void **state)
{
	const size_t huge = mem_huge_page();

	(void)state;
	found.pages.on_node[2] = 1000;
	mem.bytes = 4 * huge;
	found.sizes.huge_bytes = 2 * huge;
	assert_null(wrong(MEM_BIND, node_2, PAGES_THP_BASE));
	found.sizes.huge_bytes = huge;
	if (huge == 2u << 20)
		assert_string_equal(wrong(MEM_BIND, node_2, PAGES_THP_BASE),
			"only 2 MiB of it are in transparent huge pages, not its half, 4 MiB");
	found.sizes.huge_bytes = 3 * huge;
	assert_string_equal(wrong(MEM_BIND, node_2, PAGES_THP_BASE), why);
	found.sizes = (struct mem_sizes){0};
	assert_string_equal(wrong(MEM_BIND, node_2, PAGES_THP_BASE), why);
}

static void each_page_of_another_size_must_be_shown_by_its_touch(void **state)
{
	const enum mem_pages pages = PAGES_THP_16K + 2;

	(void)state;
	found.pages.on_node[2] = 1000;
	mem.page_bytes = 65536;
	found.mthp_bytes = mem.bytes;
	assert_null(wrong(MEM_BIND, node_2, pages));
	found.mthp_bytes = 65536;
	assert_string_equal(wrong(MEM_BIND, node_2, pages),
		"only 64 KiB of it are shown to be in transparent huge pages of 64 KiB");
	found.mthp_bytes = mem.bytes;
	found.sizes.huge_bytes = 2u << 20;
	assert_string_equal(
		wrong(MEM_BIND, node_2, pages), "2 MiB of it are in larger transparent huge pages");
	found.sizes = (struct mem_sizes){0};
	assert_string_equal(wrong(MEM_BIND, node_2, pages),
		"the kernel does not show whether it is in transparent huge pages");
}

static void sizes_that_nothing_shows_are_no_transparent_huge_pages(void **state)
{
	(void)state;
	found.pages.on_node[2] = 1000;
	found.sizes = (struct mem_sizes){0};
	assert_null(wrong(MEM_BIND, node_2, PAGES_SYSTEM));
	assert_null(wrong(MEM_BIND, node_2, PAGES_4K));
	assert_null(wrong(MEM_BIND, node_2, PAGES_2M));
	assert_ptr_equal(wrong(MEM_BIND, node_2, PAGES_THP), why);
	assert_string_equal(
		why, "the kernel does not show whether it is in transparent huge pages");
}

#define TEST(name, function)                      \
	{                                         \
		name, function, clear, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a bound vector must be on its node whole",
			a_bound_vector_must_be_on_its_node_whole),
		TEST("a half in huge pages must be the half",
			a_half_in_huge_pages_must_be_the_half),
		TEST("a page that is not there is no placement",
			a_page_that_is_not_there_is_no_placement),
		TEST("a node that filled meanwhile breaks the promise",
			a_node_that_filled_meanwhile_breaks_the_promise),
		TEST("each name has its promised share of huge pages",
			each_name_has_its_promised_share_of_huge_pages),
		TEST("placements of other shares are no repetitions",
			placements_of_other_shares_are_no_repetitions),
		TEST("what is only a wish is not broken", what_is_only_a_wish_is_not_broken),
		TEST("interleaved pages must be dealt out evenly",
			interleaved_pages_must_be_dealt_out_evenly),
		TEST("page sizes must be those asked for", page_sizes_must_be_those_asked_for),
		TEST("each page of another size must be shown by its touch",
			each_page_of_another_size_must_be_shown_by_its_touch),
		TEST("sizes that nothing shows are no transparent huge pages",
			sizes_that_nothing_shows_are_no_transparent_huge_pages),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
