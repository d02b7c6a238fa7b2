/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads /proc/PID/stat and /proc/PID/io. */
#include "system/process_use.h"

#include <string.h>
#include <unistd.h>

#include "base/proc.h"

/* The name may contain anything; utime is the twelfth field behind its closing bracket. */
static int read_user(FILE *stat, double *user_s)
{
	char line[1024];
	size_t got = fread(line, 1, sizeof(line) - 1, stat);
	unsigned long ticks;

	line[got] = '\0';
	const char *rest = strrchr(line, ')');
	if (!rest ||
		sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1)
		return -1;
	*user_s = (double)ticks / (double)sysconf(_SC_CLK_TCK);
	return 0;
}

static int read_written(FILE *io, double *bytes)
{
	char line[128];

	while (fgets(line, sizeof(line), io))
		if (sscanf(line, "wchar: %lf", bytes) == 1)
			return 0;
	return -1;
}

int process_use_read(FILE *stat, FILE *io, struct process_use *use)
{
	return read_user(stat, &use->user_s) || read_written(io, &use->written_bytes) ? -1 : 0;
}

int process_use_take(pid_t process, struct process_use *use)
{
	FILE *stat = proc_open(process, "stat"), *io = proc_open(process, "io");
	int failed = !stat || !io || process_use_read(stat, io, use);

	if (stat)
		fclose(stat);
	if (io)
		fclose(io);
	return failed ? -1 : 0;
}
