/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that synchronise. */
#include "prediction/meetings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "input/registry.h"
#include "prediction/nearness.h"
#include "prediction/scene_kernels.h"

void meetings_begin(struct meetings *m, const struct topo *t)
{
	const size_t n = (size_t)t->ncpus;

	*m = (struct meetings){.cpus = n};
	m->matrix = alloc_zeroed(n * n + 1, sizeof(*m->matrix));
	m->times = alloc_zeroed(n * n + 1, sizeof(*m->times));
	for (size_t i = 0; i < n * n; i++)
		m->matrix[i] = NAN;
}

void meetings_free(struct meetings *m)
{
	for (size_t i = 0; i < m->count; i++) {
		for (size_t k = 0; k < m->list[i].count; k++)
			free(m->list[i].runs[k].cpus);
		free(m->list[i].runs);
	}
	free(m->list);
	free(m->matrix);
	free(m->times);
	*m = (struct meetings){0};
}

/* To be freed. */
static size_t *cpus_of(const struct topo *t, const struct scene_view *v)
{
	size_t *cpus = alloc_zeroed(v->count, sizeof(*cpus));

	for (size_t i = 0; i < v->count; i++)
		cpus[i] = (size_t)(topo_cpu(t, v->cpus[i]) - t->cpus);
	return cpus;
}

/* The mean of all that were measured, in both directions: halves of one round trip. */
static void add_transfer(struct meetings *m, const size_t *cpus, double cost)
{
	const size_t there = cpus[0] * m->cpus + cpus[1], back = cpus[1] * m->cpus + cpus[0];
	const double n = (double)m->times[there]++;

	m->matrix[there] = n > 0 ? (m->matrix[there] * n + cost) / (n + 1) : cost;
	m->matrix[back] = m->matrix[there];
	m->times[back] = m->times[there];
}

static struct meeting *find(const struct meetings *m, const struct scene_view *v)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->list[i].kernel == v->threads[0].kernel &&
			fabs(m->list[i].bytes / v->bytes[0] - 1) < SCENE_SAME)
			return &m->list[i];
	return NULL;
}

static struct meeting *find_or_add(struct meetings *m, const struct scene_view *v)
{
	struct meeting *known = find(m, v);

	if (known)
		return known;
	m->list = alloc_grow(m->list, m->count, sizeof(*m->list));
	m->list[m->count] = (struct meeting){.kernel = v->threads[0].kernel, .bytes = v->bytes[0]};
	return &m->list[m->count++];
}

/* How often a line goes on in a unit of so many threads. */
static double steps_of(const struct scene *s, size_t kernel, size_t threads)
{
	const struct scene_kind *k = &s->kinds[kernel];

	return k->kernel->transfers ? k->kernel->transfers(k->args, (int)threads)
				    : (double)threads - 1;
}

void meetings_add(struct meetings *m, const struct scene *s, const struct scene_view *v,
	double cost, bool transfer)
{
	struct meeting *own = find_or_add(m, v);
	size_t *cpus = cpus_of(s->topo, v);

	if (transfer && v->count == 2)
		add_transfer(m, cpus, cost);
	own->runs = alloc_grow(own->runs, own->count, sizeof(*own->runs));
	own->runs[own->count++] = (struct meeting_run){
		cpus, v->count, {steps_of(s, own->kernel, v->count), NAN, cost}};
}

/* The ways that were measured of CPUs as near as these. */
struct ways {
	struct nearness of;
	double sum;
	size_t n;
};

struct known_ways {
	struct ways *list;
	size_t count;
};

static struct ways *ways_of(struct known_ways *w, struct nearness of)
{
	for (size_t i = 0; i < w->count; i++)
		if (nearness_is_same(w->list[i].of, of))
			return &w->list[i];
	w->list = alloc_grow(w->list, w->count, sizeof(*w->list));
	w->list[w->count] = (struct ways){.of = of};
	return &w->list[w->count++];
}

/* A way that was not measured is as long as those that were, of CPUs as near as these. */
static void fill(struct meetings *m, const struct topo *t)
{
	struct known_ways known = {.list = NULL};

	for (size_t i = 0; i < m->cpus * m->cpus; i++)
		if (m->times[i]) {
			struct ways *w = ways_of(&known,
				nearness_of(t, &t->cpus[i / m->cpus], &t->cpus[i % m->cpus]));

			w->sum += m->matrix[i];
			w->n++;
		}
	for (size_t i = 0; known.count && i < m->cpus * m->cpus; i++)
		if (!m->times[i]) {
			struct ways *w = ways_of(&known,
				nearness_of(t, &t->cpus[i / m->cpus], &t->cpus[i % m->cpus]));

			m->matrix[i] = w->n ? w->sum / (double)w->n : NAN;
		}
	free(known.list);
}

static bool is_known(const struct meeting_run *r)
{
	return isfinite(r->run.mean);
}

/* The law of all runs of several threads but one. 0, or -1: they do not tell. */
static int fit(const struct meeting *own, size_t without, struct transfer *t, struct transfer *e)
{
	struct transfer_run *with = alloc_zeroed(own->count + 1, sizeof(*with));
	size_t n = 0;

	for (size_t i = 0; i < own->count; i++)
		if (i != without && own->runs[i].threads > 1 && is_known(&own->runs[i]))
			with[n++] = own->runs[i].run;
	const int failed = transfer_fit(t, with, n, e);

	free(with);
	return failed;
}

