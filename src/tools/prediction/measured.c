/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks runs up. likeness_find() says of a run whether it has the same threads as a view, or others
 * in one number; measured_cost() takes the mean of the former, or a curve through the latter. Each
 * run that was measured is looked up by the others, which shows how far such costs are off.
 */
#include "prediction/measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/steffen.h"
#include "base/text.h"
#include "model/learn.h"
#include "prediction/likeness.h"
#include "prediction/modelled_kernels.h"

#define KIB 1024
/* How many times apart strides and sizes may be between which costs are on a line: between lines of
 * cache and between caches there are steps. One that is left out has two such steps beside it. */
#define WIDEST 4.0

/* What a lookup has found: runs with the same threads, and runs that differ in one number. */
struct found {
	double *sum; /* [threads] of the same */
	size_t same;
	struct near_run {
		struct number number;
		const double *costs;
	} * list;
	size_t count;
};

/* All runs but one; same: also those with the same threads. */
static void find_others(const struct measured *m, const struct modelled *s,
	const struct modelled_view *v, const struct measured_run *without, struct found *f)
{
	*f = (struct found){.sum = alloc_zeroed(v->count + 1, sizeof(*f->sum))};
	for (size_t i = 0; i < m->count; i++) {
		const struct measured_run *r = &m->list[i];
		struct near_run near = {.costs = r->costs};

		if (r == without || !likeness_find(s, v, &r->view, &near.number))
			continue;
		if (near.number.any) {
			f->list = alloc_grow(f->list, f->count, sizeof(*f->list));
			f->list[f->count++] = near;
			continue;
		}
		for (size_t k = 0; k < v->count; k++)
			f->sum[k] +=
				r->costs[r->view.kind == MODELLED_STATE ? (size_t)r->view.visitor
									: k];
		f->same++;
	}
}

static void found_free(struct found *f)
{
	free(f->sum);
	free(f->list);
}

static bool has_curve(const struct number *of)
{
	return of->param && of->param->flags & PARAM_PACE;
}

static int by_number(const void *a, const void *b)
{
	const double x = ((const struct near_run *)a)->number.other,
		     y = ((const struct near_run *)b)->number.other;

	return (x > y) - (x < y);
}

/* Brings the runs that differ in the number of list[0] to its front, in its order; returns how many
 * these are. */
static size_t sort_out(struct near_run *list, size_t count)
{
	size_t n = 1;

	for (size_t i = 1; i < count; i++)
		if (list[i].number.param == list[0].number.param) {
			const struct near_run one = list[i];

			list[i] = list[n];
			list[n++] = one;
		}
	qsort(list, n, sizeof(*list), by_number);
	return n;
}

/* Costs of a thread on n sorted runs, one for each value of the number; returns how many. */
static size_t points_of(
	const struct near_run *list, size_t n, size_t thread, double *xs, double *ys)
{
	size_t points = 0, times = 0;

	for (size_t i = 0; i < n; i++) {
		const double x = list[i].number.other, y = list[i].costs[thread];

		if (points && likeness_is_equal(xs[points - 1], x)) {
			times++;
			ys[points - 1] += (y - ys[points - 1]) / (double)times;
			continue;
		}
		times = 1;
		xs[points] = x;
		ys[points++] = y;
	}
	return points;
}

/* Of a pause, or a part of stores, a curve; of strides and sizes, which have steps, a line between
 * the two beside it, of sizes on a scale of factors. */
static double between(const double *xs, const double *ys, size_t n, const struct number *of)
{
	size_t at = 0;

	if (has_curve(of))
		return steffen_at(xs, ys, n, of->own);
	while (xs[at + 1] < of->own)
		at++;
	const double part = of->param ? (of->own - xs[at]) / (xs[at + 1] - xs[at])
				      : log(of->own / xs[at]) / log(xs[at + 1] / xs[at]);

	return of->param ? ys[at] + part * (ys[at + 1] - ys[at])
			 : ys[at] * pow(ys[at + 1] / ys[at], part);
}

/* Is a number between two of n sorted runs, which are no farther apart than so many times? */
static bool is_within(const struct near_run *list, size_t n, const struct number *of, double widest)
{
	for (size_t i = 0; i + 1 < n; i++) {
		const double low = list[i].number.other, high = list[i + 1].number.other;

		if (low < of->own && high > of->own)
			return has_curve(of) || high <= widest * low * (1 + MODELLED_SAME);
	}
	return false;
}

/* By the first number that has values on both sides. */
static bool interpolate(struct found *f, size_t threads, double widest, double *costs)
{
	for (size_t i = 0, n; i < f->count; i += n) {
		struct near_run *list = f->list + i;

		n = sort_out(list, f->count - i);
		if (!is_within(list, n, &list->number, widest))
			continue;
		double *xs = alloc_zeroed(2 * n, sizeof(*xs)), *ys = xs + n;

		for (size_t k = 0; k < threads; k++)
			costs[k] = between(xs, ys, points_of(list, n, k, xs, ys), &list->number);
		free(xs);
		return true;
	}
	return false;
}

static bool take_same(const struct found *f, size_t threads, double *costs)
{
	for (size_t k = 0; k < threads && f->same; k++)
		costs[k] = f->sum[k] / (double)f->same;
	return f->same > 0;
}

