/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Free blocks as several kernels print them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "hugepages/buddyinfo.h"

#define MIB_OF_PAGES(pages) ((pages) / 256)

/* V.-O. Politis, diploma thesis, NTUA 2021, figure 3.3: nodes of 64 GB, the second fragmented. */
static const char thesis[] =
	"Node 0, zone      DMA      1      0      0      0      2      1      1      0      1      "
	"1      3 \n"
	"Node 0, zone    DMA32      4      3      3      4      3      3      6      6      3      "
	"2    738 \n"
	"Node 0, zone   Normal     99    156    142    123     37      9      2      0      1      "
	"2  15240 \n"
	"Node 1, zone   Normal  24442  24597  24587  24582  24584  24580  24578  24575  24575      "
	"2   3775 \n";

/* Linux 6.18, a virtual machine of one node with 24 GiB. */
static const char one_node[] =
	"Node 0, zone      DMA      0      0      0      0      0      0      0      0      1      "
	"1      3 \n"
	"Node 0, zone    DMA32      2      3      0      2      3      2      1      4      4      "
	"2    752 \n"
	"Node 0, zone   Normal   2858    810    438   6152   4145   2356    912    689    738    "
	"477   1183 \n";

/* Captured from emulated machines: Linux 6.1, twelve nodes of 64 MiB and more; ... */
static const char twelve_nodes[] = "Node 0, zone      DMA      0      0      0      0      0      "
				   "1      1      1      0      1      3 \n"
				   "Node 0, zone    DMA32     10      7      4      4      5      "
				   "4      6      7      6      3     12 \n"
				   "Node 1, zone    DMA32      1      2      2      1      3      "
				   "0      3      4      3      2     12 \n"
				   "Node 2, zone    DMA32      4      2      4      1      1      "
				   "2      3      4      3      1     13 \n"
				   "Node 3, zone    DMA32      3      2      2      2      2      "
				   "2      4      4      3      2     12 \n"
				   "Node 4, zone    DMA32      3      2      2      2      1      "
				   "3      3      4      4      1     11 \n"
				   "Node 5, zone    DMA32      1      1      1      1      1      "
				   "1      4      3      3      2     12 \n"
				   "Node 6, zone    DMA32      2      2      2      2      0      "
				   "1      3      3      3      1     13 \n"
				   "Node 7, zone    DMA32      3      3      3      2      2      "
				   "2      1      3      3      3      9 \n"
				   "Node 8, zone    DMA32      4      4      2      1      3      "
				   "1      3      4      3      1     13 \n"
				   "Node 9, zone    DMA32      3      2      1      1      1      "
				   "1      3      3      4      2     12 \n"
				   "Node 10, zone    DMA32      2      3      1      2      1      "
				   "0      3      4      3      1     13 \n"
				   "Node 11, zone    DMA32      4      3      2      1      1      "
				   "1      3      3      3      1     12 \n";

/* ... the same with movablecore=200M; ... */
static const char movable[] = "Node 0, zone      DMA      0      0      0      0      0      1     "
			      " 1      1      0      1      3 \n"
			      "Node 0, zone    DMA32      6      5      7      6      4      6     "
			      " 6      9      5      2     21 \n"
			      "Node 0, zone  Movable      1      1      1      0      0      0     "
			      " 2      2      2      0     22 \n"
			      "Node 1, zone    DMA32      1      2      0      1      2      0     "
			      " 2      0      2      2     33 \n"
			      "Node 1, zone  Movable      2      1      2      1      1      2     "
			      " 1      1      1      1     22 \n";

/* ... and Linux 6.12 on arm64 with base pages of 16 KiB, whose largest order is 11. */
static const char arm64_16k[] = "Node 0, zone      DMA      3      2      2      4      3      7   "
				"   5      2      1      6      7     10 \n";

/* Made up: a node of two digits, base pages of 64 KiB with 14 orders beside zones with fewer. */
static const char many_nodes[] = "Node 1, zone  Normal 0 0 0 0 0 0 0 0 0 1 1\n"
				 "Node 10, zone DMA32 1 0 0 0 0 0 0 0 0 0 0 0 0 5\n"
				 "Node 10, zone Movable 0 0 0 0 0 0 0 0 0 3\n"
				 "Node 1023, zone Device 7\n";

static int read_text(const char *text, struct buddyinfo *b)
{
	FILE *in = fmemopen((void *)text, strlen(text), "r");

	assert_non_null(in);
	int bad = buddyinfo_read(in, b);
	fclose(in);
	return bad;
}

static void check(const char *text, int node, int order, uint64_t pages)
{
	struct buddyinfo b;

	assert_int_equal(read_text(text, &b), 0);
	assert_int_equal(buddyinfo_pages(&b, node, order, NULL, NULL), pages);
	buddyinfo_free(&b);
}

