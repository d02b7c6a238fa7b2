/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Races of candidates whose distributions are known. The simulation has a fixed seed, so the answer
 * is always the same. Without an argument 500 races and wide limits; with the argument `all` 5000
 * and narrow ones (make coverage-of-intervals). `table` prints the manual's table. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "statistics/race.h"
#include "statistics/random.h"

static enum race_state round_of(struct race *r, const double *values)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->list[i].live)
			race_value(r, i, values[i]);
	return race_close(r);
}

static void nobody_is_dropped_before_the_first_look(void **state)
{
	static const double far[] = {1, 2, 3};
	struct race r;

	(void)state;
	race_begin(&r, 3, 0.03, 0.05);
	assert_int_equal(round_of(&r, far), RACE_RUNS);
	assert_int_equal(round_of(&r, far), RACE_RUNS);
	assert_int_equal(race_leader(&r), 0);
	assert_int_equal(round_of(&r, far), RACE_WON);
	assert_true(r.list[0].live && !r.list[1].live && !r.list[2].live);
	assert_int_equal(r.list[2].rounds, 3);
	race_free(&r);
}

static void equals_end_as_tied(void **state)
{
	static const double rounds[][2] = {{1, 1.001}, {1.001, 1}, {1, 1.001}};
	struct race r;

	(void)state;
	race_begin(&r, 2, 0.03, 0.05);
	assert_int_equal(round_of(&r, rounds[0]), RACE_RUNS);
	assert_int_equal(round_of(&r, rounds[1]), RACE_RUNS);
	assert_int_equal(round_of(&r, rounds[2]), RACE_TIED);
	assert_true(r.list[0].live && r.list[1].live);
	race_free(&r);
}

/* Values that differ too little and vary too much for 32 rounds. */
static void a_race_ends_after_its_rounds(void **state)
{
	struct race r;
	enum race_state last = RACE_RUNS;

	(void)state;
	race_begin(&r, 2, 0.001, 0.05);
	for (int k = 0; k < RACE_ROUNDS; k++) {
		assert_int_equal(last, RACE_RUNS);
		last = round_of(&r, (const double[]){1, k % 2 ? 1.5 : 0.68});
	}
	assert_int_equal(last, RACE_OVER);
	race_free(&r);
}

static void withdrawn_candidates_end_a_race(void **state)
{
	struct race r;

	(void)state;
	race_begin(&r, 2, 0.03, 0.05);
	race_withdraw(&r, 1);
	assert_int_equal(round_of(&r, (const double[]){1, 1}), RACE_WON);
	assert_true(isnan(race_ratio(&r, 1).value));
	race_withdraw(&r, 0);
	assert_int_equal(race_close(&r), RACE_DESERTED);
	assert_int_equal(race_leader(&r), 2);
	race_free(&r);
}

/* Three rounds of two: one pair, whose variance the moderated one therefore is. t(6) has
 * 0.05 / (2 * 8) above 4.115170. */
static void a_ratio_has_the_interval_of_the_race(void **state)
{
	static const double rounds[][2] = {{1, 1.1}, {1, 1.2}, {1, 1.15}};
	double mean = (log(1.1) + log(1.2) + log(1.15)) / 3, squares = 0;
	struct race r;

	(void)state;
	race_begin(&r, 2, 0.03, 0.05);
	round_of(&r, rounds[0]);
	assert_true(isnan(race_ratio(&r, 1).low));
	assert_true(fabs(race_ratio(&r, 1).value - 1.1) < 1e-12);
	round_of(&r, rounds[1]);
	round_of(&r, rounds[2]);
	for (int k = 0; k < 3; k++)
		squares += pow(log(rounds[k][1]) - mean, 2);
	struct amount ratio = race_ratio(&r, 1);
	double off = log(ratio.high / ratio.value) / sqrt(squares / 2 / 3);

	assert_true(fabs(ratio.value - exp(mean)) < 1e-12);
	assert_true(fabs(off - 4.115170) < 1e-5);
	assert_true(race_ratio(&r, 0).value == 1);
	race_free(&r);
}

