/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After how many passes a move pays, and where curves of a sweep cross, from known samples. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/crossings.h"

enum { MIGRATE, LOAD, OPS };
enum { RUNS = 6, SAMPLES = 3 };

/* One thread and one vector; run 0 has the vector on node 0, others on node 1. */
struct case_data {
	struct experiment x;
	struct run runs[RUNS];
	struct plan_job jobs[RUNS][OPS];
	struct plan_op ops[RUNS][OPS];
	struct plan_thread thread[RUNS];
	struct plan_vector vector[RUNS];
	struct op_result results[RUNS][OPS];
	struct sample samples[RUNS][OPS][SAMPLES];
	struct thread_sample threads[RUNS][OPS][SAMPLES];
};

static int only_vector[] = {0};

/* Samples of 99, 100 and 101 % of the cost. */
static void build_samples(struct case_data *c, int run, int op, double cost)
{
	for (int i = 0; i < SAMPLES; i++) {
		c->threads[run][op][i].end_ns = (uint64_t)llround(cost * (0.99 + 0.01 * i) * 1e9);
		c->samples[run][op][i].threads = &c->threads[run][op][i];
	}
	c->results[run][op] = (struct op_result){.samples = c->samples[run][op], .count = SAMPLES};
}

static bool yes(const void *args)
{
	(void)args;
	return true;
}

static bool no(const void *args)
{
	(void)args;
	return false;
}

static const struct kernel load = {.unit = "access"},
			   migrate = {.unit = "page", .migration.is_move = yes},
			   there = {.unit = "page", .migration.is_move = no};

static void build_run(struct case_data *c, int run, double move_s, double load_s)
{
	static const char *const names[OPS] = {"migrate", "load"};
	struct run *t = &c->runs[run];

	t->request = (struct request){.confidence = 0.95};
	t->label = run ? "place=Y" : "place=X";
	for (int op = 0; op < OPS; op++) {
		c->jobs[run][op] = (struct plan_job){.kernel = op == MIGRATE ? &migrate : &load,
			.name = names[op],
			.common.passes = 1};
		c->ops[run][op] =
			(struct plan_op){.label = (char *)names[op], .jobs = &c->jobs[run][op]};
	}
	c->thread[run] = (struct plan_thread){.vector_ids = only_vector, .nvectors = 1};
	c->vector[run] = (struct plan_vector){.node = run ? 1 : 0, .target = 0};
	build_samples(c, run, MIGRATE, move_s);
	build_samples(c, run, LOAD, load_s);
	t->plan = (struct plan){.request = &t->request,
		.vectors = &c->vector[run],
		.nvectors = 1,
		.threads = &c->thread[run],
		.nthreads = 1,
		.ops = c->ops[run],
		.nops = OPS};
	t->samples = (struct samples){.plan = &t->plan, .ops = c->results[run]};
}

static void build(
	struct case_data *c, const char *const *sweeps, const char *baseline, size_t nruns)
{
	struct errors e = {0};
	struct place at = {"t.args", 1};

	memset(c, 0, sizeof(*c));
	c->x = (struct experiment){.runs = c->runs, .nruns = nruns};
	for (size_t i = 0; sweeps[i]; i++)
		lines_add(&c->x.file.sweep, "sweep", sweeps[i], at);
	words_split(&c->x.file.baseline, baseline, " ");
	assert_int_equal(sweep_read(&c->x.sweep, &c->x.file, NULL, &e), 0);
}

static const char *const places[] = {"place = X Y", NULL};

/* A move of 40 ms; a pass takes 1 ms near, 3 ms far. */
static void build_places(struct case_data *c)
{
	build(c, places, "place=X", 2);
	build_run(c, 0, 0.001, 0.001);
	build_run(c, 1, 0.040, 0.003);
}

static void release(struct case_data *c)
{
	sweep_free(&c->x.sweep);
	request_file_free(&c->x.file);
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6 * fabs(b);
}

static void a_move_pays_after_its_cost_over_the_difference(void **state)
{
	static struct case_data c;

	(void)state;
	build_places(&c);
	struct amount a = crossings_break_even(&c.x, 1, LOAD, 0);
	assert_true(near(a.value, 20) && a.low > 18 && a.low < 20 && a.high > 20 && a.high < 22.2);
	assert_true(near(crossings_break_even(&c.x, 1, LOAD, ALL_THREADS).value, 20));
	a = crossings_break_even_time(&c.x, 1, LOAD, 0);
	assert_true(near(a.value, 0.060) && a.low < 0.060 && a.high > 0.060);
	/* there is none of the baseline itself, and none of the move */
	assert_true(isnan(crossings_break_even(&c.x, 0, LOAD, 0).value));
	assert_true(isnan(crossings_break_even(&c.x, 1, MIGRATE, 0).value));
	release(&c);
}

