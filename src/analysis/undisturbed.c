/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the figures of all samples with those of the undisturbed ones. */
#include "analysis/undisturbed.h"

#include <math.h>

#define LOST                                                                            \
	(DISTURBED_MOVED | DISTURBED_PREEMPTED | DISTURBED_FAULTED | DISTURBED_STOLEN | \
		DISTURBED_SIBLING)

static bool is_disturbed(const struct sample *s)
{
	return (s->disturbed & LOST) != 0;
}

static void count(const struct op_result *o, size_t *samples, size_t *disturbed)
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

	count(&r->ops[op], &samples, &disturbed);
	return samples ? (double)disturbed / (double)samples : NAN;
}

bool undisturbed_again(const struct samples *r, int op)
{
	size_t samples, disturbed;

	count(&r->ops[op], &samples, &disturbed);
	if (!disturbed)
		return false;
	return (double)disturbed > UNDISTURBED_AGAIN * (double)samples ||
	       (samples >= UNDISTURBED_SAMPLES && samples - disturbed < UNDISTURBED_SAMPLES);
}

/* Without an interval of its own the figure itself is what is known. */
static double least(const struct estimate *x)
{
	return isfinite(x->low) ? x->low : x->value;
}

static double most(const struct estimate *x)
{
	return isfinite(x->high) ? x->high : x->value;
}

/* A minimum is not that of a sample whose loss is not known. A known loss cannot make a sample too
 * short: what is left is never less than the CPU time. */
static unsigned without(const struct request *q)
{
	return q->statistic == STATISTIC_MIN ? DISTURBED_MOVED | DISTURBED_STOLEN : 0;
}

static void widen(const struct samples *r, int op, const struct estimate *alone, struct estimate *x)
{
	if (without(r->plan->request) || !(undisturbed_rest(r, op) > UNDISTURBED_HULL) ||
		!isfinite(x->low))
		return;
	x->low = fmin(x->low, least(alone));
	x->high = fmax(x->high, most(alone));
	x->widened = true;
}

static void share(const struct subject *s, struct estimate *x)
{
	estimate_share(
		s->samples->plan->request, sharing_kin(s->samples, s->family, s->op, s->thread), x);
}

int undisturbed_estimate(const struct subject *s, struct estimate *x, struct estimate *alone)
{
	const struct samples *r = s->samples;
	const struct request *q = r->plan->request;

	*alone = (struct estimate){.value = NAN, .low = NAN, .high = NAN};
	if (estimate_without(q, &r->ops[s->op], without(q), s->thread, s->figure, x))
		return -1;
	share(s, x);
	if (estimate_without(q, &r->ops[s->op], LOST, s->thread, s->figure, alone))
		return 0;
	share(s, alone);
	widen(r, s->op, alone, x);
	return 0;
}

int undisturbed_values(const struct subject *s, const double *values, struct estimate *x)
{
	const struct samples *r = s->samples;
	const struct request *q = r->plan->request;
	struct estimate alone;

	if (estimate_values(q, &r->ops[s->op], values, without(q), x))
		return -1;
	share(s, x);
	if (estimate_values(q, &r->ops[s->op], values, LOST, &alone))
		return 0;
	share(s, &alone);
	widen(r, s->op, &alone, x);
	return 0;
}
