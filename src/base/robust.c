/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/robust.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>

static size_t present(double *values, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(values[i]))
			values[kept++] = values[i];
	return kept;
}

/* A heap takes several times as long for the few figures of a resource. */
static void sort(double *values, size_t n)
{
	if (n > 32) {
		gsl_sort(values, 1, n);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		const double x = values[i];
		size_t k = i;

		for (; k > 0 && values[k - 1] > x; k--)
			values[k] = values[k - 1];
		values[k] = x;
	}
}

double robust_median(double *values, size_t n)
{
	n = present(values, n);
	if (n == 0)
		return NAN;
	sort(values, n);
	return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

double robust_spread(double *values, size_t n, double middle)
{
	for (size_t i = 0; i < n; i++)
		values[i] = fabs(values[i] - middle);
	return 1.4826 * robust_median(values, n);
}

double robust_largest(double *values, size_t n, size_t k)
{
	gsl_sort(values, 1, n);
	return values[n - k];
}

double robust_normal_limit(double tail)
{
	return gsl_cdf_ugaussian_Qinv(tail);
}

double robust_t_half(double confidence, double df)
{
	return gsl_cdf_tdist_Pinv(0.5 + confidence / 2, df);
}

double robust_variance_bias(double df)
{
	return gsl_cdf_chisq_Pinv(0.5, df) / df;
}
