/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies the statistic of the argument file to samples. */
#include "measure/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/intervals.h"

/* An interval of the mean that ended the sampling as soon as it was narrow covers less than it
 * says; that of 97 % then covers 95 (simulated). */
#define STOPPED_TAILS 0.6

static double confidence(const struct request *q)
{
	bool watched = q->target_error > 0 && q->statistic == STATISTIC_MEAN;

	return watched ? 1 - (1 - q->confidence) * STOPPED_TAILS : q->confidence;
}

static struct amount choose(const struct request *q, const struct stats *s)
{
	switch (q->statistic) {
	case STATISTIC_MEDIAN:
		return (struct amount){s->median, s->median_low, s->median_high};
	case STATISTIC_MIN:
		return (struct amount){s->min, NAN, NAN};
	default:
		if (s->n < 2)
			return (struct amount){s->mean, NAN, NAN};
		return (struct amount){s->mean, s->mean - s->ci_mean, s->mean + s->ci_mean};
	}
}

static void take(struct estimate *x, struct amount a)
{
	x->value = a.value;
	x->low = a.low;
	x->high = a.high;
}

struct amount estimate_amount(const struct estimate *x)
{
	return (struct amount){x->value, x->low, x->high};
}

/* Logarithms need values above 0: the cost of a kernel that does nothing can be 0. */
static struct amount over_placements(const struct request *q, const struct estimate *x)
{
	struct amount a = interval_of_values(x->each, x->placements, q->confidence);

	if (!isnan(a.value))
		return a;
	a.value = 0;
	for (size_t i = 0; i < x->placements; i++)
		a.value += x->each[i] / (double)x->placements;
	return a;
}

/* The number of values of the placement that begins with the sample *at, which is moved to the next
 * placement. */
static size_t count_placement(const struct op_result *result, size_t *at)
{
	size_t placement = result->samples[*at].placement, n = 0;

	for (; *at < result->count && result->samples[*at].placement == placement; ++*at)
		n += !result->samples[*at].warmup;
	return n;
}

static int estimate_from(const struct request *q, const struct op_result *result, size_t first,
	const double *values, size_t n, struct estimate *out)
{
	if (stats_of(values, n, confidence(q), &out->stats))
		return -1;
	out->placements = 0;
	for (size_t at = first, from = 0; at < result->count;) {
		size_t count = count_placement(result, &at);
		struct stats s;

		if (count && !stats_of(values + from, count, q->confidence, &s))
			out->each[out->placements++] = choose(q, &s).value;
		from += count;
	}
	take(out, out->placements > 1 ? over_placements(q, out) : choose(q, &out->stats));
	return 0;
}

int estimate_values(const struct request *q, const struct op_result *result, const double *values,
	struct estimate *out)
{
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++)
		n += !result->samples[i].warmup;
	return estimate_from(q, result, 0, values, n, out);
}

int estimate_placement(const struct request *q, const struct op_result *result, size_t first,
	int thread, sample_figure *figure, struct estimate *out)
{
	double *values = alloc_zeroed(result->count + 1, sizeof(*values));
	size_t n = 0;

	for (size_t i = first; i < result->count; i++)
		if (!result->samples[i].warmup)
			values[n++] = figure(&result->samples[i], thread);
	int failed = estimate_from(q, result, first, values, n, out);
	free(values);
	return failed;
}

int estimate(const struct request *q, const struct op_result *result, int thread,
	sample_figure *figure, struct estimate *out)
{
	return estimate_placement(q, result, 0, thread, figure, out);
}

struct amount estimate_ratio(
	const struct request *q, const struct estimate *a, const struct estimate *b, bool paired)
{
	struct amount ratio = {a->value / b->value, NAN, NAN}, found;

	if (a->placements == 1 && b->placements == 1)
		return amount_ratio(estimate_amount(a), estimate_amount(b));
	if (!paired || a->placements != b->placements)
		found = interval_of_ratio(
			a->each, a->placements, b->each, b->placements, q->confidence);
	else if (stats_paired_ratio(a->each, b->each, a->placements, q->confidence, &found))
		return ratio;
	return isnan(found.value) ? ratio : found;
}

double estimate_error(const struct estimate *x)
{
	return (x->high - x->low) / 2 / x->value;
}

double estimate_spread(const struct estimate *x)
{
	double least = x->each[0], most = x->each[0];

	for (size_t i = 1; i < x->placements; i++) {
		least = fmin(least, x->each[i]);
		most = fmax(most, x->each[i]);
	}
	return most == least ? 0 : most / least - 1;
}
