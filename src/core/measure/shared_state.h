/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads with the same kernel and the same first vector have in common (kernel.h: share). */
#ifndef SHARED_STATE_H
#define SHARED_STATE_H

#include "measure/workers.h"

/* Calls share() where it is due and gives all workers the result. Complaints are in c->complaints.
 * 0, or -1 with a message: the threads cannot run. */
int shared_state_make(struct workers *c, struct errors *e);

/* Calls unshare(). Call it when all threads have been torn down. */
void shared_state_free(struct workers *c);

#endif
