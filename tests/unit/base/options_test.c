/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a command line: which option, which value, how many words, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/options.h"
#include "base/text.h"

enum action { RUN, UNDO, LIST, HELP };

struct values {
	const char *file;
	struct words nodes, names;
	int way;
	bool quiet;
};

static const char *const ways[] = {"near", "far", NULL};

static void take_name(void *to, const struct option *o, const char *value, struct errors *e)
{
	if (value)
		option_word(to, o, value, e);
}

#define FIELD(name) .field = offsetof(struct values, name)

static const struct option rows[] = {
	{"--output", "FILE", "there", .take = option_text, FIELD(file), .once = true,
		.with = OPTION_WITH(RUN) | OPTION_WITH(LIST)},
	{"--node", "N", "the nodes\nof it", .take = option_word, FIELD(nodes)},
	{"--way", "WAY", "how", .take = option_choice, FIELD(way), .row = ways,
		.with = OPTION_WITH(RUN)},
	{"--name", "[NAME]", "of it", .take = take_name, FIELD(names), .optional = OPTION_NEXT},
	{"--quiet", NULL, "nothing said", .take = option_flag, FIELD(quiet)},
	{"--list", "[=NAME]", "names", .take = take_name, FIELD(names), .optional = OPTION_EQUALS},
	{"--undo", NULL, "mend", .action = UNDO},
	{"--help", NULL, "this", .action = HELP},
	{0},
};

static void take_path(void *to, const char *word, struct errors *e)
{
	(void)e;
	words_add(&((struct values *)to)->names, word, strlen(word));
}

static char *joined(const struct words *w)
{
	char *text = alloc_string("", 0);

	for (size_t i = 0; i < w->count; i++)
		alloc_append(&text, " ", "%s", w->word[i]);
	return text;
}

static void test_reading(void **state)
{
	static const struct {
		char *words[5];
		const char *file, *nodes, *names;
		int action, rest;    /* rest: the word that is returned */
		const char *message; /* of a refusal, the first */
	} cases[] = {
		{{NULL}, NULL, "", "", RUN, 0, NULL},
		{{"--node", "3", "--undo", "true"}, NULL, "3", "", UNDO, 3, NULL},
		{{"--node=3", "4"}, NULL, "3", "", RUN, 1, NULL},
		{{"true", "--undo"}, NULL, "", "", RUN, 0, NULL}, /* an option of the command */
		{{"--undo", "--", "--node"}, NULL, "", "", UNDO, 2, NULL},
		{{"-o", "x", "-h", "-"}, "x", "", "", HELP, 3, NULL},
		{{"--name", "--node=1", "--name", "x"}, NULL, "1", "x", RUN, 4, NULL},
		{{"--list", "x"}, NULL, "", "", RUN, 1, NULL},
		{{"--list=x", "y"}, NULL, "", "x", RUN, 1, NULL},
		{{"--node=--"}, NULL, "--", "", RUN, 1, NULL},
		{{"--node=", "4"}, NULL, "", "", RUN, 1,
			"affinity: --node needs a value: --node N"},
		{{"--node", "", "4"}, NULL, "", "", RUN, 2,
			"affinity: --node needs a value: --node N"},
		{{"--node"}, NULL, "", "", RUN, 1, "affinity: --node needs a value: --node N"},
		/* that word divides */
		{{"--node", "--", "true"}, NULL, "", "", RUN, 2,
			"affinity: --node needs a value: --node N"},
		{{"--node", "-h"}, NULL, "", "", HELP, 2,
			"affinity: --node wants N after it, not the option -h"},
		{{"--undo=3"}, NULL, "", "", RUN, 1, "affinity: --undo takes no value"},
		{{"-q=1", "3"}, NULL, "", "", RUN, 1, "affinity: unknown option '-q'"},
		{{"-V"}, NULL, "", "", RUN, 1, "affinity: unknown option '-V'"}, /* no --version */
		{{"--nodes", "3"}, NULL, "", "", RUN, 1,
			"affinity: unknown option '--nodes'; did you mean '--node'?"},
		{{"-o", "x", "-o", "y"}, "y", "", "", RUN, 4, "affinity: --output is given twice"},
		{{"--way", "by"}, NULL, "", "", RUN, 2, "affinity: --way: 'by' is not near or far"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct options_given given = {.rows = rows, .action = RUN};
		struct values v = {0};
		struct errors e = {0};
		char *words[5];

		memcpy(words, cases[i].words, sizeof(words));
		assert_ptr_equal(options_take(&given, words, &v, &e), words + cases[i].rest);
		assert_int_equal(given.action, cases[i].action);
		assert_int_equal(e.failures, cases[i].message ? 1 : 0);
		if (cases[i].message)
			assert_string_equal(errors_failure(&e), cases[i].message);
		char *nodes = joined(&v.nodes), *names = joined(&v.names);

		assert_string_equal(v.file ? v.file : "", cases[i].file ? cases[i].file : "");
		assert_string_equal(nodes, cases[i].nodes);
		assert_string_equal(names, cases[i].names);
		free(nodes);
		free(names);
		words_free(&v.nodes);
		words_free(&v.names);
		errors_free(&e);
	}
}

static void test_anywhere(void **state)
{
	char *words[] = {"a", "--way=far", "-q", "b", "--", "--undo", NULL};
	struct options_given given = {.rows = rows, .action = RUN};
	struct values v = {0};
	struct errors e = {0};

	(void)state;
	options_take_all(&given, words, &v, take_path, &e);
	char *names = joined(&v.names);

	assert_string_equal(names, "a b --undo");
	assert_int_equal(v.way, 1);
	assert_true(v.quiet && options_has(&given, "--quiet") && !options_has(&given, "--node"));
	free(names);
	words_free(&v.names);
	errors_free(&e);
}

static void test_effects(void **state)
{
	char *words[] = {"--way=far", "-o", "x", "-q", NULL};
	struct options_given given = {.rows = rows, .action = RUN};
	struct values v = {0};
	struct errors e = {0};

	(void)state;
	options_take(&given, words, &v, &e);
	assert_null(options_idle(&given, rows));
	given.action = LIST;
	assert_string_equal(options_idle(&given, rows)->name, "--way");
	given.action = UNDO;
	const struct option *idle = options_idle(&given, rows);

	assert_string_equal(idle->name, "--output");
	assert_string_equal(options_idle(&given, idle + 1)->name, "--way");
	errors_free(&e);
}

static void test_help(void **state)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	(void)state;
	options_print(rows + 1, 14, out);
	assert_string_equal(buffer_text(&text, out), "  --node N       the nodes\n"
						     "                 of it\n"
						     "  --way WAY      how\n"
						     "  --name [NAME]  of it\n"
						     "  --quiet, -q    nothing said\n"
						     "  --list [=NAME] names\n"
						     "  --undo         mend\n"
						     "  --help, -h     this\n");
	free(text.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "an option and its value are found up to the command, and what is wrong "
			 "with them is told",
			.test_func = test_reading},
		{.name = "options stand anywhere between paths", .test_func = test_anywhere},
		{.name = "an option without effect is found", .test_func = test_effects},
		{.name = "--help is made from the rows", .test_func = test_help},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
