/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings the vectors of a plan into memory, in order. The placement of each vector is verified
 * before the next vector is prepared. */
#include "placement/prepare.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/capacity.h"
#include "base/clock.h"
#include "placement/touch.h"

/* strict: reports an error; warn: the run continues with a warning. */
static int wrong_place(const struct plan *p, int vector, const char *why, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	if (p->request->verify == VERIFY_WARN || v->policy == MEM_PREFERRED) {
		error_warn(e, "vector %d, asked for node %s: %s", vector, v->asked, why);
		return 0;
	}
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d, asked for node %s: %s", vector, v->asked, why);
	return error_hint(e, "free memory on that node (numactl -H, numastat) or choose another; "
			     "verify: warn measures anyway and adds a warning");
}

/* A local vector must be on the node of the thread that touched it. */
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
	return wrong_place(
		p, vector, "its pages are not on the node of the thread that touched it", e);
}

/* The vector in the placement that is mapped. */
static struct placement *found_now(const struct prepared *r, int vector)
{
	return &r->placements[(r->made - 1) * (size_t)r->plan->nvectors + (size_t)vector];
}

const struct placement *prepare_found(const struct prepared *r, size_t placement, int vector)
{
	return &r->placements[placement * (size_t)r->plan->nvectors + (size_t)vector];
}

static int prove(struct prepared *r, const struct plan *p, int vector, struct errors *e)
{
	struct placement *found = found_now(r, vector);
	char why[640];

	if (mem_sizes(&r->mems[vector], &found->sizes))
		error_warn(e, "vector %d: the kernel does not show its page size", vector);
	if (placement_wrong(&p->vectors[vector], &r->mems[vector], found, why, sizeof(why)))
		return wrong_place(p, vector, why, e);
	return expect_local(p, vector, found, e);
}

/* Called before the first page is touched, because the OOM killer ends a process that takes more
 * memory than there is. */
