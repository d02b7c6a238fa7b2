/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What another process has done since it started. The process must be the user's own. */
#ifndef PROCESS_USE_H
#define PROCESS_USE_H

#include <stdio.h>
#include <sys/types.h>

struct process_use {
	double user_s; /* CPU time of all its threads, without that in the kernel; in steps of
			  the kernel's tick */
	double written_bytes; /* by write() and the like, wherever to; the kernel adds
				 those of a child when it has been waited for */
};

/* Of the lines of /proc/PID/stat and io. 0, or -1: they are not of the known form. */
int process_use_read(FILE *stat, FILE *io, struct process_use *use);

/* 0, or -1: the process is gone, or may not be asked, or the kernel does not count what it writes.
 */
int process_use_take(pid_t process, struct process_use *use);

#endif
