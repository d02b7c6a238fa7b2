/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting at memories and on paths. */
#include <math.h>

#include "base/root.h"
#include "model/model.h"

/* Rates and waits agree to this, relative; the fit takes derivatives by differences. */
#define AGREE 1e-11
#define STEPS 1000
/* Threads may ask for more than there is; beyond this part waits grow no more, and share() decides.
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
	others = fmin(others, FULL);
	const double all = fmin(others + own, FULL);

	return c->model->queue * latency / MODEL_UNDER_WAY * others * (1 - all / 2) / (1 - all);
}

/* The parts of its memory and of its path that others use whom a thread meets there. */
struct company {
	double at_memory, on_path;
};

static struct company company_of(const struct crowd *c, size_t thread)
{
	const struct model_thread *t = c->threads, *own = &t[thread];
	const size_t home = own->memory * c->machine->nodes + own->memory;
	const size_t path = own->node * c->machine->nodes + own->memory;
	const double *bandwidth = c->machine->bandwidth;
	struct company found = {0, 0};

	for (size_t i = 0; i < c->count; i++) {
		if (i == thread || !c->runs[i] || !meets(own, &t[i]) || !fetches(c, i))
			continue;
		if (t[i].memory == own->memory)
			found.at_memory += use(c, i, bandwidth[home]);
		if (own->node == own->memory)
			continue;
		if (t[i].node == own->node && t[i].memory == own->memory)
			found.on_path += use(c, i, bandwidth[path]);
		else if (t[i].node == own->memory && t[i].memory == own->node)
			found.on_path += MODEL_HEADER * use(c, i, bandwidth[path]) *
					 (c->machine->kernel[t[i].kernel].writes ? 2 : 1);
	}
	return found;
}

/* A thread among the others as they are now. */
struct turn {
	const struct crowd *crowd;
	size_t thread;
	struct company others;
	double alone;
};

/* What a unit costs the thread with the waits that it makes if it costs so much, less that. */
static double excess(double cost, void *arg)
{
	const struct turn *r = arg;
	const struct model_machine *m = r->crowd->machine;
	const struct model_thread *own = &r->crowd->threads[r->thread];
	const size_t home = own->memory * m->nodes + own->memory;
	const size_t path = own->node * m->nodes + own->memory;
	const double lines = m->kernel[own->kernel].lines, moved = MODEL_LINE * lines / cost;
	const double at_memory =
		wait(r->crowd, m->latency[home], r->others.at_memory, moved / m->bandwidth[home]);
	const double on_path =
		wait(r->crowd, m->latency[path], r->others.on_path, moved / m->bandwidth[path]);

	return r->alone + lines * (at_memory + on_path) - cost;
}

/* The cost that agrees with its waits: the dearer a unit, the fewer of them wait. */
static double answer(struct turn *r)
{
	const double most = r->alone + excess(r->alone, r);

	return excess(most, r) < 0 ? root_between(excess, r, r->alone, most, AGREE / 8) : most;
}

/* Each thread in turn answers to what the others do now: what all do at once would swing about the
 * solution. Returns the largest relative change. */
static double iterate(const struct crowd *c, const double *alone, double *costs)
{
	double largest = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (!c->runs[i])
			continue;
		struct turn r = {c, i, company_of(c, i), alone[i]};
		const double cost = answer(&r);

		largest = fmax(largest, fabs(cost / costs[i] - 1));
		costs[i] = cost;
	}
	return largest;
}

/* Do a thread's lines come over this path, or, of a node to itself, from its memory? */
static bool passes(const struct crowd *c, size_t thread, size_t node, size_t memory)
{
	const struct model_thread *t = &c->threads[thread];

	return c->runs[thread] && t->memory == memory && (node == memory || t->node == node);
}

/* The part of a bandwidth that all use; 0 where one thread alone does, whose cost was measured. */
static double use_of_all(const struct crowd *c, size_t node, size_t memory)
{
	const double bandwidth = c->machine->bandwidth[node * c->machine->nodes + memory];
	double all = 0;
	int users = 0;

	for (size_t i = 0; i < c->count; i++)
		if (passes(c, i, node, memory) && fetches(c, i)) {
			all += use(c, i, bandwidth);
			users++;
		}
	return users > 1 ? all : 0;
}

/* A small `queue` lets threads ask for more than there is, whatever they wait: then they share it
 * in proportion, at the memory or path that is asked for most, at the next one if there is any. */
static void share(const struct crowd *c, double *costs)
{
	const size_t nodes = c->machine->nodes;

	for (;;) {
		size_t fullest = 0;
		double most = 0;

		for (size_t i = 0; i < nodes * nodes; i++) {
			const double all = use_of_all(c, i / nodes, i % nodes);

			if (all > most) {
				most = all;
				fullest = i;
			}
		}
		if (most <= 1 + AGREE)
			return;
		for (size_t i = 0; i < c->count; i++)
			if (passes(c, i, fullest / nodes, fullest % nodes))
				costs[i] *= most;
	}
}

int model_queue(const struct model_machine *m, const struct model *p, const struct model_thread *t,
	const bool *runs, const double *alone, size_t threads, double *costs)
{
	const struct crowd c = {m, p, t, runs, threads, costs};
	int steps = 0;

	for (size_t i = 0; i < threads; i++)
		costs[i] = alone[i];
	while (iterate(&c, alone, costs) > AGREE && steps < STEPS)
		steps++;
	if (steps == STEPS)
		return MODEL_UNSETTLED;
	share(&c, costs);
	return 0;
}
