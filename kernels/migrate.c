/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * migrate: moves the pages of the thread's vector to its target (targetPerVector).
 *
 * A round moves the vector once, `batch` pages in a call, by
 *
 *   move_pages     a list of addresses, one for each page, also for a huge one
 *   mbind          a range and MPOL_MF_MOVE; the pages are bound to the target
 *   migrate_pages  all pages of the process that are on the vector's node, hence those of the
 *                  program too, in one call; so no thread may have another vector
 *   copy           no move, but what one costs at least: a fresh mapping on the target and memcpy()
 *   none           nothing, for comparison with the others
 *
 * and then loads each line of it `uses` times, in order. Both are in the time, so that the sweep of
 * uses at which a mover becomes cheaper than none is when its move has paid, the first use with
 * empty caches and translation buffers included.
 *
 * With `there: yes` the target is the node on which the pages are: a call that has nothing to do.
 *
 * A unit is a base page of the system that was asked for (4 KiB on x86), also where pages are huge;
 * after a call that failed, one that is on the target. Figures count by asking for the node of each
 * page after the sample (moved_pages.h). Threads that move the same vector all ask for all of it;
 * the first of them tells what moved. reset() brings the pages back; after migrate_pages all of the
 * process that are on the target then, also the program's that were there before.
 *
 * The copy prefers the target and is not bound to it: the system kills a process, perhaps another
 * one, when bound pages do not fit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "keep.h"
#include "migrate.h"

#define LINE 64

static const char *const movers[] = {"move_pages", "mbind", "migrate_pages", "copy", "none", NULL};

static const struct param migrate_params[] = {
	{.name = "mover",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct migrate_args, mover),
		.fallback = "move_pages",
		.choices = movers,
		.help = "what moves the pages; migrate_pages: all of the process; copy: a copy, "
			"for comparison; none: no move, only uses"},
	{.name = "batch",
		.type = PARAM_COUNT,
		.offset = offsetof(struct migrate_args, batch),
		.fallback = "0",
		.max = 1e12,
		.help = "pages of a call, huge or not as the vector has them; 0: all"},
	{.name = "there",
		.type = PARAM_FLAG,
		.offset = offsetof(struct migrate_args, there),
		.fallback = "no",
		.help = "yes: the pages are on the target already, that is on their own node"},
	{.name = "uses",
		.type = PARAM_COUNT,
		.offset = offsetof(struct migrate_args, uses),
		.fallback = "0",
		.max = 1e6,
		.help = "loads of each line of the vector after its move, in the same time"},
	{0},
};

enum { ASKED, MOVED, THERE, REFUSED, KEPT, SPLIT, CALLS };

static const struct kernel_figure migrate_figures[] = {
	[ASKED] = {"pages_asked", "page", "base pages that the calls were to move", FIGURE_SUM,
		NULL, false},
	[MOVED] = {"pages_moved", "page", "that are on the target, and were elsewhere", FIGURE_SUM,
		NULL, false},
	[THERE] = {"pages_there", "page", "that were there, or that another thread has moved",
		FIGURE_SUM, NULL, false},
	[REFUSED] = {"pages_refused", "page", "that are not on the target", FIGURE_SUM,
		"pages stayed: the target node is full (numactl -H) or the system holds them; the "
		"cost is not that of a whole move",
		false},
	[KEPT] = {"huge_kept", "page", "transparent huge pages that are whole afterwards",
		FIGURE_SUM, NULL, false},
	[SPLIT] = {"huge_split", "page", "transparent huge pages that were split", FIGURE_SUM,
		"huge pages arrived as small ones: the target node has no free block of their "
		"size",
		false},
	[CALLS] = {"move_calls", "call", "system calls that move, or copies", FIGURE_SUM, NULL,
		false},
	{0},
};

/* Where the pages are that count: the vector's or the copy's. */
static int count(const struct migrate *m, const struct migrate_args *args, struct moved_count *c)
{
	const char *base = args->mover == MOVER_COPY ? m->copy : m->pages.base;

	*c = (struct moved_count){0};
	return base ? moved_pages_count(&m->pages, base, m->target, c) : -1;
}

