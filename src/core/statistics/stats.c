/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mean, median and their intervals.
 *
 * stats.c is about one list of samples. intervals.c makes intervals of several placements, prior.c
 * makes them narrower where many figures vary alike, verdict.c and race.c decide between sides by
 * them. crossing.c, steffen.c, fit.c and root.c are about curves, settled.c about time,
 * percentile.c and histogram.c about single events, robust.c about values of which some are wild.
 */
#include "statistics/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* By default GSL aborts on input that it cannot compute, and NaN cannot be sorted. */
static bool are_usable_samples(const double *samples, size_t n, double confidence)
{
	if (n == 0 || n > UINT_MAX || !(confidence > 0 && confidence < 1))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(samples[i]))
			return false;
	}
	return true;
}

/* GSL's binomial is rounded: for n = 2 it returns a value above 0.25 instead of a quarter, and min
 * to max would not count as the half that it covers. This tolerance is far above that error and far
 * below the precision of a confidence. */
#define ROUNDING 1e-9

/* Differences of seconds are not exact: equal costs may lie this part of their median apart. */
#define SAME 1e-12

/* The l of stats.h; 0 when there is none. Uses bisection, because a linear search would take
 * seconds for 10^6 samples. */
static size_t median_rank(size_t n, double confidence)
{
	double tail = (1 - confidence) / 2 * (1 + ROUNDING);
	size_t low = 0, high = n / 2 + 1, middle;

	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (gsl_cdf_binomial_P((unsigned)middle - 1, 0.5, (unsigned)n) <= tail)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void describe_sorted(const double *sorted, size_t n, double confidence, struct stats *out)
{
	size_t rank = median_rank(n, confidence);

	out->min = sorted[0];
	out->max = sorted[n - 1];
	out->median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	out->median_low = rank > 0 ? sorted[rank - 1] : NAN;
	out->median_high = rank > 0 ? sorted[n - rank] : NAN;
}

static size_t count_outliers(const double *samples, size_t n, const struct stats *s)
{
	size_t count = 0;

	for (size_t i = 0; s->mad > 0 && i < n; i++)
		count += 0.6745 * fabs(samples[i] - s->median) / s->mad > 3.5;
	return count;
}

int stats_of(const double *samples, size_t n, double confidence, struct stats *out)
{
	double *copy;

	if (!are_usable_samples(samples, n, confidence))
		return -1;
	copy = alloc_zeroed(n, sizeof(*copy));
	memcpy(copy, samples, n * sizeof(*copy));
	gsl_sort(copy, 1, n);
	*out = (struct stats){.n = n, .mean = gsl_stats_mean(samples, 1, n)};
	describe_sorted(copy, n, confidence, out);
	out->mad = gsl_stats_mad0(samples, 1, n, copy);
	if (out->mad <= SAME * fabs(out->median))
		out->mad = 0;
	free(copy);
	out->outliers = count_outliers(samples, n, out);
	if (n > 1) {
		out->sd = gsl_stats_sd_m(samples, 1, n, out->mean);
		out->ci_mean = gsl_cdf_tdist_Pinv(0.5 + confidence / 2, (double)n - 1) * out->sd /
			       sqrt((double)n);
	}
	out->cv = out->sd / out->mean;
	return 0;
}

struct deviations stats_deviations(double *deviations, size_t n)
{
	gsl_sort(deviations, 1, n);
	double low = gsl_stats_quantile_from_sorted_data(deviations, 1, n, 0.25),
	       high = gsl_stats_quantile_from_sorted_data(deviations, 1, n, 0.75);
	struct deviations d = {.skewness = high > low ? (high + low) / (high - low) : 0};

	for (size_t i = n; i && deviations[i - 1] > high + 3 * (high - low); i--) {
		d.far++;
		d.far_sum += deviations[i - 1];
		d.far_squares += deviations[i - 1] * deviations[i - 1];
	}
	return d;
}

int stats_paired_ratio(
	const double *a, const double *b, size_t n, double confidence, struct amount *out)
{
	double *logs = alloc_zeroed(n + 1, sizeof(*logs));
	struct stats s;
	int failed = 0;

	for (size_t i = 0; i < n; i++) {
		failed |= !(a[i] > 0) || !(b[i] > 0);
		logs[i] = log(a[i]) - log(b[i]);
	}
	failed = failed || stats_of(logs, n, confidence, &s);
	free(logs);
	if (failed)
		return -1;
	double half = n > 1 ? s.ci_mean : NAN;
	*out = amount_said((struct amount){exp(s.mean), exp(s.mean - half), exp(s.mean + half)});
	return 0;
}
