/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the model, and parameters that are known recovered from runs made of them. Without
 * an argument 60 fits and a wide limit; with the argument `all` 1000 (make worth-of-model). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "equal.h"
#include "tables.h"

/* ns a unit by hops: read, write, read_write, write_read; 2 hops of the last are not known */
static double alone[] = {10, 25, 30, 90, 150, 190, 15, 24, 30, 18, 30, NAN};
static const struct model model = {alone, 0.8, 0.9, 0.75};

#define READ  0
#define WRITE 1

static double ends[64];

static int predict(const struct model_thread *t, size_t n)
{
	return model_predict(&ring, &model, t, n, ends);
}

static void a_thread_alone_costs_its_units(void **state)
{
	(void)state;
	assert_int_equal(predict(&(struct model_thread){0, 2, READ, 0, 1000, 0.5, 70, NULL}, 1), 0);
	assert_true(is(ends[0], 70 + 30 * 500));
}

static void threads_that_share_nothing_do_not_wait(void **state)
{
	const struct model_thread t[] = {
		{0, 0, READ, 0, 1000, 1, 0, NULL}, {2, 2, READ, 1, 1000, 1, 0, NULL}};

	(void)state;
	assert_int_equal(predict(t, 2), 0);
	assert_true(is(ends[0], 10000) && is(ends[1], 10000));
}

static void lines_of_others_on_the_way_back_count_little(void **state)
{
	const struct model_thread same[] = {
		{0, 2, READ, 0, 1000, 1, 0, NULL}, {0, 2, READ, 1, 1000, 1, 0, NULL}};
	const struct model_thread back[] = {
		{0, 2, READ, 0, 1000, 1, 0, NULL}, {2, 0, READ, 1, 1000, 1, 0, NULL}};

	(void)state;
	assert_int_equal(predict(same, 2), 0);
	const double together = ends[0];

	assert_true(together > 31000);
	assert_int_equal(predict(back, 2), 0);
	assert_true(ends[0] > 30001 && ends[0] - 30000 < (together - 30000) / 5);
}

/* However many threads ask for it, no more than the bandwidth comes, and nearly all of it does. */
static void threads_share_a_bandwidth_in_proportion(void **state)
{
	struct model_thread t[64];

	(void)state;
	for (size_t n = 1; n <= 64; n *= 2) {
		double lines = 0;

		for (size_t i = 0; i < n; i++)
			t[i] = (struct model_thread){1, 1, READ, i, 1000, 1, 0, NULL};
		assert_int_equal(predict(t, n), 0);
		for (size_t i = 0; i < n; i++) {
			assert_true(is(ends[i], ends[0]));
			lines += 1000 / ends[i];
		}
		assert_true(lines * MODEL_LINE < bandwidths[5]);
		assert_true(n < 64 || lines * MODEL_LINE > 0.9 * bandwidths[5]);
	}
}

/* Lines a ns of threads that all run all the time. */
static double lines_of(const struct model_thread *t, size_t n, const double *costs, size_t node)
{
	double lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += t[i].node == node ? 1 / costs[i] : 0;
	return lines;
}

/* The same where a profile has shown next to no wait; the half from afar is held by its path. */
static void a_small_queue_gives_no_more_than_there_is(void **state)
{
	static const double queues[] = {1e-3, 0.05, 0.3};
	struct model_thread t[64];

	(void)state;
	for (size_t q = 0; q < 3; q++)
		for (size_t n = 2; n <= 64; n *= 2) {
			const struct model p = {alone, queues[q], 1, 1};

			for (size_t i = 0; i < n; i++)
				t[i] = (struct model_thread){i % 2 ? 1 : 3, 1,
					i % 4 < 2 ? READ : WRITE, i, 1, 1, 0, NULL};
			assert_int_equal(model_steady(&ring, &p, t, n, ends), 0);
			for (size_t i = 4; i < n; i++)
				assert_true(fabs(ends[i] / ends[i % 4] - 1) < 1e-6);
			const double near = MODEL_LINE * lines_of(t, n, ends, 1),
				     far = MODEL_LINE * lines_of(t, n, ends, 3);

			assert_true(far <= bandwidths[3 * NODES + 1] * (1 + 1e-9));
			assert_true(near + far <= bandwidths[1 * NODES + 1] * (1 + 1e-9));
			assert_true(n < 64 || near + far > 0.9 * bandwidths[1 * NODES + 1]);
		}
}

static void threads_of_a_vector_behind_a_cache_run_in_step(void **state)
{
	const struct model_thread t[] = {
		{0, 2, READ, 0, 1000, 1, 0, NULL}, {0, 2, READ, 0, 1000, 1, 500, NULL}};

	(void)state;
	assert_int_equal(predict(t, 2), 0);
	assert_true(is(ends[0], 30000) && is(ends[1], 30500));
}

