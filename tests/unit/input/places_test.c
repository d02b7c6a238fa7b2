/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of placePerThread: what each form stands for, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../described.h"
#include "base/alloc.h"
#include "input/places.h"

/* Two packages = nodes, two L3 in each, four cores in each, two hardware threads in each. */
#define MACHINE "pack:2 [numa(memory=8GB)] l3:2(size=16MiB) core:4 pu:2"

static struct names names;
static const struct places_from from = {&names, "k", {NULL, 0}, NULL};

/* "CPUS of PLACE; CPUS of PLACE": of a word, translated if it is another program's. */
static char *read(const char *word, struct errors *e)
{
	struct words ours = {0};
	struct places p = {0};
	char *all = alloc_format("%s", "");
	int failed = places_translate(&ours, word, &from, e);

	for (size_t i = 0; i < ours.count && !failed; i++)
		failed = places_read(&p, ours.word[i], &from, e);
	assert_int_equal(failed != 0, e->failures > 0);
	for (size_t i = 0; i < p.count; i++) {
		const struct places_one *one = &p.list[i];

		alloc_append(&all, " ", "%s", one->text);
		for (int k = 0; k < one->ncpus; k++)
			alloc_append(&all, "", "%s%d", k ? "," : "=",
				names.topo->cpus[one->cpus[k]].cpu);
	}
	words_free(&ours);
	places_free(&p);
	return all;
}

static void words_stand_for_places(void **state)
{
	static const struct {
		const char *word, *places;
	} cases[] = {
		{"L3(1)", "L3(1)=8,9,10,11,12,13,14,15"},
		{"l3(1):core(0)", "L3(1):core(0)=8,9"},
		{"ccx(1):core(3)", "L3(1):core(3)=14,15"},
		{"llc(1):core(3)", "LLC(1):core(3)=14,15"},
		{"socket(1):L3(1):core(0-1)",
			"package(1):L3(1):core(0)=24,25 package(1):L3(1):core(1)=26,27"},
		{"package(each):core(0)", "package(0):core(0)=0,1 package(1):core(0)=16,17"},
		{"L3(each):core(3):pu(1)", "L3(0):core(3):pu(1)=7 L3(1):core(3):pu(1)=15 "
					   "L3(2):core(3):pu(1)=23 L3(3):core(3):pu(1)=31"},
		{"L3(0,3):core(first)", "L3(0):core(0)=0,1 L3(3):core(0)=24,25"},
		{"node(far(0)):core(0)", "node(1):core(0)=16,17"},
		{"numa(0-1):core(7)", "node(0):core(7)=14,15 node(1):core(7)=30,31"},
		{"node(1):package(0):core(0)", "node(1):package(0):core(0)=16,17"},
		{"core(5)", "core(5)=10,11"},
		{"thread(31)", "pu(31)=31"},
		{"packed(core(5))", "packed(core(5))=10,11"},
		{"packed(core(5-6))", "packed(core(5))=10,11 packed(core(6))=12,13"},
		/* likwid */
		{"S0:0-1", "package(0):core(0)=0,1 package(0):core(1)=2,3"},
		{"S1:0,2", "package(1):core(0)=16,17 package(1):core(2)=20,21"},
		{"S0:8", "package(0):core(0):pu(1)=1"},
		{"L:S0:7-8", "package(0):core(7)=14,15 package(0):core(0):pu(1)=1"},
		{"N:15", "core(15)=30,31"},
		{"M1:3", "node(1):core(3)=22,23"},
		{"C3:0", "LLC(3):core(0)=24,25"},
		{"S0:0@S1:1", "package(0):core(0)=0,1 package(1):core(1)=18,19"},
		{"E:C1:3", "pu(8)=8 pu(9)=9 pu(10)=10"},
		{"E:S0:4:1:2", "pu(0)=0 pu(2)=2 pu(4)=4 pu(6)=6"},
		{"E:N:3:2:4", "pu(0)=0 pu(1)=1 pu(4)=4"},
		/* hwloc */
		{"package:1.core:0-1", "package(1):core(0)=16,17 package(1):core(1)=18,19"},
		{"numa:1.l3:all.core:0.pu:0",
			"node(1):L3(0):core(0):pu(0)=16 node(1):L3(1):core(0):pu(0)=24"},
		{"core:4:2", "core(4)=8,9 core(5)=10,11"},
		{"l3:3.pu:7", "L3(3):pu(7)=31"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};
		char *found = read(cases[i].word, &e);

		errors_print(&e, 0, stderr);
		assert_string_equal(found, cases[i].places);
		assert_int_equal(e.count, 0);
		free(found);
	}
}

