/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where on their stacks threads work: at another place in each placement. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "contract/kernel.h"
#include "measure/experiment.h"
#include "measure/stack.h"

static void note_frame(void *arg, int i)
{
	((uintptr_t *)arg)[i] = (uintptr_t)__builtin_frame_address(0);
}

static void a_frame_moves_down_by_the_offset(void **state)
{
	uintptr_t frames[2];

	(void)state;
	for (size_t offset = 0; offset < STACK_SPAN; offset += STACK_STEP) {
		stack_call(0, note_frame, frames, 0);
		stack_call(offset, note_frame, frames, 1);
		assert_int_equal(frames[0] - frames[1], offset);
	}
}

static void offsets_are_lines_of_a_page_and_repeat(void **state)
{
	uint64_t random = 7, again = 7;
	bool seen[STACK_SPAN / STACK_STEP] = {false};
	size_t different = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		size_t offset = stack_offset(&random);

		assert_true(offset % STACK_STEP == 0 && offset < STACK_SPAN);
		assert_int_equal(stack_offset(&again), offset);
		different += !seen[offset / STACK_STEP];
		seen[offset / STACK_STEP] = true;
	}
	assert_int_equal(different, STACK_SPAN / STACK_STEP);
}

/* The frames of a kernel that is measured. */
enum { PLACEMENTS = 4, CALLS = 100 };

static uintptr_t frames[CALLS];
static size_t calls;

static uint64_t spy(struct worker *w, uint64_t passes)
{
	(void)w;
	if (calls < CALLS)
		frames[calls++] = (uintptr_t)__builtin_frame_address(0);
	return passes;
}

static const struct kernel spy_kernel = {.unit = "call", .run = spy, .nothing = true};

static void kernels_work_at_the_place_that_is_recorded(void **state)
{
	static const char text[] = "opType: null\nnodePerThread: first\nnumIter: 1\nwarmup: 0\n"
				   "passes: 1\nplacements: 4\nseed: 3\nclockRate: no\n"
				   "verify: warn\n";
	static volatile sig_atomic_t never;
	struct topo topo;
	struct args args;
	struct experiment x;
	struct errors e = {0};

	(void)state;
	topo_load(&topo, &e);
	assert_int_equal(args_parse(&args, "stack_test", text, sizeof(text) - 1, &e), 0);
	assert_int_equal(experiment_plan(&x, &args, &topo, &e), 0);
	x.runs[0].plan.ops[0].jobs[0].kernel = &spy_kernel;
	assert_int_equal(experiment_measure(&x, &never, NULL, NULL, &e), 0);
	const struct prepared *r = &x.runs[0].prepared;

	assert_int_equal(r->made, PLACEMENTS);
	assert_int_equal(calls, PLACEMENTS);
	bool moved = false;
	for (size_t i = 1; i < calls; i++) {
		assert_int_equal(frames[0] + r->stacks[0], frames[i] + r->stacks[i]);
		moved |= r->stacks[i] != r->stacks[0];
	}
	assert_true(moved);
	experiment_free(&x);
	args_free(&args);
	topo_free(&topo);
	errors_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a frame moves down by the offset",
			.test_func = a_frame_moves_down_by_the_offset},
		{.name = "offsets are lines of a page, all of them, and a seed repeats them",
			.test_func = offsets_are_lines_of_a_page_and_repeat},
		{.name = "kernels work at the place of the stack that the placement records",
			.test_func = kernels_work_at_the_place_that_is_recorded},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
