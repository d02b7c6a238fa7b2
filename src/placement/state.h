/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coherence state of a vector's lines before a sample: which CPU flushes, reads and writes them
 * last. */
#ifndef STATE_H
#define STATE_H

#include "placement/prepare.h"

/* Takes the steps of every vector that has some, in their order, from the CPUs that they name: by
 * the threads of p (which may be some of r's plan) that are there, else by the calling thread,
 * which is bound somewhere else afterwards. What is in the vectors stays. 0, or -1 with a message
 * (STATUS_PLACEMENT): a CPU could not be had. */
int state_set(const struct prepared *r, const struct plan *p, struct errors *e);

#endif
