/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Student's t on the logarithms of values, one of each placement. */
#include "statistics/intervals.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

double interval_quantile(double df, double confidence)
{
	return gsl_cdf_tdist_Pinv(0.5 + confidence / 2, df);
}

struct amount interval_of_logs(double mean, double se, double df, double confidence)
{
	double half = df > 0 ? interval_quantile(df, confidence) * se : NAN;

	return amount_said((struct amount){exp(mean), exp(mean - half), exp(mean + half)});
}

static bool are_usable_values(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(values[i] > 0) || !isfinite(values[i]))
			return false;
	return n > 0;
}

struct variance interval_variance(const double *values, size_t n, size_t group)
{
	double df = (double)n - 1;

	return (struct variance){
		n > 1 && are_usable_values(values, n) ? verdict_logs(values, n).squares / df : NAN,
		df, group};
}

struct amount interval_sharing(
	const double *values, size_t n, const struct prior *p, double confidence)
{
	if (!are_usable_values(values, n))
		return AMOUNT_NONE;
	if (n == 1)
		return (struct amount){values[0], NAN, NAN};
	struct variance v = prior_moderate(p, interval_variance(values, n, 0));

	return interval_of_logs(
		verdict_logs(values, n).mean, sqrt(v.value / (double)n), v.df, confidence);
}

struct amount interval_of_values(const double *values, size_t n, double confidence)
{
	return interval_sharing(values, n, &PRIOR_NONE, confidence);
}

/* The squared standard error of one side, and its degrees of freedom. */
static struct variance variance_of_side(const double *values, size_t n)
{
	struct variance v = interval_variance(values, n, 0);

	v.value /= (double)n;
	return v;
}

/* Both variances 0: any degrees of freedom give the same interval. */
static double welch(struct variance a, struct variance b)
{
	double sum = a.value + b.value;

	if (sum == 0)
		return 1;
	return sum * sum / (a.value * a.value / a.df + b.value * b.value / b.df);
}

struct amount interval_of_ratio(
	const double *a, size_t na, const double *b, size_t nb, double confidence)
{
	if (!are_usable_values(a, na) || !are_usable_values(b, nb))
		return AMOUNT_NONE;
	struct variance over = variance_of_side(a, na), under = variance_of_side(b, nb);

	return interval_of_logs(verdict_logs(a, na).mean - verdict_logs(b, nb).mean,
		sqrt(over.value + under.value), na > 1 && nb > 1 ? welch(over, under) : NAN,
		confidence);
}
