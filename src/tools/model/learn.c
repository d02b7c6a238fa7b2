/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the parameters. All of them are fitted as logarithms, so that none becomes negative. */
#include "model/learn.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/fit.h"

const struct learn_prior learn_priors[LEARN_COMMON] = {{0, 0.5}, {0, 0.2}, {0, 0.2}};

double *learn_common(struct model *m, size_t i)
{
	double *const common[LEARN_COMMON] = {&m->queue, &m->follow, &m->lead};

	return common[i];
}

/* The residual where a step of the solver leads to no prediction: it goes elsewhere. */
#define FAR_OFF 1e3

/* A fit of the common parameters: which runs it has. */
struct task {
	const struct learn *learn;
	struct model model; /* of the last step */
	bool *with;         /* [runs] */
	double *ends;
};

static size_t cell_of(const struct learn *l, const struct model_thread *t, size_t memory)
{
	const struct model_machine *m = l->machine;

	return t->kernel * m->classes + m->pair_class[t->node * m->nodes + memory];
}

int learn_predict(const struct model_machine *m, const struct model *p, const struct learn_run *r,
	double *ends)
{
	return (r->steady ? model_steady : model_predict)(m, p, r->threads, r->count, ends);
}

int learn_each(const struct model_machine *m, const struct model *p, const struct learn_run *r,
	double *ends)
{
	int failed = 0;

	for (size_t i = 0; i < r->count && !failed; i++) {
		struct learn_run one = *r;

		one.threads += i;
		one.count = 1;
		failed = learn_predict(m, p, &one, &ends[i]);
	}
	return failed;
}

/* ns a unit of a thread alone */
static double unit_alone(const struct learn_run *r)
{
	const struct model_thread *t = r->threads;

	return r->steady ? r->ends[0] : (r->ends[0] - t->start) / (t->units * t->share);
}

/* The geometric means of what single threads cost; NAN where there is none. */
static void begin_means(const struct learn *l, size_t without, struct model *p)
{
	const size_t cells = l->machine->kernels * l->machine->classes;
	double *n = alloc_zeroed(cells, sizeof(*n));

	for (size_t i = 0; i < cells; i++)
		p->alone[i] = 0;
	for (size_t i = 0; i < l->count; i++) {
		const struct model_thread *t = l->runs[i].threads;

		if (l->runs[i].count != 1 || l->runs[i].group == without || t->parts)
			continue;
		p->alone[cell_of(l, t, t->memory)] += log(unit_alone(&l->runs[i]));
		n[cell_of(l, t, t->memory)]++;
	}
	for (size_t i = 0; i < cells; i++)
		p->alone[i] = n[i] > 0 ? exp(p->alone[i] / n[i]) : NAN;
	for (size_t i = 0; i < LEARN_COMMON; i++)
		*learn_common(p, i) = exp(learn_priors[i].middle);
	free(n);
}

static void set_model(struct task *t, const double *x)
{
	for (size_t i = 0; i < LEARN_COMMON; i++)
		*learn_common(&t->model, i) = exp(x[i]);
}

/* Squares of small residuals, and less of large ones: Huber's. */
static double tame(double r)
{
	const double k = 1.345 * LEARN_ERROR, size = fabs(r);

	return size <= k ? r : copysign(sqrt(k * (2 * size - k)), r);
}

static void residuals(void *with, const double *x, double *out)
{
	struct task *t = with;

	set_model(t, x);
	for (size_t i = 0; i < t->learn->count; i++) {
		const struct learn_run *r = &t->learn->runs[i];

		if (!t->with[i])
			continue;
		const int failed = learn_predict(t->learn->machine, &t->model, r, t->ends);

		for (size_t k = 0; k < r->count; k++)
			*out++ = failed ? FAR_OFF : tame(log(t->ends[k] / r->ends[k]));
	}
	for (size_t i = 0; i < LEARN_COMMON; i++)
		*out++ = LEARN_ERROR * (x[i] - learn_priors[i].middle) / learn_priors[i].spread;
}

