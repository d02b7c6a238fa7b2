/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cores that threads share. */
#include "model/core.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fit.h"

double core_ratio(const struct core_model *m, const size_t *kernels, size_t count, size_t thread)
{
	double ratio = 1;

	for (size_t i = 0; i < count; i++)
		if (i != thread)
			ratio += m->extra[kernels[thread] * m->kernels + kernels[i]];
	return ratio;
}

struct task {
	struct core_model *model;
	const struct core_run *runs;
	size_t n;
	size_t *pairs; /* [parameters]: of model->extra */
	size_t parameters;
};

static void set(struct task *t, const double *x)
{
	for (size_t i = 0; i < t->parameters; i++)
		t->model->extra[t->pairs[i]] = x[i];
}

static void residuals(void *with, const double *x, double *out)
{
	struct task *t = with;

	set(t, x);
	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->runs[i].count; k++)
			*out++ = core_ratio(t->model, t->runs[i].kernels, t->runs[i].count, k) /
					 t->runs[i].ratios[k] -
				 1;
}

/* The pairs of kernels that the runs have, each once, into t->pairs. Returns the figures. */
static size_t find_pairs(struct task *t)
{
	const size_t all = t->model->kernels * t->model->kernels;
	size_t *seen = alloc_zeroed(all + 1, sizeof(*seen)), rows = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct core_run *r = &t->runs[i];

		for (size_t k = 0; k < r->count; k++)
			for (size_t j = 0; j < r->count; j++)
				if (j != k)
					seen[r->kernels[k] * t->model->kernels + r->kernels[j]]++;
		rows += r->count;
	}
	for (size_t i = 0; i < all; i++)
		if (seen[i])
			t->pairs[t->parameters++] = i;
	free(seen);
	return rows;
}

size_t core_fit(struct core_model *m, const struct core_run *runs, size_t n, double *errors)
{
	const size_t all = m->kernels * m->kernels;
	struct task t = {m, runs, n, alloc_zeroed(all + 1, sizeof(size_t)), 0};
	const struct fit f = {residuals, &t, find_pairs(&t), t.parameters};
	double *room = alloc_zeroed(2 * all + 1, sizeof(*room)), *x = room, *e = room + all;
	int failed;

	for (size_t i = 0; i < all; i++) {
		m->extra[i] = NAN;
		if (errors)
			errors[i] = NAN;
	}
	failed = fit_least_squares(&f, x, e);
	for (size_t i = 0; i < t.parameters; i++) {
		m->extra[t.pairs[i]] = failed ? NAN : x[i];
		if (errors && !failed)
			errors[t.pairs[i]] = e[i];
	}
	free(room);
	free(t.pairs);
	return failed ? 0 : t.parameters;
}
