/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of cores of described machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../described.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"two kinds have names types and rates", two_kinds_have_names_types_and_rates, NULL,
			NULL, NULL},
		{"the quickest kind comes first", the_quickest_kind_comes_first, NULL, NULL, NULL},
		{"kinds are found by name and by a type of their own",
			kinds_are_found_by_name_and_by_a_type_of_their_own, NULL, NULL, NULL},
		{"alike cores have no kind", alike_cores_have_no_kind, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