static const struct {
	const char *word;
	enum status status;
	const char *says, *hint;
} wrong[] = {
	{"L3(9)", STATUS_PLACEMENT, "k: L3 9 does not exist",
		"L3 here: 0-3; CPUs that may be used: 0-31"},
	{"L3(0-9)", STATUS_PLACEMENT, "k: L3 9 does not exist", "L3 here: 0-3"},
	{"package(1):core(8)", STATUS_PLACEMENT,
		"k: 'package(1):core(8)': package(1) has no core 8",
		"inside a place numbers count from 0; package(1) has 8 of core"},
	{"node(2)", STATUS_PLACEMENT, "k: node 2 does not exist",
		"nodes that can run threads here: 0-1"},
	{"pu(32)", STATUS_PLACEMENT, "k: CPU 32 does not exist",
		"CPUs that may be used here: 0-31"},
	{"die(0)", STATUS_PLACEMENT, "k: 'die(0)': this machine shows no die",
		"levels here: package = node 0-1, L3 = LLC 0-3, core 0-15, pu 0-31"},
	{"ccd(0)", STATUS_PLACEMENT, "k: 'ccd(0)' needs CCDs, which this system does not show",
		"CCX"},
	{"core(3):L3(0)", STATUS_USAGE, "k: 'core(3):L3(0)': an L3 is not inside a core",
		"levels here"},
	{"kind(quick)", STATUS_PLACEMENT, "k: 'kind(quick)' is not a kind of cores of this machine",
		"alike"},
	{"board(0)", STATUS_USAGE, "k: 'board(0)': 'board' is no level of places", "levels here"},
	{"L3(x)", STATUS_USAGE, "k: 'x' is not the number of an L3", "L3(each)"},
	{"L3(3-1)", STATUS_USAGE, "k: '3-1' is not the number of an L3", "L3(0-1)"},
	{"L3(-1)", STATUS_USAGE, "k: '-1' is not the number of an L3", "L3(0-1)"},
	{"L3(1-)", STATUS_USAGE, "k: '1-' is not the number of an L3", "L3(0-1)"},
	{"L3()", STATUS_USAGE, "k: 'L3()' is not a place", "levels here"},
	{"L3", STATUS_USAGE, "k: 'L3' is not a place", "levels here"},
	{"L3(0):", STATUS_USAGE, "k: 'L3(0):' is not a place", "levels here"},
	{")", STATUS_USAGE, "k: ')' is not a place", "levels here"},
	{"x)", STATUS_USAGE, "k: 'x)' is not a place", "levels here"},
	{"{0-3}", STATUS_USAGE, "k: '{0-3}' is not a place", "levels here"},
	{"1s,8c", STATUS_USAGE, "k: '1s,8c' is not a place", "levels here"},
	{"packed(packed(L3(0)))", STATUS_USAGE, "is no level of places", "levels here"},
	{"pu(0-4294967296)", STATUS_USAGE, "is not the number of a CPU", "pu(0)"},
	{"M0:", STATUS_USAGE, "k: 'M0:' is not a place",
		"likwid refuses it, too; all of it is M0, or node(0):core(each)"},
	{"S0:", STATUS_USAGE, "k: 'S0:' is not a place", "package(0):core(each)"},
	{"C1:", STATUS_USAGE, "k: 'C1:' is not a place", "LLC(1):core(each)"},
	{"E:", STATUS_USAGE, "k: 'E:' is not a place", "S0:0-3"},
	{"S0:16", STATUS_PLACEMENT,
		"k: 'S0:16' needs more than the 16 usable hardware threads of its domain", NULL},
	/* numactl */
	{"pu(+1)", STATUS_USAGE, "k: '+1' is a word of numactl",
		"here it is placePerThread: pu(1)"},
	{"cpu(!0-29)", STATUS_USAGE, "k: '!0-29' is a word of numactl",
		"here it is placePerThread: pu(30-31)"},
	{"node(all)", STATUS_USAGE, "k: 'all' is a word of numactl",
		"here it is placePerThread: node(0-1)"},
	{"node(+0)", STATUS_USAGE, "k: '+0' is a word of numactl",
		"here it is placePerThread: node(0)"},
	{"node(!0)", STATUS_USAGE, "k: '!0' is a word of numactl",
		"here it is placePerThread: node(1)"},
	{"node(!0-1)", STATUS_USAGE, "k: '!0-1' is a word of numactl",
		"here it names none that may be used"},
	{"node(+)", STATUS_USAGE, "k: '+' is neither a node's number", NULL},
	{"S0:3-1", STATUS_USAGE, "k: 'S0:3-1' is not a place", "S0:0-3"},
	{"C:scatter", STATUS_USAGE, "k: 'C:scatter' is not a place", "mapping: scatter"},
	{"E:S0:17", STATUS_PLACEMENT,
		"k: 'E:S0:17' needs more than the 16 usable hardware threads of its domain", NULL},
	{"E:S0:x", STATUS_USAGE, "k: 'E:S0:x' is not a place", "S0:0-3"},
	{"S4:0", STATUS_PLACEMENT, "k: package 4 does not exist", "package here: 0-1"},
	{"core:odd", STATUS_USAGE, "k: 'odd' is not the number of a core", "core(each)"},
	{"core:0:0", STATUS_USAGE, "k: 'core:0:0' is not a place", "S0:0-3"},
};

