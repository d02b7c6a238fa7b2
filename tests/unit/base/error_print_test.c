/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is printed of messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"

/* What is printed of `failures` different failures below a warning: the number of lines, and the
 * last line in `last`. */
static int printed_short(int failures, bool warnings, char last[80])
{
	struct errors e = {0};
	char *text = NULL;
	size_t length;
	int lines = 0;
	FILE *out = open_memstream(&text, &length);

	error_warn(&e, "hot");
	for (int i = 0; i < failures; i++)
		error_add(&e, STATUS_USAGE, (struct place){"f", i + 1}, "mistake");
	errors_print_short(&e, warnings, out);
	fclose(out);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++)
		snprintf(last, 80, "%s", line);
	assert_int_equal(errors_status(&e), STATUS_USAGE);
	free(text);
	errors_free(&e);
	return lines;
}

static void test_print_short(void **state)
{
	char last[80];

	(void)state;
	assert_int_equal(printed_short(20, true, last), 21);
	assert_string_equal(last, "f:20: mistake");
	assert_int_equal(printed_short(20, false, last), 20);
	assert_int_equal(printed_short(21, true, last), 22);
	assert_string_equal(last, "affinity: 1 further mistake is left out");
	assert_int_equal(printed_short(80, false, last), 21);
	assert_string_equal(last, "affinity: 60 further mistakes are left out");
	assert_int_equal(printed_short(500, false, last), 21);
	assert_string_equal(last, "affinity: 80 or more further mistakes are left out");
}

/* What is printed of the values of one line of a file, a place of the file for each. */
static void prints_values(const int *values, size_t count, const char *expected)
{
	struct errors e = {0};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	for (size_t i = 0; i < count; i++) {
		error_add(&e, STATUS_USAGE, (struct place){"f.args", 2}, "node %d is not there",
			values[i]);
		error_hint(&e, "nodes: 0");
	}
	error_add(&e, STATUS_USAGE, (struct place){"f.args", 3}, "node 9 is not there");
	errors_print_short(&e, false, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
	errors_free(&e);
}

static void test_print_alike(void **state)
{
	(void)state;
	prints_values((const int[]){7, 8}, 2,
		"f.args:2: node 7 is not there\n  hint: nodes: 0\n"
		"f.args:2: node 8 is not there\n  hint: nodes: 0\n"
		"f.args:3: node 9 is not there\n");
	prints_values((const int[]){7, 8, 9, 10, 11}, 5,
		"f.args:2: node 7 is not there, and 4 more of this kind\n  hint: nodes: 0\n"
		"f.args:3: node 9 is not there\n");
}

static void test_print_failures(void **state)
{
	struct errors e = {0};
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	(void)state;
	error_warn(&e, "only %d node", 1);
	error_hint(&e, "see the manual");
	error_add(&e, STATUS_USAGE, NOWHERE, "stride = 0");
	error_hint(&e, "see --help");
	errors_print_failures(&e, out);
	fclose(out);
	assert_string_equal(text, "affinity: stride = 0\n  hint: see --help\n");
	free(text);
	errors_free(&e);
}

static void test_plain(void **state)
{
	static const char *const texts[][2] = {
		{"affinity: warning: only 1 node", "only 1 node"},
		{"affinity-map: warning: a + d is left out", "a + d is left out"},
		{"affinity: 1 further mistake is left out", "1 further mistake is left out"},
		{"x.args:3: warning: stride", "x.args:3: warning: stride"},
		{"affinity of threads", "affinity of threads"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_string_equal(error_plain(texts[i][0]), texts[i][1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "failures are printed without warnings", .test_func = test_print_failures},
		{.name = "of many failures the first are printed, and how many more there are",
			.test_func = test_print_short},
		{.name = "many failures that differ in numbers only are one line",
			.test_func = test_print_alike},
		{.name = "below a heading a warning has no program and no kind",
			.test_func = test_plain},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
