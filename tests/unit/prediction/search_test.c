/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch and bound against going through all choices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "statistics/random.h"
#include "prediction/search.h"

#define VARIABLES 5
#define VALUES    4
#define BEST      10

static const size_t values[VARIABLES] = {VALUES, 2, VALUES, 3, VALUES};

/* Each variable costs something by itself and something more beside each other one. */
struct law {
	double own[VARIABLES][VALUES];
	double beside[VARIABLES][VALUES][VARIABLES][VALUES];
	double lacking; /* choices of this cost and more do not exist */
	size_t costs;
};

static double part(const struct law *l, const size_t *choice, size_t given)
{
	double all = 0;

	for (size_t i = 0; i < given; i++) {
		all += l->own[i][choice[i]];
		for (size_t k = 0; k < i; k++)
			all += l->beside[i][choice[i]][k][choice[k]];
	}
	return all;
}

static double bound(void *with, const size_t *choice, size_t given)
{
	const struct law *l = with;
	double all = part(l, choice, given);

	for (size_t i = given; i < VARIABLES; i++) {
		double least = HUGE_VAL;

		for (size_t k = 0; k < values[i]; k++)
			least = fmin(least, l->own[i][k]);
		all += least;
	}
	return all;
}

static double cost(void *with, const size_t *choice)
{
	struct law *l = with;
	const double all = part(l, choice, VARIABLES);

	l->costs++;
	return all < l->lacking ? all : NAN;
}

static double random_unit(uint64_t *state)
{
	return (double)(random_next(state) >> 11) * 0x1p-53;
}

static void same(double expected, double found)
{
	assert_true(fabs(found - expected) < 1e-7);
}

static void draw(struct law *l, uint64_t seed, double beside)
{
	uint64_t state = seed;
	double *own = &l->own[0][0], *more = &l->beside[0][0][0][0];

	for (size_t i = 0; i < sizeof(l->own) / sizeof(*own); i++)
		own[i] = 1 + random_unit(&state);
	for (size_t i = 0; i < sizeof(l->beside) / sizeof(*more); i++)
		more[i] = beside * random_unit(&state);
	l->lacking = HUGE_VAL;
	l->costs = 0;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The costs of all choices, ascending. Returns how many. */
static size_t all_costs(struct law *l, double *out)
{
	size_t n = 0, numbers = 1;

	for (size_t i = 0; i < VARIABLES; i++)
		numbers *= values[i];
	for (size_t i = 0; i < numbers; i++) {
		size_t choice[VARIABLES], rest = i;

		for (size_t k = 0; k < VARIABLES; rest /= values[k++])
			choice[k] = rest % values[k];
		const double found = cost(l, choice);

		if (!isnan(found))
			out[n++] = found;
	}
	qsort(out, n, sizeof(*out), by_size);
	l->costs = 0;
	return n;
}

static void agree(struct law *l, bool whole, size_t most)
{
	double expected[VALUES * 2 * VALUES * 3 * VALUES];
	const size_t n = all_costs(l, expected);
	const struct search s = {VARIABLES, values, bound, cost, l, BEST, most};
	struct search_result r;

	search_best(&s, &r);
	assert_int_equal(r.whole, whole);
	if (whole)
		assert_int_equal(r.count, n < BEST ? n : BEST);
	for (size_t i = 0; i < r.count; i++) {
		same(part(l, r.list[i].choice, VARIABLES), r.list[i].cost);
		if (whole)
			same(expected[i], r.list[i].cost);
		for (size_t k = 0; k < i; k++)
			assert_memory_not_equal(
				r.list[i].choice, r.list[k].choice, VARIABLES * sizeof(size_t));
	}
	if (!whole)
		assert_true(r.left <= expected[BEST - 1]);
	search_free(&r);
}

static void the_best_are_those_of_all(void **state)
{
	struct law l;
	size_t costs = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		draw(&l, seed, seed % 2 ? 0.05 : 1);
		agree(&l, true, SIZE_MAX);
		costs += seed % 2 ? l.costs : 0;
	}
	assert_true(costs / 100 >= BEST && costs / 100 <= 150); /* of 384: bounds spare most */
}

static void choices_that_do_not_exist_are_none_of_the_best(void **state)
{
	struct law l;

	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		draw(&l, seed, 1);
		l.lacking = 8;
		agree(&l, true, SIZE_MAX);
		l.lacking = 0; /* none at all */
		agree(&l, true, SIZE_MAX);
	}
}

static void a_search_that_is_cut_says_what_it_left(void **state)
{
	struct law l;

	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		draw(&l, seed, 3);
		agree(&l, false, 60);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_are_those_of_all),
		cmocka_unit_test(choices_that_do_not_exist_are_none_of_the_best),
		cmocka_unit_test(a_search_that_is_cut_says_what_it_left),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
