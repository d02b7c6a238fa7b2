/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brings the vectors of a plan into memory, in order, each verified before the next one.
 *
 * prepare.c maps (leave.c and promise.c before it, where huge pages are to be short), team.c binds
 * the threads with which touch.c touches, placement.c and found.c prove where pages are; without.c
 * does so where no policy is allowed. bring.c moves pages, kept.c keeps those of earlier placements
 * away, state.c prepares lines before each sample, recheck.c proves all again at the end.
 */
#include "placement/prepare.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/capacity.h"
#include "base/clock.h"
#include "base/text.h"
#include "memory/check.h"
#include "memory/deal.h"
#include "placement/backed.h"
#include "placement/found.h"
#include "placement/tables.h"
#include "placement/team.h"
#include "placement/touch.h"

/* ---- copies of replicated vectors: kernels fill them again before they measure; this is what it
 * takes to make one of what is there, by one thread */

/* A signal ends the copying after so many bytes. */
#define CHUNK_BYTES ((size_t)64 << 20)

struct copying {
	const struct mem *from, *to;
	const volatile sig_atomic_t *stop;
	uint64_t ns;
};

static void copy_vector(void *arg, int thread)
{
	struct copying *c = arg;
	char *to = c->to->base;
	const char *from = c->from->base;
	const uint64_t begin = clock_ns();

	(void)thread;
	for (size_t at = 0; at < c->to->bytes && !*c->stop; at += CHUNK_BYTES) {
		const size_t rest = c->to->bytes - at;

		memcpy(to + at, from + at, rest < CHUNK_BYTES ? rest : CHUNK_BYTES);
	}
	c->ns = clock_ns() - begin;
}

static int cpu_of(const struct plan *p, int vector)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_uses(&p->threads[i], vector))
			return p->threads[i].cpu;
	return -1;
}

/* Copies each vector's first copy to its others, one after another, each by a thread on the CPU of
 * a thread that uses it, and writes the time to found[copy].copy_ns. mems and found are those of
 * the plan's vectors, which are in place. 0, or -1 with a message, or without one soon after *stop
 * was set. */
static int copies_make(const struct plan *p, const struct mem *mems, struct placement *found,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	for (int i = p->nwhole; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		struct copying c = {&mems[v->whole], &mems[i], stop, 0};
		const int cpu = cpu_of(p, i);

		if (v->division != DIVISION_REPLICATE)
			continue;
		if (team_run(p->topo, &cpu, 1, copy_vector, &c, e) < 0 || *stop)
			return -1;
		found[i].copy_ns = c.ns;
	}
	return 0;
}

/* A local vector must be on the node of its toucher. */
static int expect_local(
	const struct plan *p, int vector, const struct placement *found, struct errors *e)
{
	const struct topo_cpu *cpu = topo_cpu(p->topo, found->touched_by);
	const struct plan_vector *v = &p->vectors[vector];

	if (v->policy != MEM_LOCAL || !cpu || cpu->node < 0)
		return 0;
	if (v->toucher >= 0 && p->threads[v->toucher].cpu == UNBOUND)
		return 0; /* it may have touched from any CPU */
	if (found->pages.on_node[cpu->node] == found->pages.pages)
		return 0;
	return found_wrong(
		p, vector, "its pages are not on the node of the thread that touched it", e);
}

/* Once in the list, for all vectors. */
static void warn_of_sizes(struct errors *e)
{
	error_warn(e, "the kernel does not show the sizes of the vectors' pages");
	error_hint(e, "neither /proc/self/pagemap nor /proc/self/smaps tells them here: "
		      "pagesPerVector: base keeps huge pages away, 2M takes them from a pool");
}

/* A page that the kernel moves at that moment is on no node, as one that was never there. */
static int hint_absent(struct errors *e)
{
	char balancing[16];

	if (text_first_line("/proc/sys/kernel/numa_balancing", balancing, sizeof(balancing)) ||
		!strcmp(balancing, "0"))
		return -1;
	return error_hint(e,
		"free memory on that node (numactl -H, numastat); or automatic NUMA balancing "
		"moves them just then (kernel.numa_balancing = %s): sudo sysctl "
		"kernel.numa_balancing=0; verify: warn measures anyway and adds a warning",
		balancing);
}

