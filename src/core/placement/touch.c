/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Touches vectors from chosen CPUs and finds their pages. */
#include "placement/touch.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "memory/capacity.h"
#include "memory/mthp.h"
#include "memory/tables.h"
#include "placement/backed.h"
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
	struct mem_rights *rights;
	int n;
	size_t turn; /* see struct touchers */
	struct block {
		_Alignas(ALLOC_LINES) struct mem_found found;
		int cpu, error, refused, policy_error;
		size_t mthp_bytes;
		uint64_t touch_ns, minor_faults, major_faults;
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

/* More than one thread would touch in no order. And their stacks and heaps have page tables, which
 * would be counted with those of the vector. */
static int most_touchers(const struct plan_vector *v)
{
	return v->order == TOUCH_ANY && v->tables < 0 ? MAX_TOUCHERS : 1;
}

struct touchers touch_cpus(const struct plan *p, const struct plan_vector *v)
{
	struct touchers who = {.cpus = alloc_zeroed(MEM_MAX_NODES, sizeof(*who.cpus))};
	const struct topo *t = p->topo;

	if (v->init == INIT_MAIN || v->toucher >= 0) {
		who.cpus[who.n++] = v->init == INIT_MAIN ? -1 : p->threads[v->toucher].cpu;
		return who;
	}
	const int asked = v->warm_node >= 0 ? v->warm_node : v->node;
	const struct topo_node *own = topo_node(t, asked);
	int node = own && own->allowed_cpus ? asked : nearest_node_with_cpus(t, asked);
	for (int i = 0, core = -1; i < t->ncpus && who.n < most_touchers(v); i++) {
		const struct topo_cpu *c = &t->cpus[i];
		if (c->node == node && c->allowed && c->core != core) {
			core = c->core;
			who.cpus[who.n++] = c->cpu;
		}
	}
	if (!who.n)
		who.cpus[who.n++] = -1;
	return who;
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

/* Several threads touch, and each question opens files: one after the other, so that a process that
 * may open few more does not take what it cannot read for no memory. */
struct capacity_left touch_left(const struct plan_vector *v)
{
	static pthread_mutex_t asks = PTHREAD_MUTEX_INITIALIZER;
	uint64_t all = 0;

	pthread_mutex_lock(&asks);
	struct capacity_left left = capacity_left(touch_source(v));
	if (v->policy == MEM_BIND && v->node < 0) {
		for (int node = 0; node < MEM_MAX_NODES; node++)
			all += v->nodes[node] ? capacity_available(node) : 0;
		if (all < left.bytes)
			left = (struct capacity_left){all, false};
	}
	pthread_mutex_unlock(&asks);
	return left;
}

/* Pools were checked when the vector was mapped, and pages of a file as it lies are there. */
bool touch_takes(const struct plan_vector *v)
{
	return !mem_from_pool(v->pages) &&
	       (v->backed.kind != BACKING_FILE || v->backed.cache != CACHE_ASIS);
}

/* The remaining memory of a control group
 * already excludes a reserve. */
static bool is_scarce(const struct plan_vector *v, size_t chunk)
{
	if (!touch_takes(v))
		return false;
	int node = touch_source(v);
	struct capacity_left left = touch_left(v);
	return left.bytes < chunk + (left.by_limit ? 0 : reserve(node));
}

/* Asked before the next bytes, at most CHUNK_BYTES. */
static bool may_touch(const struct work_list *w, struct block *b, size_t bytes)
{
	if (*w->stop)
		return false;
	b->refused = is_scarce(w->vector, bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES);
	return !b->refused;
}

static void touch_page(const struct work_list *w, volatile char *c)
{
	if (backed_writes(w->mem))
		*c = 0;
	else
		(void)*c;
}

static void write_pages(const struct work_list *w, struct block *b, char *from, char *to)
{
	size_t page = mem_base_page();

	if (mem_is_mthp(w->vector->pages)) {
		b->mthp_bytes += mthp_touch(from, to, w->mem->page_bytes);
		return;
	}
	for (char *c = from; c < to; c += page)
		touch_page(w, c);
}

static void touch_block(const struct work_list *w, struct block *b, char *from, char *to)
{
	for (char *chunk = from; chunk < to; chunk += CHUNK_BYTES) {
		size_t left = (size_t)(to - chunk);

		if (!may_touch(w, b, left))
			return;
		write_pages(w, b, chunk, left < CHUNK_BYTES ? to : chunk + CHUNK_BYTES);
	}
}

/* From the end to the beginning, page by page. */
static void touch_backwards(const struct work_list *w, struct block *b, char *from, char *to)
{
	size_t page = mem_base_page(), since = CHUNK_BYTES;

	for (char *c = to - page; c >= from; c -= page, since += page) {
		if (since >= CHUNK_BYTES) {
			if (!may_touch(w, b, (size_t)(c - from) + page))
				return;
			since = 0;
		}
		touch_page(w, c);
	}
}

/* Every n-th piece, from the i-th on. */
static void touch_turns(const struct work_list *w, struct block *b, size_t i)
{
	char *base = w->mem->base, *end = base + w->mem->bytes;
	size_t since = CHUNK_BYTES;

	for (char *from = base + i * w->turn; from < end; from += (size_t)w->n * w->turn) {
		char *to = (size_t)(end - from) < w->turn ? end : from + w->turn;

		if (since >= CHUNK_BYTES) {
			if (!may_touch(w, b, (size_t)(end - from)))
				return;
			since = 0;
		}
		write_pages(w, b, from, to);
		since += w->turn;
	}
}

/* Where the i-th of n parts of whole units begins; the last unit may be a part of one. */
static char *part_begin(const struct mem *m, size_t unit, size_t i, size_t n)
{
	size_t units = (m->bytes + unit - 1) / unit, from = units * i / n * unit;

	return (char *)m->base + (from < m->bytes ? from : m->bytes);
}

/* Page tables and pages of files lie by the policy of the task, which is this one's only while it
 * touches. 0, or -1 and errno. */
static int begin_policy(const struct work_list *w, struct mem_task_policy *before)
{
	bool nodes[MEM_MAX_NODES];
	const struct mem_request r = plan_request(w->vector, nodes);

	return w->vector->tables >= 0 ? mem_tables_begin(w->vector->tables, before)
				      : mem_task_begin(&r, before);
}

static void touch_part(const struct work_list *w, struct block *b, int i, char *from, char *to)
{
	const bool by_task =
		w->vector->tables >= 0 || (backing_is_file(&w->mem->backed) && !w->mem->no_policy);
	struct mem_task_policy before;

	if (by_task && begin_policy(w, &before)) {
		b->policy_error = errno;
		return;
	}
	if (w->turn)
		touch_turns(w, b, (size_t)i);
	else if (w->vector->order == TOUCH_HOT_LAST)
		touch_backwards(w, b, from, to);
	else
		touch_block(w, b, from, to);
	if (by_task)
		mem_task_end(&before);
}

/* Blocks end at page boundaries, and mTHP is touched in pairs, so that two threads never compete
 * for the first touch of a huge page. */
static void work_on_block(void *arg, int i)
{
	struct work_list *w = arg;
	struct block *b = &w->blocks[i];
	bool pairs = w->vector && mem_is_mthp(w->vector->pages);
	size_t unit = pairs ? 2 * w->mem->page_bytes : w->mem->page_bytes;
	char *from = part_begin(w->mem, unit, (size_t)i, (size_t)w->n);
	char *to = part_begin(w->mem, unit, (size_t)i + 1, (size_t)w->n);

	b->cpu = sched_getcpu();
	struct rusage before, after;

	getrusage(RUSAGE_THREAD, &before);
	uint64_t t0 = clock_ns();
	if (w->vector)
		touch_part(w, b, i, from, to);
	b->touch_ns = clock_ns() - t0;
	getrusage(RUSAGE_THREAD, &after);
	b->minor_faults = (uint64_t)(after.ru_minflt - before.ru_minflt);
	b->major_faults = (uint64_t)(after.ru_majflt - before.ru_majflt);
	if (w->turn)
		return; /* others touch the pages of this block as well: found when all have */
	if (to > from && !w->rights->move_pages && mem_find(from, (size_t)(to - from), &b->found))
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
	return error_hint(e, "there is no /proc/self/numa_maps either, and more than one node may "
			     "have memory; in a container: docker run or podman run "
			     "--security-opt seccomp=unconfined; verify: warn measures anyway and "
			     "adds a warning");
}

/* The same text for all vectors, so that it is in the list once. */
static void warn_of_rank(enum mem_proof proof, int error, struct errors *e)
{
	error_warn(e, "the kernel does not say where each page is (move_pages: %s): %s",
		strerror(error),
		proof == MEM_BY_NUMA_MAPS
			? "its counts of each vector in /proc/self/numa_maps are the proof"
			: "the proof is that only one node has memory");
	error_hint(e, "in a container: docker run or podman run --security-opt seccomp=unconfined "
		      "lets affinity ask for each page");
}

/* Without move_pages, or when it failed for a block. */
static int gather_counts(const struct work_list *w, int error, const struct plan *p,
	struct mem_found *sum, struct errors *e)
{
	if (mem_find_counts(w->mem, w->rights, sum))
		return untold(p, error, e);
	warn_of_rank(sum->proof, error, e);
	return 0;
}

/* Linux before 6.6 denies a page that NUMA balancing watches (mm/gup.c: its entry has no access, so
 * that the next access faults), and touching it could move it. numa_maps counts such pages. */
static void count_hidden(const struct work_list *w, struct mem_found *sum, struct errors *e)
{
	struct mem_found counted;

	if (!sum->absent || mem_find_counts(w->mem, w->rights, &counted) ||
		counted.proof != MEM_BY_NUMA_MAPS || counted.absent >= sum->absent)
		return;
	*sum = counted;
	error_warn(e, "the kernel hides pages that automatic NUMA balancing watches: its counts of "
		      "each vector in /proc/self/numa_maps are the proof");
	error_hint(e, "sudo sysctl kernel.numa_balancing=0 lets affinity ask for each page");
}

static int gather_found(
	const struct work_list *w, const struct plan *p, struct mem_found *sum, struct errors *e)
{
	*sum = (struct mem_found){.proof = MEM_BY_MOVE_PAGES};
	for (int i = 0; i < w->n; i++) {
		const struct mem_found *part = &w->blocks[i].found;
		int error = w->rights->move_pages ? w->rights->move_pages : w->blocks[i].error;

		if (error)
			return gather_counts(w, error, p, sum, e);
		sum->pages += part->pages;
		sum->absent += part->absent;
		sum->places += part->places;
		for (int node = 0; node < MEM_MAX_NODES; node++)
			sum->on_node[node] += part->on_node[node];
	}
	count_hidden(w, sum, e);
	return 0;
}

static int touch_all(const struct plan *p, struct work_list *w, const int *cpus,
	struct touched *result, struct errors *e)
{
	w->blocks = alloc_lines((size_t)w->n, sizeof(*w->blocks));
	int failed = team_run(p->topo, cpus, w->n, work_on_block, w, e);
	if (failed > 0)
		failed = w->vector ? strayed(p, e) : 0;
	if (!failed && !w->turn)
		failed = gather_found(w, p, &result->pages, e);
	result->cpu = w->blocks[0].cpu;
	result->refused = 0;
	result->touch_ns = 0;
	result->mthp_bytes = 0;
	result->minor_faults = result->major_faults = 0;
	result->policy_error = 0;
	for (int i = 0; i < w->n; i++) {
		result->mthp_bytes += w->blocks[i].mthp_bytes;
		result->minor_faults += w->blocks[i].minor_faults;
		result->major_faults += w->blocks[i].major_faults;
		result->refused |= w->blocks[i].refused;
		if (w->blocks[i].policy_error)
			result->policy_error = w->blocks[i].policy_error;
		if (w->blocks[i].touch_ns > result->touch_ns)
			result->touch_ns = w->blocks[i].touch_ns;
	}
	free(w->blocks);
	return failed;
}

int touch_find(const struct plan *p, const struct mem *m, const int *cpus, int n,
	struct mem_rights *rights, struct touched *result, struct errors *e)
{
	struct work_list w = {.mem = m, .rights = rights, .n = n};

	return touch_all(p, &w, cpus, result, e);
}

int touch(const struct plan *p, const struct plan_vector *v, const struct mem *m,
	const struct touchers *who, struct mem_rights *rights, const volatile sig_atomic_t *stop,
	struct touched *result, struct errors *e)
{
	struct work_list w = {m, v, stop, rights, who->n, who->turn, NULL};
	struct touched found = {0};
	int failed = touch_all(p, &w, who->cpus, result, e);

	if (failed || !who->turn)
		return failed;
	failed = touch_find(p, m, who->cpus, who->n, rights, &found, e);
	result->pages = found.pages;
	return failed;
}
