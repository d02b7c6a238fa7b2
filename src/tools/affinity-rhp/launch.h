/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the command with the library preloaded. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/linux.h"
#include "preload/rhp_memory.h"

/* How it is run. */
struct launch_plan {
	const char *path;  /* the command's file */
	char *const *argv; /* NULL at the end */
	uint64_t from_bytes;
	enum rhp_rest rest;
	enum rhp_take take;
	const unsigned char *weights; /* [RHP_NODES] of struct rhp_config, or NULL */
	const unsigned long *cpus;    /* [LINUX_MASK_WORDS] it runs on these; NULL: where this
					 process may */
	bool aside; /* for its figures: its output is thrown away, and a file that it reads as
		       standard input is left where it was; of a terminal it reads nothing */
	/* Called before the command is executed in this process; NULL: nothing is. Not 0: it is not
	 * executed. */
	int (*gate)(void *arg, pid_t process);
	/* Called in this period while it runs; NULL: never. */
	void (*tick)(void *arg, const struct rhp_share *share);
	uint64_t period_ns;
	void *arg;
};

struct launch {
	struct rhp_share *share; /* what its programs did; shared memory */
	int file;                /* of the shared memory */
	int status;              /* of the command as a shell has it: 128 + N for signal N */
	double user_s;           /* user time of the command and those that it waited for */
};

/* Starts the command and waits for its end. SIGTERM, SIGHUP, SIGINT and SIGQUIT that a process
 * sends to this one go to the command; those of the terminal reach both. 0, or -1 with a message:
 * it could not be started. launch_free() in either case. */
int launch_run(struct launch *l, const struct launch_plan *p, struct errors *e);
void launch_free(struct launch *l);

#endif
