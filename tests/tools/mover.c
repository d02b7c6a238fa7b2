/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: mover PID CPU [TIMES]
 *
 * Plays another program that changes bindings: binds all threads of a process to a CPU, every 200
 * us until the process is gone, or TIMES times.
 */
#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PAUSE_US 200

/* Returns the number of threads that it found. */
static int move_all(const char *folder, const cpu_set_t *cpu)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	int found = 0;

	while (d && (entry = readdir(d))) {
		int thread = atoi(entry->d_name);

		if (thread > 0)
			found += !sched_setaffinity(thread, sizeof(*cpu), cpu);
	}
	if (d)
		closedir(d);
	return found;
}

int main(int argc, char **argv)
{
	char folder[64];
	cpu_set_t cpu;

	if (argc < 3) {
		fprintf(stderr, "usage: mover PID CPU [TIMES]\n");
		return 2;
	}
	snprintf(folder, sizeof(folder), "/proc/%d/task", atoi(argv[1]));
	CPU_ZERO(&cpu);
	CPU_SET(atoi(argv[2]), &cpu);
	for (int times = argc > 3 ? atoi(argv[3]) : -1; times != 0 && move_all(folder, &cpu);
		times--)
		usleep(PAUSE_US);
	return 0;
}
