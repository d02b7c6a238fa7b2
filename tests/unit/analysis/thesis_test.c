/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The thesis's own derived figures from its measured ones, through the project's functions. Source
 * of all tables: "Estudio del comportamiento de programas multihilo en sistemas NUMA", USC, 2023,
 * chapter 5.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/derive.h"

enum { READ, WRITE, READ_WRITE, OPS };

/* Seconds of threads 0 and 1: overlapped (tables 5.12-5.14), with thread 1 500 ms later
 * (5.18-5.20), and the figures that 5.21-5.23 derive from them: speedup of threads 0 and 1, and the
 * hypothetical one of thread 1, two decimals, cut off. */
static const struct {
	const char *name;
	double overlap[2][OPS], delayed[2][OPS], speedup[3][OPS];
} placements[] = {
	{"LR", {{6.4941, 40.3943, 6.4832}, {6.4941, 40.4409, 6.4997}},
		{{4.1190, 40.3285, 6.0022}, {5.9990, 41.1233, 6.9166}},
		{{1.57, 1.00, 1.08}, {1.08, 0.98, 0.93}, {0.92, 0.98, 0.92}}},
	{"RR", {{6.1397, 40.1578, 6.3363}, {6.1398, 40.1579, 6.3363}},
		{{6.1972, 40.0460, 6.3458}, {6.7079, 40.4668, 6.8425}},
		{{0.99, 1.00, 0.99}, {0.91, 0.99, 0.92}, {0.92, 0.98, 0.92}}},
	{"LL", {{2.0866, 18.8695, 3.2883}, {2.0866, 18.8695, 3.2883}},
		{{2.0669, 18.8071, 3.3434}, {2.5669, 19.3013, 3.8458}},
		{{1.00, 1.00, 0.98}, {0.81, 0.97, 0.85}, {0.80, 0.97, 0.86}}},
};

/* An experiment of two runs, d=0 and d=500, with one sample of each operation. */
struct case_data {
	struct experiment x;
	struct run runs[2];
	struct plan_job jobs[2][2];
	struct plan_thread places[2][2]; /* all on cores of the same kind */
	struct plan_op ops[2][OPS];
	struct op_result results[2][OPS];
	struct sample samples[2][OPS];
	struct thread_sample threads[2][OPS][2];
};

static void build_run(struct case_data *c, int run, const double costs[2][OPS])
{
	struct run *t = &c->runs[run];

	t->request = (struct request){.confidence = 0.95};
	c->jobs[run][1].common.sleep_ns = run * 500000000ull;
	for (int op = 0; op < OPS; op++) {
		c->ops[run][op].jobs = c->jobs[run];
		c->samples[run][op] = (struct sample){.threads = c->threads[run][op]};
		for (int k = 0; k < 2; k++)
			c->threads[run][op][k].end_ns = (uint64_t)llround(costs[k][op] * 1e9);
		c->results[run][op] =
			(struct op_result){.samples = &c->samples[run][op], .count = 1};
	}
	t->plan = (struct plan){.request = &t->request,
		.threads = c->places[run],
		.nthreads = 2,
		.ops = c->ops[run],
		.nops = OPS};
	t->samples = (struct samples){.plan = &t->plan, .ops = c->results[run]};
}

static const struct kernel kernel = {.unit = "access"};

static void build(struct case_data *c, const double first[2][OPS], const double second[2][OPS])
{
	struct errors e = {0};
	struct place at = {"thesis", 1};

	memset(c, 0, sizeof(*c));
	for (int t = 0; t < 2; t++)
		for (int k = 0; k < 2; k++)
			c->jobs[t][k].kernel = &kernel;
	c->x = (struct experiment){.runs = c->runs, .nruns = 2};
	lines_add(&c->x.file.sweep, "sweep", "d = 0 500", at);
	words_split(&c->x.file.baseline, "d=0", " ");
	assert_int_equal(sweep_read(&c->x.sweep, &c->x.file, NULL, &e), 0);
	build_run(c, 0, first);
	build_run(c, 1, second);
}

static void release(struct case_data *c)
{
	sweep_free(&c->x.sweep);
	request_file_free(&c->x.file);
}

/* The usual scaling study: n = 1 2 with the baseline n=1. The memory has exactly the size for the
 * baseline's threads and operations, so that a sanitizer detects reads beyond them. */
static void a_baseline_of_fewer_threads_and_operations_has_no_figures_for_the_rest(void **state)
{
	static struct case_data c;
	double base;

	(void)state;
	build(&c, placements[0].overlap, placements[0].delayed);
	struct plan *p = &c.runs[0].plan;
	struct plan_job *one_job = malloc(sizeof(*one_job));
	struct plan_op *one_op = malloc(sizeof(*one_op));

	*one_job = c.jobs[0][0];
	*one_op = (struct plan_op){.label = p->ops[0].label, .jobs = one_job};
	p->ops = one_op;
	p->nops = 1;
	p->nthreads = 1;
	assert_true(isfinite(derive_gain(&c.x, 1, 0, 0, &base).value));
	assert_true(isnan(derive_gain(&c.x, 1, 0, 1, &base).value));
	assert_true(isnan(derive_gain(&c.x, 1, 1, 0, &base).value));
	assert_true(isnan(derive_hypothetical(&c.x, 1, 0, 1)));
	assert_true(isnan(derive_hypothetical(&c.x, 1, 1, 0)));
	free(one_job);
	free(one_op);
	release(&c);
}

