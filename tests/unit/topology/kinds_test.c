/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of cores of described machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "edited.h"
#include "topology/topo.h"

static void two_kinds_have_names_types_and_rates(void **state)
{
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", "tests/topologies/laptop.xml");
	assert_int_equal(t.nkinds, 2);
	assert_string_equal(t.kinds[0].name, "performance");
	assert_string_equal(t.kinds[0].type, "IntelCore");
	assert_true(t.kinds[0].max_hz == 5.2e9);
	assert_int_equal(t.kinds[0].cores, 4);
	assert_int_equal(t.kinds[0].cpus, 8);
	assert_string_equal(t.kinds[1].name, "efficiency");
	assert_int_equal(t.kinds[1].cores, 8);
	assert_int_equal(topo_cpu(&t, 7)->kind, 0);
	assert_int_equal(topo_cpu(&t, 8)->kind, 1);
	topo_free(&t);
}

static void the_quickest_kind_comes_first(void **state)
{
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", "tests/topologies/board.xml");
	assert_int_equal(t.nkinds, 3);
	assert_string_equal(topo_kind_name(&t, topo_cpu(&t, 7)->kind), "performance");
	assert_string_equal(topo_kind_name(&t, topo_cpu(&t, 5)->kind), "middle");
	assert_string_equal(topo_kind_name(&t, topo_cpu(&t, 0)->kind), "efficiency");
	assert_null(t.kinds[0].type);
	topo_free(&t);
}

static void kinds_are_found_by_name_and_by_a_type_of_their_own(void **state)
{
	char buffer[128], short_one[16];
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", "tests/topologies/laptop.xml");
	assert_int_equal(topo_kind(&t, "efficiency"), 1);
	assert_int_equal(topo_kind(&t, "IntelCore"), 0);
	assert_int_equal(topo_kind(&t, "intelcore"), -1);
	assert_int_equal(topo_kind(&t, ""), -1);
	assert_string_equal(topo_kinds(&t, buffer, sizeof(buffer)),
		"performance (IntelCore), efficiency (IntelAtom)");
	assert_string_equal(topo_kinds(&t, short_one, sizeof(short_one)), "performance (In");
	memcpy(t.kinds[0].type, "IntelAtom", sizeof("IntelAtom"));
	assert_int_equal(topo_kind(&t, "IntelAtom"), -1);
	topo_free(&t);
}

static void alike_cores_have_no_kind(void **state)
{
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", "tests/topologies/ring4.xml");
	assert_int_equal(t.nkinds, 0);
	assert_int_equal(t.cpus[0].kind, -1);
	assert_null(topo_kind_name(&t, -1));
	assert_int_equal(topo_kind(&t, "performance"), -1);
	topo_free(&t);
}

/* The board's kinds, of CPUs 0-3, 4-6 and 7. */
#define BOARD  "tests/topologies/board.xml"
#define SLOW   "cpuset=\"0x0000000f\" forced_efficiency=\"250\""
#define MIDDLE "cpuset=\"0x00000070\" forced_efficiency=\"870\""
#define QUICK  "cpuset=\"0x00000080\" forced_efficiency=\"1024\""

static void kinds_between_the_first_and_the_last_are_numbered(void **state)
{
	static const char *const names[] = {"performance", "middle1", "middle2", "efficiency"};
	static const int of_cpu[] = {3, 3, 2, 2, 1, 1, 1, 0};
	struct topo t;

	(void)state;
	edited(&t, BOARD,
		(const char *[]){SLOW,
			"cpuset=\"0x00000003\" forced_efficiency=\"250\"/>"
			"<cpukind cpuset=\"0x0000000c\" forced_efficiency=\"500\"",
			NULL});
	assert_int_equal(t.nkinds, 4);
	for (int i = 0; i < 4; i++)
		assert_string_equal(t.kinds[i].name, names[i]);
	for (int i = 0; i < 8; i++)
		assert_int_equal(topo_cpu(&t, i)->kind, of_cpu[i]);
	topo_free(&t);
}

/* As the X925 and A725 cores of a GB10. */
static void cores_of_one_design_are_one_kind(void **state)
{
	struct topo t;

	(void)state;
	edited(&t, BOARD,
		(const char *[]){SLOW, "cpuset=\"0x0000000f\" forced_efficiency=\"718\"",
			"value=\"250\"", "value=\"718\"", MIDDLE,
			"cpuset=\"0x00000070\" forced_efficiency=\"997\"", "value=\"870\"",
			"value=\"997\"", NULL});
	assert_int_equal(t.nkinds, 2);
	assert_string_equal(t.kinds[0].name, "performance");
	assert_int_equal(t.kinds[0].cores, 4);
	assert_int_equal(t.kinds[0].cpus, 4);
	for (int i = 0; i < 8; i++)
		assert_int_equal(topo_cpu(&t, i)->kind, i < 4);
	topo_free(&t);
}

