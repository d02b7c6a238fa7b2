/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets the coherence state of a vector's lines before a sample: chosen CPUs flush, read and write
 * them. */
#ifndef STATE_H
#define STATE_H

#include "placement/prepare.h"

/* Performs the steps of all vectors in their order, each on the CPU that it names: by the thread of
 * p that is bound there (p may contain only some threads of r's plan), else by the calling thread,
 * which stays bound to that CPU afterwards. The content of the vectors does not change. 0, or -1
 * with a message (STATUS_PLACEMENT) when no thread can run on a CPU. */
int state_set(const struct prepared *r, const struct plan *p, struct errors *e);

#endif
