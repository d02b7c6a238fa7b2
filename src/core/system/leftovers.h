/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes that programs leave behind. This process adopts the orphans of its descendants
 * (PR_SET_CHILD_SUBREAPER). So daemons, which leave their process group and session, also become
 * its children when their parents have ended.
 */
#ifndef LEFTOVERS_H
#define LEFTOVERS_H

#include <stddef.h>
#include <sys/types.h>

struct leftovers {
	pid_t *others; /* children from before this process's own exec, before any program was
			  started */
	size_t count;
};

/* Call this before programs are started. */
void leftovers_find(struct leftovers *l);

/* Ends all children except `others`, and waits for them. Returns how many were alive. */
int leftovers_end(const struct leftovers *l);

void leftovers_free(struct leftovers *l);

#endif
