/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Woodruff's intervals of percentiles. */
#include "statistics/percentile.h"

#include <math.h>

#include "statistics/intervals.h"

/* The share of events up to a value in all clusters, its standard error over clusters of any size
 * (a ratio, linearised), and the variance of a binomial law. */
struct share {
	double value, error, binomial;
};

/* Clusters that have events: one whose events were all left out says nothing. */
static size_t count_filled(const struct histogram *clusters, size_t n)
{
	size_t filled = 0;

	for (size_t i = 0; i < n; i++)
		filled += clusters[i].n > 0;
	return filled;
}

static struct share share_up_to(
	const struct histogram *clusters, size_t n, const struct histogram *all, double value)
{
	struct share s = {histogram_up_to(all, value) / (double)all->n, NAN, NAN};
	const double filled = (double)count_filled(clusters, n), mean = (double)all->n / filled;
	double squares = 0;

	for (size_t i = 0; i < n; i++) {
		const double own = histogram_up_to(&clusters[i], value);

		squares += pow((own - s.value * (double)clusters[i].n) / mean, 2);
	}
	s.binomial = s.value * (1 - s.value) / (double)all->n;
	if (filled > 1)
		s.error = sqrt(squares / (filled * (filled - 1)));
	return s;
}

/* Where many events have one value the share jumps there: an end of the interval that lies beyond
 * the jump has the error of the shares on its side, so both sides are asked. */
static struct share share_about(const struct histogram *clusters, size_t n,
	const struct histogram *all, struct bucket_ends at)
{
	const struct share to = share_up_to(clusters, n, all, at.high);
	const struct share below = share_up_to(clusters, n, all, at.low - 0.5);

	return below.error > to.error ? below : to;
}

/* Half the interval of the share; 0 without one. */
static double half_of(
	const struct share *s, const struct histogram *clusters, size_t n, double confidence)
{
	const double filled = (double)count_filled(clusters, n);

	return isnan(s->error) ? 0 : interval_quantile(filled - 1, confidence) * s->error;
}

double percentile_needs(double part, double confidence)
{
	return ceil(log((1 - confidence) / 2) / log(fmax(part, 1 - part)));
}

/* Events by which half the interval of the share ends before the last event. */
static double needs_of(const struct share *s, double half, double n, double part, double confidence)
{
	const double design = s->error * s->error / s->binomial;
	const double least = percentile_needs(part, confidence) * (design > 1 ? design : 1);
	const double room = fmin(part, 1 - part);

	return half > room ? fmax(least, n * pow(half / room, 2)) : least;
}

struct percentile percentile_of(const struct histogram *clusters, size_t n,
	const struct histogram *all, double part, double confidence)
{
	struct percentile p = {AMOUNT_NONE, NAN, percentile_needs(part, confidence)};
	const double events = (double)all->n;

	if (events < p.needed)
		return p;
	const struct bucket_ends at = histogram_at(all, ceil(part * events));
	const struct share s = share_about(clusters, n, all, at);
	const double half = half_of(&s, clusters, n, confidence);

	p.design = s.binomial > 0 ? s.error * s.error / s.binomial : NAN;
	p.needed = ceil(needs_of(&s, half, events, part, confidence));
	if (events < p.needed || isinf(at.high))
		return p;
	p.value.value = (at.low + at.high) / 2;
	const double high = histogram_at(all, fmin(ceil((part + half) * events), events)).high;

	if (isfinite(s.error) && isfinite(high)) {
		p.value.low = histogram_at(all, fmax(ceil((part - half) * events), 1)).low;
		p.value.high = high;
	}
	return p;
}

struct amount percentile_share_above(const struct histogram *clusters, size_t n,
	const struct histogram *all, double value, double confidence)
{
	const struct share s = share_up_to(clusters, n, all, value);
	const double above = 1 - s.value;
	const double half = half_of(&s, clusters, n, confidence);
	/* a share of which so few events have shown none may be as large */
	const double unseen = fmin(-log((1 - confidence) / 2) / (double)all->n, 1);

	if (isnan(s.error))
		return (struct amount){above, NAN, NAN};
	return (struct amount){above, fmax(fmin(above - half, 1 - unseen), 0),
		fmin(fmax(above + half, unseen), 1)};
}
