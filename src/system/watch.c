/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a thread's own scheduling counters. */
#include "system/watch.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int watch_open(void)
{
	return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

/* Reads the second of three numbers: time on the CPU, time waiting for the CPU, turns. */
static int64_t read_delay(int fd)
{
	char text[128], *end;
	ssize_t got = fd < 0 ? -1 : pread(fd, text, sizeof(text) - 1, 0);

	if (got <= 0)
		return -1;
	text[got] = '\0';
	strtoll(text, &end, 10);
	return *end == ' ' ? strtoll(end, NULL, 10) : -1;
}

void watch_take(struct watch *w, int delays)
{
	struct rusage r;

	w->delayed_ns = read_delay(delays);
	getrusage(RUSAGE_THREAD, &r);
	w->cpu = sched_getcpu();
	w->preempted = r.ru_nivcsw;
	w->blocked = r.ru_nvcsw;
	w->faults = r.ru_minflt + r.ru_majflt;
}

/* The perf event CPU_MIGRATIONS would be quicker, but without privileges it counts user mode only.
 * Migrations happen in the kernel, so the event would wrongly read 0. */
void watch_take_migrations(struct watch *w)
{
	char text[4096];
	int fd = open("/proc/thread-self/sched", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	w->migrations = -1;
	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return;
	text[got] = '\0';
	const char *field = strstr(text, "nr_migrations");
	const char *colon = field ? strchr(field, ':') : NULL;
	if (colon)
		w->migrations = strtoll(colon + 1, NULL, 10);
}

bool watch_take_stolen(int64_t *stolen, int n)
{
	const int64_t tick_ns = 1000000000 / sysconf(_SC_CLK_TCK);
	FILE *f = fopen("/proc/stat", "r");
	char line[512];
	bool any = false;

	memset(stolen, 0, (size_t)n * sizeof(*stolen));
	while (f && fgets(line, sizeof(line), f)) {
		long long ticks;
		int cpu;

		if (sscanf(line, "cpu%d %*u %*u %*u %*u %*u %*u %*u %lld", &cpu, &ticks) != 2)
			continue;
		any |= ticks > 0;
		if (cpu >= 0 && cpu < n)
			stolen[cpu] = ticks * tick_ns;
	}
	if (f)
		fclose(f);
	return any;
}