static size_t bytes_of(const struct worker *w)
{
	return w->vectors->elements * w->vectors->element_size;
}

/* Units of a sample; the pages that its calls ask for, too, if there are any. */
static size_t base_pages(const struct worker *w)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const struct migrate *m = w->own;

	return (bytes_of(w) + page - 1) / page * m->passes;
}

/* Nothing depends on a load, so that there are as many at once as the core can have. */
HOT void loop_uses(const char *base, size_t bytes, uint64_t uses)
{
	for (uint64_t use = 0; use < uses; use++)
		for (size_t at = 0; at < bytes; at += LINE)
			keep(base[at]);
}

static uint64_t migrate_run(struct worker *w, uint64_t passes)
{
	const struct migrate_args *args = w->args;
	struct migrate *m = w->own;

	m->calls = 0;
	m->failed = m->stopped = false;
	m->passes = passes;
	for (uint64_t pass = 0; pass < passes; pass++) {
		migrate_once(m, args);
		loop_uses(m->copy ? m->copy : w->vectors->base, bytes_of(w), args->uses);
	}
	return base_pages(w);
}

static uint64_t migrate_done(const struct worker *w)
{
	const struct migrate *m = w->own;
	struct moved_count c;

	if (!m->failed)
		return base_pages(w);
	count(m, w->args, &c);
	return c.on;
}

static bool tells(const struct worker *w)
{
	return *(const int *)w->shared == w->id;
}

static void migrate_tell(const struct worker *w, double *values)
{
	const struct migrate_args *args = w->args;
	const struct migrate *m = w->own;
	const size_t asked = args->mover == MOVER_NONE ? 0 : base_pages(w);
	struct moved_count c;

	values[ASKED] = (double)asked;
	values[MOVED] = values[REFUSED] = values[KEPT] = values[SPLIT] = 0;
	values[THERE] = (double)asked;
	values[CALLS] = (double)m->calls;
	if (args->mover == MOVER_NONE || (!tells(w) && args->mover != MOVER_COPY))
		return;
	if (count(m, args, &c)) {
		values[MOVED] = values[THERE] = NAN;
		values[REFUSED] = m->copy || args->mover != MOVER_COPY ? NAN : (double)asked;
		return;
	}
	const struct moved_pages *p = &m->pages;
	const char *base = args->mover == MOVER_COPY ? m->copy : p->base;
	size_t huge = p->huge_bytes ? moved_pages_huge(base, p->bytes) : 0;

	values[MOVED] = (double)c.moved;
	values[REFUSED] = (double)(c.pages - c.on);
	values[THERE] = (double)(asked - c.moved - (c.pages - c.on));
	if (!p->huge_bytes || args->mover == MOVER_COPY)
		return; /* the mapping of a copy may be larger than it */
	values[KEPT] = (double)(huge / p->huge_page);
	values[SPLIT] = huge < p->huge_bytes ? (double)((p->huge_bytes - huge) / p->huge_page) : 0;
}

static const char *migrate_share(struct worker *w)
{
	int *first = malloc(sizeof(*first));

	w->shared = first;
	if (first)
		*first = w->id;
	return first ? NULL : "no memory left";
}

static void migrate_unshare(struct worker *w)
{
	free(w->shared);
	w->shared = NULL;
}

static const char *migrate_setup(struct worker *w)
{
	const struct migrate_args *args = w->args;
	const struct vector *v = w->vectors;
	struct migrate *m = calloc(1, sizeof(*m));

	w->own = m;
	if (!m)
		return "no memory left for its state";
	if (args->mover == MOVER_NONE)
		return NULL;
	m->target = args->there ? v->node : v->target;
	const char *wrong = moved_pages_find(&m->pages, v, m->why, sizeof(m->why));

	for (size_t i = 0; !wrong && i < m->pages.n; i++)
		m->pages.nodes[i] = m->target;
	return wrong;
}

