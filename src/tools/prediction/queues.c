/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait for each other in memory, by model/model.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "prediction/coverage.h"
#include "prediction/parts.h"

/* Five that all agree happen by chance more often than once in twenty times (1/16), six do not. */
#define LEAST_RUNS 6

static bool same_thread(const struct model_thread *a, const struct model_thread *b)
{
	return a->node == b->node && a->memory == b->memory && a->kernel == b->kernel &&
	       a->share == b->share && a->start == b->start && !a->parts == !b->parts;
}

/* Has an earlier run, of another group, the same threads in the same places? Then it would predict
 * itself if one of both was left out: from now on they are left out together. */
static void join_groups(struct queues *q, const struct learn_run *run)
{
	for (size_t i = 0; i < q->count; i++) {
		const struct learn_run *r = &q->runs[i];
		const size_t group = r->group;
		bool same = group != run->group && r->count == run->count && r->kind == run->kind &&
			    r->steady == run->steady;

		for (size_t k = 0; k < run->count && same; k++)
			same = same_thread(&r->threads[k], &run->threads[k]);
		for (size_t k = 0; k < q->count && same; k++)
			if (q->runs[k].group == group)
				q->runs[k].group = run->group;
	}
}

static void *copy_of(const void *list, size_t bytes)
{
	void *made = alloc_zeroed(1, bytes + 1);

	memcpy(made, list, bytes);
	return made;
}

void queues_add(struct training *t, struct modelled_view *v, const double *ends, size_t group)
{
	struct queues *q = &t->queues;
	const struct learn_run run = {copy_of(v->threads, v->count * sizeof(*v->threads)),
		copy_of(ends, v->count * sizeof(*ends)), v->count, group, v->kind, v->steady};

	join_groups(q, &run);
	q->runs = alloc_grow(q->runs, q->count, sizeof(*q->runs));
	q->of_file = alloc_grow(q->of_file, q->count, sizeof(*q->of_file));
	q->of_file[q->count] = t->files.count;
	q->runs[q->count++] = run;
	q->figures += v->count;
	parts_add_measured(t, v, ends, group);
}

static void *longer(void *list, size_t n, size_t more, size_t size)
{
	char *made = alloc_zeroed(n + more + 1, size);

	if (n)
		memcpy(made, list, n * size);
	free(list);
	return made;
}

/* Costs alone of kernels, from `from` on, that lie between measured ones. */
void queues_interpolate(struct training *t, size_t from)
{
	const struct model_machine *m = &t->modelled.machine;
	struct queues *q = &t->queues;
	const size_t known = from * m->classes, more = (m->kernels - from) * m->classes;

	q->between = longer(q->between, known, more, sizeof(*q->between));
	if (from) {
		q->model.alone = longer(q->model.alone, known, more, sizeof(double));
		q->errors.alone = longer(q->errors.alone, known, more, sizeof(double));
	}
	for (size_t i = known; i < known + more; i++) {
		const size_t pair = modelled_pair(&t->modelled, i % m->classes);

		if (from)
			q->model.alone[i] = q->errors.alone[i] = NAN;
		if (isfinite(q->model.alone[i]))
			continue;
		q->model.alone[i] = measured_alone(&t->measured, &t->modelled, i / m->classes,
			pair / m->nodes, pair % m->nodes);
		q->between[i] = isfinite(q->model.alone[i]);
	}
}

static double mean_of(const double *residuals, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += exp(fabs(residuals[i])) - 1;
	return sum / (double)n;
}

static void judge_queues(struct training *t, const struct learn *all)
{
	double *queues = alloc_zeroed(2 * t->queues.figures + 1, sizeof(*queues)),
	       *alone = queues + t->queues.figures;

	for (size_t kind = MODELLED_PRIVATE; kind <= MODELLED_SPREAD; kind++) {
		struct queues_worth *w = &t->queues.worth[kind];

		w->runs = learn_left_out(all, LEARN_NONE, kind, queues, alone);
		w->mean[0] = mean_of(queues, w->runs);
		w->mean[1] = mean_of(alone, w->runs);
		w->as_alone = w->runs >= LEAST_RUNS && !(w->mean[0] < w->mean[1]);
		w->margin[0] = learn_margin(queues, w->runs, t->confidence);
		w->margin[1] = learn_margin(alone, w->runs, t->confidence);
	}
	free(queues);
}

