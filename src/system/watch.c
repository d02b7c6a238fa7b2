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

void watch_take(struct watch *w)
{
	struct rusage r;

	getrusage(RUSAGE_THREAD, &r);
	w->cpu = sched_getcpu();
	w->preempted = r.ru_nivcsw;
	w->blocked = r.ru_nvcsw;
	w->faults = r.ru_minflt + r.ru_majflt;
}

/* The perf event CPU_MIGRATIONS would be quicker, but without privileges it counts user mode only,
 * and a migration happens in the kernel: it would read 0 and look like good news. */
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