static void cores_whose_capacities_all_are_near_are_alike(void **state)
{
	struct topo t;

	(void)state;
	edited(&t, BOARD,
		(const char *[]){SLOW, "cpuset=\"0x0000000f\" forced_efficiency=\"980\"",
			"value=\"250\"", "value=\"980\"", MIDDLE,
			"cpuset=\"0x00000070\" forced_efficiency=\"1000\"", "value=\"870\"",
			"value=\"1000\"", NULL});
	assert_int_equal(t.nkinds, 0);
	assert_int_equal(topo_cpu(&t, 7)->kind, -1);
	topo_free(&t);
}

static void kinds_without_ranks_have_numbers(void **state)
{
	struct topo t;

	(void)state;
	edited(&t, BOARD,
		(const char *[]){" forced_efficiency=\"250\"", "", " forced_efficiency=\"870\"", "",
			" forced_efficiency=\"1024\"", "", "LinuxCapacity", "Unknown", NULL});
	assert_int_equal(t.nkinds, 3);
	assert_string_equal(t.kinds[0].name, "0");
	assert_string_equal(t.kinds[2].name, "2");
	assert_true(t.kinds[0].efficiency < 0);
	assert_int_equal(topo_kind(&t, "1"), 1);
	assert_int_equal(topo_kind(&t, "performance"), -1);
	topo_free(&t);
}

static void one_kind_for_all_is_none(void **state)
{
	struct topo t;

	(void)state;
	edited(&t, BOARD,
		(const char *[]){SLOW, "cpuset=\"0x000000ff\" forced_efficiency=\"250\"", MIDDLE,
			"cpuset=\"0x00000000\"", QUICK, "cpuset=\"0x00000000\"", NULL});
	assert_int_equal(t.nkinds, 0);
	assert_null(t.kinds);
	for (int i = 0; i < 8; i++)
		assert_int_equal(topo_cpu(&t, i)->kind, -1);
	topo_free(&t);
}

static void a_kind_without_a_cpu_is_none(void **state)
{
	struct topo t;

	(void)state;
	edited(&t, BOARD,
		(const char *[]){SLOW,
			"cpuset=\"0x0000000f\" forced_efficiency=\"250\"/>"
			"<cpukind cpuset=\"0x00000f00\" forced_efficiency=\"500\"",
			NULL});
	assert_int_equal(t.nkinds, 3);
	assert_string_equal(t.kinds[1].name, "middle");
	topo_free(&t);
}

static void rates_that_are_not_known_are_0(void **state)
{
	struct topo t;

	(void)state;
	described(&t, "HWLOC_XMLFILE", BOARD);
	for (int i = 0; i < t.nkinds; i++)
		assert_true(t.kinds[i].max_hz == 0);
	assert_true(t.kinds[0].efficiency > t.kinds[1].efficiency);
	assert_true(t.kinds[1].efficiency > t.kinds[2].efficiency);
	topo_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"two kinds have names types and rates", two_kinds_have_names_types_and_rates, NULL,
			NULL, NULL},
		{"the quickest kind comes first", the_quickest_kind_comes_first, NULL, NULL, NULL},
		{"kinds are found by name and by a type of their own",
			kinds_are_found_by_name_and_by_a_type_of_their_own, NULL, NULL, NULL},
		{"alike cores have no kind", alike_cores_have_no_kind, NULL, NULL, NULL},
		{"kinds between the first and the last are numbered",
			kinds_between_the_first_and_the_last_are_numbered, NULL, NULL, NULL},
		{"cores of one design are one kind", cores_of_one_design_are_one_kind, NULL, NULL,
			NULL},
		{"cores whose capacities all are near are alike",
			cores_whose_capacities_all_are_near_are_alike, NULL, NULL, NULL},
		{"kinds without ranks have numbers", kinds_without_ranks_have_numbers, NULL, NULL,
			NULL},
		{"one kind for all is none", one_kind_for_all_is_none, NULL, NULL, NULL},
		{"a kind without a CPU is none", a_kind_without_a_cpu_is_none, NULL, NULL, NULL},
		{"rates that are not known are 0", rates_that_are_not_known_are_0, NULL, NULL,
			NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
