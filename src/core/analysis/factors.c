/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes a mean of cells apart into figures, and finds its interval.
 *
 * The variances of few placements are themselves known badly, and the figure that all cells share
 * has most of the variance. Two intervals hold for such a sum, and are wide in different cases:
 * that of Satterthwaite (Biometrics Bulletin 2, 1946), with no more degrees of freedom than if all
 * figures varied alike, where one variance is by chance far smaller than it should be; and the root
 * of the sum of squares of the half-widths of runs that count alike (Zou and Donner 2008), each
 * with its own t. The narrower one is taken: make coverage-of-intervals simulates it.
 */
#include "analysis/factors.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/intervals.h"

/* ---- what cells are made of */

static void add_factor(struct factor *to, double power, size_t run, const struct samples *r, int op,
	int thread, const struct estimate *figure)
{
	while (to->power)
		to++;
	*to = (struct factor){power, run, r, op, thread, *figure};
}

static void add_time(struct factor *to, double power, const struct experiment *x, size_t run,
	int op, int thread, enum quantity q)
{
	const struct samples *r = &x->runs[run].samples;
	struct estimate time;

	if (!quantity_time(r, op, thread, q, &time))
		add_factor(to, power, run, r, op, thread, &time);
}

/* A baseline over itself is 1: its powers add up to 0. */
static void add_gain(struct factor *to, const struct experiment *x, size_t run, int op, int thread)
{
	long base = derive_baseline_index(x, run);

	if (base < 0)
		return;
	add_time(to, 1, x, (size_t)base, op, thread, QUANTITY_COST);
	add_time(to, -1, x, run, op, thread, QUANTITY_COST);
}

static void add_slowdown(
	struct factor *to, const struct experiment *x, size_t run, int op, int thread)
{
	const struct run *t = &x->runs[run];
	struct estimate together, alone;

	if (derive_slowdown_costs(t, op, thread, &together, &alone))
		return;
	add_factor(to, 1, run, &t->samples, op, thread, &together);
	add_factor(to, -1, run, &t->solos[thread], op, 0, &alone);
}

/* 1 - alone / together: to first order, the logarithm changes by so many times that of the ratio.
 */
static void add_overhead(struct factor *to, const struct experiment *x, size_t run, int op)
{
	const struct run *t = &x->runs[run];
	struct estimate together, alone;

	if (derive_overhead_costs(t, op, ALL_THREADS, &alone, &together))
		return;
	double left = derive_overhead(t, op, ALL_THREADS).value / 100, power = (1 - left) / left;

	if (!(left > 0) || !(power > 0))
		return;
	add_factor(to, power, run, &t->samples, op, ALL_THREADS, &together);
	add_factor(to, -power, run, t->solos, op, 0, &alone);
}

void factors_of(const struct experiment *x, size_t run, int op, int thread, enum quantity q,
	struct factor *to)
{
	for (size_t i = 0; i < FACTORS; i++)
		to[i].power = 0;
	if (q == QUANTITY_SPEEDUP)
		add_gain(to, x, run, op, thread);
	else if (q == QUANTITY_SLOWDOWN)
		add_slowdown(to, x, run, op, thread);
	else if (q == QUANTITY_OVERHEAD)
		add_overhead(to, x, run, op);
	else /* a rate is the inverse of what it is made of, a time */
		add_time(to, quantities[q].inverse ? -1 : 1, x, run, op, thread, q);
}

/* ---- the sum over figures */

/* A figure with its power in the mean. */
struct term {
	const struct factor *factor;
	double power;
};

static int by_figure(const void *a, const void *b)
{
	const struct factor *x = ((const struct term *)a)->factor,
			    *y = ((const struct term *)b)->factor;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples < y->samples ? -1 : 1;
	if (x->op != y->op)
		return x->op < y->op ? -1 : 1;
	return (x->thread > y->thread) - (x->thread < y->thread);
}

