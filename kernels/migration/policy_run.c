/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a policy does while its program runs. */
#include "policy_parts.h"

#include "compiled.h"

/* What the runtime has counted for the calling thread. */
static void read_counts(const struct policy *p, uint64_t *counts)
{
	const struct spm_counts c = spm_own_counts(p->spm);

	counts[FIGURE_CALLS] = c.calls;
	counts[FIGURE_TOO_SMALL] = c.too_small;
	counts[FIGURE_TOO_LITTLE_REUSE] = c.too_little_reuse;
	counts[FIGURE_ACCEPTED] = c.accepted;
	counts[FIGURE_ASKED] = c.pages_asked;
	counts[FIGURE_MOVED] = c.moved;
	counts[FIGURE_THERE] = c.there;
	counts[FIGURE_PINNED] = c.pinned;
	counts[FIGURE_REFUSED] = c.refused;
	counts[FIGURE_CALL_TIME] = c.ns;
}

static void pin(struct policy_account *a, const cpu_set_t *cpus)
{
	if (!sched_getaffinity(0, sizeof(a->free), &a->free))
		a->pinned = !sched_setaffinity(0, sizeof(*cpus), cpus);
}

static void pin_here(struct policy_account *a)
{
	const int cpu = sched_getcpu();
	cpu_set_t one;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	pin(a, &one);
}

static void unpin(struct policy_account *a)
{
	if (a->pinned)
		sched_setaffinity(0, sizeof(a->free), &a->free);
	a->pinned = false;
}

void policy_begin(struct policy *p, struct policy_account *a)
{
	if (!p)
		return;
	if (p->touch)
		touch_begin(p->touch);
	if (p->pins)
		pin_here(a);
	if (p->turns)
		pin(a, &a->turn);
	if (!p->spm)
		return;
	read_counts(p, a->before);
	spm_lock(p->spm); /* to its node again: the driver has placed the thread since arrange() */
	if (p->compiled)
		compiled_follow(p->spm);
}

void policy_unready(struct policy *p)
{
	if (__atomic_exchange_n(&p->ready, false, __ATOMIC_RELAXED))
		compiled_end();
}

void policy_end(struct policy *p, struct policy_account *a)
{
	unpin(a);
	if (!p || !p->spm)
		return;
	compiled_follow(NULL);
	policy_unready(p);
	read_counts(p, a->sample);
	for (int i = 0; i < RUNTIME_FIGURES; i++)
		a->sample[i] -= a->before[i];
}

void policy_call(
	struct policy *p, const void *array, uint64_t bytes, size_t element, struct uses uses)
{
	if (p && p->spm && !p->eager && !p->compiled && bytes)
		spm_call(p->spm, array, 0, (ptrdiff_t)bytes - 1,
			spm_executions(p->spm, uses.as_compiled, uses.actual), element);
}

void policy_eager(struct policy *p, const void *array, uint64_t bytes)
{
	if (p && p->eager && bytes)
		spm_call(p->spm, array, 0, (ptrdiff_t)bytes - 1, (int64_t)bytes, 1);
}

void policy_release(struct policy *p, const void *array, uint64_t bytes)
{
	if (p && p->spm && !p->compiled && bytes)
		spm_release(p->spm, array, 0, (ptrdiff_t)bytes - 1);
}

/* The transparent huge pages of an array; 0: it has none. */
static size_t huge_page_of(const struct policy *p, const char *array)
{
	for (const struct moved_pages *v = p->pages; v < p->pages + p->n; v++)
		if (array >= v->base && array < v->base + v->bytes)
			return v->huge_bytes ? v->huge_page : 0;
	return 0;
}

void *policy_take(struct policy *p, struct policy_account *a, int k, const void *array,
	uint64_t bytes, bool reads)
{
	if (!p || !p->copies || !bytes)
		return (void *)array;
	return copies_take(
		&a->copies, &p->copying, k, (void *)array, bytes, reads, huge_page_of(p, array));
}

void policy_give(struct policy *p, struct policy_account *a, int k, bool stored)
{
	if (p && p->copies)
		copies_give(&a->copies, k, stored);
}

void policy_forget(struct policy_account *a)
{
	if (a)
		copies_clear(&a->copies);
}
