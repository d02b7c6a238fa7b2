/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Student's t on the logarithms of values, one of each placement. */
#include "base/intervals.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

struct amount interval_of_logs(double mean, double se, double df, double confidence)
{
	double half = df > 0 ? gsl_cdf_tdist_Pinv(0.5 + confidence / 2, df) * se : NAN;

	return (struct amount){exp(mean), exp(mean - half), exp(mean + half)};
}

static bool usable(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(values[i] > 0) || !isfinite(values[i]))
			return false;
	return n > 0;
}

/* Of a value, estimated from n of them; NAN for a single one. */
static double variance(struct log_figures f)
{
	return f.n > 1 ? f.squares / (double)(f.n - 1) : NAN;
}

struct amount interval_of_values(const double *values, size_t n, double confidence)
{
	if (!usable(values, n))
		return AMOUNT_NONE;
	if (n == 1)
		return (struct amount){values[0], NAN, NAN};
	struct log_figures f = verdict_logs(values, n);

	return interval_of_logs(f.mean, sqrt(variance(f) / (double)n), (double)n - 1, confidence);
}

void interval_of_figures(
	const double *values, size_t n, size_t m, double confidence, struct amount *out)
{
	double *variances = alloc_zeroed(m + 1, sizeof(*variances));
	size_t *index = alloc_zeroed(m + 1, sizeof(*index)), count = 0;

	for (size_t i = 0; i < m; i++) {
		out[i] = interval_of_values(values + i * n, n, confidence);
		if (isnan(out[i].low))
			continue;
		variances[count] = variance(verdict_logs(values + i * n, n));
		index[count++] = i;
	}
	if (count >= VERDICT_MODERATE) {
		double df = verdict_moderate(variances, count, (double)n - 1);

		for (size_t k = 0; k < count; k++)
			out[index[k]] = interval_of_logs(log(out[index[k]].value),
				sqrt(variances[k] / (double)n), df, confidence);
	}
	free(index);
	free(variances);
}

/* Both variances 0: any degrees of freedom give the same interval. */
static double welch(double a, size_t na, double b, size_t nb)
{
	double sum = a + b;

	if (sum == 0)
		return 1;
	return sum * sum / (a * a / (double)(na - 1) + b * b / (double)(nb - 1));
}

struct amount interval_of_ratio(
	const double *a, size_t na, const double *b, size_t nb, double confidence)
{
	if (!usable(a, na) || !usable(b, nb))
		return AMOUNT_NONE;
	struct log_figures over = verdict_logs(a, na), under = verdict_logs(b, nb);
	double up = variance(over) / (double)na, down = variance(under) / (double)nb;

	return interval_of_logs(over.mean - under.mean, sqrt(up + down),
		na > 1 && nb > 1 ? welch(up, na, down, nb) : NAN, confidence);
}
