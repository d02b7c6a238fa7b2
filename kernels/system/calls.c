/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What system calls on memory cost: each thread calls for `pages` pages at a time, one call after
 * another through a mapping of its own, as large as its part of its vectors, in pages of the same
 * size, bound to the node of its first vector. All its pages are there when a sample begins, but
 * for map; the nodes of base pages are asked for. A unit is a call.
 *
 *   map      mmap() of memory that nothing touches.
 *   unmap    munmap().
 *   protect  mprotect(), from reading and writing to reading.
 *   dontneed madvise(MADV_DONTNEED): the pages are given back, the mapping stays.
 *   free     madvise(MADV_FREE): the same when memory runs short.
 *   fork     a child that ends at once, with all memory of the process; one for a round.
 *
 * The proof: each call succeeded, and no more than one in a hundred had a page fault beside it.
 * What they cost other threads is told by bystander.
 */
#include <errno.h>
#include <math.h>
#include <numaif.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "callers.h"
#include "event_times.h"
#include "migration/moved_pages.h"
#include "migration/page_nodes.h"
#include "minor.h"
#include "own.h"

enum call { CALL_MAP, CALL_UNMAP, CALL_PROTECT, CALL_DONTNEED, CALL_FREE, CALL_FORK };

struct call_args {
	uint64_t pages;
};

/* More than these are flushed in several turns: a call then interrupts a CPU several times. */
#define PAGES_MOST 8192

static const struct param call_params[] = {
	{.name = "pages",
		.type = PARAM_COUNT,
		.offset = offsetof(struct call_args, pages),
		.fallback = "1",
		.min = 1,
		.max = PAGES_MOST,
		.help = "pages of a call"},
	{0},
};

struct caller {
	char *map, *base; /* base: at whole pages of `page` */
	size_t map_bytes, bytes, page;
	size_t gone; /* from base on: unmapped, so that it may be another's now */
	char **made; /* of map: what the calls have mapped */
	size_t nmade;
	size_t ncalls;                  /* of a sample */
	uint64_t calls, failed, faults; /* of all samples */
	int error;
	pid_t child;
};

/* 0, of fork: a call is for all. */
static uint64_t pages_of(const struct worker *w)
{
	return ((const struct call_args *)w->args)->pages;
}

static size_t part_bytes(const struct worker *w)
{
	const size_t page = w->vectors->page_bytes;
	size_t pages = 0;

	for (int k = 0; k < w->nvectors; k++) {
		const struct vector *v = &w->vectors[k];

		pages += v->elements * v->element_size / page / (size_t)v->users;
	}
	return pages * page;
}

static const char *calls_check(const struct worker *w, char *why, size_t n)
{
	const size_t page = w->vectors->page_bytes;

	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		/* a fork maps nothing */
		if (v->multi_size || v->page_bytes != page || (v->pool && pages_of(w))) {
			snprintf(why, n,
				"its mapping has base pages or transparent huge pages of "
				"the usual size: pagesPerVector: base or thp");
			return why;
		}
	if (part_bytes(w) >= pages_of(w) * page)
		return NULL;
	snprintf(why, n, "a call for %llu pages needs a larger sizePerVector",
		(unsigned long long)pages_of(w));
	return why;
}

static void unmap_all(struct caller *c)
{
	if (c->map && c->gone) {
		char *rest = c->base + c->gone;

		munmap(c->map, (size_t)(c->base - c->map));
		munmap(rest, (size_t)(c->map + c->map_bytes - rest));
	} else if (c->map) {
		munmap(c->map, c->map_bytes);
	}
	c->map = NULL;
	c->gone = 0;
	for (; c->nmade; c->nmade--)
		munmap(c->made[c->nmade - 1], c->bytes);
}

