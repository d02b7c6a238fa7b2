/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies the statistic of the argument file to samples. */
#include "measure/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/intervals.h"

/* An interval of the mean, or over placements, that ended the sampling as soon as it was narrow
 * covers less than it says; that of 97 % then covers 95 (simulated). */
#define STOPPED_TAILS 0.6

static double watched(const struct request *q, bool is)
{
	return is ? 1 - (1 - q->confidence) * STOPPED_TAILS : q->confidence;
}

/* Of samples. */
static double confidence(const struct request *q)
{
	return watched(q, q->target_error > 0 && q->statistic == STATISTIC_MEAN);
}

static struct amount choose_statistic(const struct request *q, const struct stats *s)
{
	switch (q->statistic) {
	case STATISTIC_MEDIAN:
		return (struct amount){s->median, s->median_low, s->median_high};
	case STATISTIC_MIN:
		return (struct amount){s->min, NAN, NAN};
	default:
		if (s->n < 2)
			return (struct amount){s->mean, NAN, NAN};
		return amount_said(
			(struct amount){s->mean, s->mean - s->ci_mean, s->mean + s->ci_mean});
	}
}

static void take_amount(struct estimate *x, struct amount a)
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
static struct amount over_placements(
	const struct request *q, const struct prior *p, const struct estimate *x)
{
	struct amount a = interval_sharing(x->each, x->placements, p, watched(q, q->enough > 0));

	if (!isnan(a.value))
		return a;
	a.value = 0;
	for (size_t i = 0; i < x->placements; i++)
		a.value += x->each[i] / (double)x->placements;
	return a;
}

void estimate_share(const struct request *q, const struct kin *k, struct estimate *x)
{
	if (x->placements > 1)
		take_amount(x, over_placements(q, &k->prior, x));
	x->hidden = q->statistic == STATISTIC_MEAN && estimate_error(x) < k->rare &&
		    estimate_error(x) < k->rare_error / sqrt((double)x->stats.n);
	if (x->hidden)
		x->low = x->high = NAN;
}

/* Values of samples, and the placement of each. */
struct column {
	double *list, *relative; /* to the median of the placement */
	size_t *placements, n;
};

static void start_column(struct column *v, size_t most)
{
	v->list = alloc_zeroed(most + 1, sizeof(*v->list));
	v->relative = alloc_zeroed(most + 1, sizeof(*v->relative));
	v->placements = alloc_zeroed(most + 1, sizeof(*v->placements));
	v->n = 0;
}

static void release(struct column *v)
{
	free(v->list);
	free(v->relative);
	free(v->placements);
}

static void add_sample_value(struct column *v, double value, size_t placement)
{
	v->list[v->n] = value;
	v->placements[v->n++] = placement;
}

static int estimate_from(const struct request *q, const struct column *v, struct estimate *out)
{
	if (stats_of(v->list, v->n, confidence(q), &out->stats))
		return -1;
	out->placements = 0;
	out->moved = out->unsure = 0;
	for (size_t from = 0, to = 0; from < v->n; from = to) {
		struct stats s;

		while (to < v->n && v->placements[to] == v->placements[from])
			to++;
		if (stats_of(v->list + from, to - from, q->confidence, &s))
			continue;
		out->each[out->placements++] = choose_statistic(q, &s).value;
		for (size_t i = from; i < to; i++)
			v->relative[i] = s.median > 0 ? v->list[i] / s.median - 1 : 0;
	}
	take_amount(out, choose_statistic(q, &out->stats));
	estimate_share(q, &(struct kin){.rare = 0}, out);
	out->shape = stats_deviations(v->relative, v->n);
	return 0;
}

/* Which samples of a result count, and the value of each. */
struct choice {
	size_t first;          /* sample */
	unsigned without;      /* flags of samples that are left out */
	sample_figure *figure; /* of the thread */
	int thread;
	const double *values; /* or one for each sample that is no warm-up; then figure is NULL */
};

static int estimate_chosen(const struct request *q, const struct op_result *result,
	const struct choice *c, struct estimate *out)
{
	struct column v;
	size_t counted = 0;

	start_column(&v, result->count);
	for (size_t i = c->first; i < result->count; i++) {
		const struct sample *s = &result->samples[i];

		if (s->warmup)
			continue;
		if (!(s->disturbed & c->without))
			add_sample_value(&v,
				c->figure ? c->figure(s, c->thread) : c->values[counted],
				s->placement);
		counted++;
	}
	int failed = estimate_from(q, &v, out);
	release(&v);
	return failed;
}

int estimate_values(const struct request *q, const struct op_result *result, const double *values,
	unsigned disturbed, struct estimate *out)
{
	return estimate_chosen(
		q, result, &(struct choice){.without = disturbed, .values = values}, out);
}

int estimate_placement(const struct request *q, const struct op_result *result, size_t first,
	int thread, sample_figure *figure, struct estimate *out)
{
	return estimate_chosen(q, result,
		&(struct choice){.first = first, .figure = figure, .thread = thread}, out);
}

int estimate_without(const struct request *q, const struct op_result *result, unsigned disturbed,
	int thread, sample_figure *figure, struct estimate *out)
{
	return estimate_chosen(q, result,
		&(struct choice){.without = disturbed, .figure = figure, .thread = thread}, out);
}

int estimate(const struct request *q, const struct op_result *result, int thread,
	sample_figure *figure, struct estimate *out)
{
	return estimate_placement(q, result, 0, thread, figure, out);
}

size_t estimate_pair(const struct estimate *a, const struct estimate *b, double *ratios)
{
	if (a->placements != b->placements)
		return 0;
	for (size_t i = 0; i < a->placements; i++)
		ratios[i] = a->each[i] / b->each[i];
	return a->placements;
}

static struct amount ratio_over_placements(const struct request *q, const struct estimate *a,
	const struct estimate *b, const struct prior *p)
{
	double ratios[PLACEMENTS_MAX];
	size_t n = p ? estimate_pair(a, b, ratios) : 0;
	struct amount found = n ? interval_sharing(ratios, n, p, q->confidence)
				: interval_of_ratio(a->each, a->placements, b->each, b->placements,
					  q->confidence);

	return isnan(found.value) ? (struct amount){a->value / b->value, NAN, NAN} : found;
}

struct amount estimate_ratio(const struct request *q, const struct estimate *a,
	const struct estimate *b, const struct prior *paired)
{
	if (a->hidden || b->hidden)
		return (struct amount){a->value / b->value, NAN, NAN};
	/* the intervals of these reach as far as they must */
	if (a->placements == 1 && b->placements == 1)
		return amount_ratio(estimate_amount(a), estimate_amount(b));
	struct amount ratio = ratio_over_placements(q, a, b, paired);

	return amount_moved(ratio, fmax(0, -a->moved) + fmax(0, b->moved),
		fmax(0, a->moved) + fmax(0, -b->moved), hypot(a->unsure, b->unsure));
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
