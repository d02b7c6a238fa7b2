/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel's calls return does not suffice to know which pages moved: mbind() returns 0 when
 * the node is full or pages are shared; move_pages() leaves out statuses when a page is pinned by
 * the kernel or the node is full, reports -EBUSY for the second address in a huge page, which moves
 * all the same, and a page that another thread is moving looks absent. So the pages are counted by
 * a query afterwards, in every case but two, which cost less: mbind() with MPOL_MF_STRICT proves
 * that all are there, and so does a move_pages() to one node that returns 0 and wrote that node
 * into every status.
 */
#include "spm/move.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Pages in one call of move_pages(), 64 MiB of 4 KiB: each call that moves makes every CPU drain
 * its lists of pages, so that few large calls cost less than many small ones. */
#define BATCH 16384

/* A page that another thread was moving may move the next time. */
#define TRIES 3

#define UNSET INT_MIN /* a status that the kernel did not write */

void spm_lists_free(struct spm_lists *l)
{
	free(l->pages);
	free(l->status);
	free(l->nodes);
	*l = (struct spm_lists){0};
}

static int make_room(struct spm_lists *l, size_t n)
{
	if (n <= l->room)
		return 0;
	spm_lists_free(l);
	l->pages = calloc(n, sizeof(*l->pages));
	l->status = calloc(n, sizeof(*l->status));
	l->nodes = calloc(n, sizeof(*l->nodes));
	if (l->pages && l->status && l->nodes) {
		l->room = n;
		return 0;
	}
	spm_lists_free(l);
	errno = ENOMEM;
	return -1;
}

static void *address_of(const struct spm_move *m, uintptr_t page)
{
	return (void *)(page * m->page_bytes);
}

static size_t pages_of(struct spm_run run)
{
	return run.end - run.first;
}

/* The first batch of the run. */
static struct spm_run batch_of(struct spm_run run)
{
	if (pages_of(run) > BATCH)
		run.end = run.first + BATCH;
	return run;
}

/* Moves those of the first n listed pages to the front that are on another node than they should.
 * *absent: how many are on none. Returns how many strays, or -1 and errno. */
