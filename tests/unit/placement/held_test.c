/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every placement has pages of its own, and all pages go back in the end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "placement/held.h"

enum { ELEMENTS = 256 << 10, PLACEMENTS = 4 };

static volatile sig_atomic_t never;

struct stage {
	struct topo topo;
	struct args args;
	struct request request;
	struct plan plan;
	struct errors errors;
	struct prepared prepared;
	struct held held;
};

static int build(void **state)
{
	static const char text[] = "opType: read\nnodePerThread: first\nnodePerVector: first*2\n"
				   "tamPerVector: 262144*\nvectorPerThread: 0, 0\nverify: warn\n";
	struct stage *s = calloc(1, sizeof(*s));

	topo_load(&s->topo, &s->errors);
	args_parse(&s->args, "held_test", text, sizeof(text) - 1, &s->errors);
	request_read(&s->request, &s->args, &s->errors);
	if (plan_make(&s->plan, &s->request, &s->topo, "held_test", &s->errors)) {
		errors_print(&s->errors, 0, stderr);
		return -1;
	}
	*state = s;
	return 0;
}

static int clear(void **state)
{
	struct stage *s = *state;

	held_release(&s->held);
	prepare_free(&s->prepared);
	plan_free(&s->plan);
	request_free(&s->request);
	args_free(&s->args);
	errors_free(&s->errors);
	topo_free(&s->topo);
	free(s);
	return 0;
}

static bool mapped(const char *address)
{
	unsigned char in_memory;

	return !mincore((void *)address, 1, &in_memory) || errno != ENOMEM;
}

static void no_placement_gets_the_pages_of_another(void **state)
{
	struct stage *s = *state;
	char *bases[PLACEMENTS][2];

	for (size_t p = 0; p < PLACEMENTS; p++) {
		assert_int_equal(prepare(&s->prepared, &s->plan, &never, &s->errors), 0);
		assert_int_equal(s->prepared.made, p + 1);
		for (int v = 0; v < 2; v++) {
			bases[p][v] = s->prepared.mems[v].base;
			/* the kernels get the new place */
			assert_ptr_equal(s->prepared.vectors[0][v].base, bases[p][v]);
			for (int i = 0; i < ELEMENTS; i += 4096)
				assert_int_equal(bases[p][v][i], 0);
			memset(bases[p][v], 'x', ELEMENTS);
		}
		assert_int_equal(prepare_recheck(&s->prepared, &s->errors), 0);
		held_take(&s->held, &s->prepared);
		assert_null(s->prepared.mems);
	}
	assert_int_equal(s->held.count, 2 * PLACEMENTS);
	for (size_t i = 0; i < 2 * PLACEMENTS; i++) {
		char *base = bases[i / 2][i % 2];

		assert_true(mapped(base) && *base == 'x');
		for (size_t k = 0; k < i; k++)
			assert_ptr_not_equal(base, bases[k / 2][k % 2]);
	}
	held_release(&s->held);
	for (size_t i = 0; i < 2 * PLACEMENTS; i++)
		assert_false(mapped(bases[i / 2][i % 2]));
}

static void every_placement_is_proven_and_kept(void **state)
{
	struct stage *s = *state;

	for (int p = 0; p < 2; p++) {
		assert_int_equal(prepare(&s->prepared, &s->plan, &never, &s->errors), 0);
		prepare_release(&s->prepared);
	}
	for (size_t p = 0; p < 2; p++)
		for (int v = 0; v < 2; v++) {
			const struct placement *found = prepare_found(&s->prepared, p, v);

			assert_true(found->touch_ns > 0 && found->touchers > 0);
			assert_int_equal(found->pages.absent, 0);
		}
	/* the user's stop ends the third: it is not counted, and its vectors are gone */
	static volatile sig_atomic_t stop = 1;
	assert_int_equal(prepare(&s->prepared, &s->plan, &stop, &s->errors), -1);
	assert_int_equal(s->prepared.made, 2);
	assert_null(s->prepared.mems);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"no placement gets the pages of another, and all go back",
			no_placement_gets_the_pages_of_another, build, clear, NULL},
		{"every placement is proven, and what was found is kept",
			every_placement_is_proven_and_kept, build, clear, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
