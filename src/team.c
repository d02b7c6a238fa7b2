/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pins OpenMP threads and lets them run. */
#include "team.h"

#include <errno.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The first thread that could not be bound; the others only need to know that there is one. */
struct binding {
	atomic_int failed_thread; /* -1: none */
	int error;
};

static void bind_thread(const struct topo *t, const int *cpus, int i, struct binding *b)
{
	int none = -1;

	/* Bound anew each time, not once: whoever moved a thread meanwhile (another program, the
	 * OpenMP runtime) must not have the last word. */
	if (topo_bind(t, cpus[i]) && atomic_compare_exchange_strong(&b->failed_thread, &none, i))
		b->error = errno;
}

static int too_few(int obtained, int wanted, struct errors *e)
{
	error_add(e, STATUS_FAILED, NOWHERE, "OpenMP gave %d threads instead of %d", obtained,
		wanted);
	return error_hint(e, "unset OMP_THREAD_LIMIT, and see ulimit -u");
}

static int not_bound(const struct binding *b, const int *cpus, struct errors *e)
{
	int thread = atomic_load(&b->failed_thread);

	error_add(e, STATUS_PLACEMENT, NOWHERE, "thread %d cannot be bound to CPU %d: %s", thread,
		cpus[thread], strerror(b->error));
	return error_hint(e,
		"the CPU may have gone offline or out of this process's cpuset, or a "
		"sandbox forbids sched_setaffinity; affinity --topology shows what may be used");
}

int team_run(const struct topo *t, const int *cpus, int n, team_fn *fn, void *arg, struct errors *e)
{
	struct binding binding = {.failed_thread = -1};
	int obtained = 0;

	omp_set_dynamic(0);
#pragma omp parallel num_threads(n)
	{
		int i = omp_get_thread_num();

		if (i == 0)
			obtained = omp_get_num_threads();
		bind_thread(t, cpus, i, &binding);
#pragma omp barrier
		if (obtained == n && atomic_load(&binding.failed_thread) < 0)
			fn(arg, i);
	}
	if (obtained != n)
		return too_few(obtained, n, e);
	if (atomic_load(&binding.failed_thread) >= 0)
		return not_bound(&binding, cpus, e);
	return 0;
}

const char *team_unbind(void)
{
	static const char *const variables[] = {
		"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
	const char *found = NULL;
	cpu_set_t all;
	int places = omp_get_num_places();

	for (size_t i = 0; !found && i < sizeof(variables) / sizeof(*variables); i++)
		if (getenv(variables[i]))
			found = variables[i];
	if (!found || places < 1)
		return NULL;
	CPU_ZERO(&all);
	for (int p = 0; p < places; p++) {
		int n = omp_get_place_num_procs(p);
		int *ids = calloc((size_t)n + 1, sizeof(*ids));

		if (!ids)
			return NULL;
		omp_get_place_proc_ids(p, ids);
		for (int i = 0; i < n; i++)
			if (ids[i] < CPU_SETSIZE)
				CPU_SET(ids[i], &all);
		free(ids);
	}
	return sched_setaffinity(0, sizeof(all), &all) ? NULL : found;
}
