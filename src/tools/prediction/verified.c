/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares advice with measurements. */
#include <math.h>
#include <stdlib.h>

#include "analysis/derive.h"
#include "analysis/undisturbed.h"
#include "base/alloc.h"
#include "base/text.h"
#include "prediction/advice.h"

void advice_choose(const struct advised *a, struct experiment *x)
{
	bool *with = alloc_zeroed(x->nruns, sizeof(*with));

	for (size_t i = 0; i < a->count; i++)
		with[a->list[i].run] |= a->list[i].verified;
	for (size_t i = 0; i < x->nruns; i++) {
		if (with[i] || x->runs[i].skipped)
			continue;
		x->runs[i].skipped = true;
		error_add(&x->runs[i].errors, STATUS_PLACEMENT, NOWHERE,
			"is not one of the placements that verify the advice");
	}
	free(with);
}

static void take_verified(struct advised_placement *p, const struct run *r)
{
	struct amount total = {0, 0, 0};

	if (r->skipped || !r->samples.ops)
		return;
	for (int op = 0; op < r->plan.nops; op++) {
		const struct amount c = derive_cost(&r->samples, op, ALL_THREADS);

		total = (struct amount){
			total.value + c.value, total.low + c.low, total.high + c.high};
		p->disturbed |= undisturbed_again(&r->samples, op);
	}
	p->measured = total;
}

static void conclude(struct advised *a, enum advised_verdict verdict, char *why)
{
	a->verdict = verdict;
	a->why = why;
}

/* "2", or the baseline without a rank. */
static char *name_of(const struct advised_placement *p)
{
	return p->rank ? alloc_format("placement %zu", p->rank) : alloc_format("the baseline");
}

/* What their intervals have in common, as a part of the first one's value; 0: nothing. */
static double overlap_of(struct amount a, struct amount b)
{
	return fmax(0, (fmin(a.high, b.high) - fmax(a.low, b.low)) / a.value);
}

/* The first placement may be dearer by more than what is tolerated, and may be not. */
static void doubt(struct advised *a, struct amount measured, struct amount r, const char *name)
{
	const double tolerance = 100 * ADVISED_TOLERANCE;
	char percent[32];

	a->too_noisy = true;
	a->overlap = overlap_of(a->list[0].measured, measured);
	char *common = a->overlap > 0
			       ? alloc_format("the intervals of its first placement and of %s "
					      "overlap by %s",
					 name, text_percent(a->overlap, percent, sizeof(percent)))
			       : alloc_format("its first placement costs more than %s", name);

	conclude(a, ADVISED_NOT_SHOWN,
		alloc_format("%s; too noisy for %g %%: it takes %.4g times as long, %g %%: %.4g .. "
			     "%.4g",
			common, tolerance, r.value, 100 * a->forecast->confidence, r.low, r.high));
	free(common);
}

/* The advised placement against one that was measured too; false: nothing is decided by it. */
static bool compare_with_measured(struct advised *a, const struct advised_placement *p)
{
	const struct amount r = amount_ratio(a->list[0].measured, p->measured);
	char *name = name_of(p);
	bool decided = true;

	if (r.low > 1 + ADVISED_TOLERANCE)
		conclude(a, ADVISED_FAILS,
			alloc_format("its first placement takes %.4g times as long as %s, %g %%: "
				     "%.4g .. %.4g",
				r.value, name, 100 * a->forecast->confidence, r.low, r.high));
	else if (isnan(r.low) && isnan(r.high))
		conclude(a, ADVISED_NOT_SHOWN,
			alloc_format("%s or the first one has no interval", name));
	else if (!(r.high <= 1 + ADVISED_TOLERANCE))
		doubt(a, p->measured, r, name);
	else
		decided = false;
	free(name);
	return decided;
}

/* One that is cheaper beyond doubt decides; of the others the first that leaves a doubt. */
static void judge_advice(struct advised *a)
{
	struct advised decided = {.why = NULL};
	size_t others = 0;

	for (size_t i = 1; i < a->count; i++) {
		struct advised now = *a;

		if (isnan(a->list[i].measured.value))
			continue;
		others++;
		if (!compare_with_measured(&now, &a->list[i]))
			continue;
		if (now.verdict == ADVISED_FAILS || !decided.why) {
			free(decided.why);
			decided = now;
		} else {
			free(now.why);
		}
		if (decided.verdict == ADVISED_FAILS)
			break;
	}
	if (decided.why)
		*a = decided;
	else if (others)
		conclude(a, ADVISED_HOLDS,
			alloc_format("no other that was measured is cheaper than its first "
				     "placement by more than %g %%",
				100 * ADVISED_TOLERANCE));
	else
		conclude(a, ADVISED_NOT_SHOWN,
			alloc_format("no other placement was measured beside its first"));
}

/* What no figure can mend; NULL: nothing. */
static char *why_not_verified(const struct advised *a)
{
	if (isnan(a->list[0].measured.value))
		return alloc_format("its first placement was not measured");
	for (size_t i = 0; i < a->count; i++) {
		if (!a->list[i].verified)
			continue;
		char *name = name_of(&a->list[i]), *why = NULL;

		if (isnan(a->list[i].measured.value))
			why = alloc_format("%s was not measured", name);
		else if (a->list[i].disturbed)
			why = alloc_format("too many samples of %s are disturbed", name);
		free(name);
		if (why)
			return why;
	}
	return NULL;
}

void advice_judge(struct advised *a, const struct experiment *x)
{
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].verified)
			take_verified(&a->list[i], &x->runs[a->list[i].run]);
	advice_conclude(a);
}

static void find_cheapest(struct advised *a)
{
	double least = HUGE_VAL;

	a->cheapest = a->count;
	for (size_t i = 0; i < a->count; i++)
		if (a->list[i].measured.value < least) {
			least = a->list[i].measured.value;
			a->cheapest = i;
		}
	for (size_t i = 0; i < a->count; i++)
		a->list[i].tied = i != a->cheapest && a->cheapest < a->count &&
				  a->list[i].measured.low <= a->list[a->cheapest].measured.high;
}

void advice_conclude(struct advised *a)
{
	a->too_noisy = false;
	a->overlap = 0;
	find_cheapest(a);
	char *why = why_not_verified(a);

	if (why)
		conclude(a, ADVISED_NOT_SHOWN, why);
	else
		judge_advice(a);
}
