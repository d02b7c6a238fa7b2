/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which coherence state a vector's lines are to be in, in whose cache, and what leads there. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "contract/flush.h"
#include "plan/parts.h"

/* Each begins with a flush, so that no other copy is left. The names are those of the steps: a
 * protocol without the state makes another of it (manual/coherence.md). */
static const struct recipe {
	int n;
	struct {
		enum plan_action action;
		int who; /* 0: the owner, 1: the other */
	} steps[PLAN_STEPS];
} recipes[] = {
	[STATE_NONE] = {0, {{0}}},
	[STATE_M] = {2, {{STEP_FLUSH, 0}, {STEP_WRITE, 0}}},
	[STATE_E] = {2, {{STEP_FLUSH, 0}, {STEP_READ, 0}}},
	[STATE_S] = {3, {{STEP_FLUSH, 0}, {STEP_READ, 0}, {STEP_READ, 1}}},
	[STATE_O] = {3, {{STEP_FLUSH, 0}, {STEP_WRITE, 0}, {STEP_READ, 1}}},
	[STATE_F] = {3, {{STEP_FLUSH, 0}, {STEP_READ, 1}, {STEP_READ, 0}}},
	[STATE_I] = {1, {{STEP_FLUSH, 0}}},
};

static bool takes_two(enum vector_state state)
{
	const struct recipe *r = &recipes[state];

	return r->n && (r->steps[1].who || r->steps[r->n - 1].who);
}

static int cpu_of_thread(
	const struct plan *p, unsigned long long thread, struct place at, struct errors *e)
{
	if (thread >= (unsigned long long)p->nthreads)
		return plan_no_thread(p, "ownerPerVector", thread, at, e);
	if (p->threads[thread].cpu >= 0)
		return p->threads[thread].cpu;
	if (!plan_placed(&p->threads[thread]))
		return -1; /* threads.c has said why */
	error_add(e, STATUS_USAGE, at, "ownerPerVector: thread %llu has no CPU of its own", thread);
	return error_hint(e, "cpu:N names one; mapping: os leaves threads to the system");
}

static int usable_cpu(
	const struct plan *p, unsigned long long cpu, struct place at, struct errors *e)
{
	const struct topo_cpu *c = cpu <= INT32_MAX ? topo_cpu(p->topo, (int)cpu) : NULL;
	char usable[256];

	if (c && (c->allowed || c->nameable))
		return c->cpu;
	error_add(e, STATUS_PLACEMENT, at, "ownerPerVector: CPU %llu %s", cpu,
		c ? "may not be used by this process"
		: cpu <= INT32_MAX && topo_offline(p->topo, (int)cpu) ? "is offline"
								      : "does not exist");
	return error_hint(e, "CPUs that may be used here: %s",
		topo_usable_cpus(p->topo, usable, sizeof(usable)));
}

/* The CPU of an owner, or -1 with a message. */
static int find_cpu(
	const struct plan *p, const struct value_owner *o, struct place at, struct errors *e)
{
	return o->is_cpu ? usable_cpu(p, o->number, at, e) : cpu_of_thread(p, o->number, at, e);
}

static bool runs_thread(const struct plan *p, int cpu, int vector)
{
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_thread *t = &p->threads[i];

		if (t->cpu == cpu && (vector < 0 || plan_uses(t, vector)))
			return true;
	}
	return false;
}

/* How suitable a CPU is as the second sharer. Prefer, in this order: the CPU of a thread that does
 * not use the vector, a CPU without threads, the CPU of a user; among equals another core than the
 * owner's, then the owner's node. */
static int fitness(const struct plan *p, int vector, int owner, const struct topo_cpu *c)
{
	const struct topo_cpu *o = topo_cpu(p->topo, owner);
	int fit = 1;

	if (runs_thread(p, c->cpu, -1))
		fit = runs_thread(p, c->cpu, vector) ? 0 : 2;
	return fit * 4 + 2 * (c->core != o->core) + (c->node == o->node);
}