void meetings_fit(struct meetings *m, const struct topo *t)
{
	fill(m, t);
	for (size_t i = 0; i < m->count; i++) {
		struct meeting *own = &m->list[i];

		for (size_t k = 0; k < own->count; k++) {
			struct meeting_run *r = &own->runs[k];

			r->run.mean = transfer_mean(m->matrix, m->cpus, r->cpus, r->threads);
		}
		own->fitted = !fit(own, own->count, &own->model, &own->errors);
	}
}

/* The mean of runs, all but one, whose lines have as long a way to go; NAN: there is none. One
 * thread keeps its lines, and is like no other number. */
static double as_far(const struct meeting *own, size_t without, const struct meeting_run *like)
{
	const double way = like->run.steps * like->run.mean;
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < own->count; i++) {
		const struct meeting_run *r = &own->runs[i];

		if (i == without || !is_known(r) || (r->threads == 1) != (like->threads == 1) ||
			fabs(r->run.steps * r->run.mean - way) > SCENE_SAME * way)
			continue;
		sum += r->run.cost;
		n++;
	}
	return n ? sum / (double)n : NAN;
}

static size_t most_threads(const struct meeting *own)
{
	size_t most = 0;

	for (size_t i = 0; i < own->count; i++)
		most = own->runs[i].threads > most ? own->runs[i].threads : most;
	return most;
}

static char *cost_of(const struct meetings *m, const struct meeting *own, const struct scene *s,
	const struct scene_view *v, double *cost)
{
	struct meeting_run r = {cpus_of(s->topo, v), v->count, {.cost = NAN}};
	const size_t most = most_threads(own);

	r.run.steps = steps_of(s, own->kernel, v->count);
	r.run.mean = transfer_mean(m->matrix, m->cpus, r.cpus, v->count);
	free(r.cpus);
	if (!isfinite(r.run.mean))
		return alloc_format("the profile lacks the time of a line between two of its CPUs, "
				    "or two as near (args/profile/10_lines.args)");
	if (v->count > most)
		return alloc_format("the profile has %s with %zu thread%s at most",
			v->meetings.count > 0 ? "meetings" : "this kernel", most, text_s(most));
	*cost = own->fitted && v->count > 1 ? transfer_cost(&own->model, r.run.steps, r.run.mean)
					    : as_far(own, own->count, &r);
	if (isnan(*cost))
		return alloc_format("the profile has this kernel %s (args/profile/11_meetings.args "
				    "with --set 'kernels=barrier %s')",
			v->count > 1 ? "with threads on other pairs of CPUs only"
				     : "with several threads only",
			registry_name(s->kinds[own->kernel].kernel));
	return *cost > 0 ? NULL : alloc_format("the model is no good for so few threads");
}

char *meetings_cost(
	const struct meetings *m, const struct scene *s, const struct scene_view *v, double *cost)
{
	const struct meeting *own = find(m, v);

	return own ? cost_of(m, own, s, v, cost)
		   : alloc_format(
			     "the profile does not have this kernel, on a vector of this "
			     "size: args/profile/11_meetings.args with --set 'kernels=barrier %s' "
			     "--set sizePerVector=%.0fB",
			     registry_name(s->kinds[v->threads[0].kernel].kernel), v->bytes[0]);
}

/* Does it measure such meetings, and nothing else? */
static bool measures(
	const struct scene *s, const struct meeting *own, const struct scene_meetings *wanted)
{
	const struct scene_kind *k = &s->kinds[own->kernel];
	const struct scene_meetings m = scene_meetings_of(k->kernel, k->args);

	return own->count && k->kernel->meeting && m.count > 0 && !strcmp(m.by, wanted->by) &&
	       !strcmp(m.wait, wanted->wait);
}

char *meetings_each(
	const struct meetings *m, const struct scene *s, const struct scene_view *v, double *cost)
{
	*cost = 0;
	if (v->count == 1) /* it waits for nobody */
		return NULL;
	for (size_t i = 0; i < m->count; i++)
		if (measures(s, &m->list[i], &v->meetings))
			return cost_of(m, &m->list[i], s, v, cost);
	return alloc_format("the profile has no meetings of threads by: %s, wait: %s "
			    "(args/profile/11_meetings.args with --set by=%s --set wait=%s)",
		v->meetings.by, v->meetings.wait, v->meetings.by, v->meetings.wait);
}

/* log(measured / predicted) of a run by the others; NAN: they do not tell. */
static double residual(const struct meeting *own, size_t run)
{
	const struct meeting_run *r = &own->runs[run];
	struct transfer found;
	const double cost = r->threads > 1 && !fit(own, run, &found, NULL)
				    ? transfer_cost(&found, r->run.steps, r->run.mean)
				    : as_far(own, run, r);

	return is_known(r) && cost > 0 ? log(r->run.cost / cost) : NAN;
}

size_t meetings_left_out(const struct meetings *m, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; k < m->list[i].count; k++) {
			const double off = residual(&m->list[i], k);

			if (isfinite(off))
				out[n++] = off;
		}
	return n;
}
