/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the model that are fitted by themselves: the staircase, shared cores, lines that go
 * round. Known parameters are recovered from 1000 fits to figures with errors of 1 %. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "model/core.h"
#include "model/levels.h"
#include "model/transfer.h"

#include "equal.h"

#define FITS  1000
#define ERROR 0.01

static gsl_rng *rng;

static double noise(void)
{
	return 1 + gsl_ran_gaussian(rng, ERROR);
}

/* Within as many standard errors as 95 % are, where they come from so few figures? */
static size_t within(double found, double truth, double error, size_t figures, size_t parameters)
{
	return fabs(found - truth) <
	       gsl_cdf_tdist_Pinv(0.975, (double)(figures - parameters)) * error;
}

/* Of FITS fits, four standard errors of a share; parameters of one fit go together. */
static void are_recovered(size_t good, size_t parameters)
{
	const double share = (double)good / (double)(FITS * parameters);

	if (fabs(share - 0.95) < 4 * sqrt(0.95 * 0.05 / FITS))
		return;
	print_message("# %.1f %% are within their errors\n", 100 * share);
	fail();
}

/* L1, L2, L3, and a TLB of 1536 entries of 4 KiB */
static const double reach[] = {32e3, 1e6, 1536 * 4096.0, 30e6};
static const double costs[] = {1.2, 2.5, 9, 4, 70};
#define STEPS 4

static void a_level_holds_what_fits(void **state)
{
	const struct levels random = {STEPS, reach, true}, order = {STEPS, reach, false};

	(void)state;
	assert_true(is(levels_cost(&random, costs, 20e3), 1.2));
	assert_true(is(levels_cost(&order, costs, 32e3), 1.2));
	/* half of what is visited at random is in the first level */
	assert_true(is(levels_cost(&random, costs, 64e3), 1.2 + 2.5 / 2));
	/* in order less survives: h = exp(-2 (1 - h)) */
	const double missed = levels_missed(&order, 0, 64e3);

	assert_true(fabs(1 - missed - exp(-2 * missed)) < 1e-9 && missed > 0.79 && missed < 0.8);
	/* far beyond all */
	assert_true(levels_cost(&order, costs, 1e12) > 86.7 - 1e-3);
	assert_true(levels_cost(&random, costs, 1e12) < 86.7);
}

static void more_bytes_never_cost_less(void **state)
{
	(void)state;
	for (int random = 0; random < 2; random++) {
		const struct levels l = {STEPS, reach, random};
		double last = 0;

		for (double bytes = 1e3; bytes < 1e10; bytes *= 1.01) {
			const double cost = levels_cost(&l, costs, bytes);

			assert_true(cost >= last);
			last = cost;
		}
	}
}

/* Two threads whose vectors fit a cache alone, but not together, and of two the larger gets more.
 */
static void threads_share_a_cache_in_proportion(void **state)
{
	double less[STEPS];
	const struct levels own = {STEPS, reach, true}, shared = {STEPS, less, true};

	(void)state;
	memcpy(less, reach, sizeof(less));
	less[3] = levels_shared(reach[3], 20e6, 40e6);
	assert_true(is(less[3], 15e6));
	assert_true(is(levels_missed(&own, 3, 20e6), 0));
	assert_true(is(levels_missed(&shared, 3, 20e6), 0.25));
	assert_true(is(levels_shared(30e6, 30e6, 40e6), 22.5e6));
	assert_true(is(levels_shared(30e6, 10e6, 10e6), 30e6));
}

#define SIZES 12

static void draw_staircase(const struct levels *l, struct levels_point *p)
{
	static const double sizes[SIZES] = {
		8e3, 16e3, 60e3, 300e3, 800e3, 2e6, 5e6, 12e6, 25e6, 60e6, 120e6, 500e6};

	for (size_t i = 0; i < SIZES; i++)
		p[i] = (struct levels_point){sizes[i], levels_cost(l, costs, sizes[i]) * noise()};
}

static void a_staircase_is_recovered(void **state)
{
	struct levels_point p[SIZES];
	double found[STEPS + 1], errors[STEPS + 1];

	(void)state;
	for (int random = 0; random < 2; random++) {
		const struct levels l = {STEPS, reach, random};
		size_t good = 0;

		for (size_t n = 0; n < FITS; n++) {
			draw_staircase(&l, p);
			assert_int_equal(levels_fit(&l, p, SIZES, found, errors), 0);
			for (size_t i = 0; i <= STEPS; i++)
				good += within(found[i], costs[i], errors[i], SIZES, STEPS + 1);
		}
		are_recovered(good, STEPS + 1);
	}
}

static void steps_between_which_nothing_was_measured_are_refused(void **state)
{
	const struct levels l = {STEPS, reach, false};
	struct levels_point p[SIZES];
	double found[STEPS + 1];

	(void)state;
	draw_staircase(&l, p);
	assert_int_equal(
		levels_fit(&l, p, SIZES - 3, found, NULL), -1); /* nothing beyond the last */
	assert_int_equal(levels_fit(&l, p, 0, found, NULL), -1);
	for (size_t i = 0; i < SIZES; i++) /* nothing in the second */
		if (p[i].bytes > 32e3 && p[i].bytes < 4e6)
			p[i].bytes = 5e6;
	assert_int_equal(levels_fit(&l, p, SIZES, found, NULL), -1);
}

#define KERNELS 3
static double extras[] = {0.8, 0.1, 0.3, 0.05, 0, 0.2, 0.4, 0.15, 0.9};

static void threads_beside_others_on_a_core_cost_more(void **state)
{
	const struct core_model m = {KERNELS, extras};
	const size_t three[] = {0, 1, 2};

	(void)state;
	assert_true(is(core_ratio(&m, three, 3, 0), 1.4));
	assert_true(is(core_ratio(&m, three, 2, 1), 1.05));
	assert_true(is(core_ratio(&m, three, 1, 0), 1));
}

