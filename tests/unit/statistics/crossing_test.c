/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Break-even and crossings of figures whose answer is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "statistics/crossing.h"
#include "statistics/intervals.h"

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9 * fabs(b);
}

static void is_text(struct amount a, const char *expected)
{
	char *text = crossing_text(a);

	assert_string_equal(text, expected);
	free(text);
}

/* ---- once / (dear - cheap) */

static void exact_costs_break_even_at_their_quotient(void **state)
{
	struct amount a = crossing_of_costs(
		(struct amount){100, 100, 100}, (struct amount){3, 3, 3}, (struct amount){1, 1, 1});

	(void)state;
	assert_true(near(a.value, 50) && near(a.low, 50) && near(a.high, 50));
	a = crossing_of_costs(
		(struct amount){100, NAN, NAN}, (struct amount){3, 3, 3}, (struct amount){1, 1, 1});
	assert_true(near(a.value, 50) && isnan(a.low) && isnan(a.high));
	assert_false(crossing_known(crossing_of_costs(
		AMOUNT_NONE, (struct amount){3, 3, 3}, (struct amount){1, 1, 1})));
}

/* There, once - u (dear - cheap) is as far from 0 as its interval reaches. */
static void at_an_end_the_interval_of_the_balance_ends_at_0(void **state)
{
	const struct amount once = {100, 94, 108}, dear = {3, 2.7, 3.4}, cheap = {1, 0.9, 1.4};
	struct amount a = crossing_of_costs(once, dear, cheap);
	double up = hypot(0.4, 0.1), down = hypot(0.3, 0.4);

	(void)state;
	assert_true(near(a.value, 50));
	assert_true(near(100 - a.low * 2, hypot(6, a.low * up)));
	assert_true(near(a.high * 2 - 100, hypot(8, a.high * down)));
}

static void a_difference_that_may_be_0_has_no_upper_end(void **state)
{
	const struct amount once = {100, 90, 110};
	struct amount a = crossing_of_costs(
		once, (struct amount){2, 1.4, 2.6}, (struct amount){1.5, 1.1, 1.9});

	(void)state;
	assert_true(near(a.value, 200) && isinf(a.high) && a.low > 60 && a.low < 100);
	is_text((struct amount){41.23, 20.31, INFINITY}, "41.23 (20.3 ..)");
	/* dearer where it is near, but perhaps not */
	a = crossing_of_costs(once, (struct amount){1.5, 1.1, 1.9}, (struct amount){2, 1.4, 2.6});
	assert_string_equal(crossing_word(a), "never");
	assert_true(isfinite(a.low) && a.low > 200);
	is_text((struct amount){INFINITY, 20.31, INFINITY}, "never (20.3 ..)");
}

static void what_is_dearer_near_never_pays(void **state)
{
	struct amount a = crossing_of_costs((struct amount){100, 90, 110},
		(struct amount){1, 0.9, 1.1}, (struct amount){2, 1.9, 2.1});

	(void)state;
	is_text(a, "never");
	a = crossing_of_costs(
		(struct amount){100, NAN, NAN}, (struct amount){1, 1, 1}, (struct amount){1, 1, 1});
	is_text(a, "never");
}

/* ---- curves */

/* The base costs 3 a use, the other 40 and 1 a use, each with an error of a part. They meet at 20.
 */
static void lines(struct crossing_point *p, size_t n, double part)
{
	for (size_t i = 0; i < n; i++) {
		double x = pow(2, (double)i + 1), ratio = (40 + x) / (3 * x);

		p[i] = (struct crossing_point){
			x, 3 * x, {ratio, ratio * (1 - part), ratio * (1 + part)}};
	}
}

