/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting at memories and on paths. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/root.h"
#include "model/model.h"

/* Rates and waits agree to this, relative; the fit takes derivatives by differences. */
#define AGREE 1e-11
#define STEPS 1000
/* Threads may ask for more than there is; beyond this part waits grow no more, and
 * share_bandwidth() decides.
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

/* Do two threads of one vector behind one cache run in step? */
static bool run_in_step(const struct model_thread *a, const struct model_thread *b)
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
		if (c->runs[i] && run_in_step(&c->threads[i], &c->threads[thread]))
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

/* The parts of a memory and of the path to it that others use whom a thread meets there. */
struct company {
	double at_memory, on_path;
};

static struct company company_of(const struct crowd *c, size_t thread, size_t memory)
{
	const struct model_thread *t = c->threads, *own = &t[thread];
	const size_t home = memory * c->machine->nodes + memory;
	const size_t path = own->node * c->machine->nodes + memory;
	const double *bandwidth = c->machine->bandwidth;
	struct company found = {0, 0};

	for (size_t i = 0; i < c->count; i++) {
		const double part = model_part(&t[i], memory);
		const double back = model_part(&t[i], own->node);

		if (i == thread || !c->runs[i] || !meets(own, &t[i]) || !fetches(c, i))
			continue;
		if (part > 0)
			found.at_memory += part * use(c, i, bandwidth[home]);
		if (own->node == memory)
			continue;
		if (t[i].node == own->node && part > 0)
			found.on_path += part * use(c, i, bandwidth[path]);
		else if (t[i].node == memory && back > 0)
			found.on_path += back * MODEL_HEADER * use(c, i, bandwidth[path]) *
					 (c->machine->kernel[t[i].kernel].writes ? 2 : 1);
	}
	return found;
}

/* A thread among the others as they are now. */
struct turn {
	const struct crowd *crowd;
	size_t thread;
	struct company *others; /* [nodes] at each memory that it uses */
	double alone;
};

/* The wait of a line of one memory, if a unit costs so much. */
static double wait_at(const struct turn *r, size_t memory, double cost)
{
	const struct model_machine *m = r->crowd->machine;
	const struct model_thread *own = &r->crowd->threads[r->thread];
	const size_t home = memory * m->nodes + memory, path = own->node * m->nodes + memory;
	const double moved =
		model_part(own, memory) * MODEL_LINE * m->kernel[own->kernel].lines / cost;
	const struct company *others = &r->others[memory];

	return wait(r->crowd, m->latency[home], others->at_memory, moved / m->bandwidth[home]) +
	       wait(r->crowd, m->latency[path], others->on_path, moved / m->bandwidth[path]);
}

/* What a unit costs the thread with the waits that it makes if it costs so much, less that. */
static double excess(double cost, void *arg)
{
	const struct turn *r = arg;
	const struct model_machine *m = r->crowd->machine;
	const struct model_thread *own = &r->crowd->threads[r->thread];
	double waits = 0;

	for (size_t i = 0; i < m->nodes; i++)
		if (model_part(own, i) > 0)
			waits += model_part(own, i) * wait_at(r, i, cost);
	return r->alone + m->kernel[own->kernel].lines * waits - cost;
}

/* The cost that agrees with its waits: the dearer a unit, the fewer of them wait. */
static double answer(struct turn *r)
{
	const double most = r->alone + excess(r->alone, r);

	return excess(most, r) < 0 ? root_between(excess, r, r->alone, most, AGREE / 8) : most;
}

/* Each thread in turn answers to what the others do now: what all do at once would swing about the
 * solution. Returns the largest relative change. */
static double iterate(
	const struct crowd *c, const double *alone, struct company *others, double *costs)
{
	double largest = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (!c->runs[i])
			continue;
		for (size_t k = 0; k < c->machine->nodes; k++)
			if (model_part(&c->threads[i], k) > 0)
				others[k] = company_of(c, i, k);
		struct turn r = {c, i, others, alone[i]};
		const double cost = answer(&r);

		largest = fmax(largest, fabs(cost / costs[i] - 1));
		costs[i] = cost;
	}
	return largest;
}

/* The part of a thread's lines that come over this path, or, of a node to itself, from its memory.
 */
static double passes(const struct crowd *c, size_t thread, size_t node, size_t memory)
{
	const struct model_thread *t = &c->threads[thread];

	return c->runs[thread] && (node == memory || t->node == node) ? model_part(t, memory) : 0;
}

/* The part of a bandwidth that all use; 0 where one thread alone does, whose cost was measured. */
static double use_of_all(const struct crowd *c, size_t node, size_t memory)
{
	const double bandwidth = c->machine->bandwidth[node * c->machine->nodes + memory];
	double all = 0;
	int users = 0;

	for (size_t i = 0; i < c->count; i++)
		if (passes(c, i, node, memory) > 0 && fetches(c, i)) {
			all += passes(c, i, node, memory) * use(c, i, bandwidth);
			users++;
		}
	return users > 1 ? all : 0;
}

/* A small `queue` lets threads ask for more than there is, whatever they wait: then they share it
 * in proportion, at the memory or path that is asked for most, at the next one if there is any. */
static void share_bandwidth(const struct crowd *c, double *costs)
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
			if (passes(c, i, fullest / nodes, fullest % nodes) > 0)
				costs[i] *= most;
	}
}

int model_queue(const struct model_machine *m, const struct model *p, const struct model_thread *t,
	const bool *runs, const double *alone, size_t threads, double *costs)
{
	const struct crowd c = {m, p, t, runs, threads, costs};
	struct company *others = alloc_zeroed(m->nodes, sizeof(*others));
	int steps = 0;

	for (size_t i = 0; i < threads; i++)
		costs[i] = alone[i];
	while (iterate(&c, alone, others, costs) > AGREE && steps < STEPS)
		steps++;
	free(others);
	if (steps == STEPS)
		return MODEL_UNSETTLED;
	share_bandwidth(&c, costs);
	return 0;
}
