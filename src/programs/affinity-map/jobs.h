/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Job control: programs that run, as a shell sees to its jobs. */
#ifndef JOBS_H
#define JOBS_H

#include <signal.h>
#include <stdint.h>

#include "programs/affinity-map/launch.h"

struct jobs {
	struct launch *programs;
	int n, running;
	sigset_t waited;      /* signals that jobs_wait() waits for */
	uint64_t *stopped_ns; /* [n]: since when a program is stopped; 0: it is not */
	int *stop;            /* [n]: by which signal */
	bool *resumed;        /* [n]: by us, and wait() has not reported it yet */
	int terminal;         /* /dev/tty, or -1 */
	pid_t front;          /* the program that has the terminal, or 0: this process has */
};

/* Fills in all but programs and n, blocks the signals that jobs_wait() takes, and returns the
 * earlier mask in *before. */
void jobs_init(struct jobs *j, sigset_t *before);
void jobs_free(struct jobs *j);

/* Sends a signal to the groups of all programs that run, which is to end them. */
void jobs_signal(struct jobs *j, int number);

/* Waits until all have ended, and fills in what launch.h has of them. begin_ns: clock_ns() when
 * they were started. Returns the signal that interrupted, or 0. */
int jobs_wait(struct jobs *j, uint64_t begin_ns);

#endif
