/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pages move, and what is counted, on a machine of eight nodes that exists in fake.h only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "calls.h"

static void test_moved(void **state)
{
	(void)state;
	FOR_EACH_MOVER(i)
	{
		fake.node_of[12] = 1;
		fake.node_of[13] = ABSENT;
		assert_int_equal(call(10, 20), SPM_DONE);
		assert_on(0, 10, 0);
		assert_on(10, 13, 1);
		assert_int_equal(fake.node_of[13], ABSENT);
		assert_on(14, 20, 1);
		assert_on(20, FAKE_PAGES, 0);
		assert_counts(8, 2, 0, 0);
		assert_true(spm_total(s).ns > 0);
	}
}

/* Pages that are there already cost one call, and no call that moves. */
static void test_there(void **state)
{
	(void)state;
	fake_runs_on = 0;
	FOR_EACH_MOVER(i)
	{
		fake_runs_on = 0;
		assert_int_equal(call(10, 20), SPM_DONE);
		assert_int_equal(fake.binds + fake.queries + fake.moves, 1);
		assert_counts(0, 10, 0, 0);
	}
}

/* Which pages an offset and a range are: each a number of pages and of bytes. */
static const struct {
	const char *what;
	size_t page;
	long at;
	struct {
		long pages, bytes;
	} first, length;
	size_t from, to;
} ranges[] = {
	{"whole pages", 10, 0, {0, 0}, {4, 0}, 10, 14},
	{"an offset", 10, 0, {2, 0}, {4, 0}, 12, 16},
	{"an offset before the array", 10, 0, {-1, 0}, {2, 0}, 9, 11},
	{"a last page that is filled in part", 10, 0, {0, 0}, {4, -1}, 10, 13},
	{"a first page that is filled in part", 10, 16, {0, 0}, {4, -16}, 10, 14},
	{"both", 10, 16, {0, 0}, {4, 0}, 10, 14},
	{"within a page", 10, 16, {0, 0}, {1, -96}, 10, 10},
	{"less than a page over a border", 11, -96, {0, 0}, {0, 200}, 10, 11},
	{"a byte", 10, 0, {0, 0}, {0, 1}, 10, 10},
	{"the last byte of a page", 11, -1, {0, 0}, {0, 1}, 10, 11},
};

static void test_ranges(void **state)
{
	const long page = sysconf(_SC_PAGESIZE);

	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		FOR_EACH_MOVER(k)
		{
			char *array = fake_address(ranges[i].page, 0) + ranges[i].at;
			long first = ranges[i].first.pages * page + ranges[i].first.bytes;
			long bytes = ranges[i].length.pages * page + ranges[i].length.bytes;

			assert_int_equal(
				spm_call(s, array, first, first + bytes - 1, 1000000, 1), SPM_DONE);
			assert_on(0, ranges[i].from, 0);
			assert_on(ranges[i].from, ranges[i].to, 1);
			assert_on(ranges[i].to, FAKE_PAGES, 0);
			assert_counts(ranges[i].to - ranges[i].from, 0, 0, 0);
		}
}

/* Each page is of one slice; nobody moves the last page, which the array fills in part. */
static void test_slices(void **state)
{
	enum { THREADS = 7, BYTES = 1000003 };
	size_t last = fake_page(fake_address(0, 24 + BYTES));

	(void)state;
	FOR_EACH_MOVER(i)
	{
		for (int t = 0; t < THREADS; t++) {
			fake_runs_on = t + 1;
			spm_call(s, fake_address(0, 24), (long)BYTES * t / THREADS,
				(long)BYTES * (t + 1) / THREADS - 1, 1000000, 1);
		}
		assert_counts(last, 0, 0, 0); /* none twice */
		for (size_t p = 1; p < last; p++)
			assert_true(fake.node_of[p] >= fake.node_of[p - 1]);
		assert_on(0, 1, 1);
		assert_on(last - 1, last, THREADS);
		assert_on(last, FAKE_PAGES, 0);
	}
}

static void test_full(void **state)
{
	(void)state;
	FOR_EACH_MOVER(i)
	{
		fake.room[1] = 6;
		assert_int_equal(call(10, 30), SPM_REFUSED);
		assert_int_equal(errno, ENOMEM);
		assert_int_equal(spm_total(s).error, ENOMEM);
		assert_on(10, 16, 1);
		assert_on(16, 30, 0);
		assert_counts(6, 0, 0, 14);
		/* what stayed must not be bound to a node that is full */
		for (int p = 10; p < 30; p++)
			assert_int_equal(fake.policy[p], -1);
	}
}

static void test_obstacles(void **state)
{
	(void)state;
	FOR_EACH_MOVER(i)
	{
		fake.obstacle[12] = SHARED;
		assert_int_equal(call(10, 20), SPM_REFUSED);
		assert_int_equal(errno, EACCES);
		assert_counts(9, 0, 0, 1);
		assert_int_equal(fake.moves, 1); /* a reason that lasts is asked once */
		fake.obstacle[15] = HELD;
		fake.node_of[15] = 0;
		assert_int_equal(call(13, 20), SPM_REFUSED);
		assert_int_equal(errno, EBUSY);
		assert_counts(9, 6, 0, 2);
	}
}

