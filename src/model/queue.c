/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting at memories and on paths. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/model.h"

/* Rates and waits agree to this, relative; the fit takes derivatives by differences. */
#define AGREE 1e-11
#define STEPS 1000
/* An iteration may ask for more than there is; then the wait is long, and the next asks for less.
 */
#define FULL 0.98

struct crowd {
	const struct model_machine *machine;
	const struct model *model;
	const struct model_thread *threads;
	const bool *runs;
	size_t count;
	const double *costs; /* of the last iteration */
};

bool model_in_step(const struct model_thread *a, const struct model_thread *b)
{
	return a->vector == b->vector && a->node == b->node && a->share == b->share;
}

/* Does b make a wait? */
static bool meets(const struct model_thread *a, const struct model_thread *b)
{
	return a->vector != b->vector || (a->node == b->node && a->share != b->share);
}

/* A thread that finds its lines in the cache, fetched by one before it, burdens nothing. */
static bool fetches(const struct crowd *c, size_t thread)
{
	for (size_t i = 0; i < thread; i++)
		if (c->runs[i] && model_in_step(&c->threads[i], &c->threads[thread]))
			return false;
	return true;
}

/* The part of a bandwidth that a thread uses. */
static double use(const struct crowd *c, size_t thread, double bandwidth)
{
	const struct model_kernel *k = &c->machine->kernel[c->threads[thread].kernel];

	return MODEL_LINE * k->lines / (c->costs[thread] * bandwidth);
}

static double wait(const struct crowd *c, double latency, double others, double own)
{
	if (others <= 0)
		return 0;
	double all = others + own;

	if (all > FULL) {
		others *= FULL / all;
		all = FULL;
	}
	return c->model->queue * latency / MODEL_UNDER_WAY * others * (1 - all / 2) / (1 - all);
}

static double wait_at_memory(const struct crowd *c, size_t thread)
{
	const struct model_thread *t = c->threads, *own = &t[thread];
	const size_t home = own->memory * c->machine->nodes + own->memory;
	const double bandwidth = c->machine->bandwidth[home];
	double others = 0;

	for (size_t i = 0; i < c->count; i++)
		if (i != thread && c->runs[i] && t[i].memory == own->memory && meets(own, &t[i]) &&
			fetches(c, i))
			others += use(c, i, bandwidth);
	return wait(c, c->machine->latency[home], others, use(c, thread, bandwidth));
}

static double wait_on_path(const struct crowd *c, size_t thread)
{
	const struct model_thread *t = c->threads, *own = &t[thread];
	const size_t path = own->node * c->machine->nodes + own->memory;
	const double bandwidth = c->machine->bandwidth[path];
	double others = 0;

	if (own->node == own->memory)
		return 0;
	for (size_t i = 0; i < c->count; i++) {
		if (i == thread || !c->runs[i] || !meets(own, &t[i]) || !fetches(c, i))
			continue;
		if (t[i].node == own->node && t[i].memory == own->memory)
			others += use(c, i, bandwidth);
		else if (t[i].node == own->memory && t[i].memory == own->node)
			others += MODEL_HEADER * use(c, i, bandwidth) *
				  (c->machine->kernel[t[i].kernel].writes ? 2 : 1);
	}
	return wait(c, c->machine->latency[path], others, use(c, thread, bandwidth));
}

/* The largest relative change of the iteration, with its sign. */
static double iterate(
	const struct crowd *c, const double *alone, double step, double *costs, double *next)
{
	double largest = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (!c->runs[i])
			continue;
		const double lines = c->machine->kernel[c->threads[i].kernel].lines;
		const double at_memory = wait_at_memory(c, i), on_path = wait_on_path(c, i);

		next[i] = alone[i] + lines * (at_memory + on_path);
		const double change = (next[i] - costs[i]) / costs[i];

		if (fabs(change) > fabs(largest))
			largest = change;
	}
	for (size_t i = 0; i < c->count; i++)
		if (c->runs[i])
			costs[i] += step * (next[i] - costs[i]);
	return largest;
}

void model_queue(const struct model_machine *m, const struct model *p, const struct model_thread *t,
	const bool *runs, const double *alone, size_t threads, double *costs)
{
	const struct crowd c = {m, p, t, runs, threads, costs};
	double *next = alloc_zeroed(threads, sizeof(*next));
	double step = 1, before = 0;

	for (size_t i = 0; i < threads; i++)
		costs[i] = alone[i];
	for (int i = 0; i < STEPS; i++) {
		const double change = iterate(&c, alone, step, costs, next);

		if (fabs(change) < AGREE)
			break;
		/* it swings about the solution instead of approaching it */
		if (change * before < 0 && fabs(change) > 0.5 * fabs(before))
			step /= 2;
		before = change;
	}
	free(next);
}
