/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads are where they should be, and no thread leaves the start line early. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "measure/start_line.h"
#include "placement/team.h"

#define MOST 16

struct team {
	struct topo topo;
	int cpus[MOST];
	int n;
	struct start_line start_line;
	int found[MOST], bound[MOST];
	uint64_t arrived[MOST], start[MOST], left[MOST];
	atomic_int runs;
};

static int count_bound(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	return CPU_COUNT(&set);
}

static void note_cpu(void *arg, int i)
{
	struct team *t = arg;

	t->found[i] = sched_getcpu();
	t->bound[i] = count_bound();
	atomic_fetch_add(&t->runs, 1);
}

static void load(struct team *t)
{
	struct errors e = {0};

	memset(t, 0, sizeof(*t));
	assert_int_equal(topo_load(&t->topo, &e), 0);
	for (int i = 0; i < t->topo.ncpus && t->n < MOST; i++)
		if (t->topo.cpus[i].allowed)
			t->cpus[t->n++] = t->topo.cpus[i].cpu;
	errors_free(&e);
}

static void unload(struct team *t)
{
	topo_bind(&t->topo, -1);
	topo_free(&t->topo);
}

static void test_bound(void **state)
{
	struct team t;
	struct errors e = {0};

	(void)state;
	load(&t);
	/* in both orders, so that a thread of the pool has to change its CPU */
	for (int turn = 0; turn < 2; turn++) {
		assert_int_equal(team_run(&t.topo, t.cpus, t.n, note_cpu, &t, &e), 0);
		for (int i = 0; i < t.n; i++) {
			assert_int_equal(t.found[i], t.cpus[i]);
			assert_int_equal(t.bound[i], 1);
		}
		int first = t.cpus[0];
		memmove(t.cpus, t.cpus + 1, sizeof(*t.cpus) * (size_t)(t.n - 1));
		t.cpus[t.n - 1] = first;
	}
	unload(&t);
}

static void test_unbound(void **state)
{
	struct team t;
	struct errors e = {0};
	int anywhere = -1, all;

	(void)state;
	load(&t);
	all = count_bound();
	assert_int_equal(team_run(&t.topo, t.cpus, 1, note_cpu, &t, &e), 0);
	assert_int_equal(t.bound[0], 1);
	assert_int_equal(team_run(&t.topo, &anywhere, 1, note_cpu, &t, &e), 0);
	assert_int_equal(t.bound[0], all);
	unload(&t);
}

static void test_refused(void **state)
{
	struct team t;
	struct errors e = {0};
	int cpus[2];

	(void)state;
	load(&t);
	cpus[0] = t.cpus[0];
	cpus[1] = 100000; /* no such CPU */
	assert_int_equal(team_run(&t.topo, cpus, 2, note_cpu, &t, &e), -1);
	assert_int_equal(atomic_load(&t.runs), 0); /* no thread ran, not even thread 0 */
	assert_int_equal(errors_status(&e), STATUS_PLACEMENT);
	assert_non_null(strstr(e.list[0].text, "thread 1 cannot be bound to CPU 100000"));
	assert_non_null(e.list[0].hint);
	errors_free(&e);
	unload(&t);
}

static void test_threads(void **state)
{
	struct errors e = {0};

	(void)state;
	for (int n = 1; n <= 64; n *= 8)
		assert_int_equal(team_check(n, &e), 0);
	assert_int_equal(e.count, 0);
}

static void cross_line(void *arg, int i)
{
	struct team *t = arg;

	t->arrived[i] = clock_ns();
	t->start[i] = start_line_arrive(&t->start_line);
	t->left[i] = start_line_leave(t->start[i]);
	start_line_finish(&t->start_line);
}

static void test_line(void **state)
{
	struct team t;
	struct errors e = {0};

	(void)state;
	load(&t);
	start_line_init(&t.start_line, t.n);
	for (int turn = 0; turn < 50; turn++) {
		assert_int_equal(team_run(&t.topo, t.cpus, t.n, cross_line, &t, &e), 0);
		for (int i = 0; i < t.n; i++) {
			assert_true(t.start[i] == t.start[0]);
			assert_true(t.left[i] >= t.start[i]);
			assert_true(t.arrived[i] <= t.start[0]);
		}
		start_line_reset(&t.start_line, 0);
	}
	start_line_free(&t.start_line);
	unload(&t);
}

/* More threads than CPUs: a thread that waits must let the others arrive. */
static void test_crowded_line(void **state)
{
	struct team t;
	struct errors e = {0};

	(void)state;
	load(&t);
	for (int i = 0; i < MOST; i++)
		t.cpus[i] = t.cpus[0];
	start_line_init(&t.start_line, MOST);
	assert_int_equal(team_run(&t.topo, t.cpus, MOST, cross_line, &t, &e), 0);
	for (int i = 0; i < MOST; i++)
		assert_true(t.left[i] >= t.start[0]);
	start_line_free(&t.start_line);
	unload(&t);
}

static void test_margin(void **state)
{
	struct start_line l;

	(void)state;
	start_line_init(&l, 1);
	uint64_t first = l.margin_ns;
	start_line_reset(&l, 100); /* in time */
	assert_true(l.margin_ns == first);
	start_line_reset(&l, 1000000); /* far too late */
	assert_true(l.margin_ns > first);
	for (int i = 0; i < 100; i++)
		start_line_reset(&l, 1000000);
	assert_true(l.margin_ns <= 10000000); /* but never without a limit */
	start_line_free(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "every thread of a team runs on its CPU and is bound to it alone",
			.test_func = test_bound},
		{.name = "an unbound thread gets back all CPUs of the process",
			.test_func = test_unbound},
		{.name = "when one CPU refuses no thread runs", .test_func = test_refused},
		{.name = "as many threads as are asked for can be started",
			.test_func = test_threads},
		{.name = "nobody leaves the line before the common instant or after arriving late",
			.test_func = test_line},
		{.name = "sixteen threads on one CPU still cross the line",
			.test_func = test_crowded_line},
		{.name = "a missed start widens the margin, up to a bound",
			.test_func = test_margin},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
