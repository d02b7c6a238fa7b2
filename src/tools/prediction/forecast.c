/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts runs. */
#include "prediction/forecast.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* ns as seconds */
static struct amount amount_of(double ns, double margin)
{
	return (struct amount){ns * 1e-9, ns * 1e-9 * exp(-margin), ns * 1e-9 * exp(margin)};
}

static void fill_operation(struct forecast_operation *o, const struct training *t,
	const struct plan *p, const struct plan_op *op, const struct modelled_view *v,
	const struct predicted *found)
{
	size_t k = 0;

	for (int i = 0; i < p->nthreads; i++) {
		struct forecast_thread *out = &o->threads[i];

		*out = (struct forecast_thread){op->jobs[i].name, p->threads[i].node,
			FORECAST_NO_MEMORY, {t->measured.idle * 1e-9, NAN, NAN}};
		if (modelled_idle(p, op, i))
			continue;
		const struct model_thread *own = &v->threads[k];

		out->memory = own->parts ? -1 : t->modelled.topo->nodes[own->memory].node;
		out->cost = amount_of(found->ends[k++], found->margin);
	}
}

static void predict(struct forecast_operation *o, struct training *t, const struct plan *p,
	const struct plan_op *op)
{
	const size_t n = (size_t)p->nthreads;
	struct predicted found = {.ends = alloc_zeroed(n, sizeof(double))};
	struct modelled_view v = {.count = 0};
	bool *with = modelled_working(p, op);

	*o = (struct forecast_operation){.name = op->label, .count = n};
	o->threads = alloc_zeroed(n, sizeof(*o->threads));
	o->refused = training_look(t, p, op, with, &v);
	if (!o->refused)
		o->refused = training_predict(t, &v, &found);
	if (!o->refused) {
		fill_operation(o, t, p, op, &v, &found);
		o->assumed = found.assumed;
		o->as_alone = found.as_alone;
	}
	free(found.ends);
	modelled_view_free(&v);
	free(with);
}

static const char *per_of(const struct plan *p)
{
	if (p->request->window_ns)
		return "unit";
	return p->nops && p->ops[0].jobs[0].calibrated ? "round" : "sample";
}

static size_t add_run(struct forecast_run *r, struct training *t, const struct run *x)
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
		predict(&r->operations[i], t, &x->plan, &x->plan.ops[i]);
		done += !r->operations[i].refused;
	}
	return done;
}

static void add_parameter(struct forecast *f, char *name, double value, double error, bool assumed)
{
	f->parameters = alloc_grow(f->parameters, f->nparameters, sizeof(*f->parameters));
	f->parameters[f->nparameters++] = (struct forecast_parameter){name, value, error, assumed};
}

static void add_alone(struct forecast *f, const struct training *t)
{
	const struct model_machine *m = &t->modelled.machine;
	const struct queues *q = &t->queues;

	for (size_t i = 0; i < t->modelled.measured * m->classes; i++) {
		if (!isfinite(q->model.alone[i]) || q->between[i])
			continue;
		char *name = modelled_kind_name(&t->modelled, i / m->classes);

		add_parameter(f,
			alloc_format("%s, distance %llu, ns a unit", name,
				modelled_distance(&t->modelled, i % m->classes)),
			q->model.alone[i], q->errors.alone[i], false);
		free(name);
	}
}

static void add_parameters(struct forecast *f, const struct training *t)
{
	static const char *const names[LEARN_COMMON] = {"queue", "follow", "lead"};
	struct model values = t->queues.model, errors = t->queues.errors;

	add_alone(f, t);
	for (size_t i = 0; i < LEARN_COMMON; i++) {
		const double error = *learn_common(&errors, i);

		add_parameter(f, alloc_format("%s", names[i]), *learn_common(&values, i), error,
			!isfinite(error));
	}
}

static void add_rules(struct forecast *f, const struct training *t)
{
	for (size_t kind = MODELLED_PRIVATE; kind <= MODELLED_SPREAD; kind++) {
		const struct queues_worth *w = &t->queues.worth[kind];

		if (w->runs)
			f->rules[f->nrules++] = (struct forecast_rule){modelled_kind_names[kind],
				w->runs, w->mean[0], w->mean[1], w->as_alone};
	}
}

size_t forecast_make(struct forecast *f, struct training *t, const struct experiment *x)
{
	size_t done = 0;

	*f = (struct forecast){.args = args_name(x->args->path),
		.profile = &t->files,
		.learned = t->learned,
		.other_machine = t->other_machine,
		.simulated = t->simulated,
		.disturbed = t->disturbed,
		.fitted = t->queues.fitted,
		.confidence = t->confidence,
		.nruns = x->nruns};
	f->runs = alloc_zeroed(x->nruns, sizeof(*f->runs));
	for (size_t i = 0; i < x->nruns; i++)
		done += add_run(&f->runs[i], t, &x->runs[i]);
	add_parameters(f, t);
	add_rules(f, t);
	return done;
}
