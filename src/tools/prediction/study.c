/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares runs that were measured. */
#include "prediction/study.h"

#include <math.h>

double study_last(const double *ends, size_t count)
{
	double all = ends[0];

	for (size_t i = 1; i < count; i++)
		all = ends[i] > all || isnan(ends[i]) ? ends[i] : all;
	return all;
}

/* Do they differ in their places only? */
static bool is_choice(const struct study *s, size_t a, size_t b)
{
	const struct learn_run *x = &s->runs[a], *y = &s->runs[b];

	if (x->count != y->count || x->steady != y->steady)
		return false;
	for (size_t i = 0; i < x->count; i++) {
		const struct model_thread *t = &x->threads[i], *u = &y->threads[i];

		if (t->kernel != u->kernel || t->share != u->share || t->start != u->start ||
			t->units != u->units)
			return false;
		for (size_t k = 0; k < i; k++)
			if ((t->vector == x->threads[k].vector) !=
				(u->vector == y->threads[k].vector))
				return false;
	}
	return true;
}

static bool same_place(
	const struct study *s, const struct model_thread *t, const struct model_thread *u)
{
	for (size_t n = 0; n < s->learn.machine->nodes; n++)
		if (model_part(t, n) != model_part(u, n))
			return false;
	return t->node == u->node;
}

bool study_is_again(const struct study *s, size_t a, size_t b)
{
	const struct learn_run *x = &s->runs[a], *y = &s->runs[b];
	bool same = is_choice(s, a, b);

	for (size_t i = 0; i < x->count && same; i++)
		same = same_place(s, &x->threads[i], &y->threads[i]);
	return same;
}

/* Was it measured before, from run `from` on? */
static bool is_repeated(const struct study *s, size_t from, size_t run)
{
	for (size_t i = from; i < run; i++)
		if (study_is_again(s, i, run))
			return true;
	return false;
}

/* Geometric means of all that is measured and predicted of the place of a run. */
static void mean_of(const struct study *s, const struct guess *g, size_t run, double *predicted,
	double *measured)
{
	double of_guess = 0, of_runs = 0, n = 0;

	for (size_t i = 0; i < s->learn.count; i++) {
		const struct learn_run *r = &s->runs[i];

		if (!study_is_again(s, run, i))
			continue;
		of_guess += log(study_last(&g->ends[s->first[i]], r->count));
		of_runs += log(study_last(r->ends, r->count));
		n++;
	}
	*predicted = exp(of_guess / n);
	*measured = exp(of_runs / n);
}

/* The runs from `run` on that differ from it in places only; those before it were another's. */
static void judge_choice(
	const struct study *s, const struct guess *g, size_t run, struct worth_row *row)
{
	double chosen = HUGE_VAL, of_chosen = NAN, best = HUGE_VAL;
	size_t n = 0;

	for (size_t i = run; i < s->learn.count; i++) {
		double predicted, measured;

		if (!is_choice(s, run, i) || is_repeated(s, run, i))
			continue;
		mean_of(s, g, i, &predicted, &measured);
		if (!isfinite(predicted))
			return;
		n++;
		best = fmin(best, measured);
		if (predicted < chosen) {
			chosen = predicted;
			of_chosen = measured;
		}
	}
	if (n < 2)
		return;
	row->decisions++;
	row->best += of_chosen <= best;
	row->most_lost = fmax(isnan(row->most_lost) ? 0 : row->most_lost, of_chosen / best - 1);
}

void study_choices(const struct study *s, const struct guess *g, struct worth_row *row)
{
	row->most_lost = NAN;
	for (size_t i = 0; i < s->learn.count; i++) {
		bool seen = s->runs[i].count < 2;

		for (size_t k = 0; k < i && !seen; k++)
			seen = is_choice(s, k, i);
		if (!seen)
			judge_choice(s, g, i, row);
	}
}
