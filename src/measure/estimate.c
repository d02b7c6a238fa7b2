/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies the statistic of the argument file to samples. */
#include "measure/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

static void choose(const struct request *q, struct estimate *x)
{
	x->low = NAN;
	x->high = NAN;
	switch (q->statistic) {
	case STATISTIC_MEDIAN:
		x->value = x->stats.median;
		x->low = x->stats.median_low;
		x->high = x->stats.median_high;
		return;
	case STATISTIC_MIN:
		x->value = x->stats.min;
		return;
	default:
		x->value = x->stats.mean;
		if (x->stats.n < 2)
			return;
		x->low = x->stats.mean - x->stats.ci_mean;
		x->high = x->stats.mean + x->stats.ci_mean;
	}
}

int estimate_values(const struct request *q, const double *values, size_t n, struct estimate *out)
{
	if (stats_of(values, n, q->confidence, &out->stats))
		return -1;
	choose(q, out);
	return 0;
}

int estimate(const struct request *q, const struct op_result *result, int thread,
	sample_figure *figure, struct estimate *out)
{
	double *values = alloc_zeroed(result->count + 1, sizeof(*values));
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++)
		if (!result->samples[i].warmup)
			values[n++] = figure(&result->samples[i], thread);
	int failed = estimate_values(q, values, n, out);
	free(values);
	return failed;
}

double estimate_error(const struct estimate *x)
{
	return (x->high - x->low) / 2 / x->value;
}