/* Fills in terms, each figure once, those of a run together. Returns their number. */
static size_t gather_terms(
	const struct cells *c, const double *weights, double sum, struct term *terms)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < FACTORS && weights[i] > 0 && c->list[i].value > 0; k++)
			if (c->factors[i * FACTORS + k].power)
				terms[n++] = (struct term){&c->factors[i * FACTORS + k],
					c->factors[i * FACTORS + k].power * weights[i] / sum};
	qsort(terms, n, sizeof(*terms), by_figure);
	for (size_t i = 0; i < n; i++)
		if (i && !by_figure(&terms[i], &terms[kept - 1]))
			terms[kept - 1].power += terms[i].power;
		else
			terms[kept++] = terms[i];
	for (size_t i = n = 0; i < kept; i++)
		if (fabs(terms[i].power) > 1e-9) /* but for rounding, it is in them no more */
			terms[n++] = terms[i];
	return n;
}

/* Distances to the ends of an interval, on the scale of logarithms. */
struct ends {
	double down, up;
};

static void add_term(struct ends *e, const struct term *t)
{
	const struct amount a = estimate_amount(&t->factor->figure);

	e->down += t->power > 0 ? t->power * amount_down(a) : -t->power * amount_up(a);
	e->up += t->power > 0 ? t->power * amount_up(a) : -t->power * amount_down(a);
}

static void add_independent(struct ends *e, struct ends other)
{
	e->down = hypot(e->down, other.down);
	e->up = hypot(e->up, other.up);
}

/* By the intervals of the figures of a run: threads were measured at the same time, and their
 * errors add up; where all is, those of everything do. */
static struct ends by_intervals(const struct term *terms, size_t n, bool all)
{
	struct ends sum = {0, 0}, alike = {0, 0};

	for (size_t i = 0; i < n; i++) {
		const struct factor *f = terms[i].factor, *last = i ? terms[i - 1].factor : f;

		if (!all && (f->samples != last->samples || f->op != last->op)) {
			add_independent(&sum, alike);
			alike = (struct ends){0, 0};
		}
		add_term(&alike, &terms[i]);
	}
	add_independent(&sum, alike);
	return sum;
}

/* ---- runs with several placements */

/* The variance of a run's part of the mean, and how much the run counts. */
struct part {
	double variance, df, weight;
};

/* False: the figures were not measured in the same placements, or one has a value that is not above
 * 0. */
static bool over_placements(const struct term *terms, size_t n, struct part *part)
{
	const size_t placements = terms->factor->figure.placements;
	double products[PLACEMENTS_MAX], logs[PLACEMENTS_MAX] = {0};

	*part = (struct part){0, 0, 0};
	for (size_t i = 0; i < n; i++) {
		const struct estimate *x = &terms[i].factor->figure;

		if (x->placements != placements || placements < 2)
			return false;
		for (size_t p = 0; p < placements; p++)
			logs[p] += terms[i].power * log(x->each[p]);
		part->weight += fabs(terms[i].power);
	}
	for (size_t p = 0; p < placements; p++)
		products[p] = exp(logs[p]);
	const struct variance v = interval_variance(products, placements, 0);

	part->variance = v.value / (double)placements;
	part->df = v.df;
	return isfinite(v.value);
}

static double satterthwaite(double sum, double squares)
{
	return squares > 0 ? sum * sum / squares : 1;
}

static int by_weight(const void *a, const void *b)
{
	double x = ((const struct part *)a)->weight, y = ((const struct part *)b)->weight;

	return (x > y) - (x < y);
}

/* Satterthwaite's interval of all parts together. */
static double half_of_sum(const struct part *parts, size_t n, double confidence)
{
	double sum = 0, squares = 0, even = 0, even_squares = 0;

	for (size_t i = 0; i < n; i++) {
		const double v = parts[i].variance, w = parts[i].weight * parts[i].weight;

		sum += v;
		squares += v * v / parts[i].df;
		even += w;
		even_squares += w * w / parts[i].df;
	}
	return interval_quantile(
		       fmin(satterthwaite(sum, squares), satterthwaite(even, even_squares)),
		       confidence) *
	       sqrt(sum);
}

