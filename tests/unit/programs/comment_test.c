/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page takes from the comment of an argument file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "input/args.h"
#include "affinity-report/store/comment.h"

static void check(const char *text, const char *title, const char *rest)
{
	struct comment c = comment_read(args_comment(text), false);

	assert_string_equal(c.title, title);
	assert_string_equal(c.rest, rest);
	comment_free(&c);
}

static void the_title_is_the_first_sentence_or_what_its_colon_follows(void **state)
{
	(void)state;
	check("# What an access costs. It\n# varies.\nopType: read\n", "What an access costs",
		"It\nvaries.");
	check("# What an access costs\n# from L1: one thread.\n", "What an access costs from L1",
		"One thread.");
	/* a short remark is no title */
	check("# One thread: what it costs. More.\n", "One thread: what it costs", "More.");
	check("# With 1, 2, 3 ... Threads of a node. More.\n", "With 1, 2, 3 ... Threads of a node",
		"More.");
	check("# As V.-O. Politis has it, and e.g. others. Next.\n",
		"As V.-O. Politis has it, and e.g. others", "Next.");
	check("# Where do weights go, and how many threads? Decoding reads\n# them: all.\n",
		"Where do weights go, and how many threads?", "Decoding reads\nthem: all.");
	check("# Only this?\n#\n# A paragraph.\n", "Only this?", "A paragraph.");
	check("# Only this\n#\n# A paragraph.\n#\n# Another.\n", "Only this",
		"A paragraph.\n\nAnother.");
}

static void marks_for_programs_are_left_out(void **state)
{
	(void)state;
	check("# SPDX-License-Identifier: X\n#\n# Title here\n# quick: passes=1\nopType: read\n",
		"Title here", "");
	check("opType: read\n# Not at the start\n", "", "");
	check("", "", "");
	check("#\n#\n", "", "");
	check("# .\n", "", "");
}

static void a_whole_sentence_goes_on_behind_its_colon(void **state)
{
	struct comment c =
		comment_read(args_comment("# Profile of a machine: its\n# memory. More.\n"), true);

	(void)state;
	assert_string_equal(c.title, "Profile of a machine: its memory");
	assert_string_equal(c.rest, "More.");
	comment_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_sentence_goes_on_behind_its_colon),
		cmocka_unit_test(the_title_is_the_first_sentence_or_what_its_colon_follows),
		cmocka_unit_test(marks_for_programs_are_left_out),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
