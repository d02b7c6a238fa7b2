/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many samples and placements a file gets that says nothing of them, or something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "input/quick.h"
#include "input/request.h"

static const char *const base[] = {"kernels: load", "nodePerThread: 0", "nodePerVector: 0",
	"sizePerVector: 1K", "vectorPerThread: 0"};

static const struct row {
	const char *keys[3];
	uint64_t samples, warmup, least, most;
	double enough;
} rows[] = {
	{{NULL}, 3, WARMUP_SETTLED, 5, 10, 0.05},
	{{"placements: auto", "samples: auto", "warmup: settled"}, 3, WARMUP_SETTLED, 5, 10, 0.05},
	{{"samples: 7"}, 7, WARMUP_SETTLED, 5, 10, 0.05},
	{{"numIter: 7", "placements: 2"}, 7, WARMUP_SETTLED, 2, 2, 0},
	{{"placements: 1"}, 10, WARMUP_SETTLED, 1, 1, 0},
	{{"placements: 3", "warmup: 2"}, 3, 2, 3, 3, 0},
	{{"warmup: 0"}, 3, 0, 5, 10, 0.05},
	{{"targetError: 2%"}, 3, WARMUP_SETTLED, 5, 100, 0.02},
	{{"targetError: 2%", "placements: 3"}, 3, WARMUP_SETTLED, 5, 100, 0.02},
	{{"targetError: 2%", "placements: 20"}, 3, WARMUP_SETTLED, 20, 100, 0.02},
	/* then samples of it are added */
	{{"targetError: 2%", "placements: 1"}, 10, WARMUP_SETTLED, 1, 1, 0},
};

static void read_row(const struct row *row, struct request *r, struct args *a)
{
	char text[512] = "";
	struct errors e = {0};

	for (size_t i = 0; i < sizeof(base) / sizeof(*base); i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\n", base[i]);
	for (int i = 0; i < 3 && row->keys[i]; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s\n", row->keys[i]);
	*a = (struct args){0};
	assert_int_equal(args_parse(a, "t", text, strlen(text), &e), 0);
	assert_int_equal(request_read(r, a, &e), 0);
	assert_int_equal(e.count, 0);
	errors_free(&e);
}

static void what_a_file_says_is_obeyed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct request r;
		struct args a;

		read_row(&rows[i], &r, &a);
		assert_int_equal(r.iterations, rows[i].samples);
		assert_int_equal(r.warmup, rows[i].warmup);
		assert_int_equal(r.placements, rows[i].least);
		assert_int_equal(r.placements_most, rows[i].most);
		assert_float_equal(r.enough, rows[i].enough, 0);
		request_free(&r);
		args_free(&a);
	}
}

static void a_trial_has_one_placement(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct request r;
		struct args a;

		read_row(&rows[i], &r, &a);
		quick_request(&r, &a);
		assert_true(r.iterations <= 3 && r.warmup <= 1 && r.placements == 1);
		assert_true(r.placements_most == 1 && r.enough == 0 && r.target_error == 0);
		request_free(&r);
		args_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_file_says_is_obeyed),
		cmocka_unit_test(a_trial_has_one_placement),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
