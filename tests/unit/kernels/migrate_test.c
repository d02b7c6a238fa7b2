/* SPDX-License-Identifier: GPL-3.0-or-later */
/* migrate on the node that this machine has at least: what it asks for, counts and keeps. Calls
 * that fail are made up: these functions stand before those of libnuma. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include <numaif.h>
#include "kernel_stage.h"
#include "migration/moved_pages.h"

enum { ASKED, MOVED, THERE, REFUSED, KEPT, SPLIT, CALLS, FIGURES };

#define PAGES 40
#define PAGE  ((size_t)sysconf(_SC_PAGESIZE))

static int asked[64], ncalls; /* pages of each moving call */
static int queries;           /* of the nodes of pages, in run() */
static int answer;            /* what moving calls return; -1: with ENOMEM */

/* Statuses stay as they are, as the system leaves them after a failure. */
long move_pages(int pid, unsigned long n, void **pages, const int *nodes, int *status, int flags)
{
	queries += !nodes;
	if (!nodes)
		return syscall(SYS_move_pages, pid, n, pages, nodes, status, flags);
	if (ncalls < 64)
		asked[ncalls++] = (int)n;
	errno = ENOMEM;
	return answer;
}

static uint64_t units; /* of the last run */

static void set_up(struct stage *s)
{
	if (s->kernel->share(&s->worker))
		fail_msg("share() failed");
	stage_setup(s);
}

static void end(struct stage *s)
{
	s->kernel->teardown(&s->worker);
	s->kernel->unshare(&s->worker);
	stage_end(s);
}

static void begin(struct stage *s, const char *settings)
{
	stage_kernel(s, "migrate", settings);
	stage_vector(s, TYPE_CHAR, 1, PAGES * PAGE);
	s->vectors[0].node = 0;
	s->vectors[0].target = 0;
	set_up(s);
	ncalls = answer = 0;
}

static void run(struct stage *s, uint64_t passes, double *values)
{
	queries = 0;
	s->kernel->run(&s->worker, passes);
	assert_int_equal(queries, 0);
	s->kernel->tell(&s->worker, values);
	units = s->kernel->done(&s->worker);
}

static void test_batches(void **state)
{
	static const struct {
		const char *settings;
		int calls, first, last;
	} cases[] = {
		{"there=yes", 1, PAGES, PAGES},
		{"there=yes batch=1", PAGES, 1, 1},
		{"there=yes batch=16", 3, 16, PAGES - 32},
		{"there=yes batch=1000", 1, PAGES, PAGES},
	};
	double values[FIGURES];

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		begin(&s, cases[i].settings);
		run(&s, 1, values);
		assert_int_equal(ncalls, cases[i].calls);
		assert_int_equal(asked[0], cases[i].first);
		assert_int_equal(asked[ncalls - 1], cases[i].last);
		assert_int_equal(units, PAGES);
		assert_true(values[ASKED] == PAGES && values[THERE] == PAGES);
		assert_true(values[MOVED] == 0 && values[REFUSED] == 0);
		assert_true(values[CALLS] == cases[i].calls);
		end(&s);
	}
}

/* A page whose home is another node than the one it is on. */
static void test_way_back(void **state)
{
	static const struct {
		int answer;
		const char *why;
	} cases[] = {
		{-1, "1 pages of its vector do not go back to the node that they come from, which "
		     "has no memory left for them"},
		{1, "1 pages of its vector do not go back to the node that they come from"},
	};
	struct moved_pages p;
	struct stage s;
	char why[160];

	(void)state;
	stage_kernel(&s, "migrate", "");
	stage_vector(&s, TYPE_CHAR, 1, PAGES * PAGE);
	assert_null(moved_pages_find(&p, &s.vectors[0], why, sizeof(why)));
	p.home[7] = 63;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		answer = cases[i].answer;
		assert_string_equal(moved_pages_home(&p, why, sizeof(why)), cases[i].why);
	}
	p.home[7] = p.home[6];
	assert_null(moved_pages_home(&p, why, sizeof(why)));
	moved_pages_free(&p);
	stage_end(&s);
}

/* The target is one that no page is on. */
static void test_refused(void **state)
{
	static const int answers[] = {-1, 3, 0};
	double values[FIGURES];

	(void)state;
	for (size_t i = 0; i < LENGTH(answers); i++) {
		struct stage s;

		stage_kernel(&s, "migrate", "batch=10");
		stage_vector(&s, TYPE_CHAR, 1, PAGES * PAGE);
		s.vectors[0].node = 0;
		s.vectors[0].target = 63;
		set_up(&s);
		ncalls = 0;
		answer = answers[i];
		run(&s, 1, values);
		/* after an error no further call is made; one that says that pages stayed is none,
		 * and a call that lies is found out */
		assert_int_equal(ncalls, answer < 0 ? 1 : 4);
		assert_true(values[ASKED] == PAGES && values[REFUSED] == PAGES);
		assert_true(values[MOVED] == 0 && values[THERE] == 0);
		assert_int_equal(units, answer ? 0 : PAGES);
		answer = 0;
		end(&s);
	}
}

static void test_passes(void **state)
{
	double values[FIGURES];
	struct stage s;

	(void)state;
	begin(&s, "there=yes");
	run(&s, 3, values);
	assert_int_equal(units, 3 * PAGES);
	assert_true(values[ASKED] == 3 * PAGES && values[THERE] == 3 * PAGES);
	assert_null(s.kernel->reset(&s.worker, s.why, sizeof(s.why)));
	end(&s);
	begin(&s, "");
	run(&s, 3, values);
	assert_non_null(s.kernel->reset(&s.worker, s.why, sizeof(s.why)));
	assert_non_null(strstr(s.why, "passes = 3: only the first moves pages"));
	end(&s);
}

static void test_copy(void **state)
{
	double values[FIGURES];
	struct stage s;

	(void)state;
	begin(&s, "mover=copy batch=7");
	memset(s.vectors[0].base, 3, PAGES * PAGE);
	run(&s, 1, values);
	assert_true(values[CALLS] == 6 && values[ASKED] == PAGES);
	assert_null(stage_verify(&s));
	((char *)s.vectors[0].base)[PAGE * 9 + 5] = 4;
	assert_string_equal(stage_verify(&s), "the copy differs from the vector");
	end(&s);
}

/* A call that has nothing to do is no move, and no rate is one. */
static void test_no_move(void **state)
{
	static const struct {
		const char *settings;
		bool move, rate;
	} cases[] = {
		{"", true, true},
		{"there=yes", false, false},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		begin(&s, cases[i].settings);
		assert_int_equal(s.kernel->migration.is_move(s.args), cases[i].move);
		assert_int_equal(s.kernel->work(s.args).bytes > 0, cases[i].rate);
		end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a call has as many pages as batch says, the last one the rest", test_batches),
		TEST("what did not move is refused, whatever the calls return", test_refused),
		TEST("pages that do not go back are counted, and a full node is named as the "
		     "reason",
			test_way_back),
		TEST("passes count where nothing moves, and are refused elsewhere", test_passes),
		TEST("a copy has what the vector has", test_copy),
		TEST("a call without a move is none for break-evens and rates", test_no_move),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