static int choose_other(const struct plan *p, int vector, int owner)
{
	int best = -1, best_fit = -1;

	for (int i = 0; i < p->topo->ncpus; i++) {
		const struct topo_cpu *c = &p->topo->cpus[i];

		if (!c->allowed || c->cpu == owner || fitness(p, vector, owner, c) <= best_fit)
			continue;
		best = c->cpu;
		best_fit = fitness(p, vector, owner, c);
	}
	return best;
}

static int refuse_number(
	const char *word, enum vector_state state, size_t count, struct place at, struct errors *e)
{
	error_add(e, STATUS_USAGE, at, "ownerPerVector: '%s' names %zu, state %s takes %s", word,
		count, state_names[state], takes_two(state) ? "one or two" : "one");
	return error_hint(e, "states S, O and F have a second reader, the other states do not");
}

static int find_pair(const struct plan *p, int vector, enum vector_state state, const char *word,
	int cpus[2], struct errors *e)
{
	struct place at = p->request->owner_per_vector.at;
	size_t most = takes_two(state) ? 2 : 1;
	struct value_owners owners;

	if (values_owners(&owners, word, at, e))
		return -1;
	if (!owners.count) {
		error_add(e, STATUS_USAGE, p->request->state_per_vector.at,
			"statePerVector: state %s of vector %d needs an owner", state_names[state],
			vector);
		return error_hint(e, "ownerPerVector: thread:K or cpu:N names it");
	}
	if (owners.count > most)
		return refuse_number(word, state, owners.count, at, e);
	for (size_t i = 0; i < owners.count; i++) {
		cpus[i] = find_cpu(p, &owners.owner[i], at, e);
		if (cpus[i] < 0)
			return -1;
	}
	if (owners.count < most)
		cpus[1] = choose_other(p, vector, cpus[0]);
	return 0;
}

static int check_pair(
	const struct plan *p, enum vector_state state, const int cpus[2], struct errors *e)
{
	if (!takes_two(state) || (cpus[1] >= 0 && cpus[0] != cpus[1]))
		return 0;
	if (cpus[1] >= 0)
		return error_add(e, STATUS_USAGE, p->request->owner_per_vector.at,
			"ownerPerVector: state %s takes two CPUs, these are CPU %d and CPU %d",
			state_names[state], cpus[0], cpus[1]);
	error_add(e, STATUS_PLACEMENT, p->request->state_per_vector.at,
		"statePerVector: state %s takes two CPUs, this process has CPU %d only",
		state_names[state], cpus[0]);
	return error_hint(e, "M, E and I take one; affinity --topology shows what may be used");
}

/* A cache holds only part of a vector that is larger, so most lines lose the state. */
static void warn_of_lost_state(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	char has[32], takes[32];
	uint64_t most = topo_last_cache(p->topo);

	if (v->steps[v->nsteps - 1].action == STEP_FLUSH || !most || v->bytes <= most)
		return;
	error_warn(e, "vector %d: %s in a cache of %s: the state of most of its lines is not known",
		vector, text_size(v->bytes, takes, sizeof(takes)),
		text_size(most, has, sizeof(has)));
	error_hint(e, "states other than I need a vector that fits the owner's cache");
}

static int set_state(
	struct plan *p, int vector, const char *word, const char *owner, struct errors *e)
{
	struct plan_vector *v = &p->vectors[vector];
	struct place at = p->request->state_per_vector.at;
	enum vector_state state;
	int cpus[2] = {-1, -1};

