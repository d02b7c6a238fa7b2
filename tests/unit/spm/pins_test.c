/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of pins compared with an array that has the owner of each page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "spm/pins.h"

enum { PAGES = 256, OWNERS = 3, STEPS = 200000 };

static struct spm_pins pins;
static const char owners[OWNERS];

static int begin(void **state)
{
	(void)state;
	spm_pins_init(&pins);
	return 0;
}

static int end(void **state)
{
	(void)state;
	spm_pins_free(&pins);
	return 0;
}

static void takes(uintptr_t first, uintptr_t last, int owner, uintptr_t from, uintptr_t to)
{
	struct spm_run run = spm_pins_take(&pins, (struct spm_run){first, last}, &owners[owner]);

	assert_int_equal(errno, 0);
	assert_int_equal(run.first, from);
	assert_int_equal(run.end, to);
}

static void takes_nothing(uintptr_t first, uintptr_t last, int owner)
{
	struct spm_run run = spm_pins_take(&pins, (struct spm_run){first, last}, &owners[owner]);

	assert_int_equal(errno, 0);
	assert_int_equal(run.first, run.end);
}

static void releases(uintptr_t first, uintptr_t last, int owner)
{
	assert_int_equal(spm_pins_release(&pins, (struct spm_run){first, last}, &owners[owner]), 0);
}

/* Figure 11 of the paper: the range of thread 1 is cut by those of threads 0 and 2. */
static void test_dispute(void **state)
{
	(void)state;
	takes(0, 10, 0, 0, 10);
	takes(16, 26, 2, 16, 26);
	takes(8, 18, 1, 10, 16);
	assert_ptr_equal(spm_pins_owner(&pins, 9), &owners[0]);
	assert_ptr_equal(spm_pins_owner(&pins, 10), &owners[1]);
	assert_ptr_equal(spm_pins_owner(&pins, 16), &owners[2]);
	takes_nothing(8, 18, 0);
}

static void test_first_run(void **state)
{
	(void)state;
	takes(10, 12, 0, 10, 12);
	takes(20, 22, 0, 20, 22);
	takes(9, 100, 1, 9, 10);   /* the first, though others are longer */
	takes(9, 100, 1, 12, 20);  /* then the next */
	takes(9, 100, 1, 22, 100); /* then the rest */
	takes_nothing(9, 100, 1);
}

static void test_own_pins(void **state)
{
	(void)state;
	takes(5, 8, 0, 5, 8);
	takes_nothing(5, 8, 0);
	takes(4, 9, 0, 4, 5);
}

static void test_release_by_owner(void **state)
{
	(void)state;
	takes(0, 30, 0, 0, 30);
	takes(30, 60, 1, 30, 60);
	releases(20, 40, 1); /* only those of owner 1 */
	takes(20, 60, 2, 30, 40);
	releases(10, 20, 0); /* from the middle of an entry */
	takes(0, 60, 2, 10, 20);
	releases(0, 100, 2);
	takes(0, 60, 1, 10, 20);
}

static void test_joined(void **state)
{
	(void)state;
	takes(10, 20, 0, 10, 20);
	takes(30, 40, 0, 30, 40);
	assert_int_equal(pins.entries, 2);
	takes(20, 30, 0, 20, 30);
	assert_int_equal(pins.entries, 1);
	takes(40, 50, 1, 40, 50); /* another owner's */
	assert_int_equal(pins.entries, 2);
	releases(0, 100, 0);
	assert_int_equal(pins.entries, 1);
}

/* ---- the model */

static const void *model[PAGES];

static struct spm_run model_take(struct spm_run wanted, const void *owner)
{
	struct spm_run run;

	while (wanted.first < wanted.end && model[wanted.first])
		wanted.first++;
	run = (struct spm_run){wanted.first, wanted.first};
	while (run.end < wanted.end && !model[run.end])
		model[run.end++] = owner;
	return run;
}

static void model_release(struct spm_run run, const void *owner)
{
	for (uintptr_t p = run.first; p < run.end; p++)
		if (model[p] == owner)
			model[p] = NULL;
}

static size_t model_entries(void)
{
	size_t n = 0;

	for (int p = 0; p < PAGES; p++)
		n += model[p] && (!p || model[p] != model[p - 1]);
	return n;
}

static void compare(int step)
{
	if (pins.entries != model_entries())
		fail_msg("step %d: %zu entries, not %zu", step, pins.entries, model_entries());
	for (uintptr_t p = 0; p < PAGES; p++)
		if (spm_pins_owner(&pins, p) != model[p])
			fail_msg("step %d: page %d has another owner", step, (int)p);
}

static void random_step(int step)
{
	uintptr_t first = (uintptr_t)rand() % PAGES, length = 1 + (uintptr_t)rand() % 40;
	struct spm_run run = {first, first + length > PAGES ? PAGES : first + length};
	const void *owner = &owners[rand() % OWNERS];

	if (rand() % 3) {
		struct spm_run expected = model_take(run, owner);
		struct spm_run found = spm_pins_take(&pins, run, owner);

		if (found.end - found.first != expected.end - expected.first ||
			(expected.first < expected.end && found.first != expected.first))
			fail_msg("step %d: took %d-%d, not %d-%d", step, (int)found.first,
				(int)found.end, (int)expected.first, (int)expected.end);
	} else {
		model_release(run, owner);
		assert_int_equal(spm_pins_release(&pins, run, owner), 0);
	}
}

static void test_model(void **state)
{
	(void)state;
	srand(1);
	for (int step = 0; step < STEPS; step++) {
		random_step(step);
		if (step % 16 == 0 || step < 1000)
			compare(step);
	}
	compare(STEPS);
}

/* A tree that became a list would be as deep as it has entries, and this would take minutes. */
static void test_many(void **state)
{
	enum { MANY = 200000 };

	(void)state;
	for (uintptr_t i = 0; i < MANY; i++)
		takes(2 * i, 2 * i + 1, 0, 2 * i, 2 * i + 1);
	assert_int_equal(pins.entries, MANY);
	for (uintptr_t i = 0; i < MANY; i++)
		takes(2 * i, 2 * i + 2, 1, 2 * i + 1, 2 * i + 2);
	releases(0, 2 * MANY, 0);
	assert_int_equal(pins.entries, MANY);
	for (uintptr_t i = MANY; i-- > 0;)
		releases(2 * i, 2 * i + 2, 1);
	assert_int_equal(pins.entries, 0);
}

#define TEST(text, function)                                                                   \
	{                                                                                      \
		.name = text, .test_func = function, .setup_func = begin, .teardown_func = end \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the figure's dispute: the pages between others' are left", test_dispute),
		TEST("the first run that is free is taken, not the longest", test_first_run),
		TEST("one's own pins are pins", test_own_pins),
		TEST("only the owner's pages are unpinned", test_release_by_owner),
		TEST("neighbours of one owner are one entry", test_joined),
		TEST("any sequence of calls does what an array of owners does", test_model),
		TEST("200000 entries in order make no deep tree", test_many),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("pins", tests, NULL, NULL);
}
