/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the proof of a thread's CPU in its samples, and of pages in what was found of them. */
#include "analysis/proven.h"

enum shown { BY_NOTHING, BY_GETCPU, BY_MASK };

/* A thread without the mask that was asked for makes its sample one of DISTURBED_MOVED. */
static enum shown of_sample(const struct sample *s, int thread, int cpu)
{
	const struct thread_sample *t = &s->threads[thread];

	if (t->cpu_before != cpu || t->cpu_after != cpu || t->migrations > 0)
		return BY_NOTHING;
	return s->disturbed & DISTURBED_MOVED ? BY_GETCPU : BY_MASK;
}

const char *proven_cpu(const struct samples *r, int thread)
{
	static const char *const names[] = {NULL, "getcpu", "sched_getaffinity"};
	int cpu = r->plan->threads[thread].cpu;
	enum shown least = BY_MASK;
	size_t count = 0;

	for (int op = 0; r->ops && op < r->plan->nops; op++)
		for (size_t i = 0; i < r->ops[op].count; i++) {
			const struct sample *s = &r->ops[op].samples[i];

			if (s->warmup)
				continue;
			enum shown p = of_sample(s, thread, cpu);

			least = p < least ? p : least;
			count++;
		}
	return cpu == UNBOUND || !count ? NULL : names[least];
}

static size_t pages_elsewhere(const struct plan_vector *v, const struct placement *found)
{
	size_t elsewhere = 0;

	for (int node = 0; node < MEM_MAX_NODES; node++)
		elsewhere += node == v->node ? 0 : found->pages.on_node[node];
	return v->policy == MEM_BIND && v->node >= 0 ? elsewhere : 0;
}

enum proven_pages proven_vector(const struct samples *r, int vector)
{
	const struct plan_vector *v = &r->prepared->plan->vectors[vector];
	bool unknown = false;

	for (size_t i = 0; i < r->prepared->made; i++) {
		const struct placement *found = prepare_found(r->prepared, i, vector);

		if (found->pages.absent || found->moved || pages_elsewhere(v, found) ||
			placement_broken(v, found))
			return PROVEN_ELSEWHERE;
		unknown |= !found->pages.pages;
	}
	return unknown ? PROVEN_UNKNOWN : PROVEN_IN_PLACE;
}
