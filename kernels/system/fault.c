/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fault: a page fault for each page of the thread's vectors, whose pages have been given back
 * before. Threads that share a vector have a part of it each, in one mapping; with vectors of their
 * own they have mappings of their own. The pages come as the driver has placed them: where, and of
 * which size, is the vector's; it is proven before and after. A unit is a fault.
 *
 *   write     the first write to a page.
 *   read      the first read: of small pages, all are one page of zeros.
 *   over_zero a write after that.
 *   cow       a write to a page that a child of the process has, too: it is copied.
 *   populate  one call for all pages (MADV_POPULATE_WRITE).
 *
 * The proof is the thread's count of minor faults: as many as pages.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "callers.h"
#include "event_times.h"
#include "keep.h"
#include "migration/balancing.h"
#include "minor.h"
#include "own.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum way { BY_WRITE, BY_READ, BY_OVER_ZERO, BY_COW, BY_POPULATE };

static const char *const way_names[] = {"write", "read", "over_zero", "cow", "populate", NULL};
static const char *const event_names[] = {"first writes", "first reads",
	"writes over pages of zeros", "copies on write", "pages that were populated"};

struct fault_args {
	int by;
};

static const struct param fault_params[] = {
	{.name = "by",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct fault_args, by),
		.fallback = "write",
		.max = BY_POPULATE,
		.choices = way_names,
		.help = "what brings a page: the first write, the first read, a write over the "
			"page "
			"of zeros that a read gave, a write to a page that a child has too, or one "
			"call for all"},
	{0},
};

struct faults {
	uint64_t counted; /* in the last sample */
	struct minor_count all;
	pid_t child; /* of cow; 0: there is none */
};

static int way_of(const struct worker *w)
{
	return ((const struct fault_args *)w->args)->by;
}

/* A thread's part of a vector. */
struct span {
	char *from, *to;
	size_t page;
};

static size_t pages_in(const struct vector *v)
{
	return (v->elements * v->element_size + v->page_bytes - 1) / v->page_bytes;
}

static struct span span_of(const struct worker *w, int k)
{
	const struct vector *v = &w->vectors[k];
	const size_t page = v->page_bytes;
	const size_t pages = pages_in(v);
	char *base = v->base;

	return (struct span){base + pages * (size_t)v->rank / (size_t)v->users * page,
		base + pages * ((size_t)v->rank + 1) / (size_t)v->users * page, page};
}

/* events NULL: no access is timed. Inlined, so that a loop has only what it does. */
static inline __attribute__((always_inline)) uint64_t touch_all(
	const struct worker *w, bool reads, struct event_times *events)
{
	uint64_t pages = 0;

	for (int k = 0; k < w->nvectors; k++) {
		const struct span s = span_of(w, k);

		for (volatile char *c = s.from; c < s.to; c += s.page, pages++) {
			const bool due = events && events_due(events);
			const uint64_t begin = due ? events_stamp() : 0;

			if (reads)
				keep(*c);
			else
				*c = 0;
			if (due)
				events_take(events, events_after() - begin);
			callers_count(w->id, 1);
		}
	}
	return pages;
}

/* Returns the pages, or 0 and errno. */
static uint64_t advise_all(const struct worker *w, int advice)
{
	uint64_t pages = 0;

	for (int k = 0; k < w->nvectors; k++) {
		const struct span s = span_of(w, k);

		if (s.to > s.from && madvise(s.from, (size_t)(s.to - s.from), advice))
			return 0;
		pages += (size_t)(s.to - s.from) / s.page;
	}
	callers_count(w->id, pages);
	return pages;
}

static const char *fault_check(const struct worker *w, char *why, size_t n)
{
	for (int k = 0; k < w->nvectors; k++) {
		const struct vector *v = &w->vectors[k];

		if (v->multi_size) {
			snprintf(why, n,
				"pages of this size come in pairs, not by one fault each: "
				"pagesPerVector: base, thp, or those of a pool");
			return why;
		}
		if (pages_in(v) < (size_t)v->users) {
			snprintf(why, n,
				"its part of a vector has no page: %zu pages for %d threads; a "
				"larger sizePerVector, or vectorPerThread: own",
				pages_in(v), v->users);
			return why;
		}
		if (v->page_bytes == (size_t)sysconf(_SC_PAGESIZE))
			continue;
		if (way_of(w) == BY_COW || way_of(w) == BY_OVER_ZERO) {
			snprintf(why, n, "by: %s %s: pagesPerVector: base", way_names[way_of(w)],
				way_of(w) == BY_COW
					? "splits transparent huge pages"
					: "needs the page of zeros, which is a small one");
			return why;
		}
	}
	return NULL;
}