static const char *migrate_reset(struct worker *w, char *why, size_t n)
{
	const struct migrate_args *args = w->args;
	struct migrate *m = w->own;

	migrate_free_copy(m);
	if (m->passes > 1 && !args->there && args->mover != MOVER_NONE) {
		snprintf(why, n,
			"passes = %llu: only the first moves pages; larger vectors take longer, "
			"and there: yes may have passes",
			(unsigned long long)m->passes);
		return why;
	}
	if (args->mover == MOVER_NONE || !tells(w))
		return NULL;
	/* it moved more than the vector, of which alone the places were asked */
	if (args->mover == MOVER_MIGRATE_PAGES && m->calls && m->target != m->pages.home[0])
		migrate_process(m->target, m->pages.home[0]);
	return moved_pages_home(&m->pages, why, n);
}

static const char *migrate_verify(const struct worker *w, char *why, size_t n)
{
	const struct migrate *m = w->own;

	(void)why, (void)n;
	return m->copy && memcmp(m->copy, m->pages.base, m->pages.bytes)
		       ? "the copy differs from the vector"
		       : NULL;
}

static void migrate_teardown(struct worker *w)
{
	struct migrate *m = w->own;

	if (!m)
		return;
	migrate_free_copy(m);
	moved_pages_free(&m->pages);
	free(m);
	w->own = NULL;
}

static const char *migrate_check(const struct worker *w, char *why, size_t n)
{
	const struct migrate_args *args = w->args;
	const struct vector *v = w->vectors;
	const bool whole = args->mover == MOVER_MIGRATE_PAGES;

	if (w->nvectors > 1)
		snprintf(why, n, "a thread moves one vector; this one has %d", w->nvectors);
	else if (args->mover == MOVER_NONE && !args->uses)
		snprintf(why, n, "mover = none does nothing without uses");
	else if (args->mover == MOVER_NONE)
		return NULL;
	else if (!args->there && v->target < 0)
		snprintf(why, n, "its vector has no target: targetPerVector, or there: yes");
	else if ((args->there || whole) && v->node < 0)
		snprintf(why, n, "%s needs a vector on one node",
			whole ? "mover = migrate_pages" : "there: yes");
	else if (whole && args->batch)
		snprintf(why, n, "mover = migrate_pages moves all in a call; leave out batch");
	else
		return moved_pages_check(v, why, n);
	return why;
}

/* What is there already is not moved; of moves and uses together there is no rate. */
static struct work migrate_work(const void *fields)
{
	const struct migrate_args *args = fields;
	const bool moves = !args->uses && (!args->there || args->mover == MOVER_COPY);

	return (struct work){.bytes = moves ? (double)sysconf(_SC_PAGESIZE) : 0};
}

/* A copy faults, and a call that has nothing to do waits for all CPUs as well. */
static enum moves migrate_moves(const void *args)
{
	const struct migrate_args *a = args;

	if (a->mover == MOVER_NONE)
		return MOVES_NOTHING;
	return a->mover == MOVER_MIGRATE_PAGES && !a->there ? MOVES_PROCESS : MOVES_VECTORS;
}

static bool migrate_is_move(const void *args)
{
	const struct migrate_args *a = args;

	return !a->there && !a->uses;
}

const struct kernel migrate_kernel = {
	.summary = "moves the pages of its vector to another node",
	.unit = "page",
	.params = migrate_params,
	.args_size = sizeof(struct migrate_args),
	.min_vectors = 1,
	.per_unit = {.bytes = 4096}, /* on x86 */
	.work = migrate_work,
	.fixed = true,
	.moves = migrate_moves,
	.is_move = migrate_is_move,
	.check = migrate_check,
	.share = migrate_share,
	.setup = migrate_setup,
	.run = migrate_run,
	.reset = migrate_reset,
	.figures = migrate_figures,
	.tell = migrate_tell,
	.done = migrate_done,
	.verify = migrate_verify,
	.teardown = migrate_teardown,
	.unshare = migrate_unshare,
};