/* The core explains the difference, not what the sweep changes; unless the file asks for it. */
static void a_thread_on_another_kind_of_cores_than_the_baseline_has_no_speedup(void **state)
{
	static struct case_data c;
	double base;

	(void)state;
	build(&c, placements[0].overlap, placements[0].delayed);
	c.places[1][1].kind = 1;
	assert_true(isfinite(derive_gain(&c.x, 1, 0, 0, &base).value));
	assert_true(isnan(derive_gain(&c.x, 1, 0, 1, &base).value));
	assert_true(isnan(derive_hypothetical(&c.x, 1, 0, 1)));
	assert_true(isfinite(derive_gain(&c.x, 1, 0, ALL_THREADS, &base).value));
	c.runs[1].plan.names_cores = true;
	assert_true(isfinite(derive_gain(&c.x, 1, 0, 1, &base).value));
	assert_true(isfinite(derive_hypothetical(&c.x, 1, 0, 1)));
	release(&c);
}

/* As the thesis prints: two decimals, further digits cut off. */
static double cut(double x)
{
	return floor(x * 100 + 1e-9) / 100;
}

static void speedups_of_the_delayed_runs_are_those_of_tables_5_21_to_5_23(void **state)
{
	static struct case_data c;

	(void)state;
	for (size_t i = 0; i < sizeof(placements) / sizeof(*placements); i++) {
		build(&c, placements[i].overlap, placements[i].delayed);
		for (int op = 0; op < OPS; op++) {
			double base, expected[3];

			for (int k = 0; k < 3; k++)
				expected[k] = placements[i].speedup[k][op];
			for (int k = 0; k < 2; k++) {
				double gain = derive_gain(&c.x, 1, op, k, &base).value;
				assert_true(fabs(cut(gain) - expected[k]) < 1e-9);
				assert_true(fabs(base - placements[i].overlap[k][op]) < 1e-9);
			}
			double hypothetical = derive_hypothetical(&c.x, 1, op, 1);
			assert_true(fabs(cut(hypothetical) - expected[2]) < 1e-9);
			assert_true(isnan(derive_hypothetical(&c.x, 1, op, 0)));
		}
		release(&c);
	}
}

/* Each thread of a run alone, with one sample of its reads. */
struct alone_data {
	struct plan plans[2];
	struct plan_op ops[2];
	struct op_result results[2];
	struct sample samples[2];
	struct thread_sample threads[2];
	struct samples solos[2];
};

static void run_alone(struct alone_data *a, struct run *t, const double costs[2])
{
	memset(a, 0, sizeof(*a));
	for (int k = 0; k < 2; k++) {
		a->threads[k].end_ns = (uint64_t)llround(costs[k] * 1e9);
		a->samples[k].threads = &a->threads[k];
		a->results[k] = (struct op_result){.samples = &a->samples[k], .count = 1};
		a->ops[k].jobs = &t->plan.ops[READ].jobs[k];
		a->plans[k] = (struct plan){.request = &t->request,
			.threads = &t->plan.threads[k],
			.nthreads = 1,
			.ops = &a->ops[k],
			.nops = 1};
		a->solos[k] = (struct samples){.plan = &a->plans[k], .ops = &a->results[k]};
	}
	t->solos = a->solos;
}

/* Reads: each thread alone from table 5.1 (row: node of the data, column: node of the thread; nodes
 * 0 and 2), together from 5.5-5.10. Table 5.11 itself comes from other runs; these tables do not
 * reproduce it. */
static void equation_4_1_gives_the_overheads_of_tables_5_5_to_5_10(void **state)
{
	static const struct {
		const char *name;
		double alone[2], together[2], percent;
	} cases[] = {
		{"none", {2.0307, 2.0281}, {2.0448, 2.0344}, 0.50},
		{"BQ", {6.0733, 6.0408}, {6.2586, 6.2119}, 2.86},
		{"MC", {2.0307, 6.0408}, {2.1008, 6.0895}, 1.45},
		{"MC+S", {2.0307, 2.0307}, {2.1509, 2.1705}, 6.02},
		{"twice as slow", {1, 1}, {2, 2}, 50},
		{"no overhead", {2, 3}, {2, 3}, 0},
		{"faster together", {2, 2}, {1, 1}, -100},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		static struct alone_data alone;
		static struct case_data c;
		double together[2][OPS] = {{0}};

		for (int k = 0; k < 2; k++)
			together[k][READ] = cases[i].together[k];
		build(&c, together, together);
		run_alone(&alone, &c.runs[0], cases[i].alone);
		double found = derive_overhead(&c.runs[0], READ, ALL_THREADS).value;
		assert_true(fabs(found - cases[i].percent) < 0.01);
		release(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "speedups of the delayed runs are those of tables 5.21 to 5.23",
			.test_func = speedups_of_the_delayed_runs_are_those_of_tables_5_21_to_5_23},
		{.name = "a baseline of fewer threads and operations has no figures for the rest",
			.test_func =
				a_baseline_of_fewer_threads_and_operations_has_no_figures_for_the_rest},
		{.name = "a thread on another kind of cores than the baseline has no speedup",
			.test_func =
				a_thread_on_another_kind_of_cores_than_the_baseline_has_no_speedup},
		{.name = "equation 4.1 gives the overheads of tables 5.5 to 5.10",
			.test_func = equation_4_1_gives_the_overheads_of_tables_5_5_to_5_10},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
