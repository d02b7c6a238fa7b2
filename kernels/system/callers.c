/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "callers.h"

#include <stdatomic.h>

/* Threads of one operation run at a time; those of other kernels have nothing else in common. */
static _Alignas(64) atomic_int active;
static _Alignas(64) atomic_ullong calls;

void callers_none(void)
{
	atomic_store(&active, 0);
	atomic_store(&calls, 0);
}

void callers_enter(void)
{
	atomic_fetch_add(&active, 1);
}

void callers_leave(uint64_t n)
{
	atomic_fetch_add(&calls, n);
	atomic_fetch_sub(&active, 1);
}

bool callers_active(void)
{
	return atomic_load_explicit(&active, memory_order_relaxed) > 0;
}

uint64_t callers_calls(void)
{
	return atomic_load(&calls);
}
