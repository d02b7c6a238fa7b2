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

#include "base/clock.h"

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

static int64_t read_cpu_clock(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		return -1;
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A fine clock has stepped after so long, one of ticks (1 to 10 ms) mostly has not. */
#define STEP_NS 10000u
#define STEPS   10

bool watch_cpu_clock(void)
{
	static int fine = -1;
	int stepped = 0;

	for (int i = 0; fine < 0 && i < STEPS; i++) {
		const int64_t before = read_cpu_clock();
		const uint64_t begin = clock_ns();

		while (clock_ns() - begin < STEP_NS)
			;
		stepped += before >= 0 && read_cpu_clock() > before;
	}
	if (fine < 0)
		fine = stepped == STEPS;
	return fine;
}

/* Both clocks are read within this time, which bounds the error of their difference, unless
 * something gets in between again and again. */
#define BOTH_NS 2000u
#define TRIES   5

static void read_clocks(struct watch *w)
{
	uint64_t begin;

	for (int i = 0; i < TRIES; i++) {
		begin = clock_ns();
		w->cpu_ns = read_cpu_clock();
		w->wall_ns = clock_ns();
		if (w->wall_ns - begin <= BOTH_NS)
			break;
	}
	if (!watch_cpu_clock())
		w->cpu_ns = -1;
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
	read_clocks(w);
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