void queues_fit(struct training *t)
{
	struct queues *q = &t->queues;
	const size_t cells = t->modelled.machine.kernels * t->modelled.machine.classes;
	const struct learn all = {&t->modelled.machine, q->runs, q->count};

	q->model.alone = alloc_zeroed(cells + 1, sizeof(double));
	q->errors.alone = alloc_zeroed(cells + 1, sizeof(double));
	const bool learned = learn_model(&all, LEARN_NONE, &q->model, &q->errors) > 0;

	for (size_t i = 0; i < q->count; i++)
		q->fitted |= learned && q->runs[i].count > 1;
	judge_queues(t, &all);
	queues_interpolate(t, 0);
}

void queues_free(struct training *t)
{
	struct queues *q = &t->queues;

	for (size_t i = 0; i < q->count; i++) {
		free((void *)q->runs[i].threads);
		free((void *)q->runs[i].ends);
	}
	free(q->runs);
	free(q->of_file);
	free(q->model.alone);
	free(q->errors.alone);
	free(q->between);
}

/* Does a prediction change with what the profile does not show, within what is known of that? */
static bool is_assumed(const struct training *t, const struct learn_run *run)
{
	double *ends = alloc_zeroed(run->count, sizeof(*ends));
	struct model errors = t->queues.errors;
	bool assumed = false;

	for (size_t i = 0; i < LEARN_COMMON && !assumed; i++) {
		struct model other = t->queues.model;

		*learn_common(&other, i) *= exp(learn_priors[i].spread);
		if (isfinite(*learn_common(&errors, i)) ||
			learn_predict(&t->modelled.machine, &other, run, ends))
			continue;
		for (size_t k = 0; k < run->count; k++)
			assumed |= fabs(log(ends[k] / run->ends[k])) > LEARN_ERROR;
	}
	free(ends);
	return assumed;
}

/* Is a cost alone of its threads interpolated? */
static bool has_between(const struct training *t, const struct modelled_view *v)
{
	const struct model_machine *m = &t->modelled.machine;

	for (size_t i = 0; i < v->count; i++)
		for (size_t node = 0; node < m->nodes; node++)
			if (model_part(&v->threads[i], node) > 0 &&
				t->queues.between[v->threads[i].kernel * m->classes +
						  m->pair_class[v->threads[i].node * m->nodes +
								node]])
				return true;
	return false;
}

static char *why_not(int failed, size_t threads)
{
	if (failed == MODEL_UNKNOWN)
		return alloc_format("the profile lacks a kernel alone at a distance of its threads "
				    "(args/profile/03_alone.args)%s",
			threads > 1 ? ", or the latency or bandwidth of a pair of their nodes "
				      "(01_latency, 02_bandwidth)"
				    : "");
	return failed ? alloc_format("waits of its %zu threads do not settle", threads) : NULL;
}

char *queues_cost(const struct training *t, const struct modelled_view *v, struct predicted *out)
{
	const struct queues *q = &t->queues;
	const struct queues_worth *w = &q->worth[v->kind];
	const struct learn_run run = {v->threads, out->ends, v->count, 0, v->kind, v->steady};
	const bool as_alone = v->count > 1 && w->as_alone;

	/* what was measured is nearer than any model */
	char *why = parts_look_up(t, v, out);

	/* measured once: it is no farther off than a model that has not seen it */
	if (!why && v->kind != MODELLED_ALONE && isnan(out->margin) && !out->between)
		out->margin = w->margin[w->as_alone];
	if (!why || v->kind == MODELLED_ALONE)
		return why;
	free(why);
	why = coverage_refuse(t, v);
	if (!why)
		why = why_not((as_alone ? learn_each : learn_predict)(
				      &t->modelled.machine, &q->model, &run, out->ends),
			v->count);
	if (why)
		return why;
	out->margin = w->margin[as_alone];
	if (has_between(t, v))
		out->margin = parts_wider(out->margin, t->measured.between[MODELLED_ALONE]);
	out->as_alone = as_alone;
	out->assumed = !as_alone && is_assumed(t, &run);
	return NULL;
}
