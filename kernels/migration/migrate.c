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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "migrate.h"
#include "own.h"

static const char *const movers[] = {"move_pages", "mbind", "migrate_pages", "copy", NULL};

static const struct param migrate_params[] = {
	{.name = "mover",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct migrate_args, mover),
		.fallback = "move_pages",
		.choices = movers,
		.help = "what moves the pages; migrate_pages: all of the process; copy: a copy, "
			"for comparison"},
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
	{0},
};

/* Units of a sample; the pages that its calls ask for, too. */
static size_t base_pages(const struct worker *w)
{
	const struct migrate *m = w->own;

	return migrate_base_pages(w->vectors) * m->passes;
}

static uint64_t migrate_run(struct worker *w, uint64_t passes)
{
	struct migrate *m = w->own;

	migrate_start(m, passes);
	for (uint64_t pass = 0; pass < passes; pass++)
		migrate_once(m, w->args);
	return base_pages(w);
}

static uint64_t migrate_done(const struct worker *w)
{
	const struct migrate_args *args = w->args;
	const struct migrate *m = w->own;

	return m->failed ? migrate_on_target(m, args->mover) : base_pages(w);
}

static bool tells(const struct worker *w)
{
	return *(const int *)w->shared == w->id;
}

static void migrate_tell(const struct worker *w, double *values)
{
	const struct migrate_args *args = w->args;

	migrate_tell_pages(
		w->own, args->mover, base_pages(w), tells(w) || args->mover == MOVER_COPY, values);
}

static const char *migrate_share(struct worker *w)
{
	int *first = malloc(sizeof(*first));

	w->shared = first;
	if (first)
		*first = w->id;
	return first ? NULL : "no memory left";
}

/* A byte of each page, for where Linux 6.12 and later split a huge page on its way, they map the
 * shared zero page in place of what holds only zeros. */
static void write_pages(const struct vector *v)
{
	const size_t bytes = v->elements * v->element_size, page = 4096; /* or a part of one */

	for (size_t at = 0; at < bytes; at += page)
		((volatile char *)v->base)[at] = 1;
}

static const char *migrate_setup(struct worker *w)
{
	const struct migrate_args *args = w->args;
	const struct vector *v = w->vectors;
	struct migrate *m = calloc(1, sizeof(*m));

	if (v->rank == 0)
		write_pages(v);
	w->own = m;
	return m ? migrate_begin(m, v, args->there ? v->node : v->target)
		 : "no memory left for its state";
}

static const char *migrate_reset(struct worker *w, char *why, size_t n)
{
	const struct migrate_args *args = w->args;
	struct migrate *m = w->own;

	migrate_free_copy(m);
	if (m->passes > 1 && !args->there)
		return migrate_too_many(m, "and there: yes may have passes", why, n);
	if (!tells(w))
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

/* What is there already is not moved. */
static struct work migrate_work(const void *fields)
{
	const struct migrate_args *args = fields;
	const bool moves = !args->there || args->mover == MOVER_COPY;

	return (struct work){.bytes = moves ? (double)sysconf(_SC_PAGESIZE) : 0};
}

/* A copy faults, and a call that has nothing to do waits for all CPUs as well. */
static enum moves migrate_moves(const void *args)
{
	const struct migrate_args *a = args;

	if (a->there)
		return MOVES_VECTORS;
	return a->mover == MOVER_MIGRATE_PAGES ? MOVES_PROCESS : MOVES_TO_TARGETS;
}

static bool migrate_is_move(const void *args)
{
	const struct migrate_args *a = args;

	return !a->there;
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
	.migration.moves = migrate_moves,
	.migration.is_move = migrate_is_move,
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
	.unshare = free_shared,
};