/* Figures of the runs of several threads that the task has. */
static size_t choose_runs(struct task *t, size_t without)
{
	size_t rows = 0;

	for (size_t i = 0; i < t->learn->count; i++) {
		const struct learn_run *r = &t->learn->runs[i];

		t->with[i] =
			r->group != without && r->count > 1 &&
			!model_predict(t->learn->machine, &t->model, r->threads, r->count, t->ends);
		rows += t->with[i] ? r->count : 0;
	}
	return rows;
}

static size_t most_threads(const struct learn *l)
{
	size_t most = 1;

	for (size_t i = 0; i < l->count; i++)
		most = l->runs[i].count > most ? l->runs[i].count : most;
	return most;
}

/* Do the runs tell more of a common parameter than was known beforehand? A step of its spread
 * changes the residual of what was known by LEARN_ERROR. */
static bool is_shown(struct task *t, size_t rows, const double *x, size_t common)
{
	double *here = alloc_zeroed(2 * (rows + LEARN_COMMON), sizeof(*here));
	double *there = here + rows + LEARN_COMMON, step[LEARN_COMMON];
	double squares = 0;

	for (size_t i = 0; i < LEARN_COMMON; i++)
		step[i] = x[i] + (i == common ? learn_priors[i].spread : 0);
	residuals(t, x, here);
	residuals(t, step, there);
	for (size_t i = 0; i < rows; i++)
		squares += (there[i] - here[i]) * (there[i] - here[i]);
	free(here);
	return squares > LEARN_ERROR * LEARN_ERROR;
}

/* Standard errors of the means of logarithms, by what all runs of single threads are off theirs. */
static void alone_errors(const struct learn *l, size_t without, const double *alone, double *errors)
{
	const size_t cells = l->machine->kernels * l->machine->classes;
	double *n = alloc_zeroed(cells + 1, sizeof(*n)), squares = 0, free_figures = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct model_thread *t = l->runs[i].threads;

		if (l->runs[i].count != 1 || l->runs[i].group == without || t->parts)
			continue;
		const size_t cell = cell_of(l, t, t->memory);
		const double off = log(unit_alone(&l->runs[i]) / alone[cell]);

		squares += off * off;
		free_figures += n[cell]++ > 0;
	}
	for (size_t i = 0; i < cells; i++)
		errors[i] =
			n[i] > 0 && free_figures > 0 ? sqrt(squares / free_figures / n[i]) : NAN;
	free(n);
}

static int solve(struct task *t, size_t rows, struct model *errors)
{
	const struct fit f = {residuals, t, rows + LEARN_COMMON, LEARN_COMMON};
	double x[LEARN_COMMON], e[LEARN_COMMON];

	for (size_t i = 0; i < LEARN_COMMON; i++)
		x[i] = learn_priors[i].middle;
	if (fit_least_squares(&f, x, e))
		return -1;
	for (size_t i = 0; i < LEARN_COMMON && errors; i++)
		*learn_common(errors, i) = is_shown(t, rows, x, i) ? e[i] : NAN;
	set_model(t, x);
	return 0;
}

int learn_model(const struct learn *l, size_t without, struct model *p, struct model *errors)
{
	struct task t = {.learn = l, .model = *p};
	int alone = 0;

	t.with = alloc_zeroed(l->count, sizeof(*t.with));
	t.ends = alloc_zeroed(most_threads(l), sizeof(*t.ends));
	begin_means(l, without, &t.model);
	for (size_t i = 0; i < l->machine->kernels * l->machine->classes; i++)
		alone += isfinite(t.model.alone[i]);
	for (size_t i = 0; i < LEARN_COMMON && errors; i++)
		*learn_common(errors, i) = NAN;
	const size_t rows = choose_runs(&t, without);
	const int failed = alone && rows ? solve(&t, rows, errors) : 0;

	if (errors)
		alone_errors(l, without, t.model.alone, errors->alone);
	*p = t.model; /* its alone is p's */
	free(t.with);
	free(t.ends);
	return failed || !alone ? -1 : alone + LEARN_COMMON;
}

int learn_alone(const struct learn *l, struct model *p)
{
	int known = 0;

	begin_means(l, LEARN_NONE, p);
	for (size_t i = 0; i < l->machine->kernels * l->machine->classes; i++)
		known += isfinite(p->alone[i]);
	return known ? known : -1;
}