static void threads_of_a_vector_go_at_the_pace_of_the_farthest(void **state)
{
	const struct model_thread t[] = {
		{0, 0, READ, 0, 1000, 1, 0, NULL}, {2, 0, READ, 0, 1000, 1, 0, NULL}};

	(void)state;
	assert_int_equal(predict(t, 2), 0);
	assert_true(is(ends[0], 30000) && is(ends[1], 30000));
}

/* By hand: reads out of step go at 30 * 0.75 and 30 * 0.9 ns where both run, else as alone. */
static void out_of_step_readers_find_lines_of_each_other(void **state)
{
	const struct model_thread late[] = {
		{0, 0, READ, 0, 1000, 1, 0, NULL}, {2, 0, READ, 0, 1000, 1, 4000, NULL}};
	const struct model_thread half[] = {
		{0, 0, WRITE, 0, 1000, 1, 0, NULL}, {2, 0, WRITE, 0, 1000, 0.5, 0, NULL}};

	(void)state;
	assert_int_equal(predict(late, 2), 0);
	const double first = 4000 + 600 * 22.5; /* 400 units are done before thread 1 starts */

	assert_true(is(ends[0], first));
	assert_true(is(ends[1], first + (1000 - 600 * 22.5 / 27) * 30));
	/* writers: 190 ns on the half that both visit, 90 on the other */
	assert_int_equal(predict(half, 2), 0);
	assert_true(is(ends[1], 500 * 190));
	assert_true(is(ends[0], 500 * 190 + (1000 - 500 * 190 / 140.0) * 90));
}

/* As the first and the last of the phases above, for ever. */
static void threads_that_run_all_the_time_have_constant_costs(void **state)
{
	const struct model_thread t[] = {
		{0, 0, READ, 0, 0, 1, 0, NULL}, {2, 0, READ, 0, 0, 0.5, 7, NULL}};

	(void)state;
	assert_int_equal(model_steady(&ring, &model, t, 2, ends), 0);
	assert_true(is(ends[0], 0.5 * 22.5 + 0.5 * 10) && is(ends[1], 27));
	assert_int_equal(model_steady(&ring, &model, t, 1, ends), 0);
	assert_true(is(ends[0], 10));
}

static void what_is_not_known_is_refused(void **state)
{
	const struct model_thread unknown = {0, 2, 3, 0, 1000, 1, 0, NULL};
	const struct model_thread sharers[] = {
		{0, 0, 3, 0, 1000, 1, 0, NULL}, {2, 0, READ, 0, 1000, 1, 0, NULL}};
	const struct model_thread apart[] = {
		{0, 1, READ, 0, 1000, 1, 0, NULL}, {2, 0, READ, 1, 1000, 1, 0, NULL}};
	struct model_machine m = ring;
	double paths[NODES * NODES];

	(void)state;
	assert_int_equal(predict(&unknown, 1), -1);
	/* alone it is known, but not at the pace of the other */
	assert_int_equal(predict(&sharers[0], 1), 0);
	assert_int_equal(predict(sharers, 2), -1);
	memcpy(paths, bandwidths, sizeof(paths));
	paths[1] = NAN;
	m.bandwidth = paths;
	assert_int_equal(model_predict(&m, &model, apart, 2, ends), -1);
	assert_int_equal(model_predict(&m, &model, apart, 1, ends), 0);
}

static void a_margin_needs_enough_residuals(void **state)
{
	double r[] = {-3, 1, 2, -5, 4, 0.5, -6, 7, 8};

	(void)state;
	assert_true(is(learn_margin(r, 9, 0.9), 8));
	assert_true(isnan(learn_margin(r, 8, 0.9)));
	assert_true(isnan(learn_margin(r, 0, 0.9)));
	assert_true(is(learn_margin(r, 9, 0.5), 4));
}

static void the_worst_thread_of_a_run_counts_with_its_sign(void **state)
{
	static const double measured[] = {4, 1, 3}, predicted[] = {2, 1, 2}, late[] = {4, 8, 3};

	(void)state;
	assert_true(is(learn_worst(measured, predicted, 3), log(2)));
	assert_true(is(learn_worst(measured, late, 3), -log(8)));
	assert_true(learn_worst(measured, measured, 3) == 0);
}

static void too_few_runs_teach_nothing(void **state)
{
	const struct model_thread t = {0, 0, READ, 0, 1000, 1, 0, NULL};
	const double end = 10000;
	const struct learn_run run = {&t, &end, 1, 0, 0, false};
	double room[12];
	struct model p = {.alone = room};

	(void)state;
	assert_int_equal(learn_model(&(struct learn){&ring, &run, 1}, LEARN_NONE, &p, NULL), 4);
	assert_int_equal(learn_model(&(struct learn){&ring, &run, 0}, LEARN_NONE, &p, NULL), -1);
	assert_int_equal(learn_alone(&(struct learn){&ring, &run, 0}, &p), -1);
	assert_int_equal(learn_alone(&(struct learn){&ring, &run, 1}, &p), 1);
	assert_true(is(p.alone[0], 10) && isnan(p.alone[1]));
}

static struct tables tables;
#define FITS 1000

