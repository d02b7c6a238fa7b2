/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ends of threads, from instant to instant. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/model.h"

struct course {
	const struct model_machine *machine;
	const struct model *model;
	const struct model_thread *threads;
	size_t count;
	double now;
	bool *runs, *done;
	double *left;         /* units */
	double *alone, *cost; /* ns a unit */
};

double model_part(const struct model_thread *t, size_t node)
{
	return t->parts ? t->parts[node] : node == t->memory;
}

static double alone_of(const struct course *r, size_t kernel, const struct model_thread *t)
{
	const struct model_machine *m = r->machine;
	double all = 0;

	for (size_t i = 0; i < m->nodes; i++)
		if (model_part(t, i) > 0)
			all += model_part(t, i) *
			       r->model->alone[kernel * m->classes +
					       m->pair_class[t->node * m->nodes + i]];
	return all;
}

/* Those that share its vector behind other caches while it runs. */
struct sharers {
	bool any, in_step;
	double share;   /* of the vector, the largest */
	double slowest; /* what this kernel costs alone where the farthest of them, or it, runs */
};

static struct sharers sharers_of(const struct course *r, size_t thread)
{
	const struct model_thread *own = &r->threads[thread];
	struct sharers s = {false, true, 0, r->alone[thread]};

	for (size_t i = 0; i < r->count; i++) {
		const struct model_thread *t = &r->threads[i];

		if (!r->runs[i] || t->vector != own->vector)
			continue;
		if (t->share != own->share || t->start != own->start || t->kernel != own->kernel)
			s.in_step = false;
		if (t->node == own->node)
			continue;
		s.any = true;
		s.share = fmax(s.share, t->share);
		s.slowest = fmax(s.slowest, alone_of(r, own->kernel, t));
	}
	return s;
}

/* On the part that it shares with threads behind other caches a thread goes at their pace. */
static double shared_cost(const struct course *r, size_t thread, double queued)
{
	const struct model_thread *own = &r->threads[thread];
	const struct sharers s = sharers_of(r, thread);

	if (!s.any)
		return queued;
	const double part = fmin(1, s.share / own->share);
	double pace = s.slowest + queued - r->alone[thread];

	if (!s.in_step && !r->machine->kernel[own->kernel].writes)
		pace *= r->alone[thread] < s.slowest ? r->model->lead : r->model->follow;
	return part * pace + (1 - part) * queued;
}

static int set_costs(struct course *r)
{
	double *queued = alloc_zeroed(r->count, sizeof(*queued));
	const int failed =
		model_queue(r->machine, r->model, r->threads, r->runs, r->alone, r->count, queued);

	for (size_t i = 0; i < r->count && !failed; i++)
		if (r->runs[i])
			r->cost[i] = shared_cost(r, i, queued[i]);
	free(queued);
	return failed;
}

static bool is_left(const struct course *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (!r->done[i])
			return true;
	return false;
}

/* Time to the next start or end. */
static double next_change(const struct course *r)
{
	double next = HUGE_VAL;

	for (size_t i = 0; i < r->count; i++)
		if (r->runs[i])
			next = fmin(next, r->left[i] * r->cost[i]);
		else if (!r->done[i])
			next = fmin(next, r->threads[i].start - r->now);
	return next;
}

static void advance(struct course *r, double by, double *ends)
{
	r->now += by;
	for (size_t i = 0; i < r->count; i++) {
		if (r->runs[i])
			r->left[i] -= by / r->cost[i];
		/* rounding leaves a rest or takes it, far below what a clock could tell */
		if (r->runs[i] && r->left[i] <= 1e-12 * r->threads[i].units) {
			r->runs[i] = false;
			r->done[i] = true;
			ends[i] = r->now;
		} else if (!r->runs[i] && !r->done[i] && r->threads[i].start <= r->now) {
			r->runs[i] = true;
		}
	}
}

/* Latency and bandwidth of each memory that a thread uses, and of the way there. */
static bool has_ways(const struct model_machine *m, const struct model_thread *t)
{
	for (size_t i = 0; i < m->nodes; i++) {
		const size_t path = t->node * m->nodes + i, home = i * m->nodes + i;

		if (model_part(t, i) > 0 && !(m->latency[path] > 0 && m->bandwidth[path] > 0 &&
						    m->latency[home] > 0 && m->bandwidth[home] > 0))
			return false;
	}
	return true;
}

static bool is_known(const struct course *r)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct model_thread *t = &r->threads[i];

		if (!isfinite(r->alone[i]))
			return false;
		for (size_t k = 0; k < r->count; k++) /* also what it costs at a sharer's place */
			if (r->threads[k].vector == t->vector &&
				!isfinite(alone_of(r, t->kernel, &r->threads[k])))
				return false;
		if (r->count > 1 && !has_ways(r->machine, t))
			return false;
	}
	return true;
}

static void begin_course(struct course *r)
{
	r->runs = alloc_zeroed(r->count, sizeof(*r->runs));
	r->done = alloc_zeroed(r->count, sizeof(*r->done));
	r->left = alloc_zeroed(r->count, sizeof(*r->left));
	r->alone = alloc_zeroed(r->count, sizeof(*r->alone));
	r->cost = alloc_zeroed(r->count, sizeof(*r->cost));
	for (size_t i = 0; i < r->count; i++) {
		const struct model_thread *t = &r->threads[i];

		r->left[i] = t->units * t->share;
		r->runs[i] = t->start <= 0;
		r->alone[i] = alone_of(r, t->kernel, t);
	}
}

static void end(struct course *r)
{
	free(r->runs);
	free(r->done);
	free(r->left);
	free(r->alone);
	free(r->cost);
}

int model_predict(const struct model_machine *m, const struct model *p,
	const struct model_thread *t, size_t threads, double *ends)
{
	struct course r = {.machine = m, .model = p, .threads = t, .count = threads};

	begin_course(&r);
	int failed = is_known(&r) ? 0 : MODEL_UNKNOWN;

	while (!failed && is_left(&r)) {
		failed = set_costs(&r);
		if (!failed)
			advance(&r, next_change(&r), ends);
	}
	end(&r);
	return failed;
}

int model_steady(const struct model_machine *m, const struct model *p, const struct model_thread *t,
	size_t threads, double *costs)
{
	struct course r = {.machine = m, .model = p, .threads = t, .count = threads};

	begin_course(&r);
	for (size_t i = 0; i < threads; i++)
		r.runs[i] = true;
	const int failed = is_known(&r) ? set_costs(&r) : MODEL_UNKNOWN;

	for (size_t i = 0; i < threads && !failed; i++)
		costs[i] = r.cost[i];
	end(&r);
	return failed;
}
