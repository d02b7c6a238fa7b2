/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs and conditions of a document are found by their names, in whatever order they stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../scratch.h"
#include "analysis/derive.h"
#include "compare/conditions.h"
#include "compare/costs.h"

#define RUNS 200

/* Runs n=0 .. n=199, each with two threads of `read` whose costs are 2 n + 1 and 2 n + 2. */
static void write_document(FILE *out)
{
	fputs("{\"schema\": 3, \"program\": \"affinity\", \"quick\": false, \"runs\": [", out);
	for (int i = 0; i < RUNS; i++)
		fprintf(out,
			"%s{\"values\": {\"n\": \"%d\"}, \"vectors\": [{\"bytes\": %d}], "
			"\"threads\": [], \"operations\": [{\"operation\": \"read\", \"total_s\": "
			"%d, \"threads\": [{\"figures\": {\"cost_s\": %d}}, {\"figures\": "
			"{\"cost_s\": %d}}]}]}",
			i ? ", " : "", i, 8 * i + 8, -i, 2 * i + 1, 2 * i + 2);
	fputs("]}", out);
}

static void read_costs(struct costs *c)
{
	FILE *out = scratch_open();
	struct errors e = {0};

	write_document(out);
	fclose(out);
	assert_int_equal(costs_read(c, scratch_path, &e), 0);
	scratch_remove();
}

static void costs_are_found(void **state)
{
	struct costs c;
	char run[16];

	(void)state;
	read_costs(&c);
	for (int i = RUNS - 1; i >= 0; i--) {
		snprintf(run, sizeof(run), "n=%d", i);
		for (int thread = 0; thread < 2; thread++) {
			const struct cost *found = costs_find(&c,
				&(struct cost){.run = run, .operation = "read", .thread = thread});

			assert_non_null(found);
			assert_true(found->cost.value == 2 * i + 1 + thread);
		}
		const struct cost *total = costs_find(
			&c, &(struct cost){.run = run, .operation = "read", .thread = ALL_THREADS});
		assert_true(total->cost.value == -i);
	}
	assert_null(costs_find(&c, &(struct cost){.run = "n=1", .operation = "write"}));
	assert_null(costs_find(&c, &(struct cost){.run = "n=200", .operation = "read"}));
	costs_free(&c);
}

static void conditions_are_found(void **state)
{
	struct conditions found;
	struct costs c;
	char name[40], bytes[16];

	(void)state;
	read_costs(&c);
	conditions_read(&found, &c.document);
	for (int i = RUNS - 1; i >= 0; i--) {
		snprintf(name, sizeof(name), "vector 0 of n=%d: bytes", i);
		snprintf(bytes, sizeof(bytes), "%d", 8 * i + 8);
		const struct condition_fact *f = conditions_find(&found, name, 0);

		assert_non_null(f);
		assert_string_equal(f->value, bytes);
	}
	assert_null(conditions_find(&found, "vector 1 of n=1: bytes", 0));
	conditions_free(&found);
	costs_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a cost is found by run, operation and thread",
			.test_func = costs_are_found},
		{.name = "a condition is found by its name", .test_func = conditions_are_found},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