/* Under the policy of the vector; a page beyond each end keeps it apart from other mappings. */
static int map_pages(struct caller *c, int node, size_t bytes)
{
	const size_t base = (size_t)sysconf(_SC_PAGESIZE);
	const bool huge = c->page > base;
	unsigned long nodes[MOVED_NODES / 8 / sizeof(unsigned long)];

	c->map_bytes = bytes + 2 * c->page;
	c->map = mmap(
		NULL, c->map_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (c->map == MAP_FAILED) {
		c->map = NULL;
		return -1;
	}
	c->base = (char *)(((uintptr_t)c->map / c->page + 1) * c->page);
	if (node >= 0) {
		moved_pages_mask(nodes, node);
		/* refused in a container: the nodes are asked for */
		(void)mbind(c->base, bytes, MPOL_BIND, nodes, MOVED_NODES, 0);
	}
	if (madvise(c->base, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) && huge)
		return -1;
	for (volatile char *at = c->base; at < c->base + bytes; at += base)
		*at = 0;
	return 0;
}

#define ASKED 1024

/* Pages that are not on the node; 0 also where the system does not say. */
static size_t pages_elsewhere(const struct caller *c, int node, size_t bytes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *pages[ASKED];
	int status[ASKED];
	size_t elsewhere = 0;

	for (size_t at = 0; node >= 0 && at < bytes;) {
		size_t n = 0;

		for (; n < ASKED && at < bytes; at += page)
			pages[n++] = c->base + at;
		if (page_nodes(n, pages, status))
			return 0;
		for (size_t i = 0; i < n; i++)
			elsewhere += status[i] != node;
	}
	return elsewhere;
}

static const char *calls_reset(struct worker *w, char *why, size_t n)
{
	struct caller *c = w->own;

	(void)why;
	(void)n;
	unmap_all(c);
	while (c->child > 0 && waitpid(c->child, NULL, 0) < 0 && errno == EINTR)
		;
	c->child = 0;
	callers_none(w->workers);
	return NULL;
}

static const char *bring_pages(struct worker *w, char *why, size_t n)
{
	const size_t bytes = part_bytes(w);
	const int node = w->vectors->node;
	struct caller *c = w->own;

	if (map_pages(c, node, bytes)) {
		snprintf(why, n, "no memory of these pages can be mapped: %s", strerror(errno));
		return why;
	}
	const size_t elsewhere = pages_elsewhere(c, node, bytes);

	if (elsewhere) {
		snprintf(why, n,
			"%zu pages of its mapping are not on node %d: is it full (numactl -H)?",
			elsewhere, node);
		return why;
	}
	callers_enter(w->id);
	return NULL;
}

static const char *enter_calls(struct worker *w, char *why, size_t n)
{
	(void)why;
	(void)n;
	callers_enter(w->id);
	return NULL;
}

static const char *calls_setup(struct worker *w)
{
	struct caller *c = w->own = calloc(1, sizeof(*c));

	if (!c)
		return "out of memory";
	c->page = w->vectors->page_bytes;
	c->bytes = pages_of(w) * c->page;
	c->ncalls = c->bytes ? part_bytes(w) / c->bytes : 1;
	c->made = calloc(c->ncalls, sizeof(*c->made));
	if (!c->made)
		return "out of memory";
	/* its own pages are there before a sample */
	memset(c->made, 1, c->ncalls * sizeof(*c->made));
	minor_faults();
	return NULL;
}

static int make_child(struct caller *c)
{
	const pid_t child = fork();

	if (!child)
		_exit(0);
	c->child = child;
	return child < 0 ? -1 : 0;
}

static int make_call(struct caller *c, enum call what, size_t i)
{
	char *at = c->base ? c->base + i * c->bytes : NULL;

	switch (what) {
	case CALL_MAP:
		at = mmap(
			NULL, c->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (at == MAP_FAILED)
			return -1;
		c->made[c->nmade++] = at;
		return 0;
	case CALL_UNMAP:
		c->gone = (i + 1) * c->bytes;
		return munmap(at, c->bytes);
	case CALL_PROTECT:
		return mprotect(at, c->bytes, PROT_READ);
	case CALL_DONTNEED:
		return madvise(at, c->bytes, MADV_DONTNEED);
	case CALL_FREE:
		return madvise(at, c->bytes, MADV_FREE);
	default:
		return make_child(c);
	}
}

/* events NULL: no call is timed. */
static void time_call(struct caller *c, enum call what, size_t i, struct event_times *events)
{
	const bool due = events && events_due(events);
	const uint64_t begin = due ? events_stamp() : 0;

	if (make_call(c, what, i)) {
		c->error = errno;
		c->failed++;
	}
	if (due)
		events_take(events, events_after() - begin);
}

static uint64_t make_calls(struct worker *w, enum call what)
{
	struct caller *c = w->own;
	const uint64_t faults = minor_faults();

	for (size_t i = 0; i < c->ncalls; i++) {
		time_call(c, what, i, w->events);
		callers_count(w->id, 1);
	}
	c->calls += c->ncalls;
	c->faults += minor_faults() - faults;
	callers_leave();
	return c->ncalls;
}

static const struct kernel_figure call_figures[] = {
	{.name = "pages_called",
		.unit = "page",
		.join = FIGURE_SUM,
		.each_second = true,
		.help = "pages for which was called in a second of the sample; not of fork"},
	{0},
};

static void calls_tell(const struct worker *w, double *values)
{
	const struct caller *c = w->own;

	values[0] = pages_of(w) ? (double)(c->ncalls * pages_of(w)) : NAN;
}

static enum event_proof judge_calls(const struct worker *w, const char *name, char *text, size_t n)
{
	const struct caller *c = w->own;

	if (c->failed) {
		snprintf(text, n, "%llu of %llu calls of %s failed: %s",
			(unsigned long long)c->failed, (unsigned long long)c->calls, name,
			strerror(c->error));
		return EVENTS_CONTRADICTED;
	}
	snprintf(text, n, "%llu calls of %s succeeded, with %llu page faults among them",
		(unsigned long long)c->calls, name, (unsigned long long)c->faults);
	/* what takes the time of a fault is not the call alone */
	return c->faults <= c->calls / 100 || !pages_of(w) ? EVENTS_PROVEN : EVENTS_UNCOUNTABLE;
}

static void calls_teardown(struct worker *w)
{
	struct caller *c = w->own;

	if (c) {
		unmap_all(c);
		free(c->made);
	}
	free_own(w);
}

/* The kernel `name`, which does the call `act`. */
#define CALL_KERNEL(name, act, given, begin, text)                                        \
	static uint64_t name##_run(struct worker *w, uint64_t passes)                     \
	{                                                                                 \
		(void)passes; /* the first round has used up what was mapped */           \
		return make_calls(w, act);                                                \
	}                                                                                 \
	static const struct kernel_events name##_events = {                               \
		.what = "call", .units = 1, .group = 1, .run = name##_run};               \
	static enum event_proof name##_prove(const struct worker *w, char *why, size_t n) \
	{                                                                                 \
		return judge_calls(w, #name, why, n);                                     \
	}                                                                                 \
	const struct kernel name##_kernel = {                                             \
		.summary = text,                                                          \
		.unit = "call",                                                           \
		.params = given,                                                          \
		.args_size = sizeof(struct call_args),                                    \
		.min_vectors = 1,                                                         \
		.fixed = true,                                                            \
		.check = calls_check,                                                     \
		.setup = calls_setup,                                                     \
		.reset = calls_reset,                                                     \
		.events = &name##_events,                                                 \
		.run = name##_run,                                                        \
		.figures = call_figures,                                                  \
		.tell = calls_tell,                                                       \
		.teardown = calls_teardown,                                               \
		.migration = {.arrange = begin},                                          \
		.system = {.prove = name##_prove, .faults = true},                        \
	}

CALL_KERNEL(map, CALL_MAP, call_params, enter_calls, "mmap() of memory that nothing touches");
CALL_KERNEL(unmap, CALL_UNMAP, call_params, bring_pages, "munmap() of pages that are there");
CALL_KERNEL(protect, CALL_PROTECT, call_params, bring_pages,
	"mprotect() of pages that are there, to reading alone");
CALL_KERNEL(dontneed, CALL_DONTNEED, call_params, bring_pages,
	"madvise(MADV_DONTNEED) of pages that are there");
CALL_KERNEL(
	free, CALL_FREE, call_params, bring_pages, "madvise(MADV_FREE) of pages that are there");
CALL_KERNEL(fork, CALL_FORK, NULL, enter_calls, "fork() of a child that ends at once");