static ssize_t keep_strays(const struct spm_move *m, size_t n, size_t *absent)
{
	struct spm_lists *l = m->lists;
	ssize_t strays = 0;

	*absent = 0;
	if (m->system->move(n, l->pages, NULL, l->status) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (l->status[i] < 0)
			++*absent;
		else if (l->status[i] != m->node)
			l->pages[strays++] = l->pages[i];
	return strays;
}

/* Lists the pages of a batch that are on another node. Returns how many, or -1 and errno. */
static ssize_t strays_of(const struct spm_move *m, struct spm_run batch)
{
	size_t n = pages_of(batch), absent;

	if (make_room(m->lists, n))
		return -1;
	for (size_t i = 0; i < n; i++)
		m->lists->pages[i] = address_of(m, batch.first + i);
	return keep_strays(m, n, &absent);
}

/* Why listed pages did not move, if some did not, after a call that returned `result`. */
static int reason_of(const struct spm_lists *l, size_t n, long result)
{
	if (result < 0)
		return errno;
	for (size_t i = 0; i < n && !result; i++)
		if (l->status[i] < 0 && l->status[i] != UNSET)
			return -l->status[i];
	return EBUSY;
}

static bool all_arrived(const struct spm_move *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (m->lists->status[i] != m->node)
			return false;
	return true;
}

/* Tries once to move the first n listed pages. Returns 0: all have moved; or why some did not. */
static int try_to_move(const struct spm_move *m, size_t n)
{
	struct spm_lists *l = m->lists;

	for (size_t i = 0; i < n; i++) {
		l->nodes[i] = m->node;
		l->status[i] = UNSET;
	}
	long result = m->system->move(n, l->pages, l->nodes, l->status);

	return !result && all_arrived(m, n) ? 0 : reason_of(l, n, result);
}

static bool can_change(int reason)
{
	return reason == EBUSY || reason == EAGAIN || reason == ENOENT;
}

/* Moves the first n listed pages, and adds to what moved. Returns 0, or -1 when the rest of the run
 * cannot move either. */
static int move_listed(const struct spm_move *m, size_t n, struct spm_moved *r)
{
	int reason = 0;

	for (int i = 0; n && i < TRIES; i++) {
		size_t absent = 0;

		reason = try_to_move(m, n);
		ssize_t left = reason ? keep_strays(m, n, &absent) : 0;

		if (left < 0) {
			reason = errno;
			break;
		}
		/* another thread has freed them, or moves them just now: not this call's */
		r->there += absent;
		r->moved += n - (size_t)left - absent;
		n = (size_t)left;
		if (!can_change(reason))
			break;
	}
	if (!n)
		return 0;
	r->refused += n;
	r->error = reason;
	return reason == ENOMEM || reason == ENODEV ? -1 : 0;
}

static struct spm_moved refuse_rest(struct spm_moved r, struct spm_run rest, int error)
{
	r.refused += pages_of(rest);
	r.error = error;
	return r;
}

static struct spm_moved by_move_pages(const struct spm_move *m)
{
	struct spm_moved r = {0};
	struct spm_run rest = m->run;
	bool full = false;

	while (pages_of(rest)) {
		struct spm_run batch = batch_of(rest);
		ssize_t strays = strays_of(m, batch);

		if (strays < 0)
			return refuse_rest(r, rest, errno);
		r.there += pages_of(batch) - (size_t)strays;
		if (full)
			r.refused += (size_t)strays;
		else
			full = move_listed(m, (size_t)strays, &r);
		rest.first = batch.end;
	}
	return r;
}

/* How many pages of the run are on another node; *stray: one of them. Returns -1 and errno when the
 * kernel does not say. */
static ssize_t count_strays(const struct spm_move *m, void **stray)
{
	struct spm_run rest = m->run;
	ssize_t sum = 0;

	while (pages_of(rest)) {
		struct spm_run batch = batch_of(rest);
		ssize_t strays = strays_of(m, batch);

		if (strays < 0)
			return -1;
		if (strays)
			*stray = m->lists->pages[0];
		sum += strays;
		rest.first = batch.end;
	}
	return sum;
}

static int bind_run(const struct spm_move *m, enum spm_binding binding)
{
	return m->system->bind(
		address_of(m, m->run.first), pages_of(m->run) * m->page_bytes, binding, m->node);
}

/* mbind() does not say why a page stayed; move_pages() of that page does. 0: it moved. */
static int reason_of_stray(const struct spm_move *m, void *stray)
{
	size_t absent;
	int reason;

	m->lists->pages[0] = stray;
	reason = try_to_move(m, 1);
	return reason && keep_strays(m, 1, &absent) ? reason : 0;
}

/* Some pages stayed. Those that another thread was moving may move now. Returns how many stay. */
static uint64_t try_again(const struct spm_move *m, void *stray, ssize_t strays, int *reason)
{
	struct spm_moved again;

	*reason = reason_of_stray(m, stray);
	if (*reason && !can_change(*reason))
		return (uint64_t)strays;
	again = by_move_pages(m);
	*reason = again.error;
	return again.refused;
}

/* Some pages are elsewhere, so that a move is worth a query. */
static struct spm_moved bind_and_count(const struct spm_move *m)
{
	struct spm_moved r = {0};
	void *stray = NULL;
	ssize_t before = count_strays(m, &stray), after;

	if (before < 0)
		return refuse_rest(r, m->run, errno);
	if (bind_run(m, SPM_BIND_MOVE))
		return by_move_pages(m);
	after = bind_run(m, SPM_BIND_CHECK) ? count_strays(m, &stray) : 0;
	if (after < 0)
		return refuse_rest(r, m->run, errno);
	if (after)
		r.refused = try_again(m, stray, after, &r.error);
	/* another thread may have moved pages away meanwhile */
	r.moved = (uint64_t)before > r.refused ? (uint64_t)before - r.refused : 0;
	r.there = pages_of(m->run) - r.moved - r.refused;
	return r;
}

static struct spm_moved by_mbind(const struct spm_move *m)
{
	struct spm_moved r = {.there = pages_of(m->run)};

	if (bind_run(m, SPM_BIND_CHECK)) {
		if (errno != EIO)
			return by_move_pages(m);
		r = bind_and_count(m);
	}
	if (r.refused || m->policy == SPM_POLICY_DEFAULT)
		bind_run(m, SPM_BIND_NOT);
	return r;
}

struct spm_moved spm_move(const struct spm_move *m)
{
	return m->mover == SPM_MBIND ? by_mbind(m) : by_move_pages(m);
}
