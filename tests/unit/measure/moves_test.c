/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages are moved only where the kernel tells the place of each. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "measure/moves.h"

static enum moves moves(const void *args)
{
	return *(const enum moves *)args;
}

static const struct kernel mover = {.unit = "page", .migration.moves = moves},
			   reader = {.unit = "access"};
static enum moves answer;
static struct request request = {.node_per_vector.at = {"t.args", 3}};
static int ids[] = {1};
static struct plan_thread threads[] = {{.vector_ids = ids, .nvectors = 1}};
static struct plan_job jobs[] = {{.kernel = &mover, .name = "mover", .args = &answer}};
static struct plan_op op = {"mover", jobs};
static struct plan plan = {
	.request = &request, .threads = threads, .nthreads = 1, .nvectors = 2, .ops = &op};
static struct placement found[4]; /* two placements of two vectors */
static struct mem_rights rights = {.move_pages = EPERM};
static struct prepared prepared = {
	.plan = &plan, .placements = found, .made = 2, .rights = &rights};

static void expect(enum mem_proof proof, const char *text)
{
	struct errors e = {0};

	found[3].pages.proof = proof;
	assert_int_equal(moves_check(&prepared, &plan, &op, &e), text ? -1 : 0);
	assert_int_equal(e.count, text ? 1 : 0);
	if (text) {
		assert_string_equal(e.list[0].text, text);
		assert_int_equal(errors_status(&e), STATUS_PLACEMENT);
		assert_non_null(strstr(e.list[0].hint, "move_pages is refused"));
	}
	errors_free(&e);
}

static void places_that_are_not_proven_are_refused(void **state)
{
	(void)state;
	jobs[0].kernel = &mover;
	answer = MOVES_VECTORS;
	expect(MEM_BY_MOVE_PAGES, NULL);
	expect(MEM_BY_NUMA_MAPS,
		"t.args:3: mover moves pages of vector 1, but the kernel does not tell where each "
		"page is: all there is to see is numa_maps");
	expect(MEM_BY_NOTHING, "t.args:3: mover moves pages of vector 1, but the kernel does not "
			       "tell where each page is");
}

static void pages_that_balancing_hides_are_found_by_who_moves_them(void **state)
{
	(void)state;
	jobs[0].kernel = &mover;
	answer = MOVES_VECTORS;
	rights.move_pages = 0;
	expect(MEM_BY_NUMA_MAPS, NULL);
	rights.move_pages = EPERM;
}

static void kernels_that_move_none_need_less(void **state)
{
	(void)state;
	jobs[0].kernel = &mover;
	answer = MOVES_NOTHING;
	expect(MEM_BY_NOTHING, NULL);
	jobs[0].kernel = &reader;
	expect(MEM_BY_NOTHING, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_that_are_not_proven_are_refused),
		cmocka_unit_test(pages_that_balancing_hides_are_found_by_who_moves_them),
		cmocka_unit_test(kernels_that_move_none_need_less),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