/* The runs of the thesis as they would be if the model were true, with errors of 1 %. */
static void draw(gsl_rng *rng, const struct model *truth)
{
	for (size_t i = 0; i < tables.count; i++) {
		const struct learn_run *r = &tables.runs[i];

		assert_int_equal(
			model_predict(&ring, truth, r->threads, r->count, tables.all[i].ends), 0);
		for (size_t k = 0; k < r->count; k++)
			tables.all[i].ends[k] *= exp(gsl_ran_gaussian(rng, 0.01));
	}
}

/* Within 1.96 standard errors? What is known beforehand moves the parameters a little. */
static size_t within(
	const struct model *found, const struct model *errors, const struct model *truth)
{
	size_t n = 0;

	for (size_t i = 0; i < ring.kernels * ring.classes; i++)
		n += fabs(log(found->alone[i] / truth->alone[i])) < 1.96 * errors->alone[i];
	n += fabs(log(found->queue / truth->queue)) < 1.96 * errors->queue;
	n += fabs(log(found->follow / truth->follow)) < 1.96 * errors->follow;
	return n + (fabs(log(found->lead / truth->lead)) < 1.96 * errors->lead);
}

static void parameters_are_recovered_within_their_errors(void **state)
{
	double known[12], found[12], of[12];
	struct model truth = {known, 0.8, 0.9, 0.75}, p = {.alone = found}, errors = {.alone = of};
	const struct learn l = {&ring, tables.runs, tables.count};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	size_t good = 0, n = 15 * FITS;

	(void)state;
	memcpy(known, alone, sizeof(known));
	known[11] = 38;
	for (size_t i = 0; i < FITS; i++) {
		draw(rng, &truth);
		assert_int_equal(learn_model(&l, LEARN_NONE, &p, &errors), 15);
		good += within(&p, &errors, &truth);
	}
	gsl_rng_free(rng);
	const double share = (double)good / (double)n;

	/* four standard errors of a share, and a half for what is known beforehand */
	assert_true(fabs(share - 0.95) < 0.005 + 4 * sqrt(0.95 * 0.05 / (double)n));
}

/* Of threads alone, and of those with a vector each, which never follow each other. */
static void what_no_run_shows_has_no_error(void **state)
{
	static struct learn_run runs[TABLE_RUNS];
	double found[12], of[12];
	struct model p = {.alone = found}, errors = {.alone = of};
	struct learn l = {&ring, runs, 0};

	(void)state;
	for (size_t i = 0; i < tables.count; i++)
		if (tables.all[i].experiment == 0)
			runs[l.count++] = tables.runs[i];
	assert_int_equal(learn_model(&l, LEARN_NONE, &p, &errors), 15);
	assert_true(isfinite(errors.alone[0]));
	assert_true(isnan(errors.queue) && isnan(errors.follow) && isnan(errors.lead));
	for (size_t i = 0; i < tables.count; i++)
		if (tables.all[i].experiment == 1)
			runs[l.count++] = tables.runs[i];
	assert_int_equal(learn_model(&l, LEARN_NONE, &p, &errors), 15);
	assert_true(isfinite(errors.queue));
	assert_true(isnan(errors.follow) && isnan(errors.lead));
}

static int read_tables(void **state)
{
	(void)state;
	return tables_read(&tables);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a thread alone costs its units, after its start",
			.test_func = a_thread_alone_costs_its_units},
		{.name = "threads that share nothing do not wait",
			.test_func = threads_that_share_nothing_do_not_wait},
		{.name = "lines of others on the way back count little",
			.test_func = lines_of_others_on_the_way_back_count_little},
		{.name = "threads share a bandwidth in proportion",
			.test_func = threads_share_a_bandwidth_in_proportion},
		{.name = "a small queue gives threads no more than there is",
			.test_func = a_small_queue_gives_no_more_than_there_is},
		{.name = "threads of a vector behind one cache run in step",
			.test_func = threads_of_a_vector_behind_a_cache_run_in_step},
		{.name = "threads of a vector go at the pace of the farthest",
			.test_func = threads_of_a_vector_go_at_the_pace_of_the_farthest},
		{.name = "out of step, readers find lines of each other",
			.test_func = out_of_step_readers_find_lines_of_each_other},
		{.name = "threads that run all the time have constant costs",
			.test_func = threads_that_run_all_the_time_have_constant_costs},
		{.name = "what is not known is refused", .test_func = what_is_not_known_is_refused},
		{.name = "a margin needs enough residuals",
			.test_func = a_margin_needs_enough_residuals},
		{.name = "the worst thread of a run counts, with its sign",
			.test_func = the_worst_thread_of_a_run_counts_with_its_sign},
		{.name = "too few runs teach nothing", .test_func = too_few_runs_teach_nothing},
		{.name = "what no run shows has no standard error",
			.test_func = what_no_run_shows_has_no_error},
		{.name = "known parameters are recovered within their errors",
			.test_func = parameters_are_recovered_within_their_errors},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, read_tables, NULL);
}