static void what_runs_side_by_side_cost_is_recovered(void **state)
{
	const struct core_model truth = {KERNELS, extras};
	double found[KERNELS * KERNELS], errors[KERNELS * KERNELS], ratios[3 * 6][2];
	size_t kernels[3 * 6][2], good = 0;
	struct core_run runs[3 * 6];
	struct core_model m = {KERNELS, found};

	(void)state;
	for (size_t n = 0; n < FITS; n++) {
		size_t at = 0;

		for (size_t i = 0; i < 3; i++) /* three times each of the six pairs */
			for (size_t a = 0; a < KERNELS; a++)
				for (size_t b = a; b < KERNELS; b++, at++) {
					kernels[at][0] = a;
					kernels[at][1] = b;
					for (size_t k = 0; k < 2; k++)
						ratios[at][k] =
							core_ratio(&truth, kernels[at], 2, k) *
							noise();
					runs[at] = (struct core_run){kernels[at], ratios[at], 2};
				}
		assert_int_equal(core_fit(&m, runs, at, errors), 9);
		for (size_t i = 0; i < 9; i++)
			good += within(found[i], extras[i], errors[i], 36, 9);
	}
	are_recovered(good, 9);
}

static void a_pair_that_was_not_measured_is_not_known(void **state)
{
	const size_t pair[] = {0, 0}, other[] = {0, 2};
	const double ratios[] = {1.5, 1.6};
	const struct core_run runs[] = {{pair, ratios, 2}, {pair, ratios, 2}};
	double found[KERNELS * KERNELS];
	struct core_model m = {KERNELS, found};

	(void)state;
	assert_int_equal(core_fit(&m, runs, 2, NULL), 1);
	assert_true(core_ratio(&m, pair, 2, 0) > 1.5 && core_ratio(&m, pair, 2, 0) < 1.6);
	assert_true(isnan(core_ratio(&m, other, 2, 0)));
	assert_int_equal(core_fit(&m, runs, 0, NULL), 0);
}

/* Two nodes of two CPUs: 40 ns on a node, 110 between them. */
static const double matrix[] = {
	NAN, 40, 110, 110, 40, NAN, 110, 110, 110, 110, NAN, 40, 110, 110, 40, NAN};

static void lines_go_round_all_threads(void **state)
{
	const size_t cpus[] = {0, 1, 2, 3};
	const struct transfer t = {10, 1.5};

	(void)state;
	assert_true(is(transfer_mean(matrix, 4, cpus, 2), 40));
	assert_true(is(transfer_mean(matrix, 4, cpus + 1, 2), 110));
	assert_true(is(transfer_mean(matrix, 4, cpus, 4), (4 * 40 + 8 * 110) / 12.0));
	assert_true(is(transfer_cost(&t, 1, 110), 10 + 1.5 * 110));
	assert_true(is(transfer_cost(&t, 0, transfer_mean(matrix, 4, cpus, 1)), 10));
	assert_true(isnan(transfer_mean(matrix, 4, (size_t[]){1, 1}, 2)));
}

static void turns_are_recovered(void **state)
{
	static const size_t sets[6][4] = {
		{0, 1}, {0, 2}, {1, 3}, {0, 1, 2}, {0, 2, 3}, {0, 1, 2, 3}};
	static const size_t counts[6] = {2, 2, 2, 3, 3, 4};
	const struct transfer truth = {25, 1.4};
	struct transfer_run runs[6];
	size_t good = 0;

	(void)state;
	for (size_t n = 0; n < FITS; n++) {
		struct transfer found, errors;

		for (size_t i = 0; i < 6; i++) {
			runs[i].steps = (double)(counts[i] - 1);
			runs[i].mean = transfer_mean(matrix, 4, sets[i], counts[i]);
			runs[i].cost = transfer_cost(&truth, runs[i].steps, runs[i].mean) * noise();
		}
		assert_int_equal(transfer_fit(&found, runs, 6, &errors), 0);
		good += within(found.own, truth.own, errors.own, 6, 2);
		good += within(found.turns, truth.turns, errors.turns, 6, 2);
	}
	are_recovered(good, 2);
	runs[1] = runs[2] = runs[0];
	assert_int_equal(transfer_fit(&(struct transfer){0, 0}, runs, 3, NULL), -1);
	assert_int_equal(transfer_fit(&(struct transfer){0, 0}, runs, 0, NULL), -1);
}

static int begin(void **state)
{
	(void)state;
	rng = gsl_rng_alloc(gsl_rng_mt19937);
	return rng ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	gsl_rng_free(rng);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "a level of cache holds what fits", .test_func = a_level_holds_what_fits},
		{.name = "more bytes never cost less", .test_func = more_bytes_never_cost_less},
		{.name = "threads share a cache in proportion",
			.test_func = threads_share_a_cache_in_proportion},
		{.name = "a known staircase is recovered within its errors",
			.test_func = a_staircase_is_recovered},
		{.name = "steps between which nothing was measured are refused",
			.test_func = steps_between_which_nothing_was_measured_are_refused},
		{.name = "threads beside others on a core cost more",
			.test_func = threads_beside_others_on_a_core_cost_more},
		{.name = "what kernels cost each other on a core is recovered within its errors",
			.test_func = what_runs_side_by_side_cost_is_recovered},
		{.name = "a pair of kernels that was not measured is not known",
			.test_func = a_pair_that_was_not_measured_is_not_known},
		{.name = "lines go round all threads", .test_func = lines_go_round_all_threads},
		{.name = "known turns of lines are recovered within their errors",
			.test_func = turns_are_recovered},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, begin, end);
}
