/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mann and Kendall's test of the last samples of a placement, and of those of all placements. */
#include "statistics/settled.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/robust.h"

/* A longer series is tested by the means of so many equal parts of it: pairs grow with the square.
 */
#define MOST_PARTS 32

/* Up to so many pairs the distribution is counted out; it is normal beyond (continuity: a half of
 * the two by which the difference of pairs changes). */
#define MOST_COUNTED 200

static size_t parts_of(const struct series_of *s)
{
	return s->n < MOST_PARTS ? s->n : MOST_PARTS;
}

/* The mean of one of n equal parts. */
static double mean_of_part(const struct series_of *s, size_t index, size_t n)
{
	size_t from = index * s->n / n, to = (index + 1) * s->n / n;
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += s->values[i];
	return sum / (double)(to - from);
}

/* Pairs that rise, less those that fall. */
static double rising(const struct series_of *s)
{
	double values[MOST_PARTS];
	size_t n = parts_of(s);
	double rising = 0;

	for (size_t i = 0; i < n; i++)
		values[i] = mean_of_part(s, i, n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			rising += (values[k] > values[i]) - (values[k] < values[i]);
	return rising;
}

/* Multiplies the distribution of falling pairs, ways[size], by that of one further value after n
 * others: it falls below 0 to n of them, each with the same probability. Returns the new size. */
static size_t add_value(double *ways, size_t size, size_t n)
{
	double old[MOST_COUNTED + 1];

	memcpy(old, ways, size * sizeof(*old));
	for (size_t k = 0; k < size + n; k++) {
		ways[k] = 0;
		for (size_t below = 0; below <= n && below <= k; below++)
			ways[k] += k - below < size ? old[k - below] / (double)(n + 1) : 0;
	}
	return size + n;
}

/* The probability of at most so many pairs in the direction of which there are fewer, in both. */
static double counted_out(const struct series_of *series, size_t m, double fewer)
{
	double ways[MOST_COUNTED + 1] = {1}, below = 0;
	size_t size = 1;

	for (size_t i = 0; i < m; i++)
		for (size_t n = 1; n < series[i].n; n++)
			size = add_value(ways, size, n);
	for (size_t k = 0; k < size && (double)k <= fewer; k++)
		below += ways[k];
	return fmin(1, 2 * below);
}

static double chance_of(const struct series_of *series, size_t m)
{
	double sum = 0, pairs = 0, variance = 0;

	for (size_t i = 0; i < m; i++) {
		double n = (double)parts_of(&series[i]);

		sum += rising(&series[i]);
		pairs += n * (n - 1) / 2;
		variance += n * (n - 1) * (2 * n + 5) / 18;
	}
	if (!(pairs > 0))
		return 1;
	if (pairs <= MOST_COUNTED)
		return counted_out(series, m, floor((pairs - fabs(sum)) / 2));
	return fmin(1, 2 * gsl_cdf_ugaussian_Q((fabs(sum) - 1) / sqrt(variance)));
}

/* The mean of the third that begins with values[from], in parts of that of all. */
static double third(const struct series_of *s, bool last)
{
	size_t n = (s->n + 2) / 3;
	const struct series_of all = {s->values, s->n},
			       one = {last ? s->values + s->n - n : s->values, n};

	return mean_of_part(&one, 0, 1) / mean_of_part(&all, 0, 1);
}

struct trend settled_trend(const struct series_of *series, size_t m)
{
	struct trend t = {.chance = chance_of(series, m)};
	size_t told = 0;

	for (size_t i = 0; i < m; i++) {
		if (series[i].n < 2)
			continue;
		t.from += third(&series[i], false);
		t.to += third(&series[i], true);
		told++;
	}
	t.from = told ? t.from / (double)told : 1;
	t.to = told ? t.to / (double)told : 1;
	return t;
}

bool settled_is_trend(const struct trend *t, double chance)
{
	return t->chance <= chance && fabs(t->to / t->from - 1) > SETTLED_CHANGE;
}

/* ---- the warm-up of a placement */

size_t settled_window(double rounds, double sample_s)
{
	double window = rounds >= 1 ? ceil(SETTLED_ROUNDS / rounds) : SETTLED_ROUNDS;

	if (window * sample_s > SETTLED_WINDOW_S)
		window = floor(SETTLED_WINDOW_S / sample_s);
	return window < SETTLED_WINDOW ? SETTLED_WINDOW : (size_t)window;
}

static bool settled_at_once(const struct settling *s, size_t n)
{
	return s->warm ? n <= SETTLED_WINDOW && s->warm == 1 : n <= 1 + s->window;
}

/* Samples of the window that are no warm-up: where it is not the first one, the older half may have
 * the end of a fall in it. */
static size_t kept_of(const struct settling *s, size_t n)
{
	size_t most = !settled_at_once(s, n) ? s->window / 2
		      : s->warm              ? SETTLED_WINDOW - 1
					     : s->window;

	return s->wanted < most ? s->wanted : most;
}

static size_t least_of(const struct settling *s)
{
	size_t least = s->warm + kept_of(s, s->warm + 1);

	if (!s->warm)
		return 1 + s->window;
	return least < SETTLED_WINDOW ? SETTLED_WINDOW : least;
}

/* All but the first sample, which costs the most, until there are enough. */
static size_t window_of(const struct settling *s, size_t n)
{
	if (settled_at_once(s, n) && s->warm)
		return n;
	return n - 1 < s->window ? n - 1 : s->window;
}

static bool are_usable_costs(const double *costs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(costs[i] > 0) || !isfinite(costs[i]))
			return false;
	return true;
}