static void straight_lines_cross_where_they_do(void **state)
{
	struct crossing_point p[6];

	(void)state;
	lines(p, 6, 0);
	struct amount a = crossing_of_curves(p, 6);
	assert_true(near(a.value, 20) && near(a.low, 20) && near(a.high, 20));
	/* in any order, and with a point that is missing */
	struct crossing_point q[] = {p[5], p[0], p[3], p[2], p[4]};
	q[3].ratio = AMOUNT_NONE;
	assert_true(near(crossing_of_curves(q, 5).value, 20));
	lines(p, 6, 0.1);
	a = crossing_of_curves(p, 6);
	/* 0.9 (40 + x) = 3 x and 1.1 (40 + x) = 3 x */
	assert_true(near(a.value, 20) && near(a.low, 36 / 2.1) && near(a.high, 44 / 1.9));
	for (size_t i = 0; i < 6; i++)
		p[i].ratio.low = p[i].ratio.high = NAN;
	a = crossing_of_curves(p, 6);
	assert_true(near(a.value, 20) && isnan(a.low) && isnan(a.high));
}

static void its_time_is_the_base_there(void **state)
{
	struct crossing_point p[6];

	(void)state;
	lines(p, 6, 0.1);
	struct amount a = crossing_of_curves(p, 6), b = crossing_base(p, 6, a);
	assert_true(
		near(b.value, 3 * a.value) && near(b.low, 3 * a.low) && near(b.high, 3 * a.high));
	/* what has no end stays without one, and so does a word */
	b = crossing_base(p, 6, (struct amount){20, 8, INFINITY});
	assert_true(near(b.low, 24) && isinf(b.high));
	b = crossing_base(p, 6, (struct amount){NAN, 8, 16});
	assert_true(isnan(b.value) && near(b.low, 24) && near(b.high, 48));
	/* a base that falls turns the interval around */
	for (size_t i = 0; i < 6; i++)
		p[i].base = 100 - p[i].x;
	b = crossing_base(p, 6, (struct amount){20, 8, 24});
	assert_true(near(b.value, 80) && near(b.low, 76) && near(b.high, 92));
	/* of one that rises and falls the interval has the value, and what lies between */
	p[3].base = 10; /* at 16: 92, 10, 68 from 8 to 32 */
	b = crossing_base(p, 6, (struct amount){16, 8, 32});
	assert_true(near(b.value, 10) && near(b.low, 10) && near(b.high, 92));
	b = crossing_base(p, 6, (struct amount){8, 8, 32});
	assert_true(near(b.value, 92) && near(b.low, 10) && near(b.high, 92));
	b = crossing_base(p, 6, (struct amount){8, 8, INFINITY});
	assert_true(near(b.low, 10) && isinf(b.high));
}

static void an_end_beyond_the_sweep_is_open(void **state)
{
	struct crossing_point p[6];

	(void)state;
	lines(p, 6, 0.5);
	struct amount a = crossing_of_curves(p, 5); /* 1.5 (40 + x) = 3 x at 40, the last is 32 */
	assert_true(near(a.value, 20) && near(a.low, 20 / 2.5) && isinf(a.high) && a.high > 0);
	a = crossing_of_curves(p + 3, 3); /* 16, 32, 64; 0.5 (40 + x) = 3 x at 8 */
	assert_true(near(a.value, 20) && isinf(a.low) && a.low < 0 && near(a.high, 40));
	lines(p, 6, 0.01);
	is_text(crossing_of_curves(p, 4), "never");
	is_text(crossing_of_curves(p + 4, 2), "always");
	assert_false(crossing_known(crossing_of_curves(p, 1)));
	is_text(AMOUNT_NONE, "-");
}

static void curves_that_differ_nowhere_cross_anywhere(void **state)
{
	struct crossing_point p[] = {{1, 1, {1.01, 0.9, 1.1}}, {2, 2, {0.99, 0.9, 1.1}}};

	(void)state;
	is_text(crossing_of_curves(p, 2), "anywhere");
}