	if (values_state(&state, word, at, e))
		return -1;
	if (state == STATE_NONE)
		return 0;
	if (!FLUSH_POSSIBLE)
		return error_add(e, STATUS_PLACEMENT, at,
			"statePerVector: programs cannot flush the caches of this kind of "
			"processor");
	if (find_pair(p, vector, state, owner, cpus, e) || check_pair(p, state, cpus, e))
		return -1;
	const struct recipe *r = &recipes[state];
	v->state = state_names[state];
	v->nsteps = r->n;
	for (int i = 0; i < r->n; i++)
		v->steps[i] = (struct plan_step){r->steps[i].action, cpus[r->steps[i].who]};
	warn_of_lost_state(p, vector, e);
	return 0;
}

static const char *state_of(const struct plan_vector *v)
{
	return v->state ? v->state : cache_names[v->backed.cache];
}

/* It gives pages back, or leaves them alone: the state would bring them, or be of no use. */
static int refuse_job(
	const struct plan *p, const struct plan_job *job, int vector, struct errors *e)
{
	error_add(e, STATUS_USAGE, p->request->state_per_vector.at,
		"statePerVector: state %s of vector %d touches the pages whose faults and calls "
		"'%s' measures",
		p->vectors[vector].state, vector, job->name);
	return error_hint(e, "none, or leave statePerVector out");
}

/* What a thread does once it has met the state of a vector. */
static void warn_of_job(
	const struct plan *p, const struct plan_op *op, int thread, int vector, struct errors *e)
{
	const struct plan_job *job = &op->jobs[thread];
	const struct worker w = plan_worker(p, op, thread);
	const char *state = state_of(&p->vectors[vector]);
	char why[256];

	if (job->common.passes != 1) {
		error_warn(e, "%s: only the first pass meets vector %d in state %s", job->name,
			vector, state);
		error_hint(e, "leave passes out; samples: N takes more samples");
	}
	if (job->kernel->accesses.revisits &&
		job->kernel->accesses.revisits(&w, why, sizeof(why))) {
		error_warn(e, "%s: only the first visit of a place meets vector %d in state %s: %s",
			job->name, vector, state, why);
		error_hint(e, "a pass that visits each place once, or a larger vector; samples: N "
			      "takes more samples");
	}
}

bool plan_each_sample(const struct plan_vector *v)
{
	return v->state || v->backed.cache == CACHE_COLD;
}

int plan_state_jobs(const struct plan *p, struct errors *e)
{
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++)
			for (int k = 0; k < p->threads[i].nvectors; k++) {
				const struct plan_job *job = &p->ops[o].jobs[i];
				int vector = p->threads[i].vector_ids[k];

				if (p->vectors[vector].state && job->kernel->system.faults)
					return refuse_job(p, job, vector, e);
				if (plan_each_sample(&p->vectors[vector]))
					warn_of_job(p, &p->ops[o], i, vector, e);
			}
	return 0;
}

static int refuse_mode(const struct plan *p, bool state, struct errors *e)
{
	const struct request *r = p->request;

	error_add(e, STATUS_USAGE, state ? r->state_per_vector.at : r->cache_per_vector.at,
		"%s cannot be used with mode: %s: only the first pass would meet the state",
		state ? "statePerVector" : "pageCachePerVector: cold", r->mode.word[0]);
	return error_hint(e, "use mode: work, and set samples: N");
}

int plan_state(struct plan *p, struct errors *e)
{
	const struct request *r = p->request;
	struct words states, owners;
	int failed = 0;

	if (plan_vector_list(p, &r->state_per_vector, "statePerVector", &states, e))
		return -1;
	if (plan_vector_list(p, &r->owner_per_vector, "ownerPerVector", &owners, e)) {
		words_free(&states);
		return -1;
	}
	for (int i = 0; i < p->nvectors; i++)
		failed |= set_state(p, i, states.word[i], owners.word[i], e);
	words_free(&states);
	words_free(&owners);
	for (int i = 0; i < p->nvectors && !failed; i++)
		if (plan_each_sample(&p->vectors[i]) && r->window_ns)
			return refuse_mode(p, p->vectors[i].state, e);
	return failed;
}
