/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges claims by confidence intervals. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims.h"
#include "analysis/counters.h"
#include "analysis/kernel_figures.h"
#include "analysis/undisturbed.h"
#include "base/alloc.h"

/* An experiment for reading only, with another confidence than the file's: it shares everything
 * else with x, which must outlive it. Estimates take the confidence from their request, so what
 * leads there is copied. */
struct confident {
	struct experiment experiment;
	struct plan **solo_plans; /* [nruns], each NULL or [nthreads] */
};

/* Threads alone have plans of their own, with the request of their run. */
static void take_solos(struct confident *c, size_t run)
{
	struct run *t = &c->experiment.runs[run];
	const size_t n = (size_t)t->plan.nthreads;
	struct samples *solos;

	if (!t->solos)
		return;
	c->solo_plans[run] = alloc_zeroed(n, sizeof(**c->solo_plans));
	solos = alloc_zeroed(n, sizeof(*solos));
	memcpy(solos, t->solos, n * sizeof(*solos));
	memcpy(c->solo_plans[run], t->solo_plans, n * sizeof(**c->solo_plans));
	for (size_t i = 0; i < n; i++) {
		c->solo_plans[run][i].request = &t->request;
		if (solos[i].ops)
			solos[i].plan = &c->solo_plans[run][i];
	}
	t->solos = solos;
	t->solo_plans = c->solo_plans[run];
}

static void make_confident(struct confident *c, const struct experiment *x, double confidence)
{
	struct run *runs = alloc_zeroed(x->nruns + 1, sizeof(*runs));

	*c = (struct confident){
		.experiment = *x, .solo_plans = alloc_zeroed(x->nruns + 1, sizeof(*c->solo_plans))};
	memcpy(runs, x->runs, x->nruns * sizeof(*runs));
	c->experiment.runs = runs;
	for (size_t i = 0; i < x->nruns; i++) {
		runs[i].request.confidence = confidence;
		runs[i].plan.request = &runs[i].request;
		if (runs[i].samples.ops)
			runs[i].samples.plan = &runs[i].plan;
		take_solos(c, i);
	}
}

static void free_confident(struct confident *c)
{
	for (size_t i = 0; i < c->experiment.nruns; i++) {
		if (c->solo_plans[i])
			free(c->experiment.runs[i].solos);
		free(c->solo_plans[i]);
	}
	free(c->solo_plans);
	free(c->experiment.runs);
	*c = (struct confident){0};
}

const char *const claim_verdicts[] = {
	"holds", "does not hold", "not shown", "cannot be asked here", NULL};

struct claim_bounds claim_bounds(const struct claim *c)
{
	const double above = c->differs ? c->margin : 1 + c->margin,
		     below = c->differs ? -c->margin : 1 / (1 + c->margin);

	switch (c->relation) {
	case CLAIM_ABOVE:
		return (struct claim_bounds){above, INFINITY};
	case CLAIM_BELOW:
		return (struct claim_bounds){c->differs ? -INFINITY : 0, below};
	default:
		return (struct claim_bounds){below, above};
	}
}

enum claim_verdict claim_verdict(const struct claim *c, struct amount figure)
{
	const struct claim_bounds b = claim_bounds(c);

	if (!isfinite(figure.low) || !isfinite(figure.high))
		return CLAIM_NOT_SHOWN;
	if (figure.low > b.low && figure.high < b.high)
		return CLAIM_HOLDS;
	return figure.high < b.low || figure.low > b.high ? CLAIM_FAILS : CLAIM_NOT_SHOWN;
}

static struct amount amount_of(
	const struct experiment *x, const struct view *what, const struct claim_point *p)
{
	const struct samples *r = &x->runs[p->run].samples;

	if (!r->ops)
		return AMOUNT_NONE;
	if (what->counter)
		return derive_counter_amount(r, p->op, what->thread, what->counter);
	if (what->figure)
		return kernel_figure_of(r, p->op, what->thread, what->figure->name);
	return quantity_of(x, (size_t)p->run, p->op, what->thread, what->quantity);
}

static int time_of(const struct experiment *x, const struct view *what, const struct claim_point *p,
	struct estimate *time)
{
	return quantity_time(&x->runs[p->run].samples, p->op, what->thread, what->quantity, time);
}

