/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads on CPUs: the only user of OpenMP. */
#ifndef TEAM_H
#define TEAM_H

#include "base/error.h"
#include "topology/topo.h"

/* What thread i of a team does. */
typedef void team_fn(void *arg, int i);

/* Runs fn(arg, i) at the same time on n threads, thread i bound to cpus[i] (-1: to all that the
 * process may use). Thread 0 is the caller: it stays bound afterwards, and signals come to it
 * alone. Nothing runs unless every thread was obtained and the kernel agreed to bind it. Returns
 * how many threads are not bound nevertheless, because something else binds them or a sandbox
 * only pretends to. -1 with a message: STATUS_PLACEMENT, a CPU refused;
 * STATUS_FAILED, too few threads. */
int team_run(
	const struct topo *t, const int *cpus, int n, team_fn *fn, void *arg, struct errors *e);

/* Can n threads exist at the same time? Call it before the first team_run(): where they cannot, the
 * OpenMP runtime ends the process with a message of its own. Starts them all and ends them. 0,
 * or -1 with a message. */
int team_check(int n, struct errors *e);

/* Undoes what OMP_PROC_BIND, OMP_PLACES or GOMP_CPU_AFFINITY did to the initial thread before
 * main() began, so that the machine is seen as the process was given it: the union of OpenMP's
 * places. Call it before topo_load(). Returns the variable that was undone, or NULL. */
const char *team_unbind(void);

#endif
