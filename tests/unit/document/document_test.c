/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result documents read back: every part in its place, and other files refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../scratch.h"
#include "document/document.h"

/* Two runs, the second skipped; figures that say where they stand. */
#define RUN                                                                                        \
	"{\"values\": {\"d\": \"0\", \"n\": \"x\"},"                                               \
	" \"vectors\": [{\"asked_node\": \"2\", \"bytes\": 4096, \"found\":"                       \
	"   {\"pages_on_node\": {\"10\": 1, \"2\": 7}, \"pages_moved_during_run\": 3}}],"          \
	" \"threads\": [{\"node\": 1, \"core\": 4, \"cpu\": 5, \"vectors\": [0]},"                 \
	"   {\"node\": null, \"core\": null, \"cpu\": null, \"vectors\": [0, 0]}],"                \
	" \"operations\": [{\"operation\": \"read\", \"total_s\": 11, \"total_low_s\": 10,"        \
	"   \"total_high_s\": 12, \"together\": {\"bytes_per_s\": {\"value\": 13, \"low\": null,"  \
	"   \"high\": null}}, \"samples\": {\"taken\": 9, \"disturbed\": 2}, \"threads\": ["       \
	"   {\"kernel\": \"read\", \"order\": \"random\", \"shares_lines\": false, \"figures\": "  \
	"{\"cost_s\": 21,"                                                                         \
	"     \"low_s\": 20, \"high_s\": 22, \"ns_per_unit\": 1.5},"                               \
	"     \"samples\": [{\"cost_s\": 31, \"warmup\": true, \"cpu_after\": 6}],"                \
	"     \"counters\": {\"loads\": {\"value\": 41, \"per_unit\": 0.5}}},"                     \
	"   {\"kernel\": \"null\", \"figures\": null}]}],"                                         \
	" \"speedups\": [{\"speedup\": \"write/read\", \"total\": {\"value\": 51}, \"base_s\": 2," \
	"   \"threads\": [{\"value\": 52}, {\"value\": 53}]}],"                                    \
	" \"solo\": {\"operations\": [{\"operation\": \"read\", \"overhead_percent\":"             \
	"   {\"value\": 61}, \"slowdowns\": [{\"value\": 62}]}], \"runs\": [{\"thread\": 0,"       \
	"   \"operations\": [{\"operation\": \"read\", \"total_s\": 63, \"threads\": []}]}]},"     \
	" \"baseline\": {\"run\": \"d=1\", \"operations\": [{\"operation\": \"read\","             \
	"   \"threads\": [{\"speedup\": {\"value\": 71}, \"base_s\": 72,"                          \
	"   \"hypothetical\": 73}]}]}}"
#define SKIPPED "{\"values\": {\"d\": \"1\"}, \"skipped\": \"no such node\"}"
#define TABLE                                                                                 \
	"{\"shown\": \"plot\", \"title\": \"cost (s), read\", \"quantity\": \"cost\","        \
	" \"kind\": \"quantity\", \"unit\": \"s\", \"operation\": \"read\", \"thread\": 1,"   \
	" \"values\": {\"n\": \"x\"}, \"row_axis\": \"d\", \"rows_are\": \"variable\","       \
	" \"column_axis\": \"thread\", \"columns_are\": \"thread\", \"rows\": [\"0\","        \
	" \"geometric mean\"], \"columns\": [\"thread 0\"], \"mean\": \"geometric\","         \
	" \"cells\": [[{\"value\": 81, \"low\": 80, \"high\": 82}], [{\"value\": null}]],"    \
	" \"against\": {\"quantity\": \"bandwidth\", \"unit\": \"GB/s\", \"places\": [[83], " \
	"[null]]}}"