/* Left over right. Times are compared placement by placement where one run has both, otherwise as
 * placements of their own, which is narrower than a ratio of two intervals. */
static struct amount ratio_of(const struct experiment *x, const struct claim_test *t)
{
	const struct claim *c = t->claim;
	struct amount ratio = amount_ratio(t->of_left, t->of_right), exact;
	const bool inverse = quantities[c->left.what.quantity].inverse;
	struct estimate a, b;

	if (time_of(x, &c->left.what, &t->left, &a) || time_of(x, &c->right.what, &t->right, &b) ||
		inverse != quantities[c->right.what.quantity].inverse)
		return ratio;
	exact = estimate_ratio(&x->runs[t->left.run].request, &a, &b,
		t->left.run == t->right.run ? &PRIOR_NONE : NULL);
	if (inverse)
		exact = amount_inverse(exact);
	return amount_times(exact, ratio.value / exact.value);
}

/* Of the values that are shown. A side may lack an interval because rare slow samples hide how far
 * its mean can be off (estimate_share()), and a wider interval does not know that better. */
static struct amount consistent(const struct claim_test *t, struct amount figure)
{
	figure.value = t->claim->differs ? t->of_left.value - t->of_right.value
					 : t->of_left.value / t->of_right.value;
	if (!isfinite(t->of_left.low) || !isfinite(t->of_right.low))
		figure.low = figure.high = NAN;
	return figure;
}

static struct amount figure_of(const struct experiment *x, const struct claim_test *t)
{
	struct claim_test at = *t; /* with the confidence of x */

	at.of_left = amount_of(x, &t->claim->left.what, &t->left);
	at.of_right = amount_of(x, &t->claim->right.what, &t->right);
	return consistent(t,
		t->claim->differs ? amount_difference(at.of_left, at.of_right) : ratio_of(x, &at));
}

/* A lost CPU changes times, and neither counts, which have samples of their own, nor what kernels
 * tell. */
static bool too_disturbed(
	const struct experiment *x, const struct view *what, const struct claim_point *p)
{
	return !what->counter && !what->figure && !*quantities[what->quantity].metrics &&
	       undisturbed_again(&x->runs[p->run].samples, p->op);
}

static void ask_for_more(struct claim_test *t, const struct experiment *x)
{
	t->of_left = amount_of(x, &t->claim->left.what, &t->left);
	t->of_right = amount_of(x, &t->claim->right.what, &t->right);
	const bool right = isfinite(t->of_left.value);

	if (right && isfinite(t->of_right.value))
		return;
	const struct claim_point *p = right ? &t->right : &t->left;
	char *quantity = view_title(x, right ? &t->claim->right.what : &t->claim->left.what);

	t->reason = alloc_format("%s has no figure of %s", x->runs[p->run].label, quantity);
	free(quantity);
}

static void judge_claim(struct claim_test *t, const struct experiment *confident)
{
	t->figure = figure_of(confident, t);
	t->verdict = claim_verdict(t->claim, t->figure);
	if (too_disturbed(confident, &t->claim->left.what, &t->left) ||
		too_disturbed(confident, &t->claim->right.what, &t->right)) {
		t->verdict = CLAIM_NOT_SHOWN;
		t->reason = alloc_format("too many samples are disturbed: measure again");
	} else if (!isfinite(t->figure.low) || !isfinite(t->figure.high))
		t->reason = alloc_format("there is no interval: statistic: median and placements: "
					 "3, or more, give one");
}

void claims_judge(struct claims *c, const struct experiment *x)
{
	struct confident confident;

	c->confidence = experiment_request(x)->confidence;
	c->asked = 0;
	for (size_t i = 0; i < c->ntests; i++) {
		if (!c->tests[i].reason)
			ask_for_more(&c->tests[i], x);
		c->asked += !c->tests[i].reason;
	}
	c->each = c->asked ? 1 - (1 - c->confidence) / (double)c->asked : c->confidence;
	make_confident(&confident, x, c->each);
	for (size_t i = 0; i < c->ntests; i++)
		if (!c->tests[i].reason)
			judge_claim(&c->tests[i], &confident.experiment);
	free_confident(&confident);
}
