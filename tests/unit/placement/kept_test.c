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

#include "memory/capacity.h"
#include "placement/kept.h"

enum { ELEMENTS = 256 << 10, PLACEMENTS = 4 };

static volatile sig_atomic_t never;

struct stage {
	struct topo topo;
	struct args args;
	struct request request;
	struct plan plan;
	struct errors errors;
	struct prepared prepared;
	struct mem_rights rights;
	struct kept kept;
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

	kept_release(&s->kept);
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
		assert_int_equal(
			prepare(&s->prepared, &s->plan, &s->rights, &never, &s->errors), 0);
		assert_int_equal(s->prepared.made, p + 1);
		for (int v = 0; v < 2; v++) {
			bases[p][v] = s->prepared.mems[v].base;
			/* the kernels get the new place */
			assert_ptr_equal(s->prepared.vectors[0][v].base, bases[p][v]);
			for (int i = 0; i < ELEMENTS; i += 4096)
				assert_int_equal(bases[p][v][i], 0);
			memset(bases[p][v], 'x', ELEMENTS);
		}
		assert_int_equal(prepare_recheck(&s->prepared, &s->plan, "read", &s->errors), 0);
		kept_take(&s->kept, &s->prepared);
		assert_null(s->prepared.mems);
	}
	assert_int_equal(s->kept.count, 2 * PLACEMENTS);
	for (size_t i = 0; i < 2 * PLACEMENTS; i++) {
		char *base = bases[i / 2][i % 2];

		assert_true(mapped(base) && *base == 'x');
		for (size_t k = 0; k < i; k++)
			assert_ptr_not_equal(base, bases[k / 2][k % 2]);
	}
	kept_release(&s->kept);
	for (size_t i = 0; i < 2 * PLACEMENTS; i++)
		assert_false(mapped(bases[i / 2][i % 2]));
}

/* Room for three vectors: of two placements the oldest vector goes, with room for none all go. */
static void not_more_is_held_than_the_limit(void **state)
{
	struct stage *s = *state;
	char *bases[4];

	s->kept.limited = true;
	for (int node = 0; node < MEM_MAX_NODES; node++)
		s->kept.most[node] = 3 * ELEMENTS;
	for (int i = 0; i < 4; i += 2) {
		assert_int_equal(
			prepare(&s->prepared, &s->plan, &s->rights, &never, &s->errors), 0);
		bases[i] = s->prepared.mems[0].base;
		bases[i + 1] = s->prepared.mems[1].base;
		kept_take(&s->kept, &s->prepared);
	}
	assert_int_equal(s->kept.count, 3);
	for (int i = 0; i < 4; i++)
		assert_int_equal(mapped(bases[i]), i > 0);
	memset(s->kept.most, 0, sizeof(s->kept.most));
	assert_int_equal(prepare(&s->prepared, &s->plan, &s->rights, &never, &s->errors), 0);
	kept_take(&s->kept, &s->prepared);
	assert_int_equal(s->kept.count, 0);
	assert_false(mapped(bases[3]));
}

/* Otherwise a placement that leaves little could make the next one impossible. */
static void the_limit_is_found_while_the_vectors_are_mapped(void **state)
{
	struct stage *s = *state;
	int node = s->plan.vectors[0].node;

	assert_int_equal(prepare(&s->prepared, &s->plan, &s->rights, &never, &s->errors), 0);
	kept_take(&s->kept, &s->prepared);
	assert_true(s->kept.limited);
	assert_true(s->kept.most[node] > 0);
	assert_true(s->kept.most[node] <= capacity_total(node) / KEPT_SHARE);
	assert_true(s->kept.most_anywhere <= s->kept.most[node]);
	kept_release(&s->kept);
	assert_false(s->kept.limited);
}

static void every_placement_is_proven_and_kept(void **state)
{
	struct stage *s = *state;

	for (int p = 0; p < 2; p++) {
		assert_int_equal(
			prepare(&s->prepared, &s->plan, &s->rights, &never, &s->errors), 0);
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
	assert_int_equal(prepare(&s->prepared, &s->plan, &s->rights, &stop, &s->errors), -1);
	assert_int_equal(s->prepared.made, 2);
	assert_null(s->prepared.mems);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"no placement gets the pages of another, and all go back",
			no_placement_gets_the_pages_of_another, build, clear, NULL},
		{"not more is held than the limit, and the oldest goes first",
			not_more_is_held_than_the_limit, build, clear, NULL},
		{"the limit is a part of what nodes have left when the vectors are mapped",
			the_limit_is_found_while_the_vectors_are_mapped, build, clear, NULL},
		{"every placement is proven, and what was found is kept",
			every_placement_is_proven_and_kept, build, clear, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