static void every_order_has_the_live_candidates_once(void **state)
{
	uint64_t random = 1;
	size_t order[4], seen[4] = {0}, first = 0;
	struct race r;

	(void)state;
	race_begin(&r, 4, 0.03, 0.05);
	race_withdraw(&r, 2);
	for (int k = 0; k < 300; k++) {
		assert_int_equal(race_order(&r, &random, order), 3);
		for (int i = 0; i < 3; i++)
			seen[order[i]]++;
		first += order[0] == 0;
	}
	assert_true(seen[0] == 300 && seen[1] == 300 && seen[2] == 0 && seen[3] == 300);
	assert_true(first > 60 && first < 140);
	race_free(&r);
}

/* Logarithms of times: a candidate's own, drift with an sd of 2 % that lasts 30 runs, and noise. */
struct setting {
	const char *title;
	size_t candidates;
	double sd;
	bool close;   /* four are within 2 % of the best */
	bool unequal; /* every candidate has an sd of its own, and 3 % of the runs are outliers */
	/* means over races, and per cent of them whose winner is more than 1 and 3 % worse than
	 * the best: of the race, and of 20 rounds without dropping */
	double runs, wrong, regret, fixed;
};

enum { MOST = 24, RACES = 5000, SHORT_RACES = 500, FIXED = 20 };

static const struct setting settings[] = {
	{"8 candidates, 3 %", 8, 0.03, false, false, 80, 1.5, 0, 2.2},
	{"16 candidates, 1 %", 16, 0.01, false, false, 69, 0.4, 0, 0},
	{"16 candidates, 3 %", 16, 0.03, false, false, 178, 2.1, 0, 3.9},
	{"16 candidates, 3 %, four within 2 %", 16, 0.03, true, false, 239, 3, 0, 5.5},
	{"24 candidates, 3 %", 24, 0.03, false, false, 281, 2.1, 0, 5},
	{"16 candidates, 5 %", 16, 0.05, false, false, 274, 6.7, 0.1, 12.4},
	{"16 candidates, unequal, outliers", 16, 0.03, false, true, 278, 8.5, 0.5, 11.7},
};
enum { SETTINGS = sizeof(settings) / sizeof(*settings) };

static int races = SHORT_RACES;

struct track {
	const struct setting *s;
	gsl_rng *rng;
	double own[MOST], sd[MOST], drift;
};

static double run_of(struct track *t, size_t i)
{
	const double kept = exp(-1.0 / 30);
	double noise = gsl_ran_gaussian_ziggurat(t->rng, t->sd[i]);

	t->drift =
		kept * t->drift + gsl_ran_gaussian_ziggurat(t->rng, 0.02 * sqrt(1 - kept * kept));
	if (t->s->unequal && gsl_rng_uniform(t->rng) < 0.03)
		noise += gsl_ran_exponential(t->rng, 0.2);
	return exp(t->own[i] + t->drift + noise);
}

static double set_up(struct track *t, const struct setting *s)
{
	double best = INFINITY;

	t->s = s;
	t->drift = gsl_ran_gaussian_ziggurat(t->rng, 0.02);
	for (size_t i = 0; i < s->candidates; i++) {
		double widest = s->close && i < 4 ? 0.02 : 0.2;

		t->own[i] = widest * gsl_rng_uniform(t->rng);
		t->sd[i] = s->sd * (s->unequal ? 0.5 + 1.5 * gsl_rng_uniform(t->rng) : 1);
		best = fmin(best, t->own[i]);
	}
	return best;
}

static size_t race_them(struct track *t, size_t *runs)
{
	size_t order[MOST], n, winner;
	uint64_t random = gsl_rng_get(t->rng) | 1;
	struct race r;

	race_begin(&r, t->s->candidates, 0.03, 0.05);
	do {
		n = race_order(&r, &random, order);
		for (size_t k = 0; k < n; k++)
			race_value(&r, order[k], run_of(t, order[k]));
		*runs += n;
	} while (race_close(&r) == RACE_RUNS);
	winner = race_leader(&r);
	race_free(&r);
	return winner;
}

