/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A note beside the running program, of what a node had in large blocks before: the next start
 * finds it after a SIGKILL. A file of /dev/shm for each node and user, locked while its program
 * runs, gone at its end and at the next boot of the machine.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdint.h>

#include "base/error.h"

struct record {
	int fd; /* -1: none can be made */
	char name[64];
	uint64_t found; /* base pages that one which was killed noted; 0: none was */
};

/* 0, or -1 with a message: another affinity-frag of this user holds the node. */
int record_open(struct record *r, int node, struct errors *e);

/* Notes base pages. */
void record_note(struct record *r, uint64_t pages);

/* Removes the note; or leaves it, as blocks are still to be driven together. */
void record_close(struct record *r, bool done);

#endif
