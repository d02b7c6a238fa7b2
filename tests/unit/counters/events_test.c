/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of events: how it is read, and what must hold of the compiled one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "counters/events.h"

static void test_read(void **state)
{
	static const char text[] = "# a comment\n"
				   "group mix kinds of instructions\n"
				   "metric ipc ratio instructions a cycle\n"
				   "\tskl, amd64_fam19h: A / B\n"
				   "\tany: perf::INSTRUCTIONS / perf::CYCLES\n"
				   "\n"
				   "check A 6\n"
				   "check B some\n"
				   "check C move\n"
				   "system D\n";
	static const char *const intel[] = {"perf", "skl"}, *const amd[] = {"amd64_fam19h_zen3"},
				 *const arm[] = {"arm_n1"};
	struct errors e = {0};
	struct events v;

	(void)state;
	assert_int_equal(events_read(&v, text, "t", &e), 0);
	assert_int_equal(v.nmetrics, 1);
	assert_string_equal(v.metrics[0].name, "ipc");
	assert_string_equal(v.metrics[0].group, "mix");
	assert_string_equal(v.metrics[0].help, "instructions a cycle");
	assert_int_equal(v.metrics[0].kind, METRIC_RATIO);
	assert_int_equal(v.metrics[0].nways, 2);
	assert_string_equal(v.metrics[0].ways[0].formula.text, "A / B");
	assert_true(way_fits(&v.metrics[0].ways[0], intel, 2));
	assert_true(way_fits(&v.metrics[0].ways[0], amd, 1));
	assert_false(way_fits(&v.metrics[0].ways[0], arm, 1));
	assert_true(way_fits(&v.metrics[0].ways[1], arm, 1));
	assert_true(events_has_group(&v, "mix"));
	assert_false(events_has_group(&v, "ipc"));
	assert_true(events_check(&v, "A")->per_round == 6);
	assert_true(isnan(events_check(&v, "B")->per_round) && !events_check(&v, "B")->move);
	assert_true(events_check(&v, "C")->move);
	assert_null(events_check(&v, "D"));
	assert_true(events_in_system(&v, "D"));
	assert_false(events_in_system(&v, "A"));
	events_free(&v);
}

static void test_refused(void **state)
{
	static const char *const wrong[] = {"metric a count before a group\n", "group\n",
		"group g\nmetric m wrong\n", "group g\nmetric m count\n\tany A\n",
		"group g\nmetric m count\n\tany: A +\n", "\tany: A\n", "check A\n", "check A x\n",
		"system\n", "nothing\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct errors e = {0};
		struct events v;

		assert_int_equal(events_read(&v, wrong[i], "t", &e), -1);
		assert_int_equal(e.failures, 1);
		events_free(&v);
		errors_free(&e);
	}
}

static void test_compiled_in(void **state)
{
	struct errors e = {0};
	struct events v;

	(void)state;
	assert_int_equal(events_read(&v, events_text, "events.txt", &e), 0);
	assert_int_equal(v.ngroups, 5);
	for (size_t i = 0; i < v.nmetrics; i++) {
		assert_true(v.metrics[i].nways > 0);
		assert_false(events_has_group(&v, v.metrics[i].name));
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(v.metrics[i].name, v.metrics[k].name);
	}
	/* an event of the system needs proof that it is counted there; otherwise it would read 0 */
	for (size_t i = 0; i < v.nsystem; i++)
		if (strcmp(v.system[i], "perf::MAJOR-FAULTS"))
			assert_non_null(events_check(&v, v.system[i]));
	events_free(&v);
}

/* 1000 cycles, of which 150 are walks of loads and 50 of stores. */
static double counted(const void *arg, const char *name)
{
	(void)arg;
	if (!strcmp(name, "PAPI_TOT_CYC"))
		return 1000;
	return strncmp(name, "DTLB_LOAD_MISSES:WALK_", 22) ? 50 : 150;
}

/* By every way: section 3.2 of V.-O. Politis (NTUA 2021), as in analysis/translation.h. */
static void test_translation(void **state)
{
	static const struct {
		const char *name;
		double value;
	} expected[] = {{"walk_cycles", 200}, {"ideal_cycles", 800}, {"translation_overhead", 25}};
	struct errors e = {0};
	struct events v;
	size_t ways = 0;

	(void)state;
	assert_int_equal(events_read(&v, events_text, "events.txt", &e), 0);
	for (size_t i = 0; i < v.nmetrics; i++)
		for (size_t k = 0; k < sizeof(expected) / sizeof(*expected); k++)
			for (size_t w = 0; !strcmp(v.metrics[i].name, expected[k].name) &&
					   w < v.metrics[i].nways;
				w++, ways++)
				assert_true(formula_value(&v.metrics[i].ways[w].formula, counted,
						    NULL) == expected[k].value);
	assert_int_equal(ways, 6);
	events_free(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"the table is read", test_read, NULL, NULL, NULL},
		{"what is not understood is refused", test_refused, NULL, NULL, NULL},
		{"walks, ideal cycles and the overhead of translation follow from their counts",
			test_translation, NULL, NULL, NULL},
		{"the table that is compiled in is whole", test_compiled_in, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