static int prove(struct prepared *r, const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	struct placement *found = found_now(r, vector);
	char why[640];

	if (mem_sizes(&r->mems[vector], &found->sizes))
		warn_of_sizes(e);
	if (placement_wrong(v, &r->mems[vector], found, why, sizeof(why)) ||
		placement_unlike(v, &r->mems[vector], prepare_found(r, 0, vector), found, why,
			sizeof(why))) {
		found->broken = true;
		const int wrong = found_wrong(p, vector, why, e);

		return wrong && found->pages.absent ? hint_absent(e) : wrong;
	}
	int failed = expect_local(p, vector, found, e);

	failed |= tables_judge(p, vector, &found->tables, e);
	return failed;
}

/* Before the first page is touched: the OOM killer ends who takes more than there is. */
static int check_left(const struct plan *p, int vector, const struct mem *m, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	int node = touch_source(v);
	const struct capacity_left left = touch_left(v);
	char has[32], needs[32], giver[48] = "this machine";

	if (!touch_takes(v) || m->bytes <= left.bytes)
		return 0;
	if (left.by_limit)
		snprintf(giver, sizeof(giver), "the control group of this process");
	else if (node >= 0)
		snprintf(giver, sizeof(giver), "node %d", node);
	else if (v->policy == MEM_BIND)
		snprintf(giver, sizeof(giver), "its nodes");
	error_add(e, STATUS_PLACEMENT, p->request->size_per_vector.at,
		"vector %d takes %s, %s can give %s just now", vector,
		text_size(m->bytes, needs, sizeof(needs)), giver,
		text_size(left.bytes, has, sizeof(has)));
	if (left.by_limit)
		return error_hint(e, "make it smaller, or raise the memory limit (docker run "
				     "--memory, sbatch --mem, systemd's MemoryMax)");
	if (v->division == DIVISION_REPLICATE)
		return error_hint(e,
			"make it smaller, such as fewer layers of a model, free memory on the "
			"node, or have one vector instead of copies: nodePerVector: "
			"interleave");
	return error_hint(e, "make it smaller%s",
		node < 0 ? " or free memory"
			 : ", free memory on the node, or use nodePerVector: interleave");
}

static int refuse_full(const struct plan *p, int vector, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, p->request->size_per_vector.at,
		"memory ran out while vector %d, asked for node %s, was touched", vector,
		p->vectors[vector].asked);
	return error_hint(e, "make the vectors smaller, or free memory on the node (numactl -H)");
}

static int map_one(struct prepared *r, const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	bool nodes[MEM_MAX_NODES];
	const struct mem_request request = plan_request(v, nodes);
	char *what = alloc_format("vector %d", vector);
	uint64_t t0 = clock_ns();
	int failed = mem_map(
		&r->mems[vector], &request, r->rights, what, p->request->node_per_vector.at, e);

	free(what);
	found_now(r, vector)->map_ns = clock_ns() - t0;
	if (failed || check_left(p, vector, &r->mems[vector], e))
		return -1;
	return promise_make(p, vector, &r->mems[vector], &found_now(r, vector)->promise, e);
}

/* Weighted pages are touched first and moved then. */
static int deal(const struct prepared *r, const struct plan *p, int vector,
	const struct touchers *who, const volatile sig_atomic_t *stop, struct touched *touched,
	struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	struct touched now = {0};

	if (r->rights->move_pages) {
		error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
			"vector %d, asked for node %s: the kernel does not let its pages be moved "
			"(move_pages: %s)",
			vector, v->asked, strerror(r->rights->move_pages));
		return error_hint(e, "in a container: docker run or podman run --security-opt "
				     "seccomp=unconfined; or nodePerVector: interleave");
	}
	deal_pages(&r->mems[vector],
		&(struct deal){v->weights, mem_touch_bytes(v->pages, v->bytes)}, stop);
	int failed = touch_find(p, &r->mems[vector], who->cpus, who->n, r->rights, &now, e);

	touched->pages = now.pages;
	return failed;
}

