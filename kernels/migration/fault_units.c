/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The handler. What it calls is safe in a handler: system calls alone. */
#include "fault_units.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define UNIT    ((size_t)2 << 20)
#define VECTORS 64

/* A handler gets no argument of ours. */
static _Atomic(struct fault_units *) vectors[VECTORS];

static const int signals[] = {SIGSEGV, SIGBUS};
static struct sigaction before[2];

static uintptr_t base_of(const struct fault_units *u)
{
	return (uintptr_t)u->pages->base;
}

char *fault_units_begin(const struct fault_units *u, size_t unit)
{
	char *at = (char *)(base_of(u) / u->unit * u->unit) + unit * u->unit;

	return at < u->pages->base ? u->pages->base : at;
}

char *fault_units_end(const struct fault_units *u, size_t unit)
{
	char *end = u->pages->base + u->pages->bytes;
	char *at = (char *)(base_of(u) / u->unit * u->unit) + (unit + 1) * u->unit;

	return at > end ? end : at;
}

static size_t unit_of(const struct fault_units *u, const char *address)
{
	return (uintptr_t)address / u->unit - base_of(u) / u->unit;
}

static struct fault_units *find(int number, const siginfo_t *info)
{
	const char *address = info->si_addr;

	for (int i = 0; i < VECTORS; i++) {
		struct fault_units *u = atomic_load(&vectors[i]);

		if (u && atomic_load(&u->armed) && u->signal == number &&
			u->code == info->si_code && address >= u->pages->base &&
			address < u->pages->base + u->pages->bytes)
			return u;
	}
	return NULL;
}

/* A thread that finds the unit taken comes again until it is open. */
static bool touch(struct fault_units *u, const char *address)
{
	const size_t unit = unit_of(u, address);

	return atomic_exchange(&u->taken[unit], 1) || u->open(u, unit);
}

/* Where there was no handler, the access that is repeated ends the program. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	const struct sigaction *former = &before[number != signals[0]];

	if (former->sa_flags & SA_SIGINFO)
		former->sa_sigaction(number, info, context);
	else if (former->sa_handler == SIG_DFL || former->sa_handler == SIG_IGN)
		sigaction(number, former, NULL);
	else
		former->sa_handler(number);
}

static void handle(int number, siginfo_t *info, void *context)
{
	const int error = errno;
	struct fault_units *u = find(number, info);

	if (!u || !touch(u, info->si_addr))
		pass_on(number, info, context);
	errno = error;
}

/* As the driver's handler: it may leave by a jump, and needs a stack of its own where a kernel has
 * used up the thread's. */
static void install(int number)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct sigaction action = {
		.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	struct sigaction now;

	pthread_mutex_lock(&lock);
	if (!sigaction(number, NULL, &now) && now.sa_sigaction != handle) {
		before[number != signals[0]] = now;
		sigaction(number, &action, NULL);
	}
	pthread_mutex_unlock(&lock);
}

int fault_units_enter(struct fault_units *u)
{
	const size_t page = u->pages->page_bytes;

	u->unit = page > UNIT ? page : UNIT;
	u->n = unit_of(u, u->pages->base + u->pages->bytes - 1) + 1;
	u->taken = calloc(u->n, sizeof(*u->taken));
	for (int i = 0; i < VECTORS && u->taken; i++) {
		struct fault_units *none = NULL;

		if (atomic_compare_exchange_strong(&vectors[i], &none, u))
			return 0;
	}
	return -1;
}

void fault_units_leave(struct fault_units *u)
{
	for (int i = 0; i < VECTORS; i++) {
		struct fault_units *own = u;

		atomic_compare_exchange_strong(&vectors[i], &own, NULL);
	}
	free(u->taken);
	u->taken = NULL;
}

void fault_units_arm(struct fault_units *u)
{
	install(u->signal);
	for (size_t unit = 0; unit < u->n; unit++)
		atomic_store(&u->taken[unit], 0);
	u->touched = u->missed = 0;
	atomic_store(&u->armed, true);
}
