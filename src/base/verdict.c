/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of ratios; many tests share their variances and their error rate. */
#include "base/verdict.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

struct log_figures verdict_logs(const double *values, size_t n)
{
	struct log_figures f = {0, 0, n};

	for (size_t i = 0; i < n; i++)
		f.mean += log(values[i]) / (double)n;
	for (size_t i = 0; i < n; i++)
		f.squares += pow(log(values[i]) - f.mean, 2);
	return f;
}

/* The x for which trigamma(x) = y, by Newton's method on 1 / trigamma, which is nearly straight. */
static double trigamma_inverse(double y)
{
	double x = 0.5 + 1 / y;

	for (int i = 0; i < 50; i++) {
		double value = gsl_sf_psi_1(x);
		double step = value * (1 - value / y) / gsl_sf_psi_n(2, x);

		x += step;
		if (fabs(step) < 1e-10 * x)
			break;
	}
	return x;
}

/* The logarithm of a variance, corrected for the bias that few degrees of freedom cause. */
static double unbiased_log(double variance, double df)
{
	return log(variance) - gsl_sf_psi(df / 2) + log(df / 2);
}

double verdict_moderate(double *variances, size_t m, double df)
{
	double mean = 0, spread = 0, prior = 0, count = (double)m;

	for (size_t i = 0; i < m; i++) {
		if (!(variances[i] > 0))
			return df;
		mean += unbiased_log(variances[i], df) / count;
		prior += variances[i] / count;
	}
	for (size_t i = 0; i < m; i++)
		spread += pow(unbiased_log(variances[i], df) - mean, 2) / (count - 1);
	spread -= gsl_sf_psi_1(df / 2);
	if (!(spread > 0)) { /* they are all the same */
		for (size_t i = 0; i < m; i++)
			variances[i] = prior;
		return df * count;
	}
	double prior_df = 2 * trigamma_inverse(spread);

	prior = exp(mean + gsl_sf_psi(prior_df / 2) - log(prior_df / 2));
	for (size_t i = 0; i < m; i++)
		variances[i] = (prior_df * prior + df * variances[i]) / (prior_df + df);
	return fmin(prior_df + df, df * count);
}

double verdict_above(double difference, double limit, double se, double df)
{
	if (!(se > 0))
		return difference > limit ? 0 : 1;
	return gsl_cdf_tdist_Q((difference - limit) / se, df);
}

void verdict_holm(const double *p, size_t m, double alpha, bool *rejected)
{
	size_t *order = alloc_zeroed(m + 1, sizeof(*order));
	bool going = true;

	gsl_sort_index(order, p, 1, m);
	for (size_t i = 0; i < m; i++) {
		going = going && p[order[i]] <= alpha / (double)(m - i);
		rejected[order[i]] = going;
	}
	free(order);
}
