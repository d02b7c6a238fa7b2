/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts runs. */
#include "prediction/forecast.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* ns as seconds; what is known of it is from low to high, and beyond that off by the margin. */
static struct amount with_margin(double value, double low, double high, double margin)
{
	return (struct amount){value * 1e-9, low * 1e-9 * exp(-margin), high * 1e-9 * exp(margin)};
}

/* Predicted ends, and what is known of them; owned. */
struct ends {
	double *value, *low, *high; /* [threads], of one block */
};

static void fill(struct forecast_operation *o, const struct lesson *l, const struct plan *p,
	const struct plan_op *op, const struct scene_view *v, const struct ends *ends,
	double margin)
{
	size_t k = 0;

	for (int i = 0; i < p->nthreads; i++) {
		struct forecast_thread *out = &o->threads[i];

		*out = (struct forecast_thread){op->jobs[i].name, p->threads[i].node,
			FORECAST_NO_MEMORY, {l->states.idle * 1e-9, NAN, NAN}};
		if (scene_idle(p, op, i))
			continue;
		const struct model_thread *t = &v->threads[k];

		out->memory = t->parts ? -1 : l->scene.topo->nodes[t->memory].node;
		out->cost = with_margin(ends->value[k], ends->low[k], ends->high[k], margin);
		k++;
	}
}

/* Does a prediction change with what the profile does not show, within what is known of that? */
static bool is_assumed(const struct lesson *l, const struct learn_run *run)
{
	double *all = alloc_zeroed(2 * run->count, sizeof(*all)), *ends = all + run->count;
	struct model errors = l->errors;
	bool assumed = false;

	if (learn_predict(&l->scene.machine, &l->model, run, all)) {
		free(all);
		return false;
	}

	for (size_t i = 0; i < LEARN_COMMON && !assumed; i++) {
		struct model other = l->model;

		if (isfinite(*learn_common(&errors, i)))
			continue;
		*learn_common(&other, i) *= exp(learn_priors[i].spread);
		if (learn_predict(&l->scene.machine, &other, run, ends))
			continue;
		for (size_t k = 0; k < run->count; k++)
			assumed |= fabs(log(ends[k] / all[k])) > LEARN_ERROR;
	}
	free(all);
	return assumed;
}

/* How threads share caches is a rule: no run of the profile shows how far it is off. */
static bool shares_caches_unseen(const struct lesson *l, const struct scene_view *v)
{
	return v->kind == SCENE_HELD_TOGETHER && !l->of_kind[SCENE_HELD_TOGETHER];
}