#define HEAD                                                                                    \
	"\"program\": \"affinity\", \"simulated\": true, \"quick\": true, \"environment\": "    \
	"{\"host\": \"h\","                                                                     \
	" \"date\": \"today\"}, \"arguments\": {\"path\": \"a.args\", \"text\": \"opType: x\"," \
	" \"set\": [\"k=v\"]}, \"warnings\": [{\"text\": \"w\", \"hint\": null}],"              \
	" \"method\": {\"mode\": \"time\", \"iterations\": 5}"
#define DOCUMENT(schema, run, table)                                                               \
	"{\"schema\": " schema ", " HEAD ", \"runs\": [" run ", " SKIPPED "], \"tables\": [" table \
	"]}"

/* Reads text from a file as a document, and removes the file. */
static int read_text(struct document *d, const char *text, struct errors *e)
{
	int failed = document_read(d, scratch_write(text), e);

	scratch_remove();
	return failed;
}

static void all_parts_of_a_run_are_read(void **state)
{
	struct document d;
	struct errors e = {0};

	(void)state;
	assert_int_equal(read_text(&d, DOCUMENT("3", RUN, TABLE), &e), 0);
	assert_int_equal(d.nruns, 2);
	const struct document_run *r = &d.runs[0];
	assert_string_equal(r->label, "d=0 n=x");
	assert_string_equal(document_value(r, "n"), "x");
	assert_null(document_value(r, "m"));
	assert_null(r->skipped);
	assert_string_equal(d.runs[1].skipped, "no such node");
	/* in the order of nodes, as numbers */
	assert_int_equal(r->vectors[0].npages, 2);
	assert_int_equal(r->vectors[0].pages[0].node, 2);
	assert_int_equal(r->vectors[0].pages[0].pages, 7);
	assert_int_equal(r->vectors[0].pages[1].node, 10);
	assert_int_equal(r->vectors[0].pages_moved, 3);
	assert_int_equal(r->threads[0].cpu, 5);
	assert_int_equal(r->threads[1].node, -1);
	assert_int_equal(r->threads[1].nvectors, 2);
	assert_float_equal(r->speedups[0].threads.list[1].amount.value, 53, 0);
	assert_float_equal(r->solos[0].overhead_percent.amount.value, 61, 0);
	assert_float_equal(r->solos[0].slowdowns.list[0].amount.value, 62, 0);
	assert_float_equal(r->alone[0].list[0].cost_of_all.value, 63, 0);
	assert_string_equal(r->baseline, "d=1");
	assert_float_equal(r->gains[0].threads[0].hypothetical, 73, 0);
	document_free(&d);
}

static void a_run_that_is_there_more_than_once_counts_once(void **state)
{
	struct document d;
	struct errors e = {0};

	(void)state;
	assert_int_equal(read_text(&d, DOCUMENT("3", RUN ", " SKIPPED ", " RUN, TABLE), &e), 0);
	assert_int_equal(d.nruns, 2);
	assert_string_equal(d.runs[1].skipped, "no such node");
	assert_int_equal(d.nwarnings, 3);
	assert_string_equal(d.warnings[0].text, "w");
	assert_string_equal(
		d.warnings[1].text, "run d=0 n=x is there more than once: it counts once");
	assert_string_equal(d.warnings[2].text, "run d=1 is there more than once: it counts once");
	document_free(&d);
}

static void all_parts_of_an_operation_are_read(void **state)
{
	struct document d;
	struct errors e = {0};

	(void)state;
	assert_int_equal(read_text(&d, DOCUMENT("3", RUN, TABLE), &e), 0);
	const struct document_operation *o = document_operation(&d.runs[0], "read");
	assert_non_null(o);
	assert_null(document_operation(&d.runs[0], "write"));
	assert_float_equal(o->cost_of_all.high, 12, 0);
	assert_float_equal(o->together.bytes_per_s.value, 13, 0);
	assert_true(isnan(o->together.bytes_per_s.low));
	assert_int_equal(o->samples.disturbed, 2);
	assert_int_equal(o->njobs, 2);
	assert_float_equal(o->jobs[0].figures.cost.low, 20, 0);
	assert_float_equal(o->jobs[0].figures.ns_per_unit, 1.5, 0);
	assert_string_equal(o->jobs[0].order, "random");
	assert_string_equal(o->jobs[1].order, "");
	assert_false(o->jobs[0].shares_lines);
	assert_true(o->jobs[1].shares_lines);
	assert_true(isnan(o->jobs[1].figures.cost.value));
	assert_true(o->jobs[0].samples[0].warmup);
	assert_int_equal(o->jobs[0].samples[0].cpu_after, 6);
	assert_string_equal(o->jobs[0].counters[0].metric, "loads");
	assert_float_equal(o->jobs[0].counters[0].per_unit, 0.5, 0);
	document_free(&d);
}

