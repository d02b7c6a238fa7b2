/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads call of their kernels beside the samples. Included in measure/ only. */
#ifndef CALLS_H
#define CALLS_H

#include "measure/workers.h"

/* Calls a step of thread i that runs its kernel; returns whether the kernel came back from it. If
 * not, c->complaints[i] says why. */
bool calls_guarded(struct workers *c, int i, void (*step)(struct workers *, int));

/* Each is the work of thread i of a team; arg is the struct workers. */
void calls_set_up(void *arg, int i);
void calls_choose(void *arg, int i);
void calls_reset(void *arg, int i);
void calls_arrange(void *arg, int i);
void calls_tell(void *arg, int i);
void calls_verify(void *arg, int i);
void calls_tear_down(void *arg, int i);

/* Does a kernel choose by trials? */
bool calls_chooses(const struct workers *c);

/* Has a kernel anything to tell of a sample? */
bool calls_tells(const struct workers *c);

/* What the threads complain of: 0, or -1 with a message of the first that does. */
int calls_told(const struct workers *c, struct errors *e);

#endif