static double wider(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

/* Of what has several parts, the widest one. */
static double margin_of(const struct lesson *l, const struct scene_view *v)
{
	double margin = l->margins[v->kind];

	for (size_t i = 0; i < v->count; i++)
		if (!v->held && lesson_is_told(l, &v->threads[i]))
			margin = wider(margin, l->alike);
	return v->meetings.count > 0 && v->count > 1 ? wider(margin, l->margins[SCENE_MEETING])
						     : margin;
}

static void predict(struct forecast_operation *o, struct lesson *l, const struct plan *p,
	const struct plan_op *op)
{
	const size_t n = (size_t)p->nthreads;
	const bool steady = p->request->window_ns > 0;
	double *block = alloc_zeroed(3 * n, sizeof(*block));
	const struct ends ends = {block, block + n, block + 2 * n};
	struct scene_view v = {.count = 0};
	bool *with = scene_working(p, op);

	*o = (struct forecast_operation){.name = op->label, .count = n};
	o->threads = alloc_zeroed(n, sizeof(*o->threads));
	o->refused = lesson_look(l, p, op, with, &v);
	if (!o->refused)
		o->refused = lesson_predict(l, &v, steady, ends.value);
	if (!o->refused) {
		const struct learn_run run = {v.threads, ends.value, v.count, 0, 0, steady};
		const bool known = lesson_range(l, &v, steady, ends.value, ends.low, ends.high);

		fill(o, l, p, op, &v, &ends, known ? margin_of(l, &v) : NAN);
		o->assumed = v.held ? shares_caches_unseen(l, &v)
				    : v.kind != SCENE_LOADED && is_assumed(l, &run);
	}
	scene_view_free(&v);
	free(with);
	free(block);
}

static const char *per_of(const struct plan *p)
{
	if (p->request->window_ns)
		return "unit";
	return p->nops && p->ops[0].jobs[0].calibrated ? "round" : "sample";
}

static size_t add_run(struct forecast_run *r, struct lesson *l, const struct run *x)
{
	size_t done = 0;

	*r = (struct forecast_run){.label = x->label, .per = "sample"};
	if (x->skipped) {
		r->skipped = errors_failure(&x->errors);
		return 0;
	}
	r->per = per_of(&x->plan);
	r->count = (size_t)x->plan.nops;
	r->operations = alloc_zeroed(r->count, sizeof(*r->operations));
	for (size_t i = 0; i < r->count; i++) {
		predict(&r->operations[i], l, &x->plan, &x->plan.ops[i]);
		done += !r->operations[i].refused;
	}
	return done;
}

static void add_parameter(struct forecast *f, char *name, double value, double error, bool assumed)
{
	f->parameters = alloc_grow(f->parameters, f->nparameters, sizeof(*f->parameters));
	f->parameters[f->nparameters++] = (struct forecast_parameter){name, value, error, assumed};
}

/* Costs of a staircase: of its first level, and what misses of each add. */
static void add_staircase(struct forecast *f, const struct lesson *l, const struct staircase_of *s)
{
	const unsigned long long distance = scene_distance(&l->scene, s->pair_class);
	char *name = scene_kind_name(&l->scene, s->kernel);

	for (size_t i = 0; s->fitted && i <= s->nsteps; i++) {
		const struct stairs_step *step = i ? &s->steps[i - 1] : NULL;

		add_parameter(f,
			step ? alloc_format("%s, distance %llu, ns a unit that misses %s%.0f KiB",
				       name, distance, step->level ? "" : "the TLB's reach of ",
				       step->bytes / 1024)
			     : alloc_format("%s, distance %llu, ns a unit in the first level", name,
				       distance),
			s->costs[i], fabs(s->errors[i] / s->costs[i]), false);
	}
	free(name);
}

static void add_siblings(struct forecast *f, const struct lesson *l)
{
	const size_t n = l->siblings.model.kernels;

	for (size_t i = 0; i < n * n; i++) {
		const double extra = l->siblings.model.extra[i];

		if (!isfinite(extra))
			continue;
		char *own = scene_kind_name(&l->scene, i / n);
		char *other = scene_kind_name(&l->scene, i % n);

		add_parameter(f, alloc_format("%s beside %s on a core, times", own, other),
			1 + extra, l->siblings.errors[i] / fabs(1 + extra), false);
		free(own);
		free(other);
	}
}

static void add_meetings(struct forecast *f, const struct lesson *l)
{
	for (size_t i = 0; i < l->meetings.count; i++) {
		const struct meeting *m = &l->meetings.list[i];
		char *name = scene_kind_name(&l->scene, m->kernel);

		if (m->fitted) {
			add_parameter(f, alloc_format("%s, ns a unit of a thread by itself", name),
				m->model.own, fabs(m->errors.own / m->model.own), false);
			add_parameter(f, alloc_format("%s, turns of a line a unit", name),
				m->model.turns, fabs(m->errors.turns / m->model.turns), false);
		}
		free(name);
	}
}

static void add_loads(struct forecast *f, const struct lesson *l)
{
	for (size_t i = 0; i < l->curves.count; i++) {
		const struct load_curve *own = &l->curves.list[i];
		char *name = load_curve_name(own, &l->scene);

		if (own->fitted)
			add_parameter(f,
				alloc_format("%s, distance %llu, waits of a line", name,
					scene_distance(&l->scene, own->pair_class)),
				own->law.waits,
				own->law.waits > 0 ? own->law.error / own->law.waits : NAN, false);
		free(name);
	}
}

static void add_alone(struct forecast *f, const struct lesson *l)
{
	const struct model_machine *m = &l->scene.machine;

	for (size_t i = 0; i < l->scene.measured * m->classes; i++) {
		if (!isfinite(l->scene.alone[i]))
			continue;
		char *name = scene_kind_name(&l->scene, i / m->classes);

		add_parameter(f,
			alloc_format("%s, distance %llu, ns a unit", name,
				scene_distance(&l->scene, i % m->classes)),
			l->model.alone[i], l->errors.alone[i], false);
		free(name);
	}
}

static void add_parameters(struct forecast *f, const struct lesson *l)
{
	static const char *const names[LEARN_COMMON] = {"queue", "follow", "lead"};
	struct model values = l->model, errors = l->errors;

	add_alone(f, l);
	for (size_t i = 0; i < l->stairs.count; i++)
		add_staircase(f, l, &l->stairs.list[i]);
	add_siblings(f, l);
	add_meetings(f, l);
	add_loads(f, l);
	for (size_t i = 0; i < LEARN_COMMON; i++) {
		const double error = *learn_common(&errors, i);

		add_parameter(f, alloc_format("%s", names[i]), *learn_common(&values, i), error,
			!isfinite(error));
	}
}

size_t forecast_make(struct forecast *f, struct lesson *l, const struct experiment *x)
{
	size_t done = 0;

	*f = (struct forecast){.args = args_name(x->args->path),
		.profile = &l->files,
		.learned = l->learned,
		.other_machine = l->other_machine,
		.simulated = l->simulated,
		.disturbed = l->disturbed,
		.fitted = l->fitted,
		.confidence = l->confidence,
		.nruns = x->nruns};
	f->runs = alloc_zeroed(x->nruns, sizeof(*f->runs));
	for (size_t i = 0; i < x->nruns; i++)
		done += add_run(&f->runs[i], l, &x->runs[i]);
	add_parameters(f, l);
	return done;
}