/* What the runs have instead. To be freed. */
static char *outside(struct found *f, const struct modelled_view *v)
{
	if (!f->count)
		return alloc_format("the profile has no run of the same threads (%s): args/%s.args "
				    "measures it, with --set where this file has something else",
			modelled_kind_names[v->kind], modelled_kind_files[v->kind]);
	const size_t n = sort_out(f->list, f->count);
	const struct number of = f->list[0].number;
	const double unit = of.param ? 1 : KIB;

	return alloc_format(
		"the profile has these threads with %s of %.4g .. %.4g%s, and not near %.4g: "
		"args/%s.args measures it, with --set where this file has something else",
		of.param ? of.param->name : "vectors", f->list[0].number.other / unit,
		f->list[n - 1].number.other / unit, of.param ? "" : " KiB", of.own / unit,
		modelled_kind_files[v->kind]);
}

char *measured_cost(const struct measured *m, const struct modelled *s,
	const struct modelled_view *v, double *costs, bool *between)
{
	const size_t threads = v->kind == MODELLED_STATE ? 1 : v->count;
	struct found f;
	char *why = NULL;

	find_others(m, s, v, NULL, &f);
	*between = !take_same(&f, threads, costs);
	if (*between && !interpolate(&f, threads, WIDEST, costs))
		why = outside(&f, v);
	found_free(&f);
	return why;
}

double measured_alone(const struct measured *m, const struct modelled *s, size_t kernel,
	size_t node, size_t memory)
{
	struct model_thread t = {.node = node, .memory = memory, .kernel = kernel, .share = 1};
	double bytes = 0;
	const struct modelled_view v = {
		.kind = MODELLED_ALONE, .count = 1, .threads = &t, .bytes = &bytes, .visitor = -1};
	double cost;
	bool between;
	char *why = measured_cost(m, s, &v, &cost, &between);

	cost = why ? NAN : cost;
	free(why);
	return cost;
}

double measured_margin(const struct measured *m, enum modelled_kinds kind, bool between)
{
	return between || isnan(m->same[kind]) ? m->between[kind] : m->same[kind];
}

char *measured_meeting(const struct measured *m, const struct modelled *s,
	const struct modelled_view *v, double *cost)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++) {
		const struct modelled_view *r = &m->list[i].view;
		const struct modelled_kind *k = &s->kinds[r->threads->kernel];
		const struct modelled_meetings of = modelled_meetings_of(k->kernel, k->args);

		if (r->kind != MODELLED_MEETING || !k->kernel->meetings.is_meeting ||
			!(of.count > 0) || r->count != v->count || strcmp(of.by, v->meetings.by) ||
			strcmp(of.wait, v->meetings.wait) || !likeness_is_near(s->topo, v, r))
			continue;
		sum += m->list[i].costs[0];
		n++;
	}
	*cost = sum / (double)n;
	return n ? NULL
		 : alloc_format("the profile has no meetings of %zu threads as near by: %s, wait: "
				"%s (args/profile/11_meetings.args with --set by=%s --set wait=%s)",
			   v->count, v->meetings.by, v->meetings.wait, v->meetings.by,
			   v->meetings.wait);
}

void measured_add(struct measured *m, struct modelled_view *v, const double *costs)
{
	struct measured_run r = {*v, alloc_zeroed(v->count + 1, sizeof(*r.costs))};

	*v = (struct modelled_view){.threads = NULL};
	for (size_t i = 0; i < r.view.count; i++) {
		r.costs[i] = costs[i];
		if (modelled_idles(&r.view, i))
			m->idle += (costs[i] - m->idle) / (double)++m->idles;
	}
	m->list = alloc_grow(m->list, m->count, sizeof(*m->list));
	m->list[m->count++] = r;
}

/* log(measured / looked up) of the thread of a run that is farthest off, by the other runs: by the
 * same ones, or by those that differ in a number. NAN: they do not tell. */
static double residual(
	const struct measured *m, const struct modelled *s, const struct measured_run *r, bool same)
{
	const struct modelled_view *v = &r->view;
	const bool state = v->kind == MODELLED_STATE;
	const size_t threads = state ? 1 : v->count;
	double *costs = alloc_zeroed(threads, sizeof(*costs));
	struct found f = {.sum = NULL};
	double off = NAN;

	if (!state || v->visitor >= 0)
		find_others(m, s, v, r, &f);
	if (same ? take_same(&f, threads, costs) : interpolate(&f, threads, WIDEST * WIDEST, costs))
		off = learn_worst(&r->costs[state ? v->visitor : 0], costs, threads);
	found_free(&f);
	free(costs);
	return off;
}

static double margin_of(const struct measured *m, const struct modelled *s,
	enum modelled_kinds kind, bool same, double confidence)
{
	double *residuals = alloc_zeroed(m->count + 1, sizeof(*residuals));
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++) {
		const double off =
			m->list[i].view.kind == kind ? residual(m, s, &m->list[i], same) : NAN;

		if (isfinite(off))
			residuals[n++] = off;
	}
	const double margin = learn_margin(residuals, n, confidence);

	free(residuals);
	return margin;
}

void measured_fit(struct measured *m, const struct modelled *s, double confidence)
{
	for (size_t kind = 0; kind < MODELLED_KINDS; kind++) {
		m->same[kind] = margin_of(m, s, kind, true, confidence);
		m->between[kind] = margin_of(m, s, kind, false, confidence);
	}
}

void measured_free(struct measured *m)
{
	for (size_t i = 0; i < m->count; i++) {
		modelled_view_free(&m->list[i].view);
		free(m->list[i].costs);
	}
	free(m->list);
	*m = (struct measured){.list = NULL};
}
