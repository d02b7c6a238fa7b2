/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads /proc/PID/stat and /proc/PID/io. */
#include "system/process_use.h"

#include <unistd.h>

#include "base/proc.h"

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
	struct proc_stat of;

	if (proc_stat_read(stat, &of) || read_written(io, &use->written_bytes))
		return -1;
	use->user_s = (double)of.user / (double)sysconf(_SC_CLK_TCK);
	return 0;
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
