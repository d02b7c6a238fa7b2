/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of /proc about another process. */
#ifndef PROC_H
#define PROC_H

#include <stdio.h>
#include <sys/types.h>

/* Opens /proc/PID/NAME to be read; NULL and errno: the process is gone, or may not be asked. */
static inline FILE *proc_open(pid_t process, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)process, name);
	return fopen(path, "re");
}

#endif
