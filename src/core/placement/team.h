/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs threads on CPUs. Only this module uses OpenMP. */
#ifndef TEAM_H
#define TEAM_H

#include "base/error.h"
#include "topology/topo.h"

/* The work of thread i of a team. */
typedef void team_fn(void *arg, int i);

/* Runs fn(arg, i) at the same time on n threads, thread i bound to cpus[i] (-1: to all CPUs that
 * the process may use). Thread 0 is the caller: it stays bound afterwards, and only it receives
 * signals. Nothing runs unless all threads were created and the kernel agreed to bind each. Returns
 * how many threads are still not bound, because something else binds them or a sandbox only
 * pretends to bind them. -1 with a message: STATUS_PLACEMENT, a CPU refused; STATUS_FAILED, too few
 * threads. */
int team_run(
	const struct topo *t, const int *cpus, int n, team_fn *fn, void *arg, struct errors *e);

/* Checks that n threads can exist at the same time, by starting them all and ending them. Call it
 * before the first team_run(), because the OpenMP runtime ends the process with its own message if
 * they cannot. 0, or -1 with a message. */
int team_check(int n, struct errors *e);

/* For threads of others: blocks all signals in the calling one but those that it causes itself, as
 * in all of a team but the first. */
void team_block_signals(void);

/* The hint where a thread cannot be bound to its CPU. Returns -1. */
int team_hint_unbound(struct errors *e);

/* Undoes the effect of OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY on the initial thread before
 * main(), so that topo_load() sees all CPUs that the process was given. Call it before topo_load().
 * Returns the variable that was undone, or NULL. */
const char *team_unbind(void);

#endif
