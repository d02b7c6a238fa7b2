/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "switches.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* The second of three numbers. A thread opens its own file: the next sample may be another's. */
static int64_t queued_ns(void)
{
	char text[128], *end;
	const int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	const ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return -1;
	text[got] = '\0';
	strtoll(text, &end, 10);
	return *end == ' ' ? strtoll(end, NULL, 10) : -1;
}

static void read_switches(struct switches *s)
{
	struct rusage use;

	getrusage(RUSAGE_THREAD, &use);
	s->voluntary = (uint64_t)use.ru_nvcsw;
	s->involuntary = (uint64_t)use.ru_nivcsw;
}

void switches_begin(struct switches *s)
{
	s->queued_ns = queued_ns();
	read_switches(s);
}

void switches_end(struct switches *s)
{
	struct switches now;

	read_switches(&now);
	now.queued_ns = queued_ns();
	s->voluntary = now.voluntary - s->voluntary;
	s->involuntary = now.involuntary - s->involuntary;
	s->queued_ns = s->queued_ns < 0 || now.queued_ns < 0 ? -1 : now.queued_ns - s->queued_ns;
}
