/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits the parameters. All of them are fitted as logarithms, so that none becomes negative. */
#include "model/learn.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fit.h"

const struct learn_prior learn_priors[LEARN_COMMON] = {{0, 0.5}, {0, 0.2}, {0, 0.2}};

double *learn_common(struct model *m, size_t i)
{
	double *const common[LEARN_COMMON] = {&m->queue, &m->follow, &m->lead};

	return common[i];
}

/* The residual where a step of the solver leads to no prediction: it goes elsewhere. */
#define FAR_OFF 1e3

/* A fit: which runs it has, and where each parameter belongs. */
struct task {
	const struct learn *learn;
	struct model model; /* of the last step */
	size_t *cells;      /* [alone]: of model.alone */
	size_t alone;
	bool *with; /* [runs] */
	double *ends;
	/* A step of the solver changes a parameter or two, and most runs know nothing of them:
	 * their residuals stay. */
	double *last;  /* parameters of the last step; NAN: none yet */
	double *kept;  /* residuals of the last step */
	bool *changed; /* [cells of model.alone] */
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
static void begin(const struct learn *l, size_t without, struct model *p)
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
	for (size_t i = 0; i < t->alone; i++)
		t->model.alone[t->cells[i]] = exp(x[i]);
	for (size_t i = 0; i < LEARN_COMMON; i++)
		*learn_common(&t->model, i) = exp(x[t->alone + i]);
}

/* Notes what is not as in the last step; true: what all runs know of is not. */
static bool note_changes(struct task *t, const double *x)
{
	bool common = false;

	for (size_t i = 0; i < t->alone + LEARN_COMMON; i++) {
		const bool changed = !(x[i] == t->last[i]);

		if (i < t->alone)
			t->changed[t->cells[i]] = changed;
		else
			common |= changed;
		t->last[i] = x[i];
	}
	return common;
}

static bool has_changed(const struct task *t, const struct model_thread *at)
{
	for (size_t i = 0; i < t->learn->machine->nodes; i++)
		if (model_part(at, i) > 0 && t->changed[cell_of(t->learn, at, i)])
			return true;
	return false;
}

/* A thread also costs what it would cost in the places of those that share its vector. */
static bool knows_changes(const struct task *t, const struct learn_run *r)
{
	for (size_t i = 0; i < r->count; i++)
		for (size_t k = 0; k < r->count; k++) {
			struct model_thread there = r->threads[k];

			if (there.vector != r->threads[i].vector)
				continue;
			there.kernel = r->threads[i].kernel;
			if (has_changed(t, &there))
				return true;
		}
	return false;
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
	const bool common = note_changes(t, x);
	size_t row = 0;

	set_model(t, x);
	for (size_t i = 0; i < t->learn->count; i++) {
		const struct learn_run *r = &t->learn->runs[i];

		if (!t->with[i])
			continue;
		if ((common && r->count > 1) || knows_changes(t, r)) {
			int failed = learn_predict(t->learn->machine, &t->model, r, t->ends);

			for (size_t k = 0; k < r->count; k++)
				t->kept[row + k] =
					failed ? FAR_OFF : tame(log(t->ends[k] / r->ends[k]));
		}
		for (size_t k = 0; k < r->count; k++, row++)
			out[row] = t->kept[row];
	}
	for (size_t i = 0; i < LEARN_COMMON; i++)
		out[row++] = LEARN_ERROR * (x[t->alone + i] - learn_priors[i].middle) /
			     learn_priors[i].spread;
}

/* Figures of the runs that the task has. */
static size_t choose_runs(struct task *t, size_t without)
{
	size_t rows = 0;

	for (size_t i = 0; i < t->learn->count; i++) {
		const struct learn_run *r = &t->learn->runs[i];

		t->with[i] = r->group != without && !model_predict(t->learn->machine, &t->model,
							    r->threads, r->count, t->ends);
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
	const size_t n = t->alone + LEARN_COMMON;
	double *all = alloc_zeroed(2 * (rows + LEARN_COMMON) + n, sizeof(*all));
	double *here = all, *there = all + rows + LEARN_COMMON, *step = there + rows + LEARN_COMMON;
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		step[i] = x[i];
	step[t->alone + common] += learn_priors[common].spread;
	residuals(t, x, here);
	residuals(t, step, there);
	for (size_t i = 0; i < rows; i++)
		squares += (there[i] - here[i]) * (there[i] - here[i]);
	free(all);
	return squares > LEARN_ERROR * LEARN_ERROR;
}

static void take_errors(
	struct task *t, size_t rows, const double *x, const double *e, struct model *errors)
{
	for (size_t i = 0; i < t->learn->machine->kernels * t->learn->machine->classes; i++)
		errors->alone[i] = NAN;
	for (size_t i = 0; i < t->alone; i++)
		errors->alone[t->cells[i]] = e[i];
	for (size_t i = 0; i < LEARN_COMMON; i++)
		*learn_common(errors, i) = is_shown(t, rows, x, i) ? e[t->alone + i] : NAN;
	set_model(t, x);
}

static int solve(struct task *t, size_t rows, struct model *errors)
{
	const size_t n = t->alone + LEARN_COMMON;
	const struct fit f = {residuals, t, rows + LEARN_COMMON, n};
	double *x = alloc_zeroed(n, sizeof(*x)), *e = alloc_zeroed(n, sizeof(*e));

	t->last = alloc_zeroed(n, sizeof(*t->last));
	t->kept = alloc_zeroed(rows + 1, sizeof(*t->kept));
	for (size_t i = 0; i < n; i++)
		t->last[i] = NAN;

	for (size_t i = 0; i < t->alone; i++)
		x[i] = log(t->model.alone[t->cells[i]]);
	for (size_t i = 0; i < LEARN_COMMON; i++)
		x[t->alone + i] = learn_priors[i].middle;
	int failed = fit_least_squares(&f, x, e);

	if (!failed)
		set_model(t, x);
	if (!failed && errors)
		take_errors(t, rows, x, e, errors);
	free(x);
	free(e);
	free(t->last);
	free(t->kept);
	return failed;
}

int learn_model(const struct learn *l, size_t without, struct model *p, struct model *errors)
{
	const size_t cells = l->machine->kernels * l->machine->classes;
	struct task t = {.learn = l, .model = *p};

	t.cells = alloc_zeroed(cells, sizeof(*t.cells));
	t.changed = alloc_zeroed(cells + 1, sizeof(*t.changed));
	t.with = alloc_zeroed(l->count, sizeof(*t.with));
	t.ends = alloc_zeroed(most_threads(l), sizeof(*t.ends));
	begin(l, without, &t.model);
	for (size_t i = 0; i < cells; i++)
		if (isfinite(t.model.alone[i]))
			t.cells[t.alone++] = i;
	int failed = solve(&t, choose_runs(&t, without), errors);

	*p = t.model; /* its alone is p's */
	free(t.cells);
	free(t.changed);
	free(t.with);
	free(t.ends);
	return failed ? -1 : (int)t.alone + LEARN_COMMON;
}

int learn_alone(const struct learn *l, struct model *p)
{
	int known = 0;

	begin(l, LEARN_NONE, p);
	for (size_t i = 0; i < l->machine->kernels * l->machine->classes; i++)
		known += isfinite(p->alone[i]);
	return known ? known : -1;
}
