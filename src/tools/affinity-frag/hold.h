/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds a fragmented node until a signal, or until a command ends, and watches it. */
#ifndef HOLD_H
#define HOLD_H

#include "affinity-frag/node.h"

struct hold {
	const struct node *node;
	uint64_t left;     /* base pages in large blocks that were left */
	char *const *argv; /* of the command; argv[0] NULL: none */
	const char *path;  /* its file */

	/* Results. */
	int status;    /* to exit with: the command's, 128 + N when signal N ended it; 0 */
	uint64_t most; /* base pages in large blocks that were free at one time */
};

/* Warns on standard error as soon as clearly more is free in large blocks than was left. A first
 * ending signal is passed on to the command, a second one kills it. 0, or -1 with a message. */
int hold(struct hold *h, struct errors *e);

#endif
