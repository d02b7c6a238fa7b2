/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "statistics/robust.h"
#include "affinity-fleet/fleet.h"

/* Two resources of four figures, on two domains. */
#define FIGURES 8
#define SETS    (1 + 2 + 2 + FIGURES)
static const size_t resource[FIGURES] = {0, 0, 0, 0, 1, 1, 1, 1},
		    domain[FIGURES] = {0, 0, 1, 1, 0, 0, 1, 1};
static const struct fleet_layout layout = {FIGURES, 2, 2, resource, domain};

static void a_set_is_compared_with_what_surrounds_it(void **state)
{
	static const struct {
		double x[FIGURES], expected[SETS];
	} cases[] = {
		/* the whole node: nothing else stands out */
		{{3, 3, 3, 3, 3, 3, 3, 3}, {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		/* a resource */
		{{4, 4, 4, 4, 0, 0, 0, 0}, {2, 4, -4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
		/* a domain */
		{{5, 5, 0, 0, 5, 5, 0, 0}, {2.5, 0, 0, 5, -5, 5, 5, -5, -5, 5, 5, -5, -5}},
		/* a figure */
		{{8, 0, 0, 0, 0, 0, 0, 0}, {0, 2, -2, 2, -2, 8, 0, 0, 0, 0, 0, 0, 0}},
		/* a missing one is as the median of its resource, and has no score */
		{{NAN, 6, 6, 6, 0, 0, 0, 0}, {3, 6, -6, 0, 0, NAN, 0, 0, 0, 0, 0, 0, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double contrasts[SETS];

		fleet_contrasts(&layout, cases[i].x, contrasts);
		for (size_t s = 0; s < SETS; s++)
			if (isnan(cases[i].expected[s]))
				assert_true(isnan(contrasts[s]));
			else
				assert_float_equal(contrasts[s], cases[i].expected[s], 1e-9);
	}
}

static void what_has_no_surroundings_has_no_score(void **state)
{
	static const size_t one[] = {0, 0}, nowhere[] = {FLEET_NOWHERE, FLEET_NOWHERE};
	static const struct fleet_layout alone = {2, 1, 0, one, nowhere},
					 single = {1, 1, 0, one, nowhere};
	double contrasts[4];

	(void)state;
	fleet_contrasts(&alone, (double[]){1, 5}, contrasts);
	assert_float_equal(contrasts[0], 3, 1e-9);
	assert_true(isnan(contrasts[1]));
	assert_float_equal(contrasts[3], 4, 1e-9);
	fleet_contrasts(&single, (double[]){1}, contrasts);
	assert_true(isnan(contrasts[2]));
}

static void sets_are_numbered_by_kind(void **state)
{
	static const struct fleet_set expected[] = {
		{FLEET_NODE, 0}, {FLEET_RESOURCE, 0}, {FLEET_RESOURCE, 1}, {FLEET_DOMAIN, 0}};

	(void)state;
	assert_int_equal(fleet_sets(&layout), SETS);
	for (size_t s = 0; s < 4; s++) {
		assert_int_equal(fleet_set(&layout, s).kind, expected[s].kind);
		assert_int_equal(fleet_set(&layout, s).index, expected[s].index);
	}
	assert_int_equal(fleet_set(&layout, SETS - 1).kind, FLEET_FIGURE);
	assert_int_equal(fleet_set(&layout, SETS - 1).index, FIGURES - 1);
}

/* Four nodes whose runs differ by 1 or so; one run of node 3 was disturbed. */
static void disturbed_runs_do_not_count(void **state)
{
	static const size_t one[] = {0}, nowhere[] = {FLEET_NOWHERE};
	static const struct fleet_layout l = {1, 1, 0, one, nowhere};
	static const double three[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 90},
			    two[] = {0, 1, 3, 4, 6, 7, 0, 90}, lack[] = {0, 1, NAN, 2, NAN, NAN};
	double values[4];

	(void)state;
	fleet_clean(&l, 4, 3, three, values);
	assert_float_equal(values[0], 1, 1e-9);
	assert_float_equal(values[3], 0.5, 1e-9);
	fleet_clean(&l, 4, 2, two, values);
	assert_float_equal(values[0], 0.5, 1e-9);
	assert_float_equal(values[3], 0, 1e-9);
	fleet_clean(&l, 3, 2, lack, values);
	assert_float_equal(values[1], 2, 1e-9);
	assert_true(isnan(values[2]));
	fleet_clean(&l, 2, 1, three, values);
	assert_float_equal(values[1], 1, 1e-9);
}

static void limits_are_those_of_the_normal_distribution_for_many_nodes(void **state)
{
	static size_t places[40];
	static const struct fleet_layout l = {40, 4, 8, places, places};
	static const double suspect[] = {2.58, 2.81, 3.23, 3.17}, name[] = {3.81, 3.98, 4.29, 4.25};
	const struct fleet_limits s = fleet_limits(&l, 1000, FLEET_SUSPECT),
				  n = fleet_limits(&l, FLEET_NORMAL, FLEET_NAME);

	(void)state;
	for (int k = 0; k < FLEET_KINDS; k++) {
		assert_float_equal(s.of[k], suspect[k], 0.01);
		assert_float_equal(n.of[k], name[k], 0.01);
	}
}

static void few_nodes_have_wider_limits(void **state)
{
	const struct fleet_limits eight = fleet_limits(&layout, 8, FLEET_SUSPECT),
				  more = fleet_limits(&layout, 40, FLEET_SUSPECT);

	(void)state;
	for (int k = 0; k < FLEET_KINDS; k++) {
		assert_true(eight.of[k] > more.of[k]);
		assert_true(more.of[k] > robust_normal_limit(fleet_tail(
						 &layout, (enum fleet_kind)k, FLEET_SUSPECT)));
	}
}

/* Figures that are the same on all nodes differ by rounding; one slow node still has a score. */
static void equal_figures_have_a_least_scale(void **state)
{
	double values[5 * FIGURES] = {0}, scores[SETS], effects[SETS];

	(void)state;
	values[4 * FIGURES] = 10;
	struct fleet_scale s = fleet_scale_of(&layout, 5, values);

	fleet_score(&layout, &s, values + 4 * FIGURES, scores, effects);
	assert_float_equal(effects[SETS - FIGURES], 10, 1e-9);
	assert_true(isfinite(scores[SETS - FIGURES]) && scores[SETS - FIGURES] > 100);
	fleet_scale_free(&s);
}

/* Healthy nodes differ by 1 %, so that 5.645 % is not found by any number of runs. */
static void runs_are_as_many_as_the_least_effect_needs(const struct fleet_judge *j)
{
	double noisy[] = {0, 2}; /* a run, of the set 1 */
	struct fleet_noise noise = *j->noise;
	struct fleet_judge other = *j;

	noise.within = noisy;
	other.noise = &noise;
	assert_float_equal(fleet_between(&other, 1), 1, 1e-9);
	assert_int_equal(fleet_runs_for(&other, 1, 5), 0);
	assert_int_equal(fleet_runs_for(&other, 1, 5.64), 0);
	for (double effect = 5.7; effect < 12; effect += 0.1) {
		const size_t runs = fleet_runs_for(&other, 1, effect);

		assert_true(runs >= 2);
		assert_true(fleet_least(&other, 1, runs) <= effect + 1e-9);
		assert_true(runs == 2 || fleet_least(&other, 1, runs - 1) > effect);
	}
	other.floor = 6; /* what is slower by less is not called slow */
	assert_int_equal(fleet_runs_for(&other, 1, 6), 0);
	assert_int_equal(fleet_runs_for(&other, 1, 8), 9);
}

static void fresh_runs_decide_on_what_was_hot(void **state)
{
	enum { FOUR = 4, OF = 3, ALL = FOUR * OF, FRESH = 2 };
	static size_t four[ALL], nowhere[ALL];
	static const struct fleet_layout l = {ALL, FOUR, 0, four, nowhere};
	double scale[2 * ALL], sets[5 * (1 + FOUR + ALL)], fresh[FRESH * ALL];
	const size_t n = 1 + FOUR + ALL;
	const struct fleet_scale s = {
		scale, scale + ALL, sets, sets + n, sets + 2 * n}; /* everything 0 and 1 */
	const struct fleet_noise noise = {sets + 3 * n, sets + 4 * n, 100};
	const struct fleet_limits suspect = {{2, 2, 2, 2}}, name = {{4, 4, 4, 4}};
	struct fleet_judge j = {&l, &s, &noise, &suspect, &name, FLEET_FLOOR};

	(void)state;
	for (size_t i = 0; i < n; i++) {
		sets[i] = 0;
		sets[n + i] = sets[2 * n + i] = 1;
		sets[3 * n + i] = 0.1;
		sets[4 * n + i] = 1;
	}
	for (size_t f = 0; f < ALL; f++) {
		four[f] = f / OF;
		nowhere[f] = FLEET_NOWHERE;
		scale[f] = 0;
		scale[ALL + f] = 1;
		fresh[f] = fresh[ALL + f] = f < OF ? 9 : 0;
	}
	struct fleet_verdict v = fleet_judge(&j, fresh, FRESH, fresh);

	assert_true(v.named);
	assert_int_equal(v.set, 1);
	assert_float_equal(v.effect, 9, 1e-9);
	assert_true(v.low < 9 && v.high > 9 && v.low > 8.5);

	j.floor = 9.5; /* unusual, but not slow enough */
	v = fleet_judge(&j, fresh, FRESH, fresh);
	assert_false(v.named);
	assert_true(v.small);
	assert_int_equal(v.set, 1); /* its effect, not the whole node's */
	assert_float_equal(v.effect, 9, 1e-9);
	j.floor = FLEET_FLOOR;

	double before[ALL] = {0}; /* was not hot: its fresh runs name nothing */

	assert_false(fleet_judge(&j, before, FRESH, fresh).named);
	for (size_t f = 0; f < ALL; f++) /* three resources of four are a slow node */
		fresh[f] = fresh[ALL + f] = f < 3 * OF ? 9 : 0;
	v = fleet_judge(&j, fresh, FRESH, fresh);
	assert_true(v.named);
	assert_int_equal(v.set, 0);

	assert_float_equal(fleet_least(&j, 1, 1), (4 + 1.645) * sqrt(1.01), 0.01);
	runs_are_as_many_as_the_least_effect_needs(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_is_compared_with_what_surrounds_it),
		cmocka_unit_test(what_has_no_surroundings_has_no_score),
		cmocka_unit_test(sets_are_numbered_by_kind),
		cmocka_unit_test(disturbed_runs_do_not_count),
		cmocka_unit_test(limits_are_those_of_the_normal_distribution_for_many_nodes),
		cmocka_unit_test(few_nodes_have_wider_limits),
		cmocka_unit_test(equal_figures_have_a_least_scale),
		cmocka_unit_test(fresh_runs_decide_on_what_was_hot),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
