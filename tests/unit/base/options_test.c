/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a command line: which option, which value, how many words, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/options.h"

/* A program's table: a field of its own behind the head. */
static const struct row {
	struct option_head head;
	char mark;
} table[] = {
	{{"--node", "N", "the node"}, 'n'},
	{{"--undo", NULL, "mend"}, 'u'},
	{{"--help", NULL, "this"}, 'h'},
	{{0}, 0},
};

static const struct option_table options = {table, sizeof(*table)};

static void test_reading(void **state)
{
	static const struct {
		char *words[4];
		const char *value;
		int used;
		char mark; /* 0: refused */
	} cases[] = {
		{{"--node", "3", "--undo"}, "3", 2, 'n'},
		{{"--node=3", "4"}, "3", 1, 'n'},
		{{"--node=", "4"}, NULL, 1, 0},
		{{"--node"}, NULL, 1, 0},
		{{"--node", "--", "true"}, NULL, 1, 0}, /* that word divides */
		{{"--node=--"}, "--", 1, 'n'},
		{{"--undo", "3"}, NULL, 1, 'u'},
		{{"--undo=3"}, NULL, 1, 0},
		{{"-h", "3"}, NULL, 1, 'h'},
		{{"-q"}, NULL, 1, 0}, /* there is no --quiet */
		{{"-hh"}, NULL, 1, 0},
		{{"--nodes", "3"}, NULL, 1, 0},
		{{"--nod", "3"}, NULL, 1, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *words[4];
		struct errors e = {0};
		const char *value;
		int used;

		for (int k = 0; k < 4; k++)
			words[k] = cases[i].words[k];
		const struct row *found = options_read(&options, words, &value, &used, &e);

		assert_int_equal(used, cases[i].used);
		assert_int_equal(found ? found->mark : 0, cases[i].mark);
		assert_int_equal(e.failures, found ? 0 : 1);
		if (found && cases[i].value)
			assert_string_equal(value, cases[i].value);
		else if (found)
			assert_null(value);
		errors_free(&e);
	}
}

static void take_node(void *to, const char *value, struct errors *e)
{
	if (value[0] < '0' || value[0] > '9')
		error_add(e, STATUS_USAGE, NOWHERE, "not a node");
	else
		*(int *)to = value[0] - '0';
}

static void test_taking(void **state)
{
	static const struct option_row rows[] = {
		{{"--node", "N", "the node"}, take_node, 0},
		{{"--undo", NULL, "mend"}, NULL, 7},
		{{0}, NULL, 0},
	};
	static const struct option_table taken = {rows, sizeof(*rows)};
	static const struct {
		char *words[5];
		int node, action, rest; /* rest: the word that is returned */
		size_t failures;
	} cases[] = {
		{{NULL}, -1, 1, 0, 0}, {{"--node", "3", "--undo", "true"}, 3, 7, 3, 0},
		{{"true", "--undo"}, -1, 1, 0, 0}, /* an option of the command */
		{{"--undo", "--", "--node", "3"}, -1, 7, 2, 0}, {{"--undo", "--"}, -1, 7, 2, 0},
		{{"--node=x", "--nod", "--node=2", "true"}, 2, 1, 3, 2}, /* all mistakes at once */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct errors e = {0};
		int node = -1, action = 1;
		char *words[5];

		memcpy(words, cases[i].words, sizeof(words));
		assert_ptr_equal(
			options_take(&taken, words, &node, &action, &e), words + cases[i].rest);
		assert_int_equal(node, cases[i].node);
		assert_int_equal(action, cases[i].action);
		assert_int_equal(e.failures, cases[i].failures);
		errors_free(&e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "an option and its value are found, and what is wrong with them is told",
			.test_func = test_reading},
		{.name = "options are taken up to the command", .test_func = test_taking},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
