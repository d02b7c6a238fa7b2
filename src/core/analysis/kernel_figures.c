/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins what the kernels of threads told. */
#include "analysis/kernel_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static void add_kernel_figure(struct kernel_figures *l, const struct kernel_figure *f)
{
	for (size_t i = 0; i < l->count; i++)
		if (!strcmp(l->list[i]->name, f->name))
			return;
	l->list = alloc_grow(l->list, l->count, sizeof(*l->list));
	l->list[l->count++] = f;
}

static void add_op(struct kernel_figures *l, const struct plan *p, int op)
{
	for (int i = 0; i < p->nthreads; i++)
		for (const struct kernel_figure *f = p->ops[op].jobs[i].kernel->figures;
			f && f->name; f++)
			add_kernel_figure(l, f);
}

void kernel_figures_of_op(struct kernel_figures *l, const struct plan *p, int op)
{
	*l = (struct kernel_figures){0};
	add_op(l, p, op);
}

void kernel_figures_of_all(struct kernel_figures *l, const struct experiment *x)
{
	*l = (struct kernel_figures){0};
	for (size_t i = 0; i < x->nruns; i++)
		for (int op = 0; !x->runs[i].skipped && op < x->runs[i].plan.nops; op++)
			add_op(l, &x->runs[i].plan, op);
}

void kernel_figures_free(struct kernel_figures *l)
{
	free(l->list);
	*l = (struct kernel_figures){0};
}

/* The figure of a thread's kernel, and its index in *at; NULL: it has none of that name. */
static const struct kernel_figure *find_kernel_figure(
	const struct samples *r, int op, int thread, const char *name, size_t *at)
{
	const struct kernel_figure *f = r->plan->ops[op].jobs[thread].kernel->figures;

	for (*at = 0; f && f[*at].name; ++*at)
		if (!strcmp(f[*at].name, name))
			return &f[*at];
	return NULL;
}

double kernel_figure_in(
	const struct samples *r, int op, const struct sample *s, int who, const char *name)
{
	const size_t each = plan_figures(&r->plan->ops[op], r->plan->nthreads);
	const struct kernel_figure *last = NULL;
	double sum = 0, least = INFINITY;
	size_t n = 0, at;

	for (int i = 0; s->told && i < r->plan->nthreads; i++) {
		const struct kernel_figure *f = find_kernel_figure(r, op, i, name, &at);

		if (!f || !derive_counts(r->plan, who, i))
			continue;
		const double value = s->told[(size_t)i * each + at];

		sum += value;
		least = value < least ? value : least;
		last = f;
		n++;
	}
	if (!n)
		return NAN;
	if (last->join == FIGURE_LEAST)
		return isnan(sum) ? NAN : least;
	return last->join == FIGURE_MEAN ? sum / (double)n : sum;
}

/* Counts can be 0 and must add up, so placements are joined by their arithmetic mean, with
 * Student's t.
 */
static struct amount over_placements(const struct request *q, const struct estimate *x)
{
	struct stats s;

	if (x->placements < 2 || stats_of(x->each, x->placements, q->confidence, &s))
		return estimate_amount(x);
	return amount_said((struct amount){s.mean, s.mean - s.ci_mean, s.mean + s.ci_mean});
}

struct amount kernel_figure_of(const struct samples *r, int op, int who, const char *name)
{
	const struct op_result *result = &r->ops[op];
	double *values = alloc_zeroed(result->count + 1, sizeof(*values));
	struct estimate x;
	size_t n = 0;

	for (size_t i = 0; i < result->count; i++)
		if (!result->samples[i].warmup)
			values[n++] = kernel_figure_in(r, op, &result->samples[i], who, name);
	int none = estimate_values(r->plan->request, result, values, 0, &x);
	free(values);
	return none || isnan(x.value) ? AMOUNT_NONE : over_placements(r->plan->request, &x);
}