static void cheap_before_dear_is_no_crossing(void **state)
{
	struct crossing_point p[] = {
		{1, 1, {2, 1.9, 2.1}}, {2, 2, {0.5, 0.4, 0.6}}, {4, 4, {2, 1.9, 2.1}}};

	(void)state;
	is_text(crossing_of_curves(p, 3), "mixed (2 .. 4)");
	is_text(crossing_of_curves(p + 1, 2), "mixed (2 .. 4)");
	/* not certain, and dearer rather than cheaper: nobody can say from where on */
	p[2].ratio = (struct amount){1.1, 0.4, 1.6};
	is_text(crossing_of_curves(p, 3), "anywhere");
	/* nothing is certain of points without intervals */
	p[2].ratio = (struct amount){2, NAN, NAN};
	is_text(crossing_of_curves(p, 3), "anywhere");
}

/* The base costs 8 at 1, 2, 4 and 8; the other one 12, then 4 for certain, then what is given. */
static void what_is_not_known_behind_a_cheap_point_is_in_the_interval(void **state)
{
	struct crossing_point p[] = {{1, 8, {1.5, 1.5, 1.5}}, {2, 8, {0.5, 0.5, 0.5}},
		{4, 8, {0.75, 0.5, 1.25}}, {8, 8, {0.5, 0.25, 0.75}}};

	(void)state;
	is_text(crossing_of_curves(p, 2), "1.5 (1.5 .. 1.5)");
	is_text(crossing_of_curves(p, 3), "1.5 (1.5 ..)");
	is_text(crossing_of_curves(p, 4), "1.5 (1.5 .. 6)");
	p[2].ratio.value = 1.25; /* dearer rather than cheaper: it is so from behind it only */
	is_text(crossing_of_curves(p, 4), "5.333 (1.5 .. 6)");
	/* certain at the first point, and not at all of the others */
	p[2].ratio.value = 0.75;
	is_text(crossing_of_curves(p + 1, 3), "always (.. 6)");
	is_text(crossing_of_curves(p + 1, 2), "always");
	p[2].ratio.value = 1.25;
	is_text(crossing_of_curves(p + 1, 2), "anywhere");
}

static void counts_are_written_out(void **state)
{
	(void)state;
	is_text((struct amount){2435.4, 2048, 2896}, "2435 (2048 .. 2896)");
	is_text((struct amount){INFINITY, 32768, INFINITY}, "never (32768 ..)");
	is_text((struct amount){24351, NAN, NAN}, "24351");
	is_text((struct amount){0.12345, 0.1, 999.4}, "0.1235 (0.1 .. 999)");

	char *size = crossing_text_of_sizes((struct amount){13211538, 4 << 20, INFINITY});

	assert_string_equal(size, "12.6 MiB (4 MiB ..)");
	free(size);
}

static void words_come_back_from_documents(void **state)
{
	const struct amount all[] = {{INFINITY, INFINITY, INFINITY}, {INFINITY, 3, INFINITY},
		{-INFINITY, -INFINITY, 7}, {NAN, -INFINITY, INFINITY}, {NAN, 2, 4},
		{5, 2, INFINITY}, {5, -INFINITY, 8}, {5, 2, 8}, {5, NAN, NAN}, {NAN, NAN, NAN},
		{NAN, INFINITY, -INFINITY}};

	(void)state;
	is_text(crossing_same_memory(), "same memory");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const struct amount a = all[i];
		struct amount written = {isfinite(a.value) ? a.value : NAN,
			isfinite(a.low) ? a.low : NAN, isfinite(a.high) ? a.high : NAN};
		char *text = crossing_text(a);

		is_text(crossing_from_word(crossing_word(a), written), text);
		free(text);
	}
}

/* ---- do intervals cover what they say? */

enum { PLACEMENTS = 3, DRAWS = 2000 };

/* The interval over placements of a cost that varies by 3 % between them. */
static struct amount measured(gsl_rng *rng, double cost)
{
	double values[PLACEMENTS];

	for (int i = 0; i < PLACEMENTS; i++)
		values[i] = cost * exp(gsl_ran_gaussian(rng, 0.03));
	return interval_of_values(values, PLACEMENTS, 0.95);
}

