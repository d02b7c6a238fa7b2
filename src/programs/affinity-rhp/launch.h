/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the command with the library preloaded. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "base/error.h"
#include "preload/rhp_share.h"
#include "programs/affinity-rhp/options.h"

struct launch {
	struct rhp_share *share; /* what its programs did; shared memory */
	int file;                /* of the shared memory */
	int status;              /* of the command as a shell has it: 128 + N for signal N */
};

/* Starts path, the command's file, and waits for its end. SIGTERM, SIGHUP, SIGINT and SIGQUIT that
 * a process sends to this one go to the command; those of the terminal reach both. 0, or -1 with a
 * message: it could not be started. launch_free() in either case. */
int launch_run(struct launch *l, const struct rhp_options *o, const char *path, struct errors *e);
void launch_free(struct launch *l);

#endif