static void the_head_and_the_tables_are_read(void **state)
{
	struct document d;
	struct errors e = {0};

	(void)state;
	assert_int_equal(read_text(&d, DOCUMENT("3", RUN, TABLE), &e), 0);
	assert_true(d.simulated);
	assert_true(d.quick);
	assert_string_equal(document_fact(&d, "host"), "h");
	assert_string_equal(document_fact(&d, "kernel"), NOT_RECORDED);
	assert_string_equal(d.arguments.set.list[0], "k=v");
	assert_string_equal(d.warnings[0].text, "w");
	assert_null(d.warnings[0].hint);
	assert_true(d.method.per_unit);
	assert_int_equal(d.method.iterations, 5);
	const struct document_table *t = &d.tables[0];
	assert_int_equal(t->shown, SHOWN_PLOT);
	assert_string_equal(t->rows.list[1], "geometric mean");
	assert_string_equal(t->mean, "geometric");
	assert_string_equal(t->operation, "read");
	assert_int_equal(t->thread, 1);
	assert_string_equal(t->values.list[0].value, "x");
	assert_string_equal(t->column_axis, "thread");
	assert_float_equal(t->cells[0].high, 82, 0);
	assert_true(isnan(t->cells[1].value));
	assert_float_equal(t->places[0], 83, 0);
	assert_string_equal(t->place, "bandwidth");
	assert_int_equal(t->id, QUANTITY_COST);
	assert_int_equal(t->rows_are, AXIS_VARIABLE);
	assert_int_equal(t->columns_are, AXIS_THREAD);
	document_free(&d);
}

/* A run with these vectors and the work of a thread. */
#define MEASURED(vectors, job) \
	"{\"vectors\": " vectors ", \"threads\": [], \"operations\": [{\"threads\": [" job "]}]}"

static void what_is_no_whole_document_is_refused(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"{\n\"schema\": 1,", ":2: cannot be read as JSON"},
		{"{\"a\": 1}", "is not a result document of affinity"},
		{DOCUMENT("4", RUN, TABLE), "has schema 4, this program reads schema 3"},
		{DOCUMENT("2", RUN, TABLE), "has schema 2, this program reads schema 3"},
		{"{\"schema\": 3, \"program\": \"affinity\", \"quick\": \"no\", \"runs\": []}",
			"does not say whether it is a quick trial"},
		{DOCUMENT("3", "{\"values\": {}}", TABLE), "'runs[0].vectors' is missing"},
		{DOCUMENT("3", "7", TABLE), "'runs[0]' is no object"},
		{DOCUMENT("3",
			 "{\"vectors\": [], \"operations\": [], \"threads\": [{\"vectors\": [1]}]}",
			 ""),
			"'runs[0]' has a thread with a vector that does not exist"},
		{DOCUMENT("3", RUN, "{\"title\": \"t\", \"quantity\": \"cost (s)\"}"),
			"'tables[0]' does not say what its figures and its axes are"},
		{DOCUMENT("3", RUN,
			 "{\"kind\": \"figure\", \"rows_are\": \"time\", \"rows\": [\"a\"], "
			 "\"columns\": [\"b\"]}"),
			"'tables[0]' has cells that do not match its rows and columns"},
		{DOCUMENT("3", MEASURED("[{\"bytes\": 1.5}]", ""), ""),
			"'runs[0].vectors[0].bytes' is no whole number"},
		{DOCUMENT("3", MEASURED("[{\"elements\": 0}]", ""), ""),
			"'runs[0].vectors[0].elements' is less than 1"},
		{DOCUMENT("3", MEASURED("[]", "{\"kernel\": 7}"), ""),
			"'runs[0].operations[0].threads[0].kernel' is no text"},
		{DOCUMENT("3", MEASURED("[]", "{\"samples\": [{\"cost_s\": \"31\"}]}"), ""),
			"'runs[0].operations[0].threads[0].samples[0].cost_s' is no number"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct document d;
		struct errors e = {0};

		assert_int_equal(read_text(&d, cases[i].text, &e), -1);
		assert_non_null(strstr(e.list[0].text, cases[i].says));
		assert_non_null(e.list[0].hint);
		assert_int_equal(errors_status(&e), STATUS_USAGE);
		document_free(&d);
		errors_free(&e);
	}
}

