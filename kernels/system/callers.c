/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callers.h"

#include <stdatomic.h>

/* Threads of one operation run at a time; those of other kernels have nothing else in common. */
static _Alignas(64) atomic_int active;

/* A line each, so that counting takes none of another's: as many as Linux can have CPUs. */
#define LINES 8192
static struct {
	_Alignas(64) atomic_ullong calls;
} lines[LINES];

void callers_none(int workers)
{
	atomic_store(&active, 0);
	for (int i = 0; i < workers && i < LINES; i++)
		atomic_store(&lines[i].calls, 0);
}

void callers_enter(int id)
{
	atomic_store(&lines[id % LINES].calls, 0);
	atomic_fetch_add(&active, 1);
}

/* No other thread writes to the line: without an atomic addition, which shows in
 * the shortest calls. */
void callers_count(int id, uint64_t n)
{
	atomic_ullong *calls = &lines[id % LINES].calls;

	atomic_store_explicit(
		calls, atomic_load_explicit(calls, memory_order_relaxed) + n, memory_order_relaxed);
}

void callers_leave(void)
{
	atomic_fetch_sub(&active, 1);
}

bool callers_active(void)
{
	return atomic_load_explicit(&active, memory_order_acquire) > 0;
}

uint64_t callers_calls(int workers)
{
	uint64_t calls = 0;

	for (int i = 0; i < workers && i < LINES; i++)
		calls += atomic_load_explicit(&lines[i].calls, memory_order_relaxed);
	return calls;
}