static struct amount measured_ratio(gsl_rng *rng, double a, double b)
{
	double over[PLACEMENTS], under[PLACEMENTS];

	for (int i = 0; i < PLACEMENTS; i++) {
		over[i] = a * exp(gsl_ran_gaussian(rng, 0.03));
		under[i] = b * exp(gsl_ran_gaussian(rng, 0.03));
	}
	return interval_of_ratio(over, PLACEMENTS, under, PLACEMENTS, 0.95);
}

static bool covers(struct amount a, double truth)
{
	return !isnan(a.low) && a.low <= truth && truth <= a.high;
}

/* Of 2000 draws 95 % are 1900 +- 20 (two standard errors); adding squares is cautious, so more is
 * no fault. The cost near is 0.5, 0.9 and 0.97 of that far. */
static void intervals_of_break_even_cover_it(void **state)
{
	const double parts[] = {0.5, 0.9, 0.97};
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		int covered = 0, open = 0;

		for (int i = 0; i < DRAWS; i++) {
			struct amount a = crossing_of_costs(
				measured(rng, 40), measured(rng, 1), measured(rng, parts[k]));

			covered += covers(a, 40 / (1 - parts[k]));
			open += isinf(a.high);
		}
		print_message("# break-even, near %g of far: covers %.1f %%, open %.1f %%\n",
			parts[k], covered * 100.0 / DRAWS, open * 100.0 / DRAWS);
		assert_true(covered >= 1880);
		assert_true(k == 0 ? open < 200 : k == 2 ? open > 1500 : true);
	}
	gsl_rng_free(rng);
}

static void intervals_of_crossings_cover_them(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	int covered = 0;

	(void)state;
	for (int i = 0; i < DRAWS; i++) {
		struct crossing_point p[6];

		for (int k = 0; k < 6; k++) {
			double x = pow(2, k + 1), base = 3 * x * exp(gsl_ran_gaussian(rng, 0.02));

			p[k] = (struct crossing_point){x, base, measured_ratio(rng, 40 + x, 3 * x)};
		}
		covered += covers(crossing_of_curves(p, 6), 20);
	}
	print_message("# crossing: covers %.1f %%\n", covered * 100.0 / DRAWS);
	assert_true(covered >= 1880);
	gsl_rng_free(rng);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the time of a crossing is what the base costs there",
			.test_func = its_time_is_the_base_there},
		{.name = "exact costs break even at their quotient",
			.test_func = exact_costs_break_even_at_their_quotient},
		{.name = "at an end of the interval, the interval of the balance ends at 0",
			.test_func = at_an_end_the_interval_of_the_balance_ends_at_0},
		{.name = "a difference that may be 0 has no upper end, and a lower one",
			.test_func = a_difference_that_may_be_0_has_no_upper_end},
		{.name = "what costs more after a move never pays",
			.test_func = what_is_dearer_near_never_pays},
		{.name = "straight lines cross where they do, between the points too",
			.test_func = straight_lines_cross_where_they_do},
		{.name = "an end beyond the sweep is open, and a crossing beyond it never or "
			 "always",
			.test_func = an_end_beyond_the_sweep_is_open},
		{.name = "curves that differ nowhere cross anywhere",
			.test_func = curves_that_differ_nowhere_cross_anywhere},
		{.name = "a curve that is certainly cheaper and later dearer has no crossing",
			.test_func = cheap_before_dear_is_no_crossing},
		{.name = "the interval has what is not known behind a point that is cheaper",
			.test_func = what_is_not_known_behind_a_cheap_point_is_in_the_interval},
		{.name = "counts of thousands are written out",
			.test_func = counts_are_written_out},
		{.name = "words come back from documents, which have no infinite numbers",
			.test_func = words_come_back_from_documents},
		{.name = "intervals of break-even cover it",
			.test_func = intervals_of_break_even_cover_it},
		{.name = "intervals of crossings cover them",
			.test_func = intervals_of_crossings_cover_them},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
