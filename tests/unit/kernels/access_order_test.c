/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in which the access kernels visit elements, seen from outside: the vector lies in pages
 * of which at most one can be used at a time, so that each access to another page than the last one
 * is a fault, and is written down. With a stride of a page that is every access.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "access.h"
#include "contract/kernel.h"

#define PAGES 8
#define TYPE  TYPE_DOUBLE
#define SIZE  sizeof(double)

/* A signal handler gets no argument of ours. */
static struct trap {
	char *base, *open; /* the vector, and the page that is accessible now */
	size_t page, *log, count, room;
} trap;

static void note(int number, siginfo_t *info, void *context)
{
	char *at = info->si_addr;

	(void)context;
	if (at < trap.base || at >= trap.base + PAGES * trap.page || trap.count == trap.room) {
		signal(number, SIG_DFL); /* a real error: it happens again on return */
		return;
	}
	if (trap.open)
		mprotect(trap.open, trap.page, PROT_NONE);
	trap.open = trap.base + (size_t)(at - trap.base) / trap.page * trap.page;
	mprotect(trap.open, trap.page, PROT_READ | PROT_WRITE);
	trap.log[trap.count++] = (size_t)(at - trap.base) / SIZE;
}

static int setup(void **state)
{
	(void)state;
	trap.page = (size_t)sysconf(_SC_PAGESIZE);
	trap.room = PAGES * trap.page / SIZE;
	trap.log = malloc(trap.room * sizeof(*trap.log));
	trap.base = mmap(NULL, PAGES * trap.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return !trap.log || trap.base == MAP_FAILED;
}

static int teardown(void **state)
{
	(void)state;
	free(trap.log);
	return munmap(trap.base, PAGES * trap.page);
}

/* One pass over the trapped vector: the log is new. */
static void watch(const struct kernel_id *k, const struct trial *t)
{
	const struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
	struct sigaction cmockas; /* which cmocka sets before each test */
	struct stage s = {.why = ""};

	stage_set(&s, k->kernel, t);
	stage_add(&s, TYPE, trap.room, trap.base);
	trap.count = 0;
	trap.open = NULL;
	assert_int_equal(mprotect(trap.base, PAGES * trap.page, PROT_NONE), 0);
	assert_null(k->kernel->check(&s.worker, s.why, sizeof(s.why)));
	assert_int_equal(sigaction(SIGSEGV, &action, &cmockas), 0);
	k->kernel->run(&s.worker, 1);
	assert_int_equal(sigaction(SIGSEGV, &cmockas, NULL), 0);
}

/* The element that the access `at` of a forward sweep visits, as the opening comment of
 * kernels/access.c describes it; a backward sweep visits the same elements from the end. */
static void expect(size_t *sequence, size_t part, size_t stride, double offset)
{
	size_t start = (size_t)(offset * (double)(part / stride));

	for (size_t j = 0; j < stride; j++) {
		size_t rows = (part - j + stride - 1) / stride;

		for (size_t row = 0; row < rows; row++)
			*sequence++ = j + (start + row) % rows * stride;
	}
}

static void check_order(const struct kernel_id *k, const struct trial *t)
{
	size_t part = part_of(trap.room, t->fraction);
	size_t *sequence = calloc(part, sizeof(*sequence));

	assert_non_null(sequence);
	expect(sequence, part, t->stride.value, t->offset);
	watch(k, t);
	assert_int_equal(trap.count, part);
	for (size_t i = 0; i < part; i++) {
		size_t expected = sequence[t->order == REVERSE ? part - 1 - i : i];

		if (trap.log[i] != expected)
			fail_msg("%s, fraction %g, offset %g, order %d: access %zu is to %zu, not "
				 "%zu",
				k->id, t->fraction, t->offset, t->order, i, trap.log[i], expected);
	}
	free(sequence);
}

/* A fault takes 15 us on a virtual machine: the kernels take turns with these cases because they
 * share everything but the hot loop. An offset of 1 means the beginning again; the formula above
 * does not cover it. */
static const struct {
	double fraction, offset;
} turns[] = {{1, 0}, {0.8, 0.5}, {0.25, 0.9}, {1, 0.5}, {0.8, 0}};

static void check_orders(int order)
{
	size_t i = 0;

	for (const struct kernel_id *k = next_access(NULL); k; k = next_access(k)) {
		struct trial t = {.stride = {trap.page / SIZE, false},
			.fraction = turns[i % LENGTH(turns)].fraction,
			.offset = turns[i % LENGTH(turns)].offset,
			.order = order};

		check_order(k, &t);
		i++;
	}
}

static void test_forward(void **state)
{
	(void)state;
	check_orders(FORWARD);
}

static void test_reverse(void **state)
{
	(void)state;
	check_orders(REVERSE);
}

/* A prefetcher detects a constant step. By chance, one step in hundreds equals the last one; up and
 * down are equally likely. Accesses that stay in a page, one in 8, are not seen. */
static void test_random(void **state)
{
	(void)state;
	for (const struct kernel_id *k = next_access(NULL); k; k = next_access(k)) {
		struct trial t = {.fraction = 1, .order = RANDOM};
		size_t same = 0, up = 0;

		watch(k, &t);
		assert_true(trap.count >= trap.room / 2 && trap.count <= trap.room);
		for (size_t i = 2; i < trap.count; i++) {
			size_t step = trap.log[i] - trap.log[i - 1];

			same += step == trap.log[i - 1] - trap.log[i - 2];
			up += trap.log[i] > trap.log[i - 1];
		}
		assert_true(same <= trap.count / 20);
		assert_true(up >= trap.count * 2 / 5 && up <= trap.count * 3 / 5);
	}
}

static void test_random_offset(void **state)
{
	const struct kernel_id *k = next_access(NULL);
	struct trial t = {.fraction = 1, .order = RANDOM};
	size_t first;

	(void)state;
	watch(k, &t);
	first = trap.log[0];
	t.offset = 0.5;
	watch(k, &t);
	assert_int_not_equal(trap.log[0], first);
}

#define TEST(title, function)                     \
	{                                         \
		title, function, NULL, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("forward goes down column after column, from the offset round to it",
			test_forward),
		TEST("reverse is forward backwards", test_reverse),
		TEST("random has no constant step and no direction", test_random),
		TEST("an offset in random order is a place in the sequence", test_random_offset),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