static const char *fault_lacks(const struct worker *w, char *why, size_t n)
{
	if (way_of(w) != BY_POPULATE || !madvise(NULL, 0, MADV_POPULATE_WRITE) || errno != EINVAL)
		return NULL;
	snprintf(why, n, "this kernel has no MADV_POPULATE_WRITE (Linux 5.14 has it)");
	return why;
}

static const char *fault_setup(struct worker *w)
{
	struct faults *f = w->own = calloc(1, sizeof(*f));

	if (!f)
		return "out of memory";
	f->all.balancing = balancing_setting() > 0;
	minor_faults(); /* what the reading itself touches is there then */
	return NULL;
}

/* It ends with its parent, however that ends. */
static void be_child(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent)
		pause();
	_exit(0);
}

static void end_child(struct faults *f)
{
	if (!f->child)
		return;
	kill(f->child, SIGKILL);
	while (waitpid(f->child, NULL, 0) < 0 && errno == EINTR)
		;
	f->child = 0;
}

/* All pages are there again, where the driver had them. */
static const char *fault_reset(struct worker *w, char *why, size_t n)
{
	(void)why;
	(void)n;
	end_child(w->own);
	touch_all(w, false, NULL);
	callers_none(w->workers);
	return NULL;
}

static const char *fault_arrange(struct worker *w, char *why, size_t n)
{
	const pid_t parent = getpid();
	struct faults *f = w->own;

	if (way_of(w) == BY_COW) {
		f->child = fork();
		if (!f->child)
			be_child(parent);
	} else if (!advise_all(w, MADV_DONTNEED)) {
		snprintf(why, n, "its pages cannot be given back: %s", strerror(errno));
		return why;
	}
	if (f->child < 0) {
		f->child = 0;
		snprintf(why, n, "the process cannot have a child: %s", strerror(errno));
		return why;
	}
	if (way_of(w) == BY_OVER_ZERO)
		touch_all(w, true, NULL);
	callers_enter(w->id);
	return NULL;
}

static uint64_t bring_pages(const struct worker *w)
{
	switch (way_of(w)) {
	case BY_READ:
		return touch_all(w, true, NULL);
	case BY_POPULATE:
		return advise_all(w, MADV_POPULATE_WRITE);
	default:
		return touch_all(w, false, NULL);
	}
}

/* One round: a second one would find all pages there. */
static uint64_t fault_run(struct worker *w, uint64_t passes)
{
	struct faults *f = w->own;
	const uint64_t before = minor_faults();
	const uint64_t pages =
		w->events ? touch_all(w, way_of(w) == BY_READ, w->events) : bring_pages(w);

	(void)passes;
	f->all.ever = minor_faults();
	f->counted = f->all.ever - before;
	f->all.counted += f->counted;
	f->all.expected += pages;
	callers_leave();
	return pages;
}

static const char *refuse_events(const struct worker *w, char *why, size_t n)
{
	if (way_of(w) != BY_POPULATE)
		return NULL;
	snprintf(why, n, "one call brings all pages with by: populate");
	return why;
}

static const struct kernel_events fault_events = {
	.what = "page fault",
	.units = 1,
	.group = 1,
	.run = fault_run,
	.refuses = refuse_events,
};

static const struct kernel_figure fault_figures[] = {
	{.name = "faults_counted",
		.unit = "fault",
		.join = FIGURE_SUM,
		.help = "minor page faults of the thread in a sample, as the system counts them"},
	{0},
};

static void fault_tell(const struct worker *w, double *values)
{
	values[0] = (double)((const struct faults *)w->own)->counted;
}

static enum event_proof fault_prove(const struct worker *w, char *text, size_t n)
{
	return minor_judge(&((const struct faults *)w->own)->all, event_names[way_of(w)], text, n);
}

static void fault_teardown(struct worker *w)
{
	if (w->own)
		end_child(w->own);
	free_own(w);
}

const struct kernel fault_kernel = {
	.summary = "a page fault for each page: the first write, the first read, a copy on write",
	.unit = "fault",
	.per_unit = {.stores = 1},
	.params = fault_params,
	.args_size = sizeof(struct fault_args),
	.min_vectors = 1,
	.fixed = true,
	.check = fault_check,
	.lacks_for = fault_lacks,
	.setup = fault_setup,
	.reset = fault_reset,
	.events = &fault_events,
	.run = fault_run,
	.figures = fault_figures,
	.tell = fault_tell,
	.teardown = fault_teardown,
	.accesses = {.divides = true},
	.migration = {.arrange = fault_arrange},
	.system = {.prove = fault_prove, .faults = true},
};
