/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may share a vector whose pages a kernel moves. The tests use kernels of their own because no
 * test may depend on the contents of kernels/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "plan/parts.h"

static const struct kernel_figure two[] = {{.name = "a"}, {.name = "b"}, {0}},
				  one[] = {{.name = "a"}, {0}};
/* The first parameter is the answer. */
static enum moves moves(const void *args)
{
	return *(const int *)args;
}

static const struct kernel mover = {.unit = "page",
				   .migration.moves = moves,
				   .figures = two,
				   .args_size = 4},
			   reader = {.unit = "access", .per_unit = {.loads = 1}, .figures = one},
			   writer = {.unit = "access", .per_unit = {.stores = 1}};
static struct request request = {.ops.at = {"t.args", 1}, .vector_per_thread.at = {"t.args", 5}};
static int args[2], first[] = {0}, second[] = {0}, apart[] = {1};
static struct plan_thread threads[2];
static struct plan_vector vectors[2];
static struct plan_job jobs[2][2];
static struct plan_op ops[2] = {{"a", jobs[0]}, {"b", jobs[1]}};
static struct plan plan = {.request = &request,
	.path = "t.args",
	.threads = threads,
	.nthreads = 2,
	.vectors = vectors,
	.nvectors = 2,
	.ops = ops};

static struct plan_job job(const struct kernel *k, const char *name, int *fields)
{
	return (struct plan_job){.kernel = k, .name = name, .args = fields};
}

/* Two threads of one vector: a mover and a reader. */
static int clear(void **state)
{
	(void)state;
	args[0] = args[1] = MOVES_VECTORS;
	vectors[0].pages = vectors[1].pages = PAGES_BASE;
	threads[0] = (struct plan_thread){.vector_ids = first, .nvectors = 1};
	threads[1] = (struct plan_thread){.vector_ids = second, .nvectors = 1};
	jobs[0][0] = job(&mover, "mover", &args[0]);
	jobs[0][1] = job(&reader, "reader", NULL);
	plan.nops = 1;
	request.interleave = request.solo = false;
	return 0;
}

static void expect(const char *text)
{
	struct errors e = {0};

	assert_int_equal(plan_moves(&plan, &e), text ? -1 : 0);
	assert_int_equal(e.count, text ? 1 : 0);
	if (text) {
		assert_string_equal(e.list[0].text, text);
		assert_int_equal(errors_status(&e), STATUS_USAGE);
		assert_non_null(e.list[0].hint);
	}
	errors_free(&e);
}

static void readers_may_meet_the_moves_and_writers_may_not(void **state)
{
	(void)state;
	expect(NULL);
	jobs[0][1] = job(&writer, "writer", NULL);
	expect("t.args:5: mover: thread 0 moves pages of vector 0, and thread 1 stores to it with "
	       "writer");
	threads[1].vector_ids = apart;
	expect(NULL);
}

static void movers_of_a_vector_move_it_in_the_same_way(void **state)
{
	static const char text[] =
		"t.args:5: mover: threads 0 and 1 of vector 0 have different parameters";

	(void)state;
	jobs[0][1] = job(&mover, "mover", &args[1]);
	expect(NULL);
	args[1] = -1;
	expect(text);
	args[1] = MOVES_NOTHING;
	expect(text);
	args[0] = MOVES_NOTHING, args[1] = MOVES_VECTORS;
	expect(text);
}

/* What they leave in the vectors must stay there all the same. */
static void kernels_that_move_none_meet_no_writer(void **state)
{
	(void)state;
	args[0] = MOVES_NOTHING;
	expect(NULL);
	jobs[0][1] = job(&writer, "writer", NULL);
	expect("t.args:5: mover: thread 0 uses vector 0, and thread 1 stores to it with writer");
}

static void a_process_moves_when_no_thread_has_another_vector(void **state)
{
	static int both[] = {0, 1};

	(void)state;
	args[0] = MOVES_PROCESS;
	expect(NULL);
	threads[1].nvectors = 0;
	expect(NULL);
	threads[1] = (struct plan_thread){.vector_ids = apart, .nvectors = 1};
	expect("t.args:5: mover: thread 0 moves all pages of the process, and with them vector 1 "
	       "of thread 1");
	threads[1] = (struct plan_thread){.vector_ids = both, .nvectors = 2};
	expect("t.args:5: mover: thread 0 moves all pages of the process, and with them vector 1 "
	       "of thread 1");
	args[0] = MOVES_VECTORS;
	expect(NULL);
}

static void between_samples_no_other_operation_finds_moved_pages(void **state)
{
	static const char text[] =
		"t.args:1: interleave: reader would find pages of vector 0 where mover moved them";

	(void)state;
	jobs[0][1] = job(&reader, "reader", NULL);
	jobs[1][0] = jobs[1][1] = job(&reader, "reader", NULL);
	plan.nops = 2;
	expect(NULL);
	request.interleave = true;
	expect(text);
	args[0] = MOVES_NOTHING;
	expect(NULL);
	args[0] = MOVES_VECTORS;
	threads[0].vector_ids = apart;
	ops[1].jobs[0] = job(&reader, "reader", NULL);
	plan.nops = 1;
	expect(NULL);
	threads[0].vector_ids = first;
	expect(NULL);
	request.solo = true;
	expect("t.args:1: interleave: mover would find pages of vector 0 where mover moved them");
}

static void an_operation_says_what_it_moves_and_tells(void **state)
{
	(void)state;
	assert_true(plan_moves_pages(&ops[0], 2));
	assert_true(plan_moves_measured(&ops[0], 2));
	assert_int_equal(plan_figures(&ops[0], 2), 2);
	args[0] = MOVES_ARRANGED;
	assert_true(plan_moves_pages(&ops[0], 2));
	assert_false(plan_moves_measured(&ops[0], 2));
	args[0] = MOVES_NOTHING;
	assert_false(plan_moves_pages(&ops[0], 2));
	jobs[0][0] = job(&reader, "reader", NULL);
	assert_false(plan_moves_pages(&ops[0], 2));
	assert_int_equal(plan_figures(&ops[0], 2), 1);
	jobs[0][0] = jobs[0][1] = job(&writer, "writer", NULL);
	assert_int_equal(plan_figures(&ops[0], 2), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(readers_may_meet_the_moves_and_writers_may_not, clear),
		cmocka_unit_test_setup(movers_of_a_vector_move_it_in_the_same_way, clear),
		cmocka_unit_test_setup(kernels_that_move_none_meet_no_writer, clear),
		cmocka_unit_test_setup(a_process_moves_when_no_thread_has_another_vector, clear),
		cmocka_unit_test_setup(between_samples_no_other_operation_finds_moved_pages, clear),
		cmocka_unit_test_setup(an_operation_says_what_it_moves_and_tells, clear),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
