/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the figures of all samples with those of the undisturbed ones. These may be too few in a
 * placement, or in all, for an interval of their own: so each sample is taken over the figure of
 * all samples of its placement, and what all placements say about that is joined. */
#include "analysis/undisturbed.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/intervals.h"

/* Of normal noise, the standard deviation over the median deviation, and the standard error of the
 * median of many over that of their mean, sqrt(pi / 2). */
#define NORMAL_OF_MAD    1.4826
#define MEDIAN_OF_NORMAL 1.2533

#define LOST                                                                            \
	(DISTURBED_MOVED | DISTURBED_PREEMPTED | DISTURBED_FAULTED | DISTURBED_STOLEN | \
		DISTURBED_SIBLING)

static bool is_disturbed(const struct sample *s)
{
	return (s->disturbed & LOST) != 0;
}

static void count_disturbed(const struct op_result *o, size_t *samples, size_t *disturbed)
{
	*samples = 0;
	*disturbed = 0;
	for (size_t i = 0; i < o->count; i++) {
		if (o->samples[i].warmup)
			continue;
		++*samples;
		*disturbed += is_disturbed(&o->samples[i]);
	}
}

double undisturbed_rest(const struct samples *r, int op)
{
	size_t samples, disturbed;

	count_disturbed(&r->ops[op], &samples, &disturbed);
	return samples ? (double)disturbed / (double)samples : NAN;
}

bool undisturbed_again(const struct samples *r, int op)
{
	size_t samples, disturbed;

	count_disturbed(&r->ops[op], &samples, &disturbed);
	if (!disturbed)
		return false;
	return (double)disturbed > UNDISTURBED_AGAIN * (double)samples ||
	       (samples >= UNDISTURBED_SAMPLES && samples - disturbed < UNDISTURBED_SAMPLES);
}

/* A minimum is not that of a sample whose loss is not known. A known loss cannot make a sample too
 * short: what is left is never less than the CPU time. */
static unsigned without(const struct request *q)
{
	return q->statistic == STATISTIC_MIN ? DISTURBED_MOVED | DISTURBED_STOLEN : 0;
}

/* ---- undisturbed samples beside all */

/* Of each sample, its figure over that of all samples of its placement. */
struct related {
	double *all, *undisturbed;
	size_t n, left;     /* samples in each */
	double least, most; /* of the figures themselves */
};

static struct related relate(
	const struct subject *s, const double *values, const struct estimate *x)
{
	const struct op_result *o = &s->samples->ops[s->op];
	struct related r = {.least = INFINITY, .most = -INFINITY};
	const struct sample *last = NULL;
	const unsigned left_out = without(s->samples->plan->request);
	size_t placement = 0, counted = 0;

	r.all = alloc_zeroed(o->count + 1, sizeof(*r.all));
	r.undisturbed = alloc_zeroed(o->count + 1, sizeof(*r.undisturbed));
	for (size_t i = 0; i < o->count; i++) {
		const struct sample *one = &o->samples[i];

		if (one->warmup)
			continue;
		const double value = s->figure ? s->figure(one, s->thread) : values[counted++];

		if (one->disturbed & left_out)
			continue;
		placement += last && last->placement != one->placement;
		last = one;
		r.all[r.n++] = value / x->each[placement];
		if (!is_disturbed(one))
			r.undisturbed[r.left++] = r.all[r.n - 1];
		r.least = fmin(r.least, value);
		r.most = fmax(r.most, value);
	}
	return r;
}

static void forget(struct related *r)
{
	free(r->all);
	free(r->undisturbed);
}

/* The statistic of values[n]; NAN: there are none. */
static double center(const struct request *q, const double *values, size_t n)
{
	struct stats s;

	if (stats_of(values, n, q->confidence, &s))
		return NAN;
	return q->statistic == STATISTIC_MEDIAN ? s.median
	       : q->statistic == STATISTIC_MIN  ? s.min
						: s.mean;
}

/* How far a single sample is off, as the samples of all placements say, of which each is off as
 * much as it takes part in its own statistic: its standard error in a mean, and in a median that of
 * the median of normal noise. */
static double single(const struct request *q, const struct related *r, double df)
{
	double *off = alloc_zeroed(r->n + 1, sizeof(*off)), squares = 0;
	struct stats s;

	for (size_t i = 0; i < r->n; i++) {
		off[i] = fabs(r->all[i] - 1);
		squares += off[i] * off[i] / df;
	}
	double one = sqrt(squares);

	if (q->statistic == STATISTIC_MEDIAN && !stats_of(off, r->n, q->confidence, &s))
		one = NORMAL_OF_MAD * s.median * sqrt((double)r->n / df) * MEDIAN_OF_NORMAL;
	free(off);
	return one;
}

/* Half the interval of the statistic of the undisturbed samples beside that of all, with which they
 * have themselves in common; without any, as if there were one. */
static double half_of(const struct request *q, const struct related *r, size_t placements)
{
	const double df = (double)r->n - (double)placements;

	if (!(df > 0))
		return INFINITY;
	return interval_quantile(df, q->confidence) * single(q, r, df) *
	       sqrt(1 / fmax(1, (double)r->left) - 1 / (double)r->n);
}

/* Reaches over the interval that the figure has when it is moved to the undisturbed samples, as far
 * as there are samples. */
static void widen(
	const struct request *q, const struct related *r, double moved, struct estimate *x)
{
	const struct amount a = estimate_amount(x);
	const double value = x->value * moved;

	x->moved = log(moved);
	x->unsure = fmin(half_of(q, r, x->placements), log(r->most / r->least));
	x->low = fmin(a.low, fmax(value * exp(-hypot(amount_down(a), x->unsure)), r->least));
	x->high = fmax(a.high, fmin(value * exp(hypot(amount_up(a), x->unsure)), r->most));
}

/* Compares the samples, and widens the interval if needed. *alone may be NULL. */
static void compare_alone(
	const struct subject *s, const double *values, struct estimate *x, double *alone)
{
	const struct request *q = s->samples->plan->request;
	struct related r = relate(s, values, x);
	const double known = center(q, r.undisturbed, r.left) / center(q, r.all, r.n),
		     moved = r.left ? known : 1;

	if (alone)
		*alone = x->value * known;
	if (q->statistic != STATISTIC_MIN &&
		(double)(r.n - r.left) > UNDISTURBED_HULL * (double)r.n && isfinite(x->low) &&
		moved > 0 && isfinite(moved))
		widen(q, &r, moved, x);
	forget(&r);
}

static void share_variance(const struct subject *s, struct estimate *x)
{
	estimate_share(
		s->samples->plan->request, pooling_kin(s->samples, s->family, s->op, s->thread), x);
}

int undisturbed_estimate(const struct subject *s, struct estimate *x, double *alone)
{
	const struct samples *r = s->samples;
	const struct request *q = r->plan->request;

	if (estimate_without(q, &r->ops[s->op], without(q), s->thread, s->figure, x))
		return -1;
	share_variance(s, x);
	compare_alone(s, NULL, x, alone);
	return 0;
}

int undisturbed_values(const struct subject *s, const double *values, struct estimate *x)
{
	const struct samples *r = s->samples;
	const struct request *q = r->plan->request;

	if (estimate_values(q, &r->ops[s->op], values, without(q), x))
		return -1;
	share_variance(s, x);
	compare_alone(s, values, x, NULL);
	return 0;
}
