/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Watermarks, protection and the lists of CPUs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "hugepages/lines.h"
#include "hugepages/zoneinfo.h"

/* Linux 6.18, a virtual machine of one node with 24 GiB, without most of its statistics; the second
 * node is made up, as Linux 6.1 prints it. */
static const char captured[] = "Node 0, zone      DMA\n"
			       "  per-node stats\n"
			       "      nr_inactive_anon 5872\n"
			       "  pages free     3840\n"
			       "        boost    0\n"
			       "        min      19\n"
			       "        low      23\n"
			       "        high     27\n"
			       "        promo    31\n"
			       "        spanned  4095\n"
			       "        present  3998\n"
			       "        protection: (0, 3018, 12874, 12874, 12874)\n"
			       "      nr_free_pages 3840\n"
			       "  pagesets\n"
			       "    cpu: 0\n"
			       "              count:    0\n"
			       "              high:     0\n"
			       "              batch:    1\n"
			       "  start_pfn:           1\n"
			       "Node 0, zone   Normal\n"
			       "  pages free     1991588\n"
			       "        boost    0\n"
			       "        min      12919\n"
			       "        low      16148\n"
			       "        high     19377\n"
			       "        protection: (0, 0, 0, 0, 0)\n"
			       "      nr_free_pages 1991588\n"
			       "  pagesets\n"
			       "    cpu: 0\n"
			       "              count:    12796\n"
			       "              high:     32669\n"
			       "              batch:    63\n"
			       "              high_min: 8074\n"
			       "    cpu: 2\n"
			       "              count:    3690\n"
			       "              high:     10031\n"
			       "  vm stats threshold: 32\n"
			       "Node 0, zone  Movable\n"
			       "  pages free     0\n"
			       "        min      32\n"
			       "        low      32\n"
			       "        high     32\n"
			       "        protection: (0, 0, 0, 0, 0)\n"
			       "Node 11, zone    DMA32\n"
			       "  pages free     700\n"
			       "        min      7000\n"
			       "        low      8750\n"
			       "        high     10500\n"
			       "        protection: (0, 0, 0)\n"
			       "    cpu: 0\n"
			       "              count: 5\n";

static struct zoneinfo z;

static int read_text(const char *text)
{
	FILE *in = fmemopen((void *)text, strlen(text), "r");

	assert_non_null(in);
	int failed = zoneinfo_read(in, &z);
	fclose(in);
	return failed;
}

static int read_captured(void **state)
{
	(void)state;
	return read_text(captured);
}

static int forget(void **state)
{
	(void)state;
	zoneinfo_free(&z);
	return 0;
}

static void the_margin_is_twice_the_high_watermarks(void **state)
{
	(void)state;
	assert_int_equal(zoneinfo_margin(&z, 0), 2 * (27 + 19377 + 32) + 256);
	assert_int_equal(zoneinfo_margin(&z, 11), 2 * 10500 + 256);
	assert_int_equal(zoneinfo_margin(&z, 1), 256);
}

static void a_zone_below_its_protection_gives_programs_nothing(void **state)
{
	(void)state;
	assert_true(zoneinfo_withheld(&z, 0, "DMA"));
	assert_false(zoneinfo_withheld(&z, 0, "Normal"));
	assert_true(zoneinfo_withheld(&z, 11, "DMA32"));
	assert_false(zoneinfo_withheld(&z, 11, "Normal"));
	assert_false(zoneinfo_withheld(&z, 0, "Device"));
	/* the most of what is kept for other zones, wherever it stands */
	struct zone_limits one = {0};
	assert_true(zone_line("        protection: (0, 300, 40)\n", &one));
	assert_int_equal(one.protection, 300);
}

static void the_place_of_a_zone_is_known(void **state)
{
	(void)state;
	assert_int_equal(z.zones[0].start, 1);
	assert_int_equal(z.zones[0].spanned, 4095);
	assert_int_equal(z.zones[1].spanned, 0);
}

/* A virtual machine of 24 GiB whose kernel initialises memory when it is needed
 * (deferred_init=lazy), soon after its start; node 1 is an ordinary one, whose kernel keeps a
 * sixtieth; node 2 is a guest that accepts memory late. */
static void what_the_allocator_has_not_got_yet_is_late(void **state)
{
	static const char text[] = "Node 0, zone    DMA32\n"
				   "        high     6589\n"
				   "        present  782336\n"
				   "        managed  772917\n"
				   "Node 0, zone   Normal\n"
				   "        high     18720\n"
				   "        present  5505024\n"
				   "        managed  2195456\n"
				   "Node 1, zone   Normal\n"
				   "        present  6000\n"
				   "        managed  5900\n"
				   "      nr_unaccepted 0\n"
				   "Node 2, zone   Normal\n"
				   "        present  6000\n"
				   "        managed  5900\n"
				   "      nr_unaccepted 2048\n";

	(void)state;
	assert_int_equal(read_text(text), 0);
	assert_int_equal(zoneinfo_present(&z, 0), 782336 + 5505024);
	assert_int_equal(zoneinfo_late(&z, 0), 782336 - 772917 + 5505024 - 2195456);
	assert_int_equal(zoneinfo_late(&z, 1), 0);
	assert_int_equal(zoneinfo_late(&z, 2), 2048);
	assert_int_equal(zoneinfo_present(&z, 3), 0);
	zoneinfo_free(&z);
}

static void lists_of_cpus_are_summed_over_the_zones(void **state)
{
	(void)state;
	assert_int_equal(zoneinfo_room(&z, 0, 0), 32669);
	assert_int_equal(zoneinfo_room(&z, 0, 1), 0);
	assert_int_equal(zoneinfo_room(&z, 0, 2), 10031);
	assert_int_equal(zoneinfo_room(&z, 0, 3), 0);
	assert_int_equal(zoneinfo_room(&z, 0, -1), 0);
	assert_int_equal(zoneinfo_room(&z, 11, 0), 5);
	assert_int_equal(zoneinfo_listed(&z, 0), 12796 + 3690);
	assert_int_equal(zoneinfo_listed(&z, 11), 5);
	assert_int_equal(zoneinfo_listed(&z, 1), 0);
}

static void without_watermarks_it_is_no_such_file(void **state)
{
	static const char *const bad[] = {"nothing\n", "Node 0, zone Normal\n  pages free 7\n",
		"  pages free 5\n        high     7\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		zoneinfo_free(&z);
		assert_int_equal(read_text(bad[i]), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_margin_is_twice_the_high_watermarks, read_captured, forget),
		cmocka_unit_test_setup_teardown(
			the_place_of_a_zone_is_known, read_captured, forget),
		cmocka_unit_test_setup_teardown(
			a_zone_below_its_protection_gives_programs_nothing, read_captured, forget),
		cmocka_unit_test_setup_teardown(
			lists_of_cpus_are_summed_over_the_zones, read_captured, forget),
		cmocka_unit_test(what_the_allocator_has_not_got_yet_is_late),
		cmocka_unit_test_setup_teardown(
			without_watermarks_it_is_no_such_file, read_captured, forget),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
