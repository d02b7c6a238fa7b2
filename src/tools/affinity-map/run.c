/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each program its shared memory and its environment, and launches the programs. */
#include "base/text.h"
#include "affinity-map/run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "affinity-map/launch.h"
#include "preload/map_memory.h"
#include "system/preload.h"
#include "system/program.h"

extern char **environ;

char *map_library(struct errors *e)
{
	return preload_find("affinity-map.so", e);
}

/* Shared memory that other processes open by the path of this process's descriptor. It disappears
 * when this process ends. */
static struct map_share *make_share(
	const struct map_app *app, const int *cpus, int *fd, struct errors *e)
{
	struct map_share *s = MAP_FAILED;

	*fd = memfd_create("affinity-map", MFD_CLOEXEC);
	if (*fd >= 0 && !ftruncate(*fd, sizeof(*s)))
		s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (s == MAP_FAILED) {
		error_add(e, STATUS_FAILED, NOWHERE, "no shared memory for '%s': %s", app->name,
			strerror(errno));
		return NULL;
	}
	s->magic = MAP_SHARE_MAGIC;
	s->bind = cpus[0] >= 0;
	s->execs = 1;
	s->nseats = app->threads < MAP_SHARE_CPUS ? app->threads : MAP_SHARE_CPUS;
	for (int i = 0; i < s->nseats; i++)
		s->seats[i].cpu = cpus[i];
	return s;
}

/* Variables that would also bind threads, or that make_environment() sets. */
static bool is_ours(const char *entry)
{
	static const char *const names[] = {"LD_PRELOAD", MAP_SHARE_VARIABLE, "OMP_PROC_BIND",
		"OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t length = strlen(names[i]);

		if (!strncmp(entry, names[i], length) && entry[length] == '=')
			return true;
	}
	return false;
}

/* If the user has set OMP_NUM_THREADS, that value stays. */
static char **make_environment(const struct map_app *app, const char *library, int fd)
{
	const char *before = getenv("LD_PRELOAD");
	size_t count = 0, n = 0;

	while (environ[count])
		count++;
	char **env = alloc_zeroed(count + 4, sizeof(*env));
	for (size_t i = 0; i < count; i++)
		if (!is_ours(environ[i]))
			env[n++] = alloc_string(environ[i], strlen(environ[i]));
	env[n++] = alloc_format(
		"LD_PRELOAD=%s%s%s", library, before && *before ? ":" : "", before ? before : "");
	env[n++] = alloc_format(MAP_SHARE_VARIABLE "=/proc/%d/fd/%d", (int)getpid(), fd);
	if (!getenv("OMP_NUM_THREADS"))
		env[n++] = alloc_format("OMP_NUM_THREADS=%d", app->threads);
	return env;
}

static void free_environment(char **env)
{
	for (size_t i = 0; env && env[i]; i++)
		free(env[i]);
	free(env);
}

/* A program that did not load the library may have executed others that loaded it. */
static int lost_programs(const struct map_share *s)
{
	int loaded = atomic_load(&s->processes);
	int lost = atomic_load(&s->execs) - (loaded ? loaded : 1);

	return lost > 0 ? lost : 0;
}

/* Processes that were left behind have been ended, perhaps before they could load the library. */
static void fill_sample(
	struct map_sample *sample, const struct launch *p, const struct map_share *s, int strays)
{
	bool left = p->left || strays;

	*sample = (struct map_sample){.wall_s = p->wall_s,
		.user_s = p->user_s,
		.system_s = p->system_s,
		.resident_bytes = p->resident_bytes,
		.status = p->status,
		.ended = p->ended,
		.left = p->left,
		.strays = p->strays,
		.paused = p->paused,
		.stuck = p->stuck,
		.stopped = p->stopped,
		.exec_error = p->error,
		.processes = atomic_load(&s->processes),
		.threads = atomic_load(&s->threads),
		.most_threads = atomic_load(&s->most),
		.refused = atomic_load(&s->refused),
		.own = atomic_load(&s->own),
		.lost = left ? 0 : lost_programs(s)};
}

int map_run(const struct map_layout *l, const struct map_app *apps, int n, const char *library,
	const struct map_probe *probe, struct map_sample *samples, int *interrupted,
	struct errors *e)
{
	struct launch *programs = alloc_zeroed((size_t)n, sizeof(*programs));
	struct map_share **shares = alloc_zeroed((size_t)n, sizeof(*shares));
	char ***environments = alloc_zeroed((size_t)n, sizeof(*environments));
	int *fds = alloc_zeroed((size_t)n, sizeof(*fds)), failed = 0;

