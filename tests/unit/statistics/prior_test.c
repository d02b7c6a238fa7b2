/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variances that many figures share, against what they were drawn from. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "statistics/prior.h"

enum { MANY = 20000 };

/* Draws m variances with df degrees of freedom: the true ones are 4 * prior_df / chi^2(prior_df),
 * the same for `alike` figures in a row; with dependent, the whole variance is. */
static void draw(struct variance *list, size_t m, double df, double prior_df, size_t alike)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double drawn = 0;

	for (size_t i = 0; i < m; i++) {
		double size = isinf(prior_df) ? 1 : prior_df / gsl_ran_chisq(rng, prior_df);

		if (i % alike == 0)
			drawn = gsl_ran_chisq(rng, df) / df;
		list[i] = (struct variance){4 * size * drawn, df, i / alike};
	}
	gsl_rng_free(rng);
}

static void near(double found, double expected, double part)
{
	if (!(fabs(found / expected - 1) < part))
		fail_msg("%g is not near %g", found, expected);
}

static void what_was_drawn_is_found(void **state)
{
	static const double dfs[] = {1, 2, 4, 9}, priors[] = {2, 5, 20};
	static struct variance list[MANY];

	(void)state;
	for (size_t i = 0; i < sizeof(dfs) / sizeof(*dfs); i++)
		for (size_t k = 0; k < sizeof(priors) / sizeof(*priors); k++) {
			draw(list, MANY, dfs[i], priors[k], 1);
			struct prior p = prior_fit(list, MANY);

			assert_int_equal(p.figures, MANY);
			near(p.df, priors[k], priors[k] > 10 ? 0.4 : 0.2);
			near(p.variance, 4, 0.1);
		}
}

/* Ten figures in a row vary alike: their pairs would say that variances are closer than they are.
 */
static void figures_that_depend_on_each_other_do_not_spoil_it(void **state)
{
	static struct variance list[MANY];

	(void)state;
	draw(list, MANY, 2, 5, 10);
	struct prior p = prior_fit(list, MANY);

	near(p.df, 5, 0.25);
	near(p.variance, 4, 0.1);
	assert_int_equal(p.groups, MANY / 10);
	near(p.most, MANY / 10 * 2, 1e-12);
	/* few groups: the pairs of a group, which are too alike, would make the common size count
	 * for more
	 */
	double sum = 0, sum_alone = 0;

	for (size_t i = 0; i < MANY; i += 40) {
		sum += 1 / prior_fit(list + i, 40).df;
		for (size_t k = 0; k < 40; k++)
			list[i + k].group = k;
		sum_alone += 1 / prior_fit(list + i, 40).df;
	}
	assert_true(sum > 1.3 * sum_alone);
}

static void variances_that_are_all_alike_become_one(void **state)
{
	struct variance list[] = {{1, 4, 0}, {1.1, 4, 1}, {0.9, 4, 2}, {1, 4, 3}}, moderated;
	struct prior p = prior_fit(list, 4);

	(void)state;
	assert_true(isinf(p.df));
	moderated = prior_moderate(&p, list[1]);
	assert_true(fabs(moderated.value - 1) < 1e-12 && moderated.df == 16);
}

static void a_moderated_variance_lies_between(void **state)
{
	const struct prior p = {.figures = 30, .groups = 5, .variance = 1, .df = 3, .most = 10};
	struct variance v = prior_moderate(&p, (struct variance){5, 1, 7});

	(void)state;
	assert_true(fabs(v.value - 2) < 1e-12 && v.df == 4 && v.group == 7);
	/* no more degrees of freedom than all groups have together */
	v = prior_moderate(&p, (struct variance){5, 9, 0});
	assert_true(v.df == 10);
	/* nothing is shared */
	v = prior_moderate(&PRIOR_NONE, (struct variance){5, 9, 0});
	assert_true(v.value == 5 && v.df == 9);
}

static void nothing_is_shared_by_one_group_or_beside_zero(void **state)
{
	struct variance list[] = {{1, 2, 0}, {2, 2, 0}, {3, 2, 0}};

	(void)state;
	assert_int_equal(prior_fit(list, 3).figures, 0);
	assert_int_equal(prior_fit(list, 0).figures, 0);
	list[2].group = 1;
	assert_int_equal(prior_fit(list, 3).figures, 3);
	list[1].value = 0;
	assert_int_equal(prior_fit(list, 3).figures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the distribution of variances is the one that they were drawn from",
			.test_func = what_was_drawn_is_found},
		{.name = "figures of a group that depend on each other do not spoil it",
			.test_func = figures_that_depend_on_each_other_do_not_spoil_it},
		{.name = "variances that are all alike become one",
			.test_func = variances_that_are_all_alike_become_one},
		{.name = "a moderated variance lies between its own and the common one",
			.test_func = a_moderated_variance_lies_between},
		{.name = "nothing is shared by a single group, or beside a variance of 0",
			.test_func = nothing_is_shared_by_one_group_or_beside_zero},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