/* All threads together: each counts in parts of its own mean. */
static struct trend together(const struct settling *s, const double *costs, size_t n, size_t window)
{
	double *mean = alloc_zeroed(window, sizeof(*mean));

	for (size_t i = 0; i < s->threads; i++) {
		const struct series_of one = {costs + (i + 1) * n - window, window};
		double middle = mean_of_part(&one, 0, 1);

		for (size_t k = 0; k < window; k++)
			mean[k] += one.values[k] / middle / (double)s->threads;
	}
	struct trend t = settled_trend(&(struct series_of){mean, window}, 1);

	free(mean);
	return t;
}

/* A thread alone must be less likely to, by as many as are asked. */
static bool any_trend(
	const struct settling *s, const double *costs, size_t n, size_t window, double chance)
{
	struct trend t = together(s, costs, n, window);
	bool any = settled_is_trend(&t, chance);

	for (size_t i = 0; s->threads > 1 && i < s->threads && !any; i++) {
		t = settled_trend(&(struct series_of){costs + (i + 1) * n - window, window}, 1);
		any = settled_is_trend(&t, chance / (double)s->threads);
	}
	return any;
}

static double goes_on(size_t window)
{
	return window >= SETTLED_LONG ? SETTLED_GOES_ON_LONG : SETTLED_GOES_ON;
}

enum settled settled_ask(const struct settling *s, const double *costs, size_t n)
{
	const size_t kept = kept_of(s, n), window = window_of(s, n);
	bool last = s->late || n >= SETTLED_MOST + kept;

	if (n < least_of(s) && !(s->late && n > kept))
		return SETTLED_NOT;
	if (!are_usable_costs(costs, s->threads * n) ||
		!any_trend(s, costs, n, window, last ? SETTLED_TOLD : goes_on(window)))
		return SETTLED_YES;
	return last ? SETTLED_NEVER : SETTLED_NOT;
}

size_t settled_warm_up(const struct settling *s, size_t n)
{
	size_t kept = kept_of(s, n);

	return n > kept ? n - kept : 0;
}

size_t settled_next(const struct settling *s, size_t n)
{
	size_t warm = settled_at_once(s, n) ? 1 : settled_warm_up(s, n);

	return warm > s->warm ? warm : s->warm;
}
