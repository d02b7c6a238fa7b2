/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line that tells what is done now. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "report/progress.h"

static void tells(const struct experiment_step *s, double elapsed_s, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	progress_text(s, elapsed_s, out);
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void test_steps(void **state)
{
	(void)state;
	tells(&(struct experiment_step){.what = STEP_TOUCHING, .runs = 1, .all_s = 10}, 0,
		"touching vectors; 0 s");
	tells(&(struct experiment_step){.what = STEP_PREPARING,
		      .run = 2,
		      .runs = 12,
		      .label = "d=10",
		      .op = "chase",
		      .done_s = 5,
		      .all_s = 20},
		10, "run 3 of 12, d=10: preparing chase; 10 s, about 30 s to go");
	tells(&(struct experiment_step){.what = STEP_PREPARING,
		      .runs = 1,
		      .label = "",
		      .op = "chase",
		      .preparing = "building chains"},
		2, "building chains for chase; 2 s");
	tells(&(struct experiment_step){.what = STEP_SAMPLING,
		      .runs = 1,
		      .label = "",
		      .op = "read",
		      .sample = 6,
		      .samples = 11},
		3, "read, sample 7 of 11; 3 s");
	tells(&(struct experiment_step){.what = STEP_SAMPLING,
		      .runs = 1,
		      .label = "",
		      .op = "read",
		      .sample = 11,
		      .samples = 11,
		      .done_s = 4,
		      .all_s = 4},
		3, "read, sample 12, for targetError; 3 s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "what begins, the run, and the time that is left by what it costs",
			.test_func = test_steps},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
