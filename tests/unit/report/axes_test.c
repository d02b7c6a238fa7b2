/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gnuplot is told of the axes of a picture. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/plot.h"
#include "topology/topo.h"

static const struct topo no_caches;

/* The script of a curve with these rows, all on a machine without caches. */
static char *script_of(char **rows, size_t n, const double *values, const char *unit, bool sizes)
{
	char *cols[] = {"all threads"};
	struct amount cells[32];

	for (size_t i = 0; i < n; i++)
		cells[i] = (struct amount){values ? values[i] : 1 + (double)i, NAN, NAN};
	const struct table m = {
		.head = {.id = QUANTITY_FIGURE, .name = "q", .unit = unit, .rest = "n=2"},
		.row_name = "n",
		.col_name = "",
		.row_labels = rows,
		.col_labels = cols,
		.rows = n,
		.cols = 1,
		.cells = cells,
		.sizes = sizes ? &no_caches : NULL};
	const struct view v = {.plot = true, .against = -1};
	char *text = NULL;
	size_t length;
	FILE *f = open_memstream(&text, &length);

	assert_non_null(f);
	plot_script(&v, &m, f);
	fclose(f);
	return text;
}

static void has(char *script, const char *line)
{
	if (!strstr(script, line))
		fail_msg("no '%s' in:\n%s", line, script);
	free(script);
}

static void lacks(char *script, const char *line)
{
	if (strstr(script, line))
		fail_msg("'%s' in:\n%s", line, script);
	free(script);
}

static void tics_are_where_rows_are(void **state)
{
	char *threads[] = {"1", "2", "3"}, *doubled[] = {"1", "2", "4", "8", "16", "32", "64"};
	char *crowded[] = {"1", "2", "3", "100"}, many[20][4], *rows[20];

	(void)state;
	has(script_of(threads, 3, NULL, "GB/s", false), "set xtics (\"1\" 1, \"2\" 2, \"3\" 3)\n");
	has(script_of(doubled, 7, NULL, "GB/s", false),
		"set xtics (\"1\" 1, \"2\" 2, \"4\" 4, \"8\" 8, \"16\" 16, \"32\" 32, \"64\" 64)\n"
		"set logscale x 2\n");
	has(script_of(crowded, 4, NULL, "GB/s", false), "\"100\" 100)\n");
	for (int i = 0; i < 20; i++) {
		snprintf(many[i], sizeof(many[i]), "%d", i + 1);
		rows[i] = many[i];
	}
	has(script_of(rows, 20, NULL, "GB/s", false), "set xtics 2\n");
}

static void sizes_are_written_as_such_and_their_times_on_a_log_axis(void **state)
{
	char *sizes[] = {"16384B", "262144B", "4MiB"};
	const double steep[] = {1, 4, 100}, flat[] = {90, 95, 100}, zero[] = {0, 4, 100};

	(void)state;
	has(script_of(sizes, 3, steep, "ns", true),
		"set xtics (\"16 KiB\" 16384, \"256 KiB\" 262144, \"4 MiB\" 4194304)\n");
	has(script_of(sizes, 3, steep, "ns", true),
		"set ylabel \"q (ns), log scale\" noenhanced\nset logscale y 2\n");
	/* bandwidth begins at 0, and so does what is as well read from there */
	lacks(script_of(sizes, 3, steep, "GB/s", true), "logscale y");
	lacks(script_of(sizes, 3, flat, "ns", true), "logscale y");
	lacks(script_of(sizes, 3, zero, "ns", true), "logscale y");
	has(script_of(sizes, 3, flat, "ns", true), "set yrange [0:*]\n");
}

static void figures_below_0_are_in_the_frame(void **state)
{
	char *rows[] = {"1", "2"};
	const double below[] = {-141, 7}, above[] = {0, 7};

	(void)state;
	has(script_of(rows, 2, below, "%", false), "set yrange [*:0<*]\nset xzeroaxis lt -1\n");
	has(script_of(rows, 2, above, "%", false), "set yrange [0:*]\n");
}

static void seconds_and_rates_have_prefixes(void **state)
{
	char *rows[] = {"1", "2"};

	(void)state;
	has(script_of(rows, 2, NULL, "s", false), "set format y '%.1s %cs'\n");
	has(script_of(rows, 2, NULL, "1/s", false), "set format y '%.1s %c'\n");
	lacks(script_of(rows, 2, NULL, "GB/s", false), "set format y");
}

static void the_title_says_where(void **state)
{
	char *rows[] = {"1", "2"};

	(void)state;
	has(script_of(rows, 2, NULL, "s", false), "q (s), n=2 on ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tics_are_where_rows_are),
		cmocka_unit_test(sizes_are_written_as_such_and_their_times_on_a_log_axis),
		cmocka_unit_test(figures_below_0_are_in_the_frame),
		cmocka_unit_test(seconds_and_rates_have_prefixes),
		cmocka_unit_test(the_title_says_where),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