static void passes_of_a_sample_are_passes_of_the_answer(void **state)
{
	static struct case_data c;
	uint64_t chosen = 512;

	(void)state;
	build_places(&c);
	c.jobs[0][LOAD].common.passes = c.jobs[1][LOAD].common.passes = 10;
	assert_true(near(crossings_break_even(&c.x, 1, LOAD, 0).value, 200));
	assert_true(near(crossings_break_even_time(&c.x, 1, LOAD, 0).value, 0.060));
	/* figures of a number that was chosen by measuring are those of one already */
	c.jobs[0][LOAD].calibrated = c.jobs[1][LOAD].calibrated = &chosen;
	for (int i = 0; i < SAMPLES; i++)
		c.threads[0][LOAD][i].rounds = c.threads[1][LOAD][i].rounds = 10;
	assert_true(near(crossings_break_even(&c.x, 1, LOAD, 0).value, 200));
	release(&c);
}

/* What crossings_check() warns of, when no run has a break-even. */
static void warns(struct case_data *c, const char *expected)
{
	struct view v = {.quantity = QUANTITY_BREAK_EVEN,
		.thread = ALL_THREADS,
		.along = AXIS_NONE,
		.at = {"t.args", 7}};
	struct errors e = {0};

	assert_int_equal(crossings_check(&v, &c->x, &e), 0);
	assert_int_equal(e.failures, 0);
	assert_int_equal(e.count, expected ? 1 : 0);
	if (expected) {
		assert_string_equal(e.list[0].text, expected);
		assert_true(isnan(crossings_break_even(&c->x, 1, LOAD, ALL_THREADS).value));
	}
	errors_free(&e);
}

#define NOTHING "t.args:7: warning: nothing to break even, run place=Y: "

static void where_the_plan_shows_no_move_to_the_baseline_there_is_a_reason(void **state)
{
	static struct case_data c;

	(void)state;
	build_places(&c);
	warns(&c, NULL);
	c.vector[1].node = 0;
	warns(&c, NOTHING "vector 0 is on node 0, as in its baseline");
	c.vector[1].node = 1;
	c.vector[1].target = 2;
	warns(&c, NOTHING "migrate moves vector 0 to node 2, and its baseline has it on node 0");
	c.vector[1].target = -1;
	warns(&c, NOTHING
		"migrate moves vector 0 to no single node, and its baseline has it on node 0");
	c.vector[1].target = 0;
	c.thread[1].node = 1;
	warns(&c, NOTHING "thread 0 is on another node than in its baseline");
	c.thread[1].node = 0;
	c.jobs[1][LOAD].common.sleep_ns = 1;
	warns(&c, NOTHING "threads sleep before they work");
	c.jobs[1][LOAD].common.sleep_ns = 0;
	c.jobs[1][MIGRATE].common.passes = 2;
	warns(&c, NOTHING "threads have different passes");
	c.jobs[1][MIGRATE].common.passes = 1;
	c.ops[0][LOAD].label = "chase";
	warns(&c, NOTHING "its baseline has other operations, threads or vectors");
	c.ops[0][LOAD].label = "load";
	c.jobs[1][MIGRATE].kernel = &there;
	warns(&c, NOTHING "none of its operations is a migrate in all threads that moves pages");
	c.x.nruns = 1;
	warns(&c,
		"t.args:7: warning: nothing to break even: no run has another one as its baseline");
	release(&c);
}

/* u uses cost 3 u ms, or 40 + u ms with a move: 20 uses are as many as pay. */
static void curves_of_a_sweep_cross_at_its_numbers(void **state)
{
	static const char *const sweeps[] = {"u = 8 64 16", "how = stay move", NULL};
	static struct case_data c;
	static const int uses[] = {8, 64, 16};
	static const struct crossings_run moved[] = {{1, LOAD}, {3, LOAD}, {5, LOAD}};
	static const struct crossings_run stayed[] = {{0, LOAD}, {2, LOAD}, {4, LOAD}};
	static const struct crossings_run one[] = {{1, LOAD}, {-1, -1}, {-1, -1}};
	struct view along = {.quantity = QUANTITY_CROSSING, .along = 0};

	(void)state;
	build(&c, sweeps, "how=stay", 6);
	for (int i = 0; i < 3; i++) {
		build_run(&c, 2 * i, 1, 0.003 * uses[i]);
		build_run(&c, 2 * i + 1, 1, 0.040 + 0.001 * uses[i]);
	}
	struct amount a = crossings_along(&c.x, &along, moved, 0);
	assert_true(near(a.value, 20) && a.low > 16 && a.low < 20 && a.high > 20 && a.high < 64);
	along.quantity = QUANTITY_CROSSING_TIME;
	struct amount t = crossings_along(&c.x, &along, moved, 0);
	assert_true(
		near(t.value, 0.060) && near(t.low, 0.003 * a.low) && near(t.high, 0.003 * a.high));
	/* the baseline does not cross itself; and two points are the least */
	assert_true(isnan(crossings_along(&c.x, &along, stayed, 0).value));
	assert_true(isnan(crossings_along(&c.x, &along, one, 0).value));
	release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a move pays after its cost over what a pass saves",
			.test_func = a_move_pays_after_its_cost_over_the_difference},
		{.name = "passes of a sample are passes of the answer",
			.test_func = passes_of_a_sample_are_passes_of_the_answer},
		{.name = "where plans show no move to the baseline's nodes, a warning has the "
			 "reason",
			.test_func =
				where_the_plan_shows_no_move_to_the_baseline_there_is_a_reason},
		{.name = "curves of a sweep cross at its numbers",
			.test_func = curves_of_a_sweep_cross_at_its_numbers},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
