/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the model. What was measured is looked up (measured.h); threads that were not
 * measured together, and whose vectors are in memory, queue there (model/model.h), or cost what
 * each costs alone where runs that were left out show that this is no worse.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "prediction/parts.h"

/* A cost of a unit as an end, and the other way round. */
static double end_of(const struct model_thread *t, bool steady, double cost)
{
	return steady ? cost : t->start + t->units * t->share * cost;
}

static double cost_of(const struct model_thread *t, bool steady, double end)
{
	return steady ? end : (end - t->start) / (t->units * t->share);
}

void parts_add_measured(
	struct training *t, struct modelled_view *v, const double *ends, size_t group)
{
	double *costs = alloc_zeroed(v->count + 1, sizeof(*costs));

	(void)group;
	for (size_t i = 0; i < v->count; i++)
		costs[i] = cost_of(&v->threads[i], v->steady, ends[i]);
	measured_add(&t->measured, v, costs);
	free(costs);
}

static void fit_measured(struct training *t)
{
	measured_fit(&t->measured, &t->modelled, t->confidence);
}

static void free_measured(struct training *t)
{
	measured_free(&t->measured);
}

char *parts_look_up(const struct training *t, const struct modelled_view *v, struct predicted *out)
{
	double *costs = alloc_zeroed(v->count + 1, sizeof(*costs));
	const size_t first = v->kind == MODELLED_STATE ? (size_t)v->visitor : 0;
	const size_t count = v->kind == MODELLED_STATE ? 1 : v->count;
	char *why = measured_cost(&t->measured, &t->modelled, v, costs, &out->between);

	for (size_t i = 0; i < count && !why; i++)
		out->ends[first + i] = end_of(&v->threads[first + i], v->steady, costs[i]);
	out->margin = measured_margin(&t->measured, v->kind, out->between);
	free(costs);
	return why;
}

static struct modelled_view one_of(const struct modelled_view *v, size_t thread)
{
	struct modelled_view one = *v;

	one.kind = v->threads[thread].parts ? MODELLED_SPREAD
		   : v->held                ? MODELLED_HELD
					    : MODELLED_ALONE;
	one.count = 1;
	one.threads += thread;
	one.bytes += thread;
	one.cpus += thread;
	one.cores += thread;
	return one;
}

/* Does a cache that a thread shares with none of the others hold all that it visits? */
static bool is_by_itself(const struct training *t, const struct modelled_view *v, size_t thread)
{
	const struct topo *topo = t->modelled.topo;
	const struct topo_cpu *own = topo_cpu(topo, v->cpus[thread]);
	int level = TOPO_LEVELS; /* the first that it shares */
	double holds = 0;

	for (size_t i = 0; i < v->count; i++)
		if (i != thread) {
			const struct nearness near =
				nearness_of(topo, own, topo_cpu(topo, v->cpus[i]));

			level = near.level < level ? near.level : level;
		}
	for (int i = 1; i < level; i++)
		holds = fmax(holds, (double)topo_cache_bytes(topo, own, i));
	return v->bytes[thread] <= holds;
}