static void an_unknown_field_is_named(void **state)
{
	struct document d;
	struct errors e = {0};

	(void)state;
	assert_int_equal(
		read_text(&d,
			DOCUMENT("3",
				MEASURED("[]", "{\"later\": 1}, {\"samples\": [{\"too\": 1}]}"),
				""),
			&e),
		0);
	assert_int_equal(e.count, 1);
	assert_int_equal(e.failures, 0);
	assert_non_null(
		strstr(e.list[0].text, "has 2 fields that this version does not know: "
				       "'runs[0].operations[0].threads[0].later' is the first"));
	document_free(&d);
	errors_free(&e);
}

/* Is all that `a` says in b? */
static bool has_all(json_t *a, json_t *b)
{
	bool same = true;
	const char *name;
	json_t *value;
	size_t i;

	if (json_is_array(a) && json_array_size(a) != json_array_size(b))
		return false;
	json_array_foreach (a, i, value)
		same = same && has_all(value, json_array_get(b, i));
	json_object_foreach (a, name, value)
		same = same && json_object_get(b, name) && has_all(value, json_object_get(b, name));
	if (json_is_number(a) && json_is_number(b))
		return json_number_value(a) == json_number_value(b);
	return json_is_array(a) || json_is_object(a) ? same : json_equal(a, b);
}

static char *written(const struct document *d)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(document_write(d, out), 0);
	fclose(out);
	return text;
}

static void keeps_all(const char *path)
{
	struct document d;
	struct errors e = {0};
	json_t *before = json_load_file(path, 0, NULL);

	if (document_read(&d, path, &e))
		fail_msg("%s", e.list[0].text);
	assert_int_equal(e.count, 0);
	char *once = written(&d);
	json_t *after = json_loads(once, 0, NULL);

	if (!has_all(before, after))
		fail_msg("something of '%s' is lost", path);
	document_free(&d);
	if (read_text(&d, once, &e))
		fail_msg("%s written again: %s", path, e.list[0].text);
	char *twice = written(&d);

	assert_string_equal(once, twice);
	document_free(&d);
	json_decref(before);
	json_decref(after);
	free(once);
	free(twice);
}

static void what_is_read_is_written_again(void **state)
{
	glob_t files;

	(void)state;
	assert_int_equal(glob("tests/golden/report/*/[!c]*/*.json", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++)
		keeps_all(files.gl_pathv[i]);
	globfree(&files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_parts_of_a_run_are_read),
		cmocka_unit_test(a_run_that_is_there_more_than_once_counts_once),
		cmocka_unit_test(all_parts_of_an_operation_are_read),
		cmocka_unit_test(the_head_and_the_tables_are_read),
		cmocka_unit_test(what_is_no_whole_document_is_refused),
		cmocka_unit_test(an_unknown_field_is_named),
		cmocka_unit_test(what_is_read_is_written_again),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
