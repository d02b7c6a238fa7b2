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
#define LOG   4

/* A signal handler gets no argument of ours. */
static struct trap {
	char *base, *open;              /* the vector, and the page that is accessible now */
	size_t page, *log, count, room; /* room: elements; the log has LOG times as many */
} trap;

static void note(int number, siginfo_t *info, void *context)
{
	char *at = info->si_addr;

	(void)context;
	if (at < trap.base || at >= trap.base + PAGES * trap.page ||
		trap.count == LOG * trap.room) {
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
	trap.log = malloc(LOG * trap.room * sizeof(*trap.log));
	trap.base = mmap(NULL, PAGES * trap.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return !trap.log || trap.base == MAP_FAILED;
}

static int teardown(void **state)
{
	(void)state;
	free(trap.log);
	return munmap(trap.base, PAGES * trap.page);
}

/* One pass over vectors of so many pages, one behind the other in the trap: the log is new. Returns
 * the units. */
static uint64_t watch_vectors(
	const struct kernel_id *k, const struct trial *t, const size_t *pages, size_t n)
{
	const struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
	struct sigaction cmockas; /* which cmocka sets before each test */
	struct stage s = {.why = ""};
	char *base = trap.base;
	uint64_t units;

	stage_set(&s, k->kernel, t);
	for (size_t i = 0; i < n; i++) {
		stage_add(&s, TYPE, pages[i] * trap.page / SIZE, base);
		base += pages[i] * trap.page;
	}
	trap.count = 0;
	trap.open = NULL;
	assert_int_equal(mprotect(trap.base, PAGES * trap.page, PROT_NONE), 0);
	assert_null(k->kernel->check(&s.worker, s.why, sizeof(s.why)));
	assert_int_equal(sigaction(SIGSEGV, &action, &cmockas), 0);
	units = k->kernel->run(&s.worker, 1);
	assert_int_equal(sigaction(SIGSEGV, &cmockas, NULL), 0);
	return units;
}

static void watch(const struct kernel_id *k, const struct trial *t)
{
	static const size_t pages = PAGES;

	watch_vectors(k, t, &pages, 1);
}

/* The element that the access `at` of a forward sweep visits, as the opening comment of
 * kernels/access/access.c describes it; a backward sweep visits the same elements from the end. */
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

/* Elements first..first+n-1 as a sweep of their own, forward or backwards. */
static size_t *sequence_of(size_t first, size_t n, const struct trial *t)
{
	size_t *list = calloc(n, sizeof(*list)), *turned = calloc(n, sizeof(*turned));

	assert_non_null(list);
	assert_non_null(turned);
	expect(list, n, t->stride.value, t->offset);
	for (size_t i = 0; i < n; i++)
		turned[i] = first + list[t->order == REVERSE ? n - 1 - i : i];
	free(list);
	return turned;
}

static void expect_next(size_t *at, size_t expected)
{
	assert_true(*at < trap.count);
	assert_int_equal(trap.log[*at], expected);
	++*at;
}

/* The longer vector goes on when the shorter one is through. */
static void check_alternate(uint64_t alternate, int order, double offset)
{
	static const size_t pages[] = {5, 2};
	const struct trial t = {.stride = {trap.page / SIZE, false},
		.fraction = 1,
		.offset = offset,
		.order = order,
		.alternate = alternate};
	size_t in_page = trap.page / SIZE, n[] = {5 * in_page, 2 * in_page}, done[] = {0, 0};
	size_t *list[] = {sequence_of(0, n[0], &t), sequence_of(n[0], n[1], &t)}, at = 0;

	assert_int_equal(watch_vectors(next_access(NULL), &t, pages, 2), n[0] + n[1]);
	for (int v = 0; done[0] < n[0] || done[1] < n[1]; v = !v)
		for (uint64_t i = 0; i < alternate && done[v] < n[v]; i++)
			expect_next(&at, list[v][done[v]++]);
	assert_int_equal(at, trap.count);
	free(list[0]);
	free(list[1]);
}

static void test_alternate(void **state)
{
	(void)state;
	check_alternate(1, FORWARD, 0);
	check_alternate(3, FORWARD, 0.5);
	check_alternate(3, REVERSE, 0.5);
	check_alternate(1000000, FORWARD, 0);
}

/* In random order every element of both is visited once, too, and the second vector's turn comes
 * early. Accesses that stay in a page are not seen. */
static void test_alternate_random(void **state)
{
	static const size_t pages[] = {4, 4};
	const struct trial t = {.fraction = 1, .order = RANDOM, .alternate = 8};
	size_t half = trap.room / 2, second = 0;

	(void)state;
	assert_int_equal(watch_vectors(next_access(NULL), &t, pages, 2), trap.room);
	for (size_t i = 0; i < 100; i++)
		second += trap.log[i] >= half;
	assert_true(second > 30 && second < 70);
}

/* Turns of 60 accesses of the first two pages and 40 of the six others, until these are through. */
static void check_hot(int order, double offset)
{
	static const size_t pages = PAGES;
	const struct trial t = {.stride = {trap.page / SIZE, false},
		.fraction = 1,
		.offset = offset,
		.order = order,
		.hot = 0.25,
		.hot_accesses = 0.6};
	size_t hot_n = trap.room / 4, rest_n = trap.room - hot_n, hot_at = 0, rest_at = 0, at = 0;
	size_t *hot = sequence_of(0, hot_n, &t), *rest = sequence_of(hot_n, rest_n, &t);
	uint64_t units = watch_vectors(next_access(NULL), &t, &pages, 1);

	assert_int_equal(units, rest_n + (rest_n + 39) / 40 * 60);
	while (rest_at < rest_n) {
		for (int i = 0; i < 60; i++)
			expect_next(&at, hot[hot_at++ % hot_n]);
		for (int i = 0; i < 40 && rest_at < rest_n; i++)
			expect_next(&at, rest[rest_at++]);
	}
	assert_int_equal(at, trap.count);
	assert_int_equal(at, units);
	free(hot);
	free(rest);
}

static void test_hot(void **state)
{
	(void)state;
	check_hot(FORWARD, 0);
	check_hot(REVERSE, 0);
	check_hot(FORWARD, 0.5);
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
		TEST("alternate visits vectors in turns of so many accesses", test_alternate),
		TEST("alternate visits every element in random order, too", test_alternate_random),
		TEST("hot visits the hot part again and again, in its share of the accesses",
			test_hot),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, setup, teardown);
}