/* What another thread was moving at that moment is tried again, and counted as what it became. */
static void test_in_flight(void **state)
{
	(void)state;
	FOR_EACH_MOVER(i)
	{
		fake.obstacle[12] = LONGER_IN_FLIGHT;
		fake.obstacle[13] = IN_FLIGHT;
		assert_int_equal(call(10, 20), SPM_DONE);
		assert_on(10, 20, 1);
		assert_counts(10, 0, 0, 0);
		fake.obstacle[22] = SEEMS_ABSENT;
		assert_int_equal(call(20, 30), SPM_DONE);
		fake.obstacle[35] = AGAIN;
		assert_int_equal(call(30, 40), SPM_DONE);
		assert_on(20, 40, 1);
		assert_counts(30, 0, 0, 0);
		fake.obstacle[42] = LONGER_IN_FLIGHT;
		fake.obstacle[45] = SHARED;
		assert_int_equal(call(40, 50), SPM_REFUSED);
		assert_int_equal(errno, EACCES);
		assert_counts(39, 0, 0, 1);
	}
}

/* A page that another thread frees while it is asked to move is not there: it did not move. */
static void test_freed(void **state)
{
	(void)state;
	config.mover = SPM_MOVE_PAGES;
	start();
	fake.obstacle[12] = FREED;
	assert_int_equal(call(10, 20), SPM_DONE);
	assert_counts(9, 1, 0, 0);
}

/* Some in each of three calls of the kernel: the counts are sums. */
static void test_batches(void **state)
{
	static const size_t there[] = {10, 20000, 20005, 39999}, shared[] = {11, 20001, 38000};

	(void)state;
	FOR_EACH_MOVER(i)
	{
		for (size_t k = 0; k < 4; k++)
			fake.node_of[there[k]] = 1;
		for (size_t k = 0; k < 3; k++)
			fake.obstacle[shared[k]] = SHARED;
		assert_int_equal(call(0, FAKE_PAGES), SPM_REFUSED);
		assert_int_equal(errno, EACCES);
		assert_counts(FAKE_PAGES - 7, 4, 0, 3);
	}
	FOR_EACH_MOVER(i)
	{
		fake.room[1] = 20000;
		assert_int_equal(call(0, FAKE_PAGES), SPM_REFUSED);
		assert_int_equal(errno, ENOMEM);
		assert_counts(20000, 0, 0, FAKE_PAGES - 20000);
		/* what follows on a full node is not tried */
		assert_int_equal(fake.moves, config.mover == SPM_MBIND ? 1 : 2);
	}
}

/* mbind() refuses the whole range; the pages that there are move all the same. */
static void test_holes(void **state)
{
	(void)state;
	FOR_EACH_MOVER(i)
	{
		fake.node_of[15] = HOLE;
		assert_int_equal(call(10, 20), SPM_DONE);
		assert_on(10, 15, 1);
		assert_on(16, 20, 1);
		assert_counts(9, 1, 0, 0);
	}
}

static void test_mbind_refused(void **state)
{
	static const int errors[] = {EINVAL, ENOMEM, EPERM};

	(void)state;
	start();
	for (size_t i = 0; i < 3; i++) {
		fake.refuses_bind = errors[i];
		assert_int_equal(call(10 * i, 10 * i + 10), SPM_DONE);
		assert_on(10 * i, 10 * i + 10, 1);
	}
	assert_counts(30, 0, 0, 0);
}

static void test_policy(void **state)
{
	(void)state;
	start();
	call(10, 20);
	assert_int_equal(fake.policy[9], -1);
	assert_int_equal(fake.policy[10], 1);
	assert_int_equal(fake.policy[19], 1);
	assert_int_equal(fake.policy[20], -1);
	end(NULL);
	config.policy = SPM_POLICY_DEFAULT;
	start();
	call(10, 20); /* those that are there */
	assert_int_equal(fake.policy[10], -1);
	call(30, 40);
	assert_int_equal(fake.policy[30], -1);
	assert_on(30, 40, 1);
}

static long move_pages_refused(size_t n, void **pages, const int *nodes, int *status)
{
	(void)n;
	(void)pages;
	(void)nodes;
	(void)status;
	errno = EPERM;
	return -1;
}

/* A container may forbid all of it: nothing moves, and all counts say so. */
static void test_forbidden(void **state)
{
	struct spm_system forbidden = fake_system;
	char message[256];

	(void)state;
	forbidden.move = move_pages_refused;
	for (int allows_bind = 0; allows_bind < 2; allows_bind++) {
		fake.refuses_bind = allows_bind ? 0 : EPERM;
		s = spm_init_on(&config, &forbidden, fake_root, message, sizeof(message));
		assert_non_null(s);
		assert_int_equal(call(10, 20), SPM_REFUSED);
		assert_int_equal(errno, EPERM);
		assert_counts(0, 0, 0, 10);
		end(NULL);
	}
}

#define TEST(text, function)                                                                   \
	{                                                                                      \
		.name = text, .test_func = function, .setup_func = begin, .teardown_func = end \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the pages of a range move, and no others", test_moved),
		TEST("pages that are there cost one call of the kernel", test_there),
		TEST("the first page belongs to a range, a last one in part does not", test_ranges),
		TEST("slices of an array share no page", test_slices),
		TEST("a full node takes what fits, and the rest is refused and unbound", test_full),
		TEST("shared pages and pages in use are refused with the reason", test_obstacles),
		TEST("pages that another thread moves are tried again", test_in_flight),
		TEST("a page that is freed meanwhile has not moved", test_freed),
		TEST("more pages than one call takes are counted in all of them", test_batches),
		TEST("a hole in the range does not keep its pages from moving", test_holes),
		TEST("what mbind() refuses is moved by move_pages()", test_mbind_refused),
		TEST("the policy stays or goes, as configured", test_policy),
		TEST("where moving is forbidden all pages are refused", test_forbidden),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("move", tests, fake_machine, fake_free);
}