double parts_wider(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static char *look_up_each(
	const struct training *t, const struct modelled_view *v, struct predicted *out)
{
	char *why = NULL;

	out->margin = 0;
	for (size_t i = 0; i < v->count && !why; i++) {
		const struct modelled_view one = one_of(v, i);
		struct predicted own = {.ends = out->ends + i};

		why = parts_look_up(t, &one, &own);
		out->margin = parts_wider(out->margin, own.margin);
	}
	return why;
}

static char *cost_measured(
	const struct training *t, const struct modelled_view *v, struct predicted *out)
{
	bool apart = v->kind == MODELLED_HELD_TOGETHER;
	char *why = parts_look_up(t, v, out);

	for (size_t i = 0; i < v->count && apart; i++)
		apart = is_by_itself(t, v, i);
	if (!why || !apart)
		return why;
	free(why);
	out->assumed = true;
	return look_up_each(t, v, out);
}

static const struct part {
	/* Takes a run; the view is the part's from now on. */
	void (*add)(struct training *t, struct modelled_view *v, const double *ends, size_t group);
	void (*fit)(struct training *t); /* after all were added, and how far it is off */
	char *(*cost)(const struct training *t, const struct modelled_view *v,
		struct predicted *out); /* NULL, or why it does not know, to be freed */
	void (*free)(struct training *t);
} parts[] = {{parts_add_measured, fit_measured, cost_measured, free_measured},
	{queues_add, queues_fit, queues_cost, queues_free}};

static const struct part *part_of(enum modelled_kinds kind)
{
	return &parts[kind <= MODELLED_SPREAD];
}
#define PARTS (sizeof(parts) / sizeof(*parts))

void training_add(struct training *t, struct modelled_view *v, const double *ends, size_t group)
{
	t->of_kind[v->kind]++;
	t->learned++;
	part_of(v->kind)->add(t, v, ends, group);
}

void training_fit(struct training *t)
{
	t->modelled.measured = t->modelled.machine.kernels;
	for (size_t i = 0; i < PARTS; i++)
		parts[i].fit(t);
}

void training_free(struct training *t)
{
	for (size_t i = 0; i < PARTS; i++)
		parts[i].free(t);
	free(t->why);
	modelled_free(&t->modelled);
	words_free(&t->files);
}

/* All go on when the last one has come, so that they end together; what has two parts is known no
 * better than either of them. */
static char *add_meetings(
	const struct training *t, const struct modelled_view *v, struct predicted *out)
{
	double each, last = 0;

	/* one thread waits for none */
	if (!(v->meetings.count > 0) || v->count < 2)
		return NULL;
	char *why = measured_meeting(&t->measured, &t->modelled, v, &each);

	for (size_t i = 0; i < v->count; i++)
		last = fmax(last, out->ends[i]);
	for (size_t i = 0; i < v->count && !why; i++)
		out->ends[i] = last + v->meetings.count * each;
	out->margin =
		parts_wider(out->margin, measured_margin(&t->measured, MODELLED_MEETING, false));
	return why;
}

char *training_predict(
	const struct training *t, const struct modelled_view *v, struct predicted *out)
{
	const enum modelled_kinds needed =
		v->kind == MODELLED_HELD_TOGETHER ? MODELLED_HELD : v->kind;

	if (!t->of_kind[needed])
		return alloc_format("the profile has no run of %s: args/%s.args",
			modelled_kind_names[needed], modelled_kind_files[needed]);
	if (v->kind == MODELLED_STATE && v->visitor < 0)
		return alloc_format("no thread visits its lines in a state");
	char *why = part_of(v->kind)->cost(t, v, out);

	return why ? why : add_meetings(t, v, out);
}

char *training_look(struct training *t, const struct plan *p, const struct plan_op *op,
	const bool *with, struct modelled_view *v)
{
	const size_t known = t->modelled.machine.kernels;
	char *why = modelled_look_some(&t->modelled, p, op, with, false, v);

	for (int i = 0; i < p->nthreads && !why && !t->measured.idles; i++)
		if (modelled_idle(p, op, i))
			why = alloc_format("the profile has no thread that does nothing: "
					   "args/profile/26_states.args");
	if (t->modelled.machine.kernels > known)
		queues_interpolate(t, known);
	return why;
}

/* The same of a run; 1: not known. */
static double gain_of(const struct training *t, const struct measured_run *r)
{
	double least = 1;

	for (size_t i = 0; i < r->view.count; i++) {
		const struct modelled_view one = one_of(&r->view, i);
		double cost;
		bool between;
		char *why = measured_cost(&t->measured, &t->modelled, &one, &cost, &between);

		if (!why)
			least = fmin(least, r->costs[i] / cost);
		free(why);
	}
	return least;
}

double training_gain(const struct training *t)
{
	const struct model *p = &t->queues.model;
	double least = fmin(1, fmin(p->follow, p->lead));

	for (size_t i = 0; i < t->measured.count; i++) {
		const struct measured_run *r = &t->measured.list[i];

		if (r->view.count > 1 && r->view.kind != MODELLED_MEETING &&
			r->view.kind != MODELLED_STATE)
			least = fmin(least, gain_of(t, r));
	}
	return least;
}
