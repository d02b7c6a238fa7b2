/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes that programs leave behind. This process adopts the orphans of its descendants
 * (PR_SET_CHILD_SUBREAPER), so that daemons too, which leave their process group and session,
 * become its children when their parents have ended.
 */
#ifndef LEFTOVERS_H
#define LEFTOVERS_H

#include <stddef.h>
#include <sys/types.h>

struct leftovers {
	pid_t *others; /* children before any program was started: from before our own exec */
	size_t count;
};

/* To be called before programs are started. */
void leftovers_find(struct leftovers *l);

/* Ends all children but those others, and waits for them. Returns how many were alive. */
int leftovers_end(const struct leftovers *l);

void leftovers_free(struct leftovers *l);

#endif
