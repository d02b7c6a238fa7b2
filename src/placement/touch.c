/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches vectors from chosen CPUs and finds their pages. */
#include "placement/touch.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "memory/capacity.h"
#include "placement/team.h"

/* Free memory is read again after this many bytes. This is small compared with a node's reserve. */
#define CHUNK_BYTES (256u << 20)

/* Memory that must stay free beyond the vectors and the kernel's own reserve (which capacity.c
 * subtracts). It is for all other programs: a 64th of a node, but at most this value. */
#define RESERVE_BYTES (64u << 20)
#define RESERVE_SHARE 64

/* More threads do not make page faults of one process faster, because they wait for its page table
 * lock. */
#define MAX_TOUCHERS 64

/* One vector that n threads touch; each touches one block of whole pages. */
struct work_list {
	const struct mem *mem;
	const struct plan_vector *vector; /* NULL: only find pages, do not write */
	const volatile sig_atomic_t *stop;
	int n;
	struct block {
		_Alignas(ALLOC_LINES) struct mem_found found;
		int cpu, error, refused;
		uint64_t touch_ns;
	} * blocks;
};

static int nearest_node_with_cpus(const struct topo *t, int node)
{
	int best = -1;

	for (int i = 0; i < t->nnodes; i++) {
		int other = t->nodes[i].node;
		if (t->nodes[i].allowed_cpus &&
			(best < 0 || topo_distance(t, node, other) < topo_distance(t, node, best)))
			best = other;
	}
	return best;
}

int touch_cpus(const struct plan *p, const struct plan_vector *v, int **cpus)
{
	const struct topo *t = p->topo;
	int n = 0;

	*cpus = alloc_zeroed(MAX_TOUCHERS, sizeof(**cpus));
	if (v->init == INIT_MAIN) {
		(*cpus)[n++] = -1;
		return n;
	}
	if (v->toucher >= 0) {
		(*cpus)[n++] = p->threads[v->toucher].cpu;
		return n;
	}
	const struct topo_node *own = topo_node(t, v->node);
	int node = own && own->allowed_cpus ? v->node : nearest_node_with_cpus(t, v->node);
	for (int i = 0, core = -1; i < t->ncpus && n < MAX_TOUCHERS; i++) {
		const struct topo_cpu *c = &t->cpus[i];
		if (c->node == node && c->allowed && c->core != core) {
			core = c->core;
			(*cpus)[n++] = c->cpu;
		}
	}
	if (!n)
		(*cpus)[n++] = -1;
	return n;
}

int touch_source(const struct plan_vector *v)
{
	return v->policy == MEM_BIND ? v->node : -1;
}

static uint64_t reserve(int node)
{
	uint64_t share = node < 0 ? RESERVE_BYTES : capacity_total(node) / RESERVE_SHARE;

	return share < RESERVE_BYTES ? share : RESERVE_BYTES;
}

/* Huge-page pools were checked when the vector was mapped. The remaining memory of a control group
 * already excludes a reserve. */
static bool is_scarce(const struct plan_vector *v, size_t chunk)
{
	if (v->pages == PAGES_2M || v->pages == PAGES_1G)
		return false;
	int node = touch_source(v);
	struct capacity_left left = capacity_left(node);
	return left.bytes < chunk + (left.by_limit ? 0 : reserve(node));
}

static void touch_block(const struct work_list *w, struct block *b, char *from, char *to)
{
	size_t page = mem_base_page();

	for (char *chunk = from; chunk < to; chunk += CHUNK_BYTES) {
		size_t left = (size_t)(to - chunk);
		size_t bytes = left < CHUNK_BYTES ? left : CHUNK_BYTES;

		if (*w->stop)
			return;
		if (is_scarce(w->vector, bytes)) {
			b->refused = 1;
			return;
		}
		for (volatile char *c = chunk; c < chunk + bytes; c += page)
			*c = 0;
	}
}

/* Blocks end at page boundaries, so that two threads never compete for the first touch of a huge
 * page. */