static int prepare_one(struct prepared *r, const struct plan *p, int vector,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	struct placement *found = found_now(r, vector);
	struct touched touched = {0};

	if (map_one(r, p, vector, e))
		return -1;
	struct touchers who = touch_cpus(p, v);
	struct tables_before *before = tables_before(v, r->rights);
	int failed =
		r->mems[vector].no_policy ? touch_without_policy(p, vector, r->rights, &who, e) : 0;
	bool touch_it = true;
	if (!failed)
		failed = backed_begin(r, p, vector, &who, stop, &touch_it, e);
	if (!failed && touch_it)
		failed = touch(p, v, &r->mems[vector], &who, r->rights, stop, &touched, e);
	if (!failed && v->weights && !touched.refused && !*stop)
		failed = deal(r, p, vector, &who, stop, &touched, e);
	tables_found(v, &r->mems[vector], before, &found->tables);
	free(before);
	found->touchers = who.n;
	found->touch_ns = touched.touch_ns;
	found->touched_by = touched.cpu;
	found->pages = touched.pages;
	found->mthp_bytes = touched.mthp_bytes;
	free(who.cpus);
	found->minor_faults = touched.minor_faults;
	found->major_faults = touched.major_faults;
	if (touched.policy_error)
		return tables_refused(p, vector, touched.policy_error, e);
	if (failed || *stop)
		return -1;
	return touched.refused ? refuse_full(p, vector, e) : prove(r, p, vector, e);
}

/* Copies the plan's vectors of each thread and sets their base addresses. */
static void set_bases(struct prepared *r, const struct plan *p)
{
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_thread *t = &p->threads[i];

		r->vectors[i] = alloc_zeroed((size_t)t->nvectors + 1, sizeof(*r->vectors[i]));
		for (int k = 0; k < t->nvectors; k++) {
			r->vectors[i][k] = t->vectors[k];
			r->vectors[i][k].base = r->mems[t->vector_ids[k]].base;
		}
	}
}

static void add_placement(struct prepared *r)
{
	size_t n = (size_t)r->plan->nvectors, before = r->made++;
	struct placement *all = alloc_zeroed(r->made * n + 1, sizeof(*all));

	if (before)
		memcpy(all, r->placements, before * n * sizeof(*all));
	free(r->placements);
	r->placements = all;
}

int prepare(struct prepared *r, const struct plan *p, struct mem_rights *rights,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	int failed = 0;

	r->plan = p;
	r->rights = rights;
	r->vectors = alloc_zeroed((size_t)p->nthreads + 1, sizeof(*r->vectors));
	r->mems = alloc_zeroed((size_t)p->nvectors + 1, sizeof(*r->mems));
	r->last = alloc_zeroed((size_t)p->nvectors + 1, sizeof(*r->last));
	add_placement(r);
	if (p->nvectors)
		mem_ask(rights);
	for (int i = 0; i < p->nvectors && !failed; i++)
		failed = prepare_one(r, p, i, stop, e);
	if (failed || copies_make(p, r->mems, found_now(r, 0), stop, e)) {
		prepare_release(r);
		r->made--;
		return -1;
	}
	set_bases(r, p);
	found_note(r, e);
	return 0;
}

struct worker prepare_worker(
	const struct prepared *r, const struct plan *p, const struct plan_op *op, int thread)
{
	struct worker w = plan_worker(p, op, thread);

	/* plan_alone() points into the threads of the whole plan */
	w.vectors = r->vectors[&p->threads[thread] - r->plan->threads];
	return w;
}

int prepare_threads(const struct plan *p)
{
	int most = p->nthreads;

	for (int i = 0; i < p->nvectors; i++) {
		struct touchers who = touch_cpus(p, &p->vectors[i]);

		free(who.cpus);
		most = who.n > most ? who.n : most;
	}
	return most;
}

void prepare_release(struct prepared *r)
{
	for (int i = 0; r->mems && i < r->plan->nvectors; i++)
		mem_unmap(&r->mems[i]);
	for (int i = 0; r->vectors && i < r->plan->nthreads; i++)
		free(r->vectors[i]);
	free(r->mems);
	free(r->last);
	free(r->vectors);
	r->mems = NULL;
	r->last = NULL;
	r->vectors = NULL;
}

void prepare_free(struct prepared *r)
{
	prepare_release(r);
	free(r->placements);
	leave_free(&r->leave);
	physical_free(&r->physical);
	*r = (struct prepared){0};
}
