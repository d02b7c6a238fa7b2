/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Job control: waits for, stops and continues running programs, as a shell does for its jobs. */
#ifndef JOBS_H
#define JOBS_H

#include <signal.h>
#include <stdint.h>

#include "affinity-map/launch.h"

struct jobs {
	struct launch *programs;
	int n, running;
	sigset_t waited;      /* signals that jobs_wait() waits for */
	uint64_t *stopped_ns; /* [n]: the time since which a program is stopped; 0: it is not */
	int *stop;            /* [n]: the signal that stopped it */
	bool *resumed;        /* [n]: continued by this process; wait() has not reported that yet */
	int terminal;         /* /dev/tty, or -1 */
	pid_t front;          /* the program that has the terminal; 0: this process has it */
};

/* Fills in all fields but programs and n, blocks the signals that jobs_wait() waits for, and
 * returns the earlier mask in *before. */
void jobs_init(struct jobs *j, sigset_t *before);
void jobs_free(struct jobs *j);

/* Sends a signal that ends programs to the groups of all running programs. */
void jobs_signal(struct jobs *j, int number);

/* Waits until all programs have ended, and fills in their results (launch.h). begin_ns: clock_ns()
 * when they were started. Returns the signal that interrupted the wait, or 0. */
int jobs_wait(struct jobs *j, uint64_t begin_ns);

#endif
