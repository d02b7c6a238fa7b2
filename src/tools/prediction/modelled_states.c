/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations in which one thread visits lines that are in a given state. */
#include <stdlib.h>

#include "base/alloc.h"
#include "plan/memory.h"
#include "prediction/modelled_kernels.h"

static bool visits_state(const struct plan *p, int thread)
{
	for (int i = 0; i < p->threads[thread].nvectors; i++)
		if (p->vectors[p->threads[thread].vector_ids[i]].state)
			return true;
	return false;
}

bool modelled_states_has(const struct plan *p)
{
	for (int i = 0; i < p->nthreads; i++)
		if (visits_state(p, i))
			return true;
	return false;
}

bool modelled_states_idles(const struct plan *p, const struct plan_op *op, int thread)
{
	return !p->threads[thread].nvectors && modelled_idle(p, op, thread) &&
	       modelled_states_has(p);
}

bool *modelled_working(const struct plan *p, const struct plan_op *op)
{
	bool *with = alloc_zeroed((size_t)p->nthreads, sizeof(*with));
	int busy = 0;

	for (int i = 0; i < p->nthreads; i++)
		busy += with[i] = !modelled_idle(p, op, i);
	if (busy > 0 && busy < p->nthreads)
		return with;
	free(with);
	return NULL;
}

/* What a visit of a vector in a state is not; NULL: it is one. */
static char *refuse_visit(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct plan_job *job = &op->jobs[thread];
	const struct worker w = plan_worker(p, op, thread);
	char why[256];

	if (job->calibrated || job->common.passes != 1)
		return alloc_format("only the first pass of %s meets the state of its lines, and "
				    "the model is of that: leave passes out",
			job->name);
	if (job->kernel->accesses.revisits && job->kernel->accesses.revisits(&w, why, sizeof(why)))
		return alloc_format("%s visits lines again, when they have lost their state: %s",
			job->name, why);
	return NULL;
}

/* What measures a visit; `more` of it, owned. */
static char *not_measured(const char *kernel, char *more)
{
	char *why = alloc_format(
		"the profile has no %s %s on lines in a state: " MODELLED_STATE_MEASURED, kernel,
		more);

	free(more);
	return why;
}

static void set_steps(
	const struct modelled *s, const struct plan_vector *lines, struct modelled_view *v)
{
	const struct topo *t = s->topo;
	const int home = t->nodes[v->threads[v->visitor].memory].node;

	for (int i = 0; i < lines->nsteps; i++) {
		const struct topo_cpu *actor = topo_cpu(t, lines->steps[i].cpu);

		if (lines->steps[i].action == STEP_FLUSH)
			continue;
		v->steps[v->nsteps++] = (struct modelled_step){lines->steps[i].action,
			nearness_of(t, topo_cpu(t, v->cpus[v->visitor]), actor),
			topo_distance(t, actor->node, home)};
	}
}

static char *look_at_visitor(struct modelled *s, const struct plan *p, const struct plan_op *op,
	int thread, bool learn, struct modelled_view *v)
{
	const struct plan_vector *lines = &p->vectors[p->threads[thread].vector_ids[0]];
	const char *name = op->jobs[thread].name;
	char *why = v->visitor >= 0 || !lines->state
			    ? alloc_format("the model covers one thread that reads lines in a "
					   "state; the others must run null")
			    : refuse_visit(p, op, thread);

	if (why)
		return why;
	if (modelled_kernel(s, &op->jobs[thread], lines, p->threads[thread].kind, learn) < 0)
		return not_measured(name, alloc_format("with these parameters"));
	v->visitor = (long)v->count;
	why = modelled_look_at(s, p, op, thread, learn, v);
	if (!why && v->threads[v->visitor].parts)
		return alloc_format(
			"the model covers lines in a coherence state on a single node only");
	if (!why) {
		set_steps(s, lines, v);
		return NULL;
	}
	/* its units are not known */
	free(why);
	return not_measured(name, alloc_format("with %zu bytes", lines->bytes));
}

/* The model has no word for a thread that does nothing: it has the node of its thread. */
static void add_idle(
	const struct modelled *s, const struct plan *p, int thread, struct modelled_view *v)
{
	const struct plan_thread *t = &p->threads[thread];
	size_t node = 0;

	while (s->topo->nodes[node].node != t->node)
		node++;
	v->threads[v->count] = (struct model_thread){.node = node,
		.memory = node,
		.vector = (size_t)(p->nvectors + thread),
		.units = 1,
		.share = 1};
	v->cpus[v->count] = t->cpu;
	v->cores[v->count] = t->core;
	v->count++;
}

char *modelled_states_look(struct modelled *s, const struct plan *p, const struct plan_op *op,
	const bool *with, bool learn, struct modelled_view *v)
{
	char *why = NULL;

	v->kind = MODELLED_STATE;
	v->held = true;
	for (int i = 0; i < p->nthreads && !why; i++) {
		if (with && !with[i])
			continue;
		if (modelled_states_idles(p, op, i))
			add_idle(s, p, i, v);
		else
			why = look_at_visitor(s, p, op, i, learn, v);
	}
	return why;
}
