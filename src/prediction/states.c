/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines in known states. */
#include "prediction/states.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

#define NONE ((size_t)-1)

static struct states_step step_of(
	const struct scene *s, const struct plan_step *step, int cpu, int home)
{
	const struct topo *t = s->topo;
	const struct topo_cpu *actor = topo_cpu(t, step->cpu);

	return (struct states_step){step->action, nearness_of(t, topo_cpu(t, cpu), actor),
		topo_distance(t, actor->node, home)};
}

static struct states_cell cell_of(const struct scene *s, const struct scene_view *v)
{
	const struct model_thread *t = &v->threads[v->visitor];
	const struct topo_node *nodes = s->topo->nodes;
	struct states_cell c = {.kernel = t->kernel,
		.bytes = (double)v->lines->bytes,
		.home = topo_distance(s->topo, nodes[t->node].node, nodes[t->memory].node)};

	for (int i = 0; i < v->lines->nsteps; i++)
		if (v->lines->steps[i].action != STEP_FLUSH)
			c.steps[c.count++] = step_of(
				s, &v->lines->steps[i], v->cpus[v->visitor], nodes[t->memory].node);
	return c;
}

static bool is_same_step(const struct states_step *a, const struct states_step *b)
{
	return a->action == b->action && nearness_is_same(a->near, b->near) && a->home == b->home;
}

static bool is_same(const struct states_cell *a, const struct states_cell *b)
{
	bool same = a->kernel == b->kernel && fabs(a->bytes / b->bytes - 1) < SCENE_SAME &&
		    a->home == b->home && a->count == b->count;

	for (size_t i = 0; i < a->count && same; i++)
		same = is_same_step(&a->steps[i], &b->steps[i]);
	return same;
}

static void add_idle(struct states *s, double cost)
{
	const double n = (double)s->idles++;

	s->idle = (s->idle * n + cost) / (n + 1);
}

void states_add(
	struct states *s, const struct scene *scene, const struct scene_view *v, const double *ends)
{
	for (size_t i = 0; i < v->count; i++) {
		const struct model_thread *t = &v->threads[i];

		if (scene_idles(v, i)) {
			add_idle(s, ends[i]);
			continue;
		}
		s->runs = alloc_grow(s->runs, s->count, sizeof(*s->runs));
		s->runs[s->count++] = (struct states_run){
			cell_of(scene, v), (ends[i] - t->start) / (t->units * t->share)};
	}
}

void states_free(struct states *s)
{
	free(s->runs);
	*s = (struct states){.runs = NULL};
}

/* The mean of a cell's runs, all but one; NAN: there is none. */
static double mean_of(const struct states *s, const struct states_cell *c, size_t without)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (i != without && is_same(&s->runs[i].cell, c)) {
			sum += s->runs[i].cost;
			n++;
		}
	return n ? sum / (double)n : NAN;
}

/* "read by a CPU at distance 21, whose home is at distance 31", one step after another; to be
 * freed. */
static char *steps_text(const struct states_cell *c)
{
	char *text = alloc_format(c->count ? "lines" : "lines that no cache has");

	for (size_t i = 0; i < c->count; i++) {
		const struct states_step *step = &c->steps[i];
		char *near = nearness_text(step->near);

		alloc_append(&text, "", "%s %s by a CPU %s, %llu from their home",
			i ? ", then" : "", step->action == STEP_WRITE ? "written" : "read", near,
			(unsigned long long)step->home);
		free(near);
	}
	return text;
}

static char *not_known(const struct states_cell *c)
{
	char *steps = steps_text(c);
	char *why = alloc_format("the profile has no %s, with their home at distance %llu, of this "
				 "kernel on %.0f bytes: " SCENE_STATE_MEASURED,
		steps, (unsigned long long)c->home, c->bytes);

	free(steps);
	return why;
}

char *states_cost(
	const struct states *s, const struct scene *scene, const struct scene_view *v, double *ends)
{
	if (!v->lines)
		return alloc_format("no thread visits its lines in a state");
	const struct model_thread *t = &v->threads[v->visitor];
	const struct states_cell c = cell_of(scene, v);
	const double cost = mean_of(s, &c, NONE);

	ends[v->visitor] = t->start + t->units * t->share * cost;
	return isnan(cost) ? not_known(&c) : NULL;
}

size_t states_left_out(const struct states *s, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		const double off = log(s->runs[i].cost / mean_of(s, &s->runs[i].cell, i));

		if (isfinite(off))
			out[n++] = off;
	}
	return n;
}
