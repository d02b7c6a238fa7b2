/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines as wide as a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/buffer.h"
#include "base/terminal.h"

static void test_fold(void **state)
{
	static const struct {
		const char *text;
		int width;
		const char *expected;
	} cases[] = {
		{"one two three\n", 0, "one two three\n"},
		{"one two three\n", 13, "one two three\n"},
		{"one two three\nfour\n", 12, "one two\n  three\nfour\n"},
		{"  -a  one two three\n", 15, "  -a  one two\n      three\n"},
		{"  -a  one two three\n", 12, "  -a  one\n    two\n    three\n"},
		{"   one  two\nx\n", 9, "   one\n     two\nx\n"},
		{"einundzwanzig two\n", 8, "einundzwanzig\n  two\n"},
		{"\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4", 5, "\xc3\xa4\xc3\xb6\xc3\xbc \xc3\xa4"},
		{"\n\n", 5, "\n\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct buffer text;
		FILE *out = buffer_open(&text);

		terminal_fold(cases[i].text, cases[i].width, out);
		char *made = buffer_text(&text, out);

		assert_string_equal(made, cases[i].expected);
		free(made);
	}
}

static void test_cut(void **state)
{
	static const struct {
		const char *text;
		int used, width;
		const char *expected;
	} cases[] = {
		{"one two three", 0, 0, "one two three\n"},
		{"one two three", 2, 15, "one two three\n"},
		{"one two three", 2, 14, "one two ...\n"},
		{"one two three", 2, 13, "one two ...\n"},
		{"one two three", 2, 12, "one ...\n"},
		{"one two three", 9, 12, "...\n"},
		{"one two three", 20, 12, "...\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct buffer text;
		FILE *out = buffer_open(&text);

		terminal_cut(cases[i].text, cases[i].used, cases[i].width, out);
		char *made = buffer_text(&text, out);

		assert_string_equal(made, cases[i].expected);
		free(made);
	}
}

/* What goes to a file or pipe has no width, and no line that is replaced. */
static void test_no_terminal(void **state)
{
	struct buffer text;
	FILE *out = buffer_open(&text), *file = tmpfile();

	(void)state;
	assert_int_equal(terminal_width(out), 0);
	terminal_status("a line", out);
	assert_string_equal(buffer_text(&text, out), "");
	free(text.data);
	assert_non_null(file);
	assert_int_equal(terminal_width(file), 0);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_no_terminal),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
