/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels that move a vector to its target have in common: where its pages are. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "migrate.h"

enum { ASKED, MOVED, THERE, REFUSED, KEPT, SPLIT, CALLS };

const struct kernel_figure migrate_figures[] = {
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

size_t migrate_base_pages(const struct vector *v)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (v->elements * v->element_size + page - 1) / page;
}

const char *migrate_begin(struct migrate *m, const struct vector *v, int target)
{
	m->target = target;
	const char *wrong = moved_pages_find(&m->pages, v, m->why, sizeof(m->why));

	for (size_t i = 0; !wrong && i < m->pages.n; i++)
		m->pages.nodes[i] = m->target;
	return wrong;
}

void migrate_start(struct migrate *m, uint64_t passes)
{
	m->calls = 0;
	m->failed = m->stopped = false;
	m->passes = passes;
}

const char *migrate_too_many(const struct migrate *m, const char *hint, char *why, size_t n)
{
	snprintf(why, n,
		"passes = %llu: only the first moves pages; larger vectors take longer, %s",
		(unsigned long long)m->passes, hint);
	return why;
}

/* Where the pages are that count: the vector's or the copy's. */
static int count(const struct migrate *m, int mover, struct moved_count *c)
{
	const char *base = mover == MOVER_COPY ? m->copy : m->pages.base;

	*c = (struct moved_count){0};
	return base ? moved_pages_count(&m->pages, base, m->target, c) : -1;
}

size_t migrate_on_target(const struct migrate *m, int mover)
{
	struct moved_count c;

	count(m, mover, &c);
	return c.on;
}

static void tell_huge(const struct migrate *m, double *values)
{
	const struct moved_pages *p = &m->pages;
	const size_t huge = moved_pages_huge(p->base, p->bytes);

	values[KEPT] = (double)(huge / p->huge_page);
	values[SPLIT] = huge < p->huge_bytes ? (double)((p->huge_bytes - huge) / p->huge_page) : 0;
}

void migrate_tell_pages(
	const struct migrate *m, int mover, size_t asked, bool tells, double *values)
{
	struct moved_count c;

	values[ASKED] = (double)asked;
	values[MOVED] = values[REFUSED] = values[KEPT] = values[SPLIT] = 0;
	values[THERE] = (double)asked;
	values[CALLS] = (double)m->calls;
	if (!tells)
		return;
	if (count(m, mover, &c)) {
		values[MOVED] = values[THERE] = NAN;
		values[REFUSED] = m->copy || mover != MOVER_COPY ? NAN : (double)asked;
		return;
	}
	values[MOVED] = (double)c.moved;
	values[REFUSED] = (double)(c.pages - c.on);
	values[THERE] = (double)(asked - c.moved - (c.pages - c.on));
	if (m->pages.huge_bytes && mover != MOVER_COPY) /* its mapping may be larger than it */
		tell_huge(m, values);
}
