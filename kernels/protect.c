/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The handler of SIGSEGV. What it calls is safe in a handler: system calls alone. */
#include "protect.h"

#include <errno.h>
#include <numaif.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define UNIT    ((size_t)2 << 20)
#define CHUNK   512 /* pages of a call: on the handler's stack */
#define VECTORS 64

struct protect {
	const struct moved_pages *pages;
	size_t unit, units;
	size_t *first;       /* [units + 1]: of the pages in pages->list */
	atomic_uchar *taken; /* [units] */
	atomic_bool armed;
	_Atomic uint64_t touched, missed;
};

/* A handler gets no argument of ours. */
static _Atomic(struct protect *) vectors[VECTORS];
static struct sigaction before;

static char *begin_of(const struct protect *p, size_t unit)
{
	char *base = p->pages->base;
	char *at = (char *)((uintptr_t)base / p->unit * p->unit) + unit * p->unit;

	return at < base ? base : at;
}

static char *end_of(const struct protect *p, size_t unit)
{
	char *end = p->pages->base + p->pages->bytes;
	char *at = (char *)((uintptr_t)p->pages->base / p->unit * p->unit) + (unit + 1) * p->unit;

	return at > end ? end : at;
}

static size_t unit_of(const struct protect *p, const char *address)
{
	return (uintptr_t)address / p->unit - (uintptr_t)p->pages->base / p->unit;
}

static struct protect *find(const char *address)
{
	for (int i = 0; i < VECTORS; i++) {
		struct protect *p = atomic_load(&vectors[i]);

		if (p && atomic_load(&p->armed) && address >= p->pages->base &&
			address < p->pages->base + p->pages->bytes)
			return p;
	}
	return NULL;
}

/* Statuses are no proof: another thread's move makes a page look busy or absent. */
static bool move_here(const struct protect *p, size_t unit)
{
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
		moved &= !move_pages(0, n, &p->pages->list[at], nodes, status, MPOL_MF_MOVE);
	}
	return moved;
}

/* Too many mappings, when every second unit is open. */
static bool open_all(struct protect *p)
{
	if (mprotect(p->pages->base, p->pages->bytes, PROT_READ | PROT_WRITE))
		return false;
	for (size_t unit = 0; unit < p->units; unit++)
		p->missed += !atomic_exchange(&p->taken[unit], 1);
	p->missed++;
	return true;
}

/* The permissions come first: Linux 6.1 moves no page that has none. A thread that finds the unit
 * taken comes again until it is open. */
static bool touch(struct protect *p, const char *address)
{
	const size_t unit = unit_of(p, address);
	char *from = begin_of(p, unit);

	if (atomic_exchange(&p->taken[unit], 1))
		return true;
	if (mprotect(from, (size_t)(end_of(p, unit) - from), PROT_READ | PROT_WRITE))
		return open_all(p);
	if (move_here(p, unit))
		p->touched++;
	else
		p->missed++;
	return true;
}

/* Where there was no handler, the access that is repeated ends the program. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN)
		sigaction(number, &before, NULL);
	else
		before.sa_handler(number);
}

static void handle(int number, siginfo_t *info, void *context)
{
	const int error = errno;
	struct protect *p = info->si_code == SEGV_ACCERR ? find(info->si_addr) : NULL;

	if (!p || !touch(p, info->si_addr))
		pass_on(number, info, context);
	errno = error;
}

/* As the driver's handler: it may leave by a jump, and needs a stack of its own where a kernel has
 * used up the thread's. */
static void install(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct sigaction action = {
		.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};

	struct sigaction now;

	pthread_mutex_lock(&lock);
	if (!sigaction(SIGSEGV, NULL, &now) && now.sa_sigaction != handle) {
		before = now;
		sigaction(SIGSEGV, &action, NULL);
	}
	pthread_mutex_unlock(&lock);
}

static bool enter(struct protect *p)
{
	for (int i = 0; i < VECTORS; i++) {
		struct protect *none = NULL;

		if (atomic_compare_exchange_strong(&vectors[i], &none, p))
			return true;
	}
	return false;
}

static void find_pages(struct protect *p)
{
	size_t page = 0;

	for (size_t unit = 0; unit < p->units; unit++) {
		while (page < p->pages->n && (char *)p->pages->list[page] < begin_of(p, unit))
			page++;
		p->first[unit] = page;
	}
	p->first[p->units] = p->pages->n;
}

struct protect *protect_make(const struct moved_pages *pages)
{
	struct protect *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->pages = pages;
	p->unit = pages->page_bytes > UNIT ? pages->page_bytes : UNIT;
	p->units = unit_of(p, pages->base + pages->bytes - 1) + 1;
	p->first = calloc(p->units + 1, sizeof(*p->first));
	p->taken = calloc(p->units, sizeof(*p->taken));
	if (p->first && p->taken && enter(p)) {
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
	for (int i = 0; i < VECTORS; i++) {
		struct protect *own = p;

		atomic_compare_exchange_strong(&vectors[i], &own, NULL);
	}
	free(p->first);
	free(p->taken);
	free(p);
}

int protect_arm(struct protect *p)
{
	install();
	for (size_t unit = 0; unit < p->units; unit++)
		atomic_store(&p->taken[unit], 0);
	p->touched = p->missed = 0;
	atomic_store(&p->armed, true);
	return mprotect(p->pages->base, p->pages->bytes, PROT_NONE);
}

int protect_disarm(struct protect *p)
{
	if (!atomic_load(&p->armed))
		return 0;
	int failed = mprotect(p->pages->base, p->pages->bytes, PROT_READ | PROT_WRITE);

	atomic_store(&p->armed, false);
	return failed;
}

uint64_t protect_touched(const struct protect *p)
{
	return p->touched;
}

uint64_t protect_missed(const struct protect *p)
{
	return p->missed;
}
