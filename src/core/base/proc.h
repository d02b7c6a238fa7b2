/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of /proc about another process. */
#ifndef PROC_H
#define PROC_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Opens /proc/PID/NAME to be read; NULL and errno: the process is gone, or may not be asked. */
FILE *proc_open(pid_t process, const char *name);

/* A line of /proc/PID/stat or task/TID/stat (proc_pid_stat(5)). */
struct proc_stat {
	char name[64]; /* cut where it is longer */
	char state;    /* 'Z': a zombie */
	int parent, group;
	unsigned flags;
	uint64_t user, system; /* CPU time, in ticks of sysconf(_SC_CLK_TCK) */
	int cpu;               /* that it ran on last; -1: not told */
};

/* 0, or -1: it is not of that form. */
int proc_stat_read(FILE *in, struct proc_stat *s);

/* That of a process, or of one of its threads; thread 0: of all of them. 0, or -1: it is gone, or
 * may not be asked. */
int proc_stat(pid_t process, pid_t thread, struct proc_stat *s);

/* Calls with each number that a folder has an entry for: processes of /proc, threads of
 * /proc/PID/task. */
void proc_each(const char *folder, void (*call)(void *with, int number), void *with);

#endif
