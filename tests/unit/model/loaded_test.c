/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loaded latency: on synthetic memories whose curve and waits are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "base/root.h"
#include "model/loaded.h"

#define IDLE   100.0 /* ns */
#define MOST   60.0  /* bytes per ns */
#define WAITS  0.1
#define GAPS   10
#define OTHERS 8

/* ns, by the bandwidth in use: a queue whose service always takes equally long */
static double law(double used)
{
	const double u = used / MOST;

	return IDLE + 60 * u * (1 - u / 2) / (1 - u);
}

struct memory {
	double alone;
	size_t others;
};

static double excess(double used, void *arg)
{
	const struct memory *m = arg;

	return (double)m->others * 64 / (m->alone + WAITS * (law(used) - IDLE)) - used;
}

/* A run of that memory, whose others cost `alone` ns a line alone. */
static struct loaded_run run_of(double alone, size_t others)
{
	struct memory m = {alone, others};
	const double latency = law(root_between(excess, &m, 0, MOST * (1 - 1e-9), 1e-12));
	struct loaded_run r = {latency, calloc(others, sizeof(*r.others)), others};

	assert_non_null(r.others);
	for (size_t i = 0; i < others; i++)
		r.others[i] = (struct loaded_other){1, alone, alone + WAITS * (latency - IDLE)};
	return r;
}

static void make(struct loaded_run *runs)
{
	for (size_t i = 0; i < GAPS; i++)
		runs[i] = run_of(5 * pow(2, (double)i / 2), OTHERS);
}

static void unmake(struct loaded_run *runs)
{
	for (size_t i = 0; i < GAPS; i++)
		free(runs[i].others);
}

static void fewer_threads_and_other_rates_are_on_the_curve(void **state)
{
	struct loaded_run runs[GAPS];
	struct loaded l;

	(void)state;
	make(runs);
	assert_int_equal(loaded_fit(&l, IDLE, runs, GAPS, GAPS), 0);
	assert_true(fabs(l.waits - WAITS) < 1e-6);
	for (size_t others = 1; others <= OTHERS; others++) {
		struct loaded_run expected = run_of(6, others), found = run_of(6, others);

		found.latency = NAN;
		assert_int_equal(loaded_predict(&l, &found), 0);
		assert_true(fabs(found.latency / expected.latency - 1) < 0.03);
		assert_true(fabs(found.others[0].cost / expected.others[0].cost - 1) < 0.03);
		free(expected.others);
		free(found.others);
	}
	loaded_free(&l);
	unmake(runs);
}

/* The law of the runs from `from` on, whose latencies beyond idle are `times` as long. */
static void fit_part(struct loaded *l, struct loaded_run *runs, size_t from, double times)
{
	for (size_t i = from; i < GAPS; i++)
		runs[i].latency = IDLE + times * (runs[i].latency - IDLE);
	assert_int_equal(loaded_fit(l, IDLE, runs + from, GAPS - from, GAPS), 0);
}

static void between_two_laws_lies_their_mean_as_far_as_both_go(void **state)
{
	struct loaded_run runs[GAPS], others[GAPS];
	struct loaded a, b, l;

	(void)state;
	make(runs);
	make(others);
	fit_part(&a, runs, 0, 1);
	fit_part(&b, others, 4, 3);
	loaded_between(&l, &a, &b, 0.25);
	assert_true(l.used[l.count - 1] == b.used[b.count - 1] &&
		    a.used[a.count - 1] > 1.2 * l.used[l.count - 1]);
	for (size_t i = 0; i < l.count; i++)
		assert_true(
			fabs(loaded_latency(&l, l.used[i]) - 0.75 * loaded_latency(&a, l.used[i]) -
				0.25 * loaded_latency(&b, l.used[i])) < 1e-9);
	assert_true(fabs(l.waits - 0.75 * a.waits - 0.25 * b.waits) < 1e-12);
	assert_true(isnan(loaded_latency(&l, 1.01 * l.used[l.count - 1])));
	loaded_free(&a);
	loaded_free(&b);
	loaded_free(&l);
	unmake(runs);
	unmake(others);
}

