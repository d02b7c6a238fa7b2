/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gnuplot is given for the levels of a TLB, and for places that begin, in a picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/plot.h"

static char *script_of(size_t marks, bool places, bool heat)
{
	static char *begins[] = {NULL, "L3 1", NULL, NULL};
	static char *rows[] = {"16", "256", "4096"}, *cols[] = {"4K", "thp"};
	struct amount cells[6] = {{0, 0, 0}, {0, 0, 0}, {2, 2, 2}, {0, 0, 0}, {9, 9, 9}, {1, 1, 1}};
	struct table_mark list[] = {{{76, 64, 91}, "TLB 1", 0}, {{1722, 1448, 2048}, "TLB 2", 1}};
	struct table m = {
		.head = {.id = QUANTITY_EXTRA, .name = "extra", .unit = "ns", .rest = "chase"},
		.row_name = "n",
		.col_name = "pages",
		.row_labels = rows,
		.col_labels = cols,
		.rows = 3,
		.cols = 2,
		.cells = cells,
		.marks = list,
		.nmarks = marks,
		.row_begins = places ? begins : NULL,
		.col_begins = places ? begins : NULL};
	struct view v = {.quantity = QUANTITY_EXTRA, .plot = true, .heat = heat, .against = -1};
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	assert_non_null(f);
	plot_script(&v, &m, f);
	fclose(f);
	return text;
}

static void test_marks(void **state)
{
	char *text = script_of(2, false, false);

	(void)state;
	assert_non_null(strstr(text, "set object rectangle from first 64, graph 0 to first 91, "
				     "graph 1 behind fc rgb '#0072B2'"));
	assert_non_null(strstr(text, "set arrow from first 76, graph 0 to first 76, graph 1 nohead "
				     "dt 2 lc rgb '#0072B2'\nset label \"TLB 1\" at first 76, "
				     "graph 1 right offset -0.3,0.6 "));
	assert_non_null(strstr(text, "set arrow from first 1722, graph 0 to first 1722, graph 1 "
				     "nohead dt 2 lc rgb '#D55E00'\nset label \"TLB 2\""));
	free(text);
}

static void test_places(void **state)
{
	char *text = script_of(0, true, true);

	(void)state;
	assert_non_null(strstr(text,
		"\nset arrow from graph 0, first 0.5 to graph 1, first 0.5 nohead front lw 2\n"
		"set arrow from first 0.5, graph 0 to first 0.5, graph 1 nohead front lw 2\n$map"));
	assert_null(strstr(text, "first 1.5"));
	free(text);
	text = script_of(0, true, false);
	assert_non_null(strstr(text, "set arrow from first 256, graph 0 to first 256, graph 1 "
				     "nohead dt 3 lc rgb '#444444'\nset label \"L3 1\""));
	free(text);
}

static void test_none(void **state)
{
	char *text = script_of(0, false, false);

	(void)state;
	assert_null(strstr(text, "set arrow"));
	assert_null(strstr(text, "rectangle"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a picture marks the reach of each level in the colour of its curve",
			.test_func = test_marks},
		{.name = "a picture without levels has no marks", .test_func = test_none},
		{.name = "lines divide rows and columns where a place begins",
			.test_func = test_places},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
