/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/robust.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* The missing ones go behind: the array may be asked again. */
static size_t present(double *values, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(values[i])) {
			const double swap = values[kept];

			values[kept++] = values[i];
			values[i] = swap;
		}
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

size_t robust_sort(double *values, size_t n)
{
	n = present(values, n);
	sort(values, n);
	return n;
}

double robust_median(double *values, size_t n)
{
	n = robust_sort(values, n);
	return n > 0 ? (values[(n - 1) / 2] + values[n / 2]) / 2 : NAN;
}

double robust_median_at(const double *values, size_t n, size_t stride)
{
	double *copy = alloc_zeroed(n + 1, sizeof(*copy));

	for (size_t i = 0; i < n; i++)
		copy[i] = values[i * stride];
	const double median = robust_median(copy, n);

	free(copy);
	return median;
}

static size_t place_of(const double *sorted, size_t n, double value)
{
	size_t low = 0;

	while (low < n) {
		const size_t middle = low + (n - low) / 2;

		if (sorted[middle] < value)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

double robust_median_but(const double *sorted, size_t n, double value)
{
	const size_t at = place_of(sorted, n, value), low = n > 1 ? (n - 2) / 2 : 0,
		     high = (n - 1) / 2;

	if (n < 2)
		return NAN;
	return (sorted[low + (low >= at)] + sorted[high + (high >= at)]) / 2;
}

double robust_spread(double *values, size_t n, double middle)
{
	for (size_t i = 0; i < n; i++)
		values[i] = fabs(values[i] - middle);
	return 1.4826 * robust_median(values, n);
}

/* Hoare, Communications of the ACM 4, 1961: the part in which the value lies is divided again. Of
 * millions all but one would be sorted for nothing. */
double robust_largest(double *values, size_t n, size_t k)
{
	const ptrdiff_t at = (ptrdiff_t)(n - k);
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1;

	while (low < high) {
		const double pivot = values[low + (high - low) / 2];
		ptrdiff_t i = low, j = high;

		while (i <= j) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i > j)
				break;
			const double x = values[i];

			values[i++] = values[j];
			values[j--] = x;
		}
		if (at <= j)
			high = j;
		else if (at >= i)
			low = i;
		else
			break;
	}
	return values[at];
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
