/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts a plan together from its parts.
 *
 * plan.c asks in an order in which each answer needs only those before it: threads.c and mapping.c
 * (CPUs), vectors.c, sizes.c and pages.c (memory), use.c and divided.c (who has which part),
 * operations.c and kernels.c (work), then state.c, moves.c, together.c, owned.c and mode.c, which
 * refuse what cannot be true together, and memory.c, held.c and small.c, which say what caches do
 * with it.
 */
#include "plan/plan.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "plan/parts.h"

const char *const action_names[] = {"flush", "read", "write", NULL};

size_t element_bytes(enum element_type type)
{
	static const size_t bytes[ELEMENT_TYPES] = {sizeof(char), sizeof(short), sizeof(int),
		sizeof(long), sizeof(float), sizeof(double)};

	return bytes[type];
}

/* A step that failed without a message left out a part of the plan, which would be measured as it
 * stands. */
static int all_told(const struct plan *p, struct errors *e)
{
	if (e->failures)
		return -1;
	error_add(e, STATUS_FAILED, (struct place){p->path, 0},
		"the plan is not complete, and no message says why: an error of affinity");
	return error_hint(e, "report it, with this file");
}

void plan_count_threads(struct plan *p, size_t count)
{
	p->nthreads = (int)count;
	p->threads = alloc_zeroed(count, sizeof(*p->threads));
	for (int i = 0; i < p->nthreads; i++) {
		struct plan_thread *t = &p->threads[i];

		t->cpu = t->core = t->node = UNPLACED;
	}
}

bool plan_placed(const struct plan_thread *t)
{
	return t->cpu != UNPLACED;
}

bool plan_users_placed(const struct plan *p, int vector)
{
	bool used = false;

	for (int i = 0; i < p->nthreads; i++) {
		if (!plan_uses(&p->threads[i], vector))
			continue;
		if (!plan_placed(&p->threads[i]))
			return false;
		used = true;
	}
	return used || plan_placed(&p->threads[0]);
}

void plan_refuse_vectors(struct plan *p)
{
	for (int i = 0; i < p->nvectors; i++)
		p->vectors[i].refused = true;
}

/* Calls every step even after one has failed, so that all mistakes of a file show at once. Leaves
 * out only a step that would have nothing to read; a step leaves out what an earlier one has
 * refused (plan_placed(), struct plan_vector). */
int plan_make(struct plan *p, const struct request *r, const struct topo *t, const char *path,
	struct errors *e)
{
	struct names names;
	size_t before = e->failures;

	*p = (struct plan){.request = r, .topo = t, .path = path};
	plan_memory(p);
	int failed = names_read(&names, &r->let, t, e);
	failed |= plan_threads(p, &names, e);
	plan_kinds(p, e);
	failed |= plan_vectors(p, &names, e);
	if (p->nthreads && (p->vectors || !r->node_per_vector.count))
		failed |= plan_use(p, e);
	else
		plan_refuse_vectors(p);
	if (p->nthreads && p->vectors)
		failed |= plan_weights(p, e);
	if (p->vectors)
		failed |= plan_sizes(p, e);
	if (p->nthreads)
		failed |= plan_leave(p, &names, e);
	if (p->nthreads && p->vectors)
		failed |= plan_state(p, e);
	failed |= plan_ops(p, e->failures == before, e);
	failed |= plan_mode(p, e);
	names_free(&names);
	if (failed || e->failures > before || plan_events(p, e) || plan_pages(p, e))
		return all_told(p, e);
	plan_calibrated(p);
	if (plan_state_jobs(p, e))
		return all_told(p, e);
	plan_small(p, e);
	return 0;
}

static struct worker_place place_of(const struct topo_cpu *c)
{
	struct worker_place place = {-1, -1, -1, -1};

	if (!c)
		return place;
	place = (struct worker_place){c->core, -1, c->node, c->package};
	for (int level = 0; level < TOPO_LEVELS; level++)
		if (c->caches[level] >= 0)
			place.cache = c->caches[level];
	return place;
}

struct worker plan_worker(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct plan_thread *t = &p->threads[thread];

	return (struct worker){.id = thread,
		.workers = p->nthreads,
		.vectors = t->vectors,
		.nvectors = t->nvectors,
		.args = op->jobs[thread].args,
		.bound = t->cpu != UNBOUND,
		.takes_turns = t->takes_turns,
		.place = place_of(topo_cpu(p->topo, t->cpu)),
		.memory = &p->memory};
}

bool plan_uses(const struct plan_thread *t, int vector)
{
	for (int k = 0; k < t->nvectors; k++)
		if (t->vector_ids[k] == vector)
			return true;
	return false;
}

struct work plan_work(const struct plan_job *job)
{
	return job->kernel->work ? job->kernel->work(job->args) : job->kernel->per_unit;
}

static void free_op(struct plan_op *op, int nthreads)
{
	for (int i = 0; op->jobs && i < nthreads; i++) {
		free(op->jobs[i].args);
		if (plan_first_of_kernel(op, i) == i)
			free(op->jobs[i].calibrated);
	}
	free(op->jobs);
	free(op->label);
}

void plan_free(struct plan *p)
{
	for (int i = 0; i < p->nops; i++)
		free_op(&p->ops[i], p->nthreads);
	for (int i = 0; i < p->nspeedups; i++)
		free(p->speedups[i].label);
	for (int i = 0; i < p->nvectors; i++) {
		free(p->vectors[i].asked);
		free(p->vectors[i].memory);
		free(p->vectors[i].nodes);
		free(p->vectors[i].weights);
		free(p->vectors[i].weights_by);
	}
	for (int i = 0; i < p->nthreads; i++) {
		free(p->threads[i].vectors);
		free(p->threads[i].vector_ids);
	}
	free(p->memory_nodes);
	words_free(&p->paths);
	free(p->leaves);
	free(p->mapping.method);
	free(p->mapping.why);
	free(p->places);
	free(p->ops);
	free(p->speedups);
	free(p->vectors);
	free(p->threads);
	*p = (struct plan){0};
}