static void work_on_block(void *arg, int i)
{
	struct work_list *w = arg;
	struct block *b = &w->blocks[i];
	size_t pages = w->mem->bytes / w->mem->page_bytes;
	char *base = w->mem->base;
	char *from = base + pages * (size_t)i / (size_t)w->n * w->mem->page_bytes;
	char *to = base + pages * ((size_t)i + 1) / (size_t)w->n * w->mem->page_bytes;

	b->cpu = sched_getcpu();
	uint64_t t0 = clock_ns();
	if (w->vector)
		touch_block(w, b, from, to);
	b->touch_ns = clock_ns() - t0;
	if (to > from && mem_find(from, (size_t)(to - from), &b->found))
		b->error = errno;
}

/* A local vector is on the node where its toucher runs, so a toucher on a wrong CPU puts it on a
 * wrong node. */
static int strayed(const struct plan *p, struct errors *e)
{
	static const char text[] = "threads that touch vectors do not stay on their CPUs";

	if (p->request->verify == VERIFY_WARN) {
		error_warn(e, text);
		return 0;
	}
	error_add(e, STATUS_PLACEMENT, NOWHERE, text);
	return error_hint(e, "some other program binds threads, or a sandbox ignores "
			     "sched_setaffinity; verify: warn measures anyway and adds a warning");
}

static int untold(const struct plan *p, int error, struct errors *e)
{
	static const char text[] = "the kernel does not say where pages are (move_pages: %s)";

	if (p->request->verify == VERIFY_WARN) {
		error_warn(e, text, strerror(error));
		error_hint(e, "the placement of the vectors is not proven");
		return 0;
	}
	error_add(e, STATUS_PLACEMENT, NOWHERE, text, strerror(error));
	return error_hint(e, "containers often forbid it: docker run --security-opt "
			     "seccomp=unconfined; verify: warn measures anyway and adds a warning");
}

static int gather(
	const struct work_list *w, const struct plan *p, struct mem_found *sum, struct errors *e)
{
	*sum = (struct mem_found){0};
	for (int i = 0; i < w->n; i++) {
		const struct mem_found *part = &w->blocks[i].found;

		if (w->blocks[i].error) {
			*sum = (struct mem_found){0};
			return untold(p, w->blocks[i].error, e);
		}
		sum->pages += part->pages;
		sum->absent += part->absent;
		sum->places += part->places;
		for (int node = 0; node < MEM_MAX_NODES; node++)
			sum->on_node[node] += part->on_node[node];
	}
	return 0;
}

static int touch_all(const struct plan *p, struct work_list *w, const int *cpus,
	struct touched *result, struct errors *e)
{
	w->blocks = alloc_lines((size_t)w->n, sizeof(*w->blocks));
	int failed = team_run(p->topo, cpus, w->n, work_on_block, w, e);
	if (failed > 0)
		failed = w->vector ? strayed(p, e) : 0;
	if (!failed)
		failed = gather(w, p, &result->pages, e);
	result->cpu = w->blocks[0].cpu;
	result->refused = 0;
	result->touch_ns = 0;
	for (int i = 0; i < w->n; i++) {
		result->refused |= w->blocks[i].refused;
		if (w->blocks[i].touch_ns > result->touch_ns)
			result->touch_ns = w->blocks[i].touch_ns;
	}
	free(w->blocks);
	return failed;
}

int touch(const struct plan *p, const struct plan_vector *v, const struct mem *m, const int *cpus,
	int n, const volatile sig_atomic_t *stop, struct touched *result, struct errors *e)
{
	struct work_list w = {m, v, stop, n, NULL};

	return touch_all(p, &w, cpus, result, e);
}

int touch_find(const struct plan *p, const struct mem *m, const int *cpus, int n,
	struct touched *result, struct errors *e)
{
	struct work_list w = {m, NULL, NULL, n, NULL};

	return touch_all(p, &w, cpus, result, e);
}