/* Squares of the half-widths of parts that count alike, within a hundredth. */
static double half_of_blocks(const struct part *parts, size_t n, double confidence)
{
	double half = 0;

	for (size_t from = 0, to; from < n; from = to) {
		for (to = from; to < n && parts[to].weight <= 1.01 * parts[from].weight;)
			to++;
		half = hypot(half, half_of_sum(parts + from, to - from, confidence));
	}
	return half;
}

static double half_of(struct part *parts, size_t n, double confidence)
{
	if (!n)
		return 0;
	qsort(parts, n, sizeof(*parts), by_weight);
	return fmin(half_of_sum(parts, n, confidence), half_of_blocks(parts, n, confidence));
}

/* ---- the interval */

/* What is not sure of the figures of a run because of disturbed samples: all may be touched alike.
 */
static void add_unsure(struct ends *moved, double *unsure, const struct term *terms, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double by = terms[i].power * terms[i].factor->figure.moved;

		moved->down += fmax(0, -by);
		moved->up += fmax(0, by);
		sum += fabs(terms[i].power) * terms[i].factor->figure.unsure;
	}
	*unsure = hypot(*unsure, sum);
}

static struct ends ends_of(const struct term *terms, size_t n, double confidence)
{
	struct part *parts = alloc_zeroed(n + 1, sizeof(*parts));
	struct ends found = {0, 0}, moved = {0, 0};
	bool hidden = false;
	double unsure = 0;
	size_t count = 0;

	for (size_t from = 0, to; from < n; from = to) {
		for (to = from; to < n && terms[to].factor->run == terms[from].factor->run; to++)
			hidden |= terms[to].factor->figure.hidden;
		bool several = terms[from].factor->figure.placements > 1;

		if (over_placements(terms + from, to - from, &parts[count])) {
			add_unsure(&moved, &unsure, terms + from, to - from);
			count++;
		} else {
			add_independent(&found, by_intervals(terms + from, to - from, several));
		}
	}
	double half = hypot(unsure, hidden ? NAN : half_of(parts, count, confidence));

	free(parts);
	add_independent(&found, (struct ends){half, half});
	return (struct ends){found.down + moved.down, found.up + moved.up};
}

/* The mean of logarithms in *mean, the sum of weights in *sum, and the number of cells; *last is
 * one of them. *known: each of them has factors. */
static size_t take_cells(const struct cells *c, const double *weights, double *mean, double *sum,
	size_t *last, bool *known)
{
	size_t n = 0;

	*mean = *sum = 0;
	*known = c->factors != NULL;
	for (size_t i = 0; i < c->n; i++) {
		if (!(weights[i] > 0) || !(c->list[i].value > 0))
			continue;
		n++;
		*last = i;
		*sum += weights[i];
		*mean += weights[i] * log(c->list[i].value);
		*known = *known && c->factors[i * FACTORS].power;
	}
	*mean /= *sum;
	return n;
}

/* Errors add up. */
static struct ends add_unknown_ends(const struct cells *c, const double *weights, double sum)
{
	struct ends e = {0, 0};

	for (size_t i = 0; i < c->n; i++)
		if (weights[i] > 0 && c->list[i].value > 0) {
			e.down += weights[i] / sum * amount_down(c->list[i]);
			e.up += weights[i] / sum * amount_up(c->list[i]);
		}
	return e;
}

/* Where no figure is left all cells are 1 exactly, without an interval. */
static struct ends of_factors(const struct cells *c, const double *weights, double sum)
{
	struct term *terms = alloc_zeroed(FACTORS * c->n, sizeof(*terms));
	const size_t n = gather_terms(c, weights, sum, terms);
	const struct ends e = n ? ends_of(terms, n, c->confidence) : (struct ends){NAN, NAN};

	free(terms);
	return e;
}

struct amount factors_mean(const struct cells *c, const double *weights)
{
	double logs, sum;
	size_t last = 0;
	bool known;
	const size_t n = take_cells(c, weights, &logs, &sum, &last, &known);

	if (n < 2)
		return n ? c->list[last] : AMOUNT_NONE;
	struct ends e = known ? of_factors(c, weights, sum) : add_unknown_ends(c, weights, sum);

	return amount_said((struct amount){exp(logs), exp(logs - e.down), exp(logs + e.up)});
}