static void what_was_measured_is_predicted(void **state)
{
	struct loaded_run runs[GAPS];
	struct loaded l;

	(void)state;
	make(runs);
	assert_int_equal(loaded_fit(&l, IDLE, runs, GAPS, GAPS), 0);
	for (size_t i = 0; i < GAPS; i++) {
		const double latency = runs[i].latency;

		assert_int_equal(loaded_predict(&l, &runs[i]), 0);
		assert_true(fabs(runs[i].latency / latency - 1) < 1e-3);
	}
	loaded_free(&l);
	unmake(runs);
}

static void more_than_the_largest_load_is_not_known(void **state)
{
	struct loaded_run runs[GAPS], more = run_of(5, OTHERS + 2);
	struct loaded l;

	(void)state;
	make(runs);
	assert_int_equal(loaded_fit(&l, IDLE, runs, GAPS, 0), 0); /* the largest is left out */
	assert_true(isnan(loaded_latency(&l, loaded_used(&runs[0]))));
	assert_int_equal(loaded_predict(&l, &more), -1);
	assert_int_equal(loaded_predict(&l, &runs[0]), -1);
	loaded_free(&l);
	free(more.others);
	unmake(runs);
}

/* From none to the largest load the curve never falls, whatever the errors of 5 %. */
static void noise_makes_no_latency_fall(void **state)
{
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (size_t trial = 0; trial < 200; trial++) {
		struct loaded_run runs[GAPS];
		struct loaded l;
		double before = 0;

		make(runs);
		for (size_t i = 0; i < GAPS; i++)
			runs[i].latency *= exp(gsl_ran_gaussian(r, 0.05));
		assert_int_equal(loaded_fit(&l, IDLE, runs, GAPS, GAPS), 0);
		assert_true(l.waits >= 0);
		for (size_t i = 0; i <= 100; i++) {
			const double at = l.used[l.count - 1] * (double)i / 100;

			assert_true(loaded_latency(&l, at) >= before - 1e-9);
			before = loaded_latency(&l, at);
		}
		loaded_free(&l);
		unmake(runs);
	}
	gsl_rng_free(r);
}

/* Of costs whose errors are Gaussian, 1 %. */
static void waits_are_within_their_errors(void **state)
{
	gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
	size_t within = 0;

	(void)state;
	for (size_t trial = 0; trial < 1000; trial++) {
		struct loaded_run runs[GAPS];
		struct loaded l;

		make(runs);
		for (size_t i = 0; i < GAPS; i++)
			for (size_t k = 0; k < OTHERS; k++)
				runs[i].others[k].cost *= exp(gsl_ran_gaussian(r, 0.01));
		assert_int_equal(loaded_fit(&l, IDLE, runs, GAPS, GAPS), 0);
		within += fabs(l.waits - WAITS) < 1.96 * l.error;
		loaded_free(&l);
		unmake(runs);
	}
	gsl_rng_free(r);
	print_message("%zu of 1000\n", within);
	assert_true(within > 920);
}

static void too_few_loads_make_no_curve(void **state)
{
	struct loaded_run runs[GAPS];
	struct loaded l;

	(void)state;
	make(runs);
	assert_int_equal(loaded_fit(&l, IDLE, runs, 1, 1), -1);
	loaded_free(&l);
	assert_int_equal(loaded_fit(&l, NAN, runs, GAPS, GAPS), -1);
	loaded_free(&l);
	unmake(runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fewer_threads_and_other_rates_are_on_the_curve),
		cmocka_unit_test(between_two_laws_lies_their_mean_as_far_as_both_go),
		cmocka_unit_test(what_was_measured_is_predicted),
		cmocka_unit_test(more_than_the_largest_load_is_not_known),
		cmocka_unit_test(noise_makes_no_latency_fall),
		cmocka_unit_test(waits_are_within_their_errors),
		cmocka_unit_test(too_few_loads_make_no_curve),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