static void other_words_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct errors e = {0};

		free(read(wrong[i].word, &e));
		if (!e.count)
			fail_msg("'%s' is taken", wrong[i].word);
		if (!strstr(e.list[0].text, wrong[i].says) ||
			(wrong[i].hint && !strstr(e.list[0].hint, wrong[i].hint)))
			fail_msg("'%s': %s; %s", wrong[i].word, e.list[0].text, e.list[0].hint);
		assert_int_equal(errors_status(&e), wrong[i].status);
		errors_free(&e);
	}
}

/* 0,0,0 once more in each step would be a place for each way through them. */
static void words_that_make_too_many_places_are_refused(void **state)
{
	static const char step[] = "core(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0):";
	char word[8 * sizeof(step)] = "";
	struct errors e = {0};

	(void)state;
	for (int i = 0; i < 7; i++)
		strcat(word, step);
	strcat(word, "pu(0)");
	free(read(word, &e));
	assert_non_null(strstr(e.list[0].text, "makes more than 65536 places"));
	errors_free(&e);
	e = (struct errors){0};
	free(read("pu(0):pu(0):pu(0):pu(0):pu(0):pu(0):pu(0):pu(0):pu(0)", &e));
	assert_non_null(strstr(e.list[0].text, "has more than 8 steps"));
	errors_free(&e);
}

static void check_on(const struct topo *t, const char *const (*cases)[2], size_t n)
{
	const struct topo *before = names.topo;

	names.topo = t;
	for (size_t i = 0; i < n; i++) {
		struct errors e = {0};
		char *found = read(cases[i][0], &e);

		errors_print(&e, 0, stderr);
		assert_int_equal(e.count, 0);
		assert_string_equal(found, cases[i][1]);
		free(found);
		errors_free(&e);
	}
	names.topo = before;
}

/* In a cpuset likwid counts what may be used, and some cores have less of it. */
static void words_of_likwid_count_usable_hardware_threads(void **state)
{
	static const char *const cases[][2] = {{"N:0", "core(1)=2,3"},
		{"N:0-2", "core(1)=2,3 core(2)=4,5 core(3)=6,7"},
		{"N:3-4", "core(1):pu(1)=3 core(3):pu(1)=7"},
		{"N", "core(1)=2,3 core(2)=4,5 core(3)=6,7 core(1):pu(1)=3 core(3):pu(1)=7"},
		{"M0:0,2", "node(0):core(1)=2,3 node(0):core(3)=6,7"},
		{"E:N:3", "pu(2)=2 pu(3)=3 pu(5)=5"}, {"E:M0:2:1:3", "pu(2)=2 pu(6)=6"}};
	struct topo other;

	(void)state;
	described(&other, "HWLOC_SYNTHETIC", "numa:1(memory=8GB) core:4 pu:2");
	other.cpus[0].allowed = other.cpus[1].allowed = other.cpus[4].allowed = false;
	check_on(&other, cases, sizeof(cases) / sizeof(*cases));
	topo_free(&other);
}

/* Where the system counts CPUs and nodes in another order than that of the machine. */
static void ranges_and_words_of_hwloc_have_the_systems_numbers(void **state)
{
	static const char *const cases[][2] = {{"pu(0-2)", "pu(0)=0 pu(1)=1 pu(2)=2"},
		{"node(0-1)", "node(0)=1,3,5,7 node(1)=0,2,4,6"}, {"node(1-1)", "node(1)=0,2,4,6"},
		{"pu:0-2", "pu(0)=0 pu(2)=2 pu(4)=4"}, {"numa:0", "node(1)=0,2,4,6"}};
	struct topo other;

	described(&other, "HWLOC_SYNTHETIC",
		"numa:2(memory=8GB indexes=1,0) core:4 pu:1(indexes=0,2,4,6,1,3,5,7)");

	(void)state;
	check_on(&other, cases, sizeof(cases) / sizeof(*cases));
	topo_free(&other);
}

static struct topo topo;

static int begin(void **state)
{
	(void)state;
	described(&topo, "HWLOC_SYNTHETIC", MACHINE);
	names.topo = &topo;
	return 0;
}

static int end(void **state)
{
	(void)state;
	topo_free(&topo);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "words stand for places", .test_func = words_stand_for_places},
		{.name = "other words are refused", .test_func = other_words_are_refused},
		{.name = "ranges and words of hwloc have the system's numbers",
			.test_func = ranges_and_words_of_hwloc_have_the_systems_numbers},
		{.name = "words of likwid count usable hardware threads",
			.test_func = words_of_likwid_count_usable_hardware_threads},
		{.name = "words that make too many places are refused",
			.test_func = words_that_make_too_many_places_are_refused},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, begin, end);
}
