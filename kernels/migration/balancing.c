/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and switches the setting of the kernel. */
#include "balancing.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SETTING "/proc/sys/kernel/numa_balancing"

/* Its bit that moves pages to threads; another one is for slow memory. */
#define TO_THREADS 1

/* What is switched is the machine's, so there is one of it. */
static struct {
	pthread_mutex_t lock;
	int opened, on; /* how often */
	int before;     /* the setting */
	int guard;      /* the end of a pipe: the process that puts it back reads until it closes */
	pid_t pid;      /* of that process */
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

int balancing_setting(void)
{
	FILE *f = fopen(SETTING, "r");
	int value = -1;

	if (f && fscanf(f, "%d", &value) != 1)
		value = -1;
	if (f)
		fclose(f);
	return value;
}

static int write_setting(int value)
{
	FILE *f = fopen(SETTING, "w");

	if (!f)
		return -1;
	int failed = fprintf(f, "%d\n", value) < 0;

	return fclose(f) || failed ? -1 : 0;
}

const char *balancing_lacks(bool switches, char *why, size_t n)
{
	const int value = balancing_setting();

	if (value < 0)
		snprintf(why, n, "this kernel has no NUMA balancing");
	else if (value & TO_THREADS)
		return NULL;
	else if (!switches)
		snprintf(why, n,
			"kernel.numa_balancing is %d: switch_balancing: yes has it switched on for "
			"the samples, sudo sysctl kernel.numa_balancing=1 for good",
			value);
	else if (access(SETTING, W_OK))
		snprintf(why, n,
			"kernel.numa_balancing is %d, and this process may not switch it: run it "
			"as root, or sudo sysctl kernel.numa_balancing=1 before",
			value);
	else
		return NULL;
	return why;
}

/* The process waits until the pipe closes. It is a new program, because a copy of this one would
 * share its pages, and shared pages do not move. Signals from a terminal do not reach it. */
static int spawn_guard(int reads, int setting)
{
	static char script[] = "read -r _; echo \"$1\"", name[] = "sh", option[] = "-c";
	char value[16];
	char *const argv[] = {name, option, script, name, value, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t all;

	snprintf(value, sizeof(value), "%d", shared.before);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, reads, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, setting, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&how);
	posix_spawnattr_setsigmask(&how, &all);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
	int failed = posix_spawn(&shared.pid, "/bin/sh", &files, &how, argv, environ);

	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	return failed;
}

/* 0, or what went wrong. */
static int start_guard(void)
{
	const int setting = open(SETTING, O_WRONLY | O_CLOEXEC);
	int ends[2], failed;

	if (setting < 0)
		return errno;
	if (pipe2(ends, O_CLOEXEC)) {
		failed = errno;
		close(setting);
		return failed;
	}
	failed = spawn_guard(ends[0], setting);
	close(setting);
	close(ends[0]);
	shared.guard = ends[1];
	if (failed)
		close(ends[1]);
	return failed;
}

const char *balancing_open(char *why, size_t n)
{
	int failed = 0;

	pthread_mutex_lock(&shared.lock);
	if (!shared.opened) {
		shared.before = balancing_setting();
		failed = start_guard();
	}
	shared.opened += !failed;
	pthread_mutex_unlock(&shared.lock);
	if (!failed)
		return NULL;
	snprintf(why, n, "switch_balancing: nothing would put kernel.numa_balancing back: %s",
		strerror(failed));
	return why;
}

void balancing_close(void)
{
	pthread_mutex_lock(&shared.lock);
	if (!--shared.opened) {
		close(shared.guard);
		waitpid(shared.pid, NULL, 0);
	}
	pthread_mutex_unlock(&shared.lock);
}

const char *balancing_on(char *why, size_t n)
{
	int failed = 0;

	pthread_mutex_lock(&shared.lock);
	if (!shared.on && write_setting(shared.before | TO_THREADS))
		failed = errno;
	shared.on += !failed;
	pthread_mutex_unlock(&shared.lock);
	if (!failed)
		return NULL;
	snprintf(why, n, "switch_balancing: kernel.numa_balancing does not let itself be set: %s",
		strerror(failed));
	return why;
}

/* What cannot be written now the other process writes at the end. */
void balancing_off(void)
{
	pthread_mutex_lock(&shared.lock);
	if (!--shared.on)
		write_setting(shared.before);
	pthread_mutex_unlock(&shared.lock);
}

double balancing_moved(void)
{
	FILE *f = fopen("/proc/vmstat", "r");
	unsigned long long count;
	double moved = NAN;
	char key[64];

	while (f && fscanf(f, "%63s %llu", key, &count) == 2)
		if (!strcmp(key, "numa_pages_migrated"))
			moved = (double)count;
	if (f)
		fclose(f);
	return moved;
}
