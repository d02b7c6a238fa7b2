/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock rates of a run in the order of time. */
#include "analysis/trace.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "derive_stage.h"

/* Operation b's samples lie between those of a, a millisecond apart; rates tell which is which. */
static void fill_times(void)
{
	for (int op = 0; op < 2; op++)
		for (int i = 0; i < 4; i++) {
			uint64_t start = 5000000 + (uint64_t)(2 * i + op) * 1000000;

			samples[op][i].start_ns = start;
			for (int t = 0; t < 2; t++) {
				struct thread_sample *s = &threads[op][i][t];

				s->end_ns = start + (t ? 300000 : 200000);
				s->before.hz = (10 * i + op + 1) * 1e9;
				s->after.hz = (10 * i + op + 5 + t) * 1e9;
			}
		}
}

static void free_rows(struct table *m)
{
	for (size_t i = 0; i < m->rows; i++)
		free(m->row_labels[i]);
	free(m->row_labels);
	free(m->cells);
	free(m->places);
}

static void test_order(void **state)
{
	struct table m = {.cols = 3};

	(void)state;
	fill_times();
	trace_fill(&m, &all);
	assert_int_equal(m.rows, 16);
	assert_string_equal(m.place.name, "time");
	assert_string_equal(m.place.unit, "s");
	assert_string_equal(m.row_labels[0], "a 0 before");
	assert_string_equal(m.row_labels[1], "a 0 after");
	assert_string_equal(m.row_labels[2], "b 0 before");
	assert_string_equal(m.row_labels[15], "b 3 after");
	/* by row: both threads, then none */
	assert_float_equal(m.cells[0].value, 1, 1e-9);
	assert_float_equal(m.places[0], 0, 0);
	assert_float_equal(m.cells[3].value, 5, 1e-9);
	assert_float_equal(m.cells[4].value, 6, 1e-9);
	assert_float_equal(m.places[3], 0.0002, 1e-12);
	assert_float_equal(m.places[4], 0.0003, 1e-12);
	assert_float_equal(m.cells[15 * 3 + 1].value, 37, 1e-9);
	assert_float_equal(m.places[15 * 3 + 1], 0.0073, 1e-12);
	assert_true(isnan(m.cells[2].value));
	assert_true(isnan(m.places[2]));
	free_rows(&m);
}

static void test_none(void **state)
{
	struct table m = {.cols = 1};

	(void)state;
	trace_fill(&m, NULL);
	assert_int_equal(m.rows, 0);
	free_rows(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("rates before and after samples are in the order of time", test_order),
		TEST("a run that was not measured has none", test_none),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
