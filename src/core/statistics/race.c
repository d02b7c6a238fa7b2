/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Candidates race until those that are worse beyond doubt are gone. */
#include "statistics/race.h"

#include <stdlib.h>

#include <gsl/gsl_cdf.h>

#include "base/alloc.h"
#include "statistics/random.h"

/* Gaps grow with the rounds: late looks at a few more pairs would spend error for nothing new. */
static const size_t looks[] = {3, 4, 6, 8, 12, 16, 24, RACE_ROUNDS};
enum { LOOKS = sizeof(looks) / sizeof(*looks) };

#define SHARED_DF 4 /* of the variance that pairs share; more would trust it where pairs differ */

struct pair {
	double mean, variance;
};

void race_begin(struct race *r, size_t n, double tolerance, double errors)
{
	*r = (struct race){.n = n, .tolerance = tolerance, .errors = errors};
	r->list = alloc_zeroed(n, sizeof(*r->list));
	for (size_t i = 0; i < n; i++)
		r->list[i] = (struct race_candidate){
			.live = true, .logs = alloc_zeroed(RACE_ROUNDS, sizeof(double))};
}

void race_free(struct race *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->list[i].logs);
	free(r->list);
	*r = (struct race){0};
}

size_t race_order(const struct race *r, uint64_t *random, size_t *order)
{
	size_t live = 0;

	for (size_t i = 0; i < r->n; i++)
		if (r->list[i].live)
			order[live++] = i;
	random_shuffle(random, order, live);
	return live;
}

void race_value(struct race *r, size_t candidate, double value)
{
	r->list[candidate].logs[r->rounds] = log(value);
}

void race_withdraw(struct race *r, size_t candidate)
{
	r->list[candidate].live = false;
}

/* Of the first n differences of two candidates. */
static struct pair pair_of(const double *a, const double *b, size_t n)
{
	struct pair p = {0, 0};

	for (size_t k = 0; k < n; k++)
		p.mean += (a[k] - b[k]) / (double)n;
	for (size_t k = 0; k < n && n > 1; k++) {
		double off = a[k] - b[k] - p.mean;

		p.variance += off * off / (double)(n - 1);
	}
	return p;
}

static struct pair pair_in(const struct race *r, size_t i, size_t j, size_t n)
{
	return pair_of(r->list[i].logs, r->list[j].logs, n);
}

/* Mean of the variances of all pairs that ran n rounds or more; a pair that is judged is one of
 * them. */
static double shared_variance(const struct race *r, size_t n)
{
	double sum = 0;
	size_t pairs = 0;

	for (size_t i = 0; i < r->n; i++)
		for (size_t j = 0; j < i; j++)
			if (r->list[i].rounds >= n && r->list[j].rounds >= n) {
				sum += pair_in(r, i, j, n).variance;
				pairs++;
			}
	return pairs ? sum / (double)pairs : 0;
}

/* r of race.h, where `pairs` are to hold together. */
static double radius_of(
	const struct race *r, double pairs, double variance, double shared, size_t n)
{
	double df = (double)n - 1 + SHARED_DF;
	double v = (SHARED_DF * shared + (double)(n - 1) * variance) / df;
	double tail = r->errors / (2 * LOOKS * pairs);

	return gsl_cdf_tdist_Qinv(tail, df) * sqrt(v / (double)n);
}

static double radius(const struct race *r, double variance, double shared, size_t n)
{
	return radius_of(r, (double)(r->n - 1), variance, shared, n);
}

static bool is_worse(const struct race *r, size_t i, double shared)
{
	for (size_t j = 0; j < r->n; j++) {
		struct pair p = pair_in(r, i, j, r->rounds);

		if (j != i && r->list[j].rounds == r->rounds &&
			p.mean - radius(r, p.variance, shared, r->rounds) > 0)
			return true;
	}
	return false;
}

/* Those who are dropped at this look still drop others: they all ran this round. */
static void drop(struct race *r, double shared)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->list[i].live && is_worse(r, i, shared))
			r->list[i].live = false;
}

static bool good_enough(const struct race *r, double shared)
{
	size_t leader = race_leader(r);

	for (size_t j = 0; j < r->n; j++) {
		struct pair p = pair_in(r, leader, j, r->rounds);

		if (r->list[j].live && j != leader &&
			p.mean + radius(r, p.variance, shared, r->rounds) >= log1p(r->tolerance))
			return false;
	}
	return true;
}

static size_t count_live(const struct race *r)
{
	size_t live = 0;

	for (size_t i = 0; i < r->n; i++)
		live += r->list[i].live;
	return live;
}

static bool is_look(size_t rounds)
{
	for (size_t i = 0; i < LOOKS; i++)
		if (looks[i] == rounds)
			return true;
	return false;
}

enum race_state race_close(struct race *r)
{
	bool look = is_look(++r->rounds), enough = false;

	for (size_t i = 0; i < r->n; i++)
		if (r->list[i].live)
			r->list[i].rounds = r->rounds;
	if (look && count_live(r) > 1) {
		double shared = shared_variance(r, r->rounds);

		drop(r, shared);
		enough = good_enough(r, shared);
	}
	size_t live = count_live(r);

	if (live < 2)
		return live ? RACE_WON : RACE_DESERTED;
	if (enough)
		return RACE_TIED;
	return r->rounds == RACE_ROUNDS ? RACE_OVER : RACE_RUNS;
}

size_t race_leader(const struct race *r)
{
	size_t best = r->n;

	for (size_t i = 0; i < r->n; i++)
		if (r->list[i].live && (best == r->n || pair_in(r, i, best, r->rounds).mean < 0))
			best = i;
	return best;
}

struct amount race_ratio(const struct race *r, size_t candidate)
{
	size_t leader = race_leader(r), n = r->list[candidate].rounds;

	if (leader == r->n || !n)
		return AMOUNT_NONE;
	if (candidate == leader)
		return AMOUNT_ONE;
	struct pair p = pair_in(r, candidate, leader, n);

	if (n < 2)
		return (struct amount){exp(p.mean), NAN, NAN};
	double pairs = (double)r->n * (double)(r->n - 1) / 2;
	double off = radius_of(r, pairs, p.variance, shared_variance(r, n), n);

	return (struct amount){exp(p.mean), exp(p.mean - off), exp(p.mean + off)};
}
