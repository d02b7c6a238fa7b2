/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units without permissions. What is called in the handler of SIGSEGV are system calls alone. */
#include "protect.h"

#include <numaif.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "fault_units.h"

#define CHUNK 512 /* pages of a call: on the handler's stack */

struct protect {
	struct fault_units units; /* first: open() gets its address */
	size_t *first;            /* [units + 1]: of the pages in pages->list */
};

/* Statuses are no proof: another thread's move makes a page look busy or absent. */
static bool move_here(const struct protect *p, size_t unit)
{
	const struct moved_pages *pages = p->units.pages;
	int nodes[CHUNK], status[CHUNK];
	bool moved = true;
	unsigned node;

	if (getcpu(NULL, &node))
		return false;
	for (int i = 0; i < CHUNK; i++)
		nodes[i] = (int)node;
	for (size_t at = p->first[unit], n; at < p->first[unit + 1]; at += n) {
		n = p->first[unit + 1] - at;
		n = n < CHUNK ? n : CHUNK;
		moved &= !move_pages(0, n, &pages->list[at], nodes, status, MPOL_MF_MOVE);
	}
	return moved;
}

static int permit(const struct moved_pages *pages)
{
	return mprotect(pages->base, pages->bytes, PROT_READ | PROT_WRITE);
}

/* Too many mappings, when every second unit is open. */
static bool open_all(struct fault_units *u)
{
	if (permit(u->pages))
		return false;
	for (size_t unit = 0; unit < u->n; unit++)
		u->missed += !atomic_exchange(&u->taken[unit], 1);
	u->missed++;
	return true;
}

/* The permissions come first: Linux 6.1 moves no page that has none. */
static bool open_unit(struct fault_units *u, size_t unit)
{
	char *from = fault_units_begin(u, unit);

	if (mprotect(from, (size_t)(fault_units_end(u, unit) - from), PROT_READ | PROT_WRITE))
		return open_all(u);
	if (move_here((struct protect *)u, unit))
		u->touched++;
	else
		u->missed++;
	return true;
}

static void find_pages(struct protect *p)
{
	const struct moved_pages *pages = p->units.pages;
	size_t page = 0;

	for (size_t unit = 0; unit < p->units.n; unit++) {
		while (page < pages->n &&
			(char *)pages->list[page] < fault_units_begin(&p->units, unit))
			page++;
		p->first[unit] = page;
	}
	p->first[p->units.n] = pages->n;
}

struct protect *protect_make(const struct moved_pages *pages)
{
	struct protect *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->units.pages = pages;
	p->units.signal = SIGSEGV;
	p->units.code = SEGV_ACCERR;
	p->units.open = open_unit;
	if (!fault_units_enter(&p->units))
		p->first = calloc(p->units.n + 1, sizeof(*p->first));
	if (p->first) {
		find_pages(p);
		return p;
	}
	protect_free(p);
	return NULL;
}

void protect_free(struct protect *p)
{
	if (!p)
		return;
	protect_disarm(p);
	fault_units_leave(&p->units);
	free(p->first);
	free(p);
}

int protect_arm(struct protect *p)
{
	fault_units_arm(&p->units);
	return mprotect(p->units.pages->base, p->units.pages->bytes, PROT_NONE);
}

int protect_disarm(struct protect *p)
{
	if (!atomic_load(&p->units.armed))
		return 0;
	int failed = permit(p->units.pages);

	atomic_store(&p->units.armed, false);
	return failed;
}

uint64_t protect_touched(const struct protect *p)
{
	return p->units.touched;
}

uint64_t protect_missed(const struct protect *p)
{
	return p->units.missed;
}
