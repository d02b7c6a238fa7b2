/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Percentiles of events that were observed in clusters, such as placements. Events of one cluster
 * are not independent: their number above a value varies by up to hundreds of times what a binomial
 * law says, so an interval that counts events covers 11 to 95 % where it claims 95 %. The interval
 * here takes the share of events below the percentile in each cluster, the standard error of these
 * shares with Student's t, and reads both ends off the merged histogram (Woodruff, Confidence
 * intervals for medians and other position measures, JASA 47, 1952).
 */
#ifndef PERCENTILE_H
#define PERCENTILE_H

#include "base/amount.h"
#include "statistics/histogram.h"

struct percentile {
	struct amount value; /* ticks; the ends include the widths of their buckets. Without an
				interval: one cluster, or an end beyond all events */
	double design; /* variance of the shares over that of a binomial law, as events that are
			  independent have it (Kish's design effect); NAN: one cluster */
	double needed; /* events that it takes: the value is AMOUNT_NONE if they are more */
};

/* The percentile `part` (0.99) of all clusters[n], whose sum is `all`. */
struct percentile percentile_of(const struct histogram *clusters, size_t n,
	const struct histogram *all, double part, double confidence);

/* The share of events above a value, with the same interval. */
struct amount percentile_share_above(const struct histogram *clusters, size_t n,
	const struct histogram *all, double value, double confidence);

/* So many independent events have one beyond the percentile, and so an end of the interval, as
 * surely as the confidence says on that side: ln((1 - confidence) / 2) / ln(part). */
double percentile_needs(double part, double confidence);

#endif
