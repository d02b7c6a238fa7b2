/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds OpenMP threads and runs them. */
#include "placement/team.h"

#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "base/text.h"
#include "system/given_cpus.h"

/* Another program may bind a thread to another CPU just after it was bound here. */
#define MAX_TRIES 3

/* The first thread that could not be bound; for the others it is enough to know that one failed. */
struct binding {
	atomic_int failed_thread; /* -1: none */
	int error;
	atomic_int strays; /* threads that are not bound although the kernel agreed */
};

/* Asks the kernel for the mask: some sandboxes accept a binding and do nothing, and the CPU on
 * which a thread runs now does not show which other CPUs it may use. */
static bool is_bound(int cpu)
{
	unsigned long words[LINUX_MASK_WORDS] = {0};
	cpu_set_t *mask = (cpu_set_t *)words;

	return cpu < 0 || (!sched_getaffinity(0, sizeof(words), mask) &&
				  CPU_COUNT_S(sizeof(words), mask) == 1 &&
				  CPU_ISSET_S(cpu, sizeof(words), mask));
}

/* A thread that the kernel does not let anybody bind has the mask that the process was given. That
 * is enough if no certain CPU was asked for, or if there is only that one. */
static bool needs_no_binding(int cpu)
{
	return (errno == EPERM || errno == ENOSYS) && is_bound(cpu);
}

/* Binds the thread each time, because another program or the OpenMP runtime may have bound it
 * elsewhere since the last time. */
static void bind_thread(const struct topo *t, const int *cpus, int i, struct binding *b)
{
	int none = -1;

	for (int tries = 0; tries < MAX_TRIES; tries++) {
		if (topo_bind(t, cpus[i])) {
			if (needs_no_binding(cpus[i]))
				return;
			if (atomic_compare_exchange_strong(&b->failed_thread, &none, i))
				b->error = errno;
			return;
		}
		if (is_bound(cpus[i]))
			return;
	}
	atomic_fetch_add(&b->strays, 1);
}

/* Only thread 0, the caller, handles signals: it blocks them where they would do harm, and this
 * must work for the whole process. The other threads block all signals except those that a thread
 * causes itself: if these were blocked, they would end the process. */
void team_block_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}

static int too_few(int obtained, int wanted, struct errors *e)
{
	error_add(e, STATUS_FAILED, NOWHERE, "OpenMP gave %d thread%s instead of %d", obtained,
		text_s((unsigned)obtained), wanted);
	return error_hint(e, "unset OMP_THREAD_LIMIT, and see ulimit -u");
}

int team_hint_unbound(struct errors *e)
{
	return error_hint(e,
		"the CPU may have gone offline or out of this process's cpuset, or a "
		"sandbox forbids sched_setaffinity; affinity --topology shows what may be used");
}

static int not_bound(const struct binding *b, const int *cpus, struct errors *e)
{
	int thread = atomic_load(&b->failed_thread), cpu = cpus[thread];
	const char *why = strerror(b->error);

	if (cpu < 0)
		error_add(e, STATUS_PLACEMENT, NOWHERE,
			"thread %d cannot be bound to the CPUs of this process: %s", thread, why);
	else
		error_add(e, STATUS_PLACEMENT, NOWHERE, "thread %d cannot be bound to CPU %d: %s",
			thread, cpu, why);
	return team_hint_unbound(e);
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
		else
			team_block_signals();
		bind_thread(t, cpus, i, &binding);
#pragma omp barrier
		if (obtained == n && atomic_load(&binding.failed_thread) < 0)
			fn(arg, i);
	}
	if (obtained != n)
		return too_few(obtained, n, e);
	if (atomic_load(&binding.failed_thread) >= 0)
		return not_bound(&binding, cpus, e);
	return atomic_load(&binding.strays);
}

static void *wait_at(void *gate)
{
	pthread_mutex_lock(gate);
	pthread_mutex_unlock(gate);
	return NULL;
}

int team_check(int n, struct errors *e)
{
	pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
	pthread_t *others = alloc_zeroed((size_t)n, sizeof(*others));
	int started = 1, error = 0; /* the caller counts as one of them */

	pthread_mutex_lock(&gate);
	while (started < n && !error) {
		error = pthread_create(&others[started], NULL, wait_at, &gate);
		started += !error;
	}
	pthread_mutex_unlock(&gate);
	for (int i = 1; i < started; i++)
		pthread_join(others[i], NULL);
	free(others);
	if (!error)
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE, "%d threads are needed and %d can be started: %s", n,
		started, strerror(error));
	return error_hint(e, "ulimit -u, ulimit -v and the pids.max of the control group (systemd: "
			     "TasksMax) limit them");
}

const char *team_unbind(void)
{
	static const char *const variables[] = {
		"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};
	const char *found = NULL;

	for (size_t i = 0; !found && i < sizeof(variables) / sizeof(*variables); i++)
		if (getenv(variables[i]))
			found = variables[i];
	if (!found || omp_get_num_places() < 1)
		return NULL;
	return given_cpus_restore() ? NULL : found;
}