static int check_left(const struct plan *p, int vector, const struct mem *m, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	int node = touch_source(v);
	struct capacity_left left = capacity_left(node);
	char has[32], needs[32], giver[48] = "this machine";

	if (v->pages == PAGES_2M || v->pages == PAGES_1G || m->bytes <= left.bytes)
		return 0;
	if (left.by_limit)
		snprintf(giver, sizeof(giver), "the control group of this process");
	else if (node >= 0)
		snprintf(giver, sizeof(giver), "node %d", node);
	error_add(e, STATUS_PLACEMENT, p->request->size_per_vector.at,
		"vector %d takes %s, %s can give %s just now", vector,
		text_size(m->bytes, needs, sizeof(needs)), giver,
		text_size(left.bytes, has, sizeof(has)));
	if (left.by_limit)
		return error_hint(e, "make it smaller, or raise the memory limit (docker run "
				     "--memory, sbatch --mem, systemd's MemoryMax)");
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

static int prepare_one(struct prepared *r, const struct plan *p, int vector,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	struct placement *found = found_now(r, vector);
	struct mem_request request = {v->bytes, v->policy, v->nodes, v->pages};
	struct touched touched = {0};
	char *what = alloc_format("vector %d", vector);
	uint64_t t0 = clock_ns();
	int *cpus, failed = mem_map(
			   &r->mems[vector], &request, what, p->request->node_per_vector.at, e);

	free(what);
	found->map_ns = clock_ns() - t0;
	if (failed || check_left(p, vector, &r->mems[vector], e))
		return -1;
	found->touchers = touch_cpus(p, v, &cpus);
	failed = touch(p, v, &r->mems[vector], cpus, found->touchers, stop, &touched, e);
	found->touch_ns = touched.touch_ns;
	found->touched_by = touched.cpu;
	found->pages = touched.pages;
	free(cpus);
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

int prepare(struct prepared *r, const struct plan *p, const volatile sig_atomic_t *stop,
	struct errors *e)
{
	r->plan = p;
	r->vectors = alloc_zeroed((size_t)p->nthreads + 1, sizeof(*r->vectors));
	r->mems = alloc_zeroed((size_t)p->nvectors + 1, sizeof(*r->mems));
	add_placement(r);
	for (int i = 0; i < p->nvectors; i++)
		if (prepare_one(r, p, i, stop, e)) {
			prepare_release(r);
			r->made--;
			return -1;
		}
	set_bases(r, p);
	page_moves_take(&r->moves);
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

/* Number of pages that are no longer on their node. If pages only exchanged nodes, at least two
 * have moved. */
static size_t pages_moved(const struct mem_found *before, const struct mem_found *after)
{
	size_t moved = after->absent;

	for (int node = 0; node < MEM_MAX_NODES; node++)
		if (after->on_node[node] > before->on_node[node])
			moved += after->on_node[node] - before->on_node[node];
	return moved || after->places == before->places ? moved : 2;
}

/* Memory pressure splits huge pages, and khugepaged creates some. The results then hold for neither
 * page size. */
static int recheck_sizes(struct prepared *r, int vector, struct errors *e)
{
	const struct mem_sizes *before = &found_now(r, vector)->sizes;
	struct mem_sizes now;
	char had[32], has[32];

	if (mem_sizes(&r->mems[vector], &now) ||
		(now.huge_bytes == before->huge_bytes &&
			now.kernel_page_bytes == before->kernel_page_bytes))
		return 0;
	char *why = alloc_format("%s of it are in transparent huge pages at the end of the run, %s "
				 "were at its beginning",
		text_size(now.huge_bytes, has, sizeof(has)),
		text_size(before->huge_bytes, had, sizeof(had)));
	int failed = wrong_place(r->plan, vector, why, e);

	free(why);
	if (failed)
		error_hint(e,
			"pagesPerVector: 4K or thp fixes what khugepaged may do; free memory, "
			"so that the kernel need not split; verify: warn measures anyway and adds "
			"a warning");
	return failed;
}

static int recheck_one(struct prepared *r, int vector, struct errors *e)
{
	const struct plan *p = r->plan;
	struct placement *found = found_now(r, vector);
	struct touched now = {0};
	int *cpus;
	int n = touch_cpus(p, &p->vectors[vector], &cpus);

	/* Any thread can query the kernel, and the CPU that touched may be offline by now if it
	 * runs no thread. */
	for (int i = 0; i < n; i++)
		cpus[i] = -1;
	int failed = touch_find(p, &r->mems[vector], cpus, n, &now, e);

	free(cpus);
	if (failed)
		return -1;
	found->moved = pages_moved(&found->pages, &now.pages);
	if (!found->moved)
		return recheck_sizes(r, vector, e);
	char *why = alloc_format(
		"%zu of %zu pages moved during the run", found->moved, now.pages.pages);
	failed = wrong_place(p, vector, why, e);
	free(why);
	if (failed)
		error_hint(e,
			"automatic NUMA balancing, a changed cpuset or migratepages move pages: "
			"sysctl kernel.numa_balancing; verify: warn measures anyway and adds a "
			"warning");
	return failed;
}

/* These counters are of the whole machine, so they do not show to whom the pages belonged. */
static void warn_of_moves(const struct prepared *r, struct errors *e)
{
	struct page_moves now;

	page_moves_take(&now);
	if (now.migrated > r->moves.migrated) {
		error_warn(e,
			"the kernel migrated %llu pages of this machine during the run: pages of "
			"the vectors may have left and returned",
			(unsigned long long)(now.migrated - r->moves.migrated));
		error_hint(e, "sysctl kernel.numa_balancing=0, stop numad and migratepages; "
			      "compaction migrates too where memory is fragmented");
	}
	if (now.split > r->moves.split) {
		error_warn(e, "the kernel split %llu huge pages of this machine during the run",
			(unsigned long long)(now.split - r->moves.split));
		error_hint(e, "the report shows what the vectors had at the beginning; pages that "
			      "changed their size are refused");
	}
}

int prepare_threads(const struct plan *p)
{
	int most = p->nthreads;

	for (int i = 0; i < p->nvectors; i++) {
		int *cpus, n = touch_cpus(p, &p->vectors[i], &cpus);

		free(cpus);
		most = n > most ? n : most;
	}
	return most;
}

int prepare_recheck(struct prepared *r, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < r->plan->nvectors; i++)
		failed |= recheck_one(r, i, e);
	if (r->plan->nvectors)
		warn_of_moves(r, e);
	return failed;
}

void prepare_release(struct prepared *r)
{
	for (int i = 0; r->mems && i < r->plan->nvectors; i++)
		mem_unmap(&r->mems[i]);
	for (int i = 0; r->vectors && i < r->plan->nthreads; i++)
		free(r->vectors[i]);
	free(r->mems);
	free(r->vectors);
	r->mems = NULL;
	r->vectors = NULL;
}

void prepare_free(struct prepared *r)
{
	prepare_release(r);
	free(r->placements);
	*r = (struct prepared){0};
}
