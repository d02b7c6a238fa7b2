/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts runs. */
#include "prediction/forecast.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "input/registry.h"
#include "input/values.h"

static struct amount with_margin(double value, double margin)
{
	return (struct amount){value, value * exp(-margin), value * exp(margin)};
}

static void fill(struct forecast_operation *o, const struct plan *p, const struct plan_op *op,
	const double *ends, double margin)
{
	for (int i = 0; i < p->nthreads; i++)
		o->threads[i] = (struct forecast_thread){op->jobs[i].name, p->threads[i].node,
			p->vectors[p->threads[i].vector_ids[0]].node,
			with_margin(ends[i] * 1e-9, margin)};
}

/* Does a prediction change with what the profile does not show, within what is known of that? */
static bool is_assumed(const struct lesson *l, const struct learn_run *run)
{
	double *ends = alloc_zeroed(run->count, sizeof(*ends));
	struct model errors = l->errors;
	bool assumed = false;

	for (size_t i = 0; i < LEARN_COMMON && !assumed; i++) {
		struct model other = l->model;

		if (isfinite(*learn_common(&errors, i)))
			continue;
		*learn_common(&other, i) *= exp(learn_priors[i].spread);
		if (learn_predict(&l->scene.machine, &other, run, ends))
			continue;
		for (size_t k = 0; k < run->count; k++)
			assumed |= fabs(log(ends[k] / run->ends[k])) > LEARN_ERROR;
	}
	free(ends);
	return assumed;
}

static void predict(struct forecast_operation *o, struct lesson *l, const struct plan *p,
	const struct plan_op *op)
{
	const size_t n = (size_t)p->nthreads;
	struct model_thread *threads = alloc_zeroed(n, sizeof(*threads));
	double *ends = alloc_zeroed(n, sizeof(*ends));
	const struct learn_run run = {threads, ends, n, 0, 0, p->request->window_ns > 0};

	*o = (struct forecast_operation){.name = op->label, .count = n};
	o->threads = alloc_zeroed(n, sizeof(*o->threads));
	o->refused = scene_threads(&l->scene, p, op, false, threads);
	const enum scene_kinds kind = o->refused ? SCENE_ALONE : scene_kind_of(threads, n);

	if (!o->refused && !l->of_kind[kind])
		o->refused = alloc_format("the profile has no run of %s", scene_kind_names[kind]);
	const int failed = o->refused ? 0 : learn_predict(&l->scene.machine, &l->model, &run, ends);

	if (failed == MODEL_UNKNOWN)
		o->refused = alloc_format(
			"the profile lacks a kernel alone at a distance of its threads%s",
			n > 1 ? ", or the latency or bandwidth of a pair of their nodes" : "");
	else if (failed)
		o->refused = alloc_format("waits of its %zu threads do not settle", n);
	if (!o->refused) {
		fill(o, p, op, ends, l->margins[kind]);
		o->assumed = is_assumed(l, &run);
	}
	free(threads);
	free(ends);
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

/* The distance of the pairs of a class. */
static unsigned long long distance_of(const struct scene *s, size_t class)
{
	const size_t n = s->machine.nodes;
	size_t i = 0;

	while (s->pair_class[i] != class)
		i++;
	return topo_distance(s->topo, s->topo->nodes[i / n].node, s->topo->nodes[i % n].node);
}

static void add_parameters(struct forecast *f, const struct lesson *l)
{
	static const char *const names[LEARN_COMMON] = {"queue", "follow", "lead"};
	const struct model_machine *m = &l->scene.machine;

	for (size_t i = 0; i < m->kernels * m->classes; i++) {
		const struct scene_kind *k = &l->scene.kinds[i / m->classes];
		const char *cores = topo_kind_name(l->scene.topo, k->cores);

		if (isfinite(l->model.alone[i]))
			add_parameter(f,
				alloc_format("%s on %s, pages %s, distance %llu%s%s, ns a unit",
					registry_name(k->kernel), element_names[k->type],
					pages_names[k->pages],
					distance_of(&l->scene, i % m->classes),
					cores ? ", cores " : "", cores ? cores : ""),
				l->model.alone[i], l->errors.alone[i], false);
	}
	struct model values = l->model, errors = l->errors;

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
		.learned = l->count,
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