static void the_printed_file_gives_the_works_amounts(void **state)
{
	struct buddyinfo b;

	(void)state;
	assert_int_equal(read_text(thesis, &b), 0);
	assert_int_equal(MIB_OF_PAGES(buddyinfo_pages(&b, 1, 9, NULL, NULL)), 15104);
	assert_int_equal(MIB_OF_PAGES(buddyinfo_pages(&b, 1, 0, NULL, NULL)), 64160);
	buddyinfo_free(&b);
}

static bool normal_only(const void *arg, const struct buddy_zone *zone)
{
	return !strcmp(zone->name, arg);
}

static void zones_count_all_or_as_asked(void **state)
{
	struct buddyinfo b;

	(void)state;
	assert_int_equal(read_text(thesis, &b), 0);
	assert_int_equal(MIB_OF_PAGES(buddyinfo_pages(&b, 0, 9, normal_only, "Normal")), 60964);
	assert_int_equal(MIB_OF_PAGES(buddyinfo_pages(&b, 0, 9, NULL, NULL)),
		60964 + 2 * 2 + 738 * 4 + 1 * 2 + 3 * 4);
	buddyinfo_free(&b);
	check(one_node, 0, 9, 1 * 512 + 3 * 1024 + 2 * 512 + 752 * 1024 + 477 * 512 + 1183 * 1024);
}

static void every_order_counts_whatever_the_largest_is(void **state)
{
	(void)state;
	check(many_nodes, 10, 9, (5 << 13) + (3 << 9));
	check(many_nodes, 10, 13, 5 << 13);
	check(many_nodes, 1, 9, 512 + 1024);
	check(many_nodes, 1, 14, 0);
	check(many_nodes, 1023, 0, 7);
	check(many_nodes, 2, 0, 0);
}

static void captured_files_of_other_kernels_are_read(void **state)
{
	(void)state;
	check(twelve_nodes, 0, 9, 1 * 512 + 3 * 1024 + 3 * 512 + 12 * 1024);
	check(twelve_nodes, 1, 9, 2 * 512 + 12 * 1024);
	check(twelve_nodes, 10, 9, 1 * 512 + 13 * 1024);
	check(twelve_nodes, 11, 10, 12 * 1024);
	check(twelve_nodes, 12, 0, 0);
	check(movable, 0, 9, (1 + 2 + 0) * 512 + (3 + 21 + 22) * 1024);
	check(movable, 1, 9, (2 + 1) * 512 + (33 + 22) * 1024);
	check(arm64_16k, 0, buddy_order((size_t)32 << 20, 16384), 10 * 2048);
	check(arm64_16k, 0, 9, 6 * 512 + 7 * 1024 + 10 * 2048);
}

static void orders_are_summed_over_the_zones(void **state)
{
	uint64_t blocks[BUDDY_ORDERS];
	struct buddyinfo b;

	(void)state;
	assert_int_equal(read_text(many_nodes, &b), 0);
	assert_int_equal(buddyinfo_orders(&b, 10, blocks), 14);
	assert_int_equal(blocks[0], 1);
	assert_int_equal(blocks[9], 3);
	assert_int_equal(blocks[13], 5);
	assert_int_equal(buddyinfo_orders(&b, 2, blocks), 0);
	buddyinfo_free(&b);
}

static void what_is_not_such_a_file_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text;
		int line;
	} bad[] = {
		{"\n", 1},
		{"Node 0, zone Normal\n", 1},
		{"Node 0, zone Normal 1 2 -3\n", 1},
		{"Node 0, zone Normal 1 2\nNode -1, zone Normal 1\n", 2},
		{"Node 0, zone Normal 1 2\nNode 1024, zone Normal 1\n", 2},
		{"Node 0, zone Normal 1 2 many\n", 1},
		{"Node 0, zone Normal 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
		 "1 1 1 1\n",
			1},
	};
	struct buddyinfo b;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(read_text(bad[i].text, &b), bad[i].line);
		buddyinfo_free(&b);
	}
	FILE *empty = fopen("/dev/null", "re");
	assert_non_null(empty);
	assert_int_equal(buddyinfo_read(empty, &b), 1);
	fclose(empty);
	buddyinfo_free(&b);
}

static void an_order_follows_from_bytes(void **state)
{
	(void)state;
	assert_int_equal(buddy_order((size_t)2 << 20, 4096), 9);
	assert_int_equal(buddy_order((size_t)32 << 20, 16384), 11);
	assert_int_equal(buddy_order((size_t)512 << 20, 65536), 13);
	assert_int_equal(buddy_order(4096, 4096), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_printed_file_gives_the_works_amounts),
		cmocka_unit_test(zones_count_all_or_as_asked),
		cmocka_unit_test(every_order_counts_whatever_the_largest_is),
		cmocka_unit_test(captured_files_of_other_kernels_are_read),
		cmocka_unit_test(orders_are_summed_over_the_zones),
		cmocka_unit_test(what_is_not_such_a_file_is_refused_with_its_line),
		cmocka_unit_test(an_order_follows_from_bytes),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