	for (int i = 0; i < n && !failed; i++) {
		bool bound = l->cpus[i][0] >= 0;

		shares[i] = make_share(&apps[i], l->cpus[i], &fds[i], e);
		failed = shares[i] ? 0 : -1;
		environments[i] = make_environment(&apps[i], library, fds[i]);
		programs[i] = (struct launch){.path = apps[i].path,
			.argv = apps[i].argv,
			.env = environments[i],
			.cpus = l->cpus[i],
			.ncpus = bound ? apps[i].threads : 0,
			.mute = probe != NULL,
			.held = probe ? probe->held : NULL,
			.arg = probe ? probe->arg : NULL};
	}
	if (!failed)
		failed = launch_all(programs, n, interrupted, e);
	for (int i = 0; i < n; i++) {
		if (!failed)
			fill_sample(&samples[i], &programs[i], shares[i], programs[0].strays);
		if (shares[i])
			munmap(shares[i], sizeof(**shares));
		if (environments[i])
			close(fds[i]);
		free_environment(environments[i]);
	}
	free(environments);
	free(programs);
	free(shares);
	free(fds);
	return failed;
}

static int judge_sample(const struct map_app *app, const struct map_sample *s, struct errors *e)
{
	if (s->exec_error) {
		error_add(e, STATUS_FAILED, NOWHERE, "'%s' cannot be executed: %s", app->path,
			strerror(s->exec_error));
		return STATUS_FAILED;
	}
	if (s->stuck) {
		error_add(e, STATUS_FAILED, NOWHERE, "'%s' was stopped by signal %d (%s)",
			app->name, s->stuck, strsignal(s->stuck));
		if (s->stuck == SIGTTIN || s->stuck == SIGTTOU)
			error_hint(e, "it needs the terminal, which only a command in the "
				      "foreground has");
		else
			error_hint(e, "no process continued it for 2 seconds, so it was ended");
		return 128 + s->stuck;
	}
	if (s->ended) {
		error_warn(e, "'%s' was ended", app->name);
		return 0;
	}
	if (WIFSIGNALED(s->status)) {
		int number = WTERMSIG(s->status);

		error_add(e, STATUS_FAILED, NOWHERE, "'%s' died by signal %d (%s)", app->name,
			number, strsignal(number));
		return 128 + number;
	}
	if (WEXITSTATUS(s->status))
		error_add(e, STATUS_FAILED, NOWHERE, "'%s' ended with status %d", app->name,
			WEXITSTATUS(s->status));
	return WEXITSTATUS(s->status);
}

int map_judge(const struct map_app *apps, int n, const struct map_sample *samples, int interrupted,
	struct errors *e)
{
	int first = 0;

	for (int i = 0; i < n; i++) {
		int status = judge_sample(&apps[i], &samples[i], e);

		first = first ? first : status;
	}
	if (!interrupted)
		return first;
	error_add(e, STATUS_FAILED, NOWHERE, "interrupted by signal %d (%s)", interrupted,
		strsignal(interrupted));
	return 128 + interrupted;
}

static void warn_of_leftovers(
	const struct map_app *apps, int n, const struct map_sample *s, struct errors *e)
{
	for (int i = 0; i < n; i++)
		if (s[i].left || (s->strays && n == 1))
			error_warn(e, "'%s' left processes behind; they were ended", apps[i].name);
	if (s->strays && n > 1)
		error_warn(e, "programs left processes behind that had left their groups; "
			      "they were ended");
}

/* Problems that make a run unreliable but do not end it. */
static void warn_of(const struct map_app *app, const struct map_layout *l,
	const struct map_sample *s, struct errors *e)
{
	char unused[512];

	if (s->stopped && !s->ended)
		error_warn(e, "'%s' was stopped and continued: its wall-clock time includes that",
			app->name);
	if (!s->processes && !s->exec_error && !program_deaf(app->path, unused, sizeof(unused)))
		error_warn(
			e, "'%s' did not load the library; its threads were not bound", app->name);
	if (s->lost) {
		error_warn(e, "'%s' executed %d program%s that did not load the library", app->name,
			s->lost, s->lost == 1 ? "" : "s");
		error_hint(e,
			"they ran on all CPUs of '%s', unbound and not counted: static and "
			"setuid programs, and environments without LD_PRELOAD (env -i)",
			app->name);
	}
	if (s->refused)
		error_warn(e, "%d thread%s of '%s' could not be bound", s->refused,
			text_s((unsigned)s->refused), app->name);
	if (s->own && l->cpus[0][0] >= 0) {
		error_warn(e, "'%s' bound threads itself %d time%s: not all ran where mapped",
			app->name, s->own, text_s((unsigned)s->own));
		error_hint(e, "programs have options for that: leave them out");
	}
}

void map_warn(const struct map_layout *l, const struct map_app *apps, int n,
	const struct map_sample *samples, struct errors *e)
{
	for (int i = 0; i < n; i++)
		warn_of(&apps[i], l, &samples[i], e);
	warn_of_leftovers(apps, n, samples, e);
}