static size_t run_all(struct track *t)
{
	size_t order[MOST], best = 0;
	double sums[MOST] = {0};
	uint64_t random = gsl_rng_get(t->rng) | 1;

	for (size_t i = 0; i < t->s->candidates; i++)
		order[i] = i;
	for (int k = 0; k < FIXED; k++) {
		random_shuffle(&random, order, t->s->candidates);
		for (size_t i = 0; i < t->s->candidates; i++)
			sums[order[i]] += log(run_of(t, order[i]));
	}
	for (size_t i = 0; i < t->s->candidates; i++)
		if (sums[i] < sums[best])
			best = i;
	return best;
}

static struct setting simulate(gsl_rng *rng, const struct setting *s)
{
	struct setting found = *s;
	const double each = 100.0 / races;
	size_t runs = 0;

	found.runs = found.wrong = found.regret = found.fixed = 0;
	for (int i = 0; i < races; i++) {
		struct track t = {.rng = rng};
		double best = set_up(&t, s), lost = t.own[race_them(&t, &runs)] - best;

		found.wrong += each * (lost > log(1.01));
		found.regret += each * (lost > log(1.03));
		found.fixed += each * (t.own[run_all(&t)] - best > log(1.01));
	}
	found.runs = (double)runs / races;
	return found;
}

/* Four standard errors of a share, per cent. */
static bool near(double found, double expected)
{
	double likely = fmin(99, fmax(1, expected));

	return fabs(found - expected) <= 1 + 4 * sqrt(likely * (100 - likely) / races);
}

static void races_are_as_right_as_the_manual_says(void **state)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	bool wrong = false;

	(void)state;
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i], found = simulate(rng, s);

		if (near(found.wrong, s->wrong) && near(found.regret, s->regret) &&
			near(found.fixed, s->fixed) && fabs(found.runs / s->runs - 1) < 0.05)
			continue;
		print_message("# %s: %.0f, %.1f, %.1f, %.1f\n", s->title, found.runs, found.wrong,
			found.regret, found.fixed);
		wrong = true;
	}
	gsl_rng_free(rng);
	assert_false(wrong);
}

/* Those whose runs vary by 3 % or less, as most programs' do on a quiet machine. */
static void winners_are_rarely_wrong(void **state)
{
	(void)state;
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i];

		assert_true(s->regret <= 1 && s->wrong < 10);
		assert_true(s->wrong <= 5 || s->sd > 0.03 || s->unequal);
		assert_true(s->runs < FIXED * (double)s->candidates);
	}
}

static int print_table(void)
{
	printf("| candidates, change from run to run | runs of a race | winner over 1 %% worse "
	       "than "
	       "the best | over 3 %% | over 1 %% with 20 rounds of all |\n"
	       "| --- | --- | --- | --- | --- |\n");
	for (int i = 0; i < SETTINGS; i++) {
		const struct setting *s = &settings[i];

		printf("| %s | %.0f | %.1f %% | %.1f %% | %.1f %% |\n", s->title, s->runs, s->wrong,
			s->regret, s->fixed);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		{.name = "nobody is dropped before the first look",
			.test_func = nobody_is_dropped_before_the_first_look},
		{.name = "equals end as tied", .test_func = equals_end_as_tied},
		{.name = "a race ends after its rounds", .test_func = a_race_ends_after_its_rounds},
		{.name = "withdrawn candidates end a race",
			.test_func = withdrawn_candidates_end_a_race},
		{.name = "a ratio has the interval of the race",
			.test_func = a_ratio_has_the_interval_of_the_race},
		{.name = "every order has the live candidates once",
			.test_func = every_order_has_the_live_candidates_once},
		{.name = "races are as right as the manual says",
			.test_func = races_are_as_right_as_the_manual_says},
		{.name = "at most 5 % of races have a false winner",
			.test_func = winners_are_rarely_wrong},
	};

	if (argc > 1 && !strcmp(argv[1], "table"))
		return print_table();
	if (argc > 1 && !strcmp(argv[1], "all"))
		races = RACES;
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
