/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each time a thread is bound to a single CPU, writes that CPU as a line of the file BINDINGS. */
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int set_affinity(pid_t pid, size_t size, const cpu_set_t *set);

static void note(int cpu)
{
	char line[32];
	int length = snprintf(line, sizeof(line), "%d\n", cpu);
	int file = open(getenv("BINDINGS"), O_WRONLY | O_CREAT | O_APPEND, 0644);

	if (file < 0 || write(file, line, (size_t)length) != length)
		abort();
	close(file);
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	if (CPU_COUNT_S(size, set) == 1)
		for (int cpu = 0; cpu < (int)(8 * size); cpu++)
			if (CPU_ISSET_S(cpu, size, set))
				note(cpu);
	return ((set_affinity *)dlsym(RTLD_NEXT, "sched_setaffinity"))(pid, size, set);
}
