/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of files in memory: what is there before a vector is touched, and what is dropped. */
#ifndef BACKED_H
#define BACKED_H

#include "placement/prepare.h"
#include "placement/touch.h"

/* Does touching the vector write to it? Not to a user's file. */
bool backed_writes(const struct mem *m);

/* Brings a mapped vector to where touching begins: a file `asis` is all in memory, another one is
 * dropped; a file of the run's own is written first. Sets *touch: it is to be touched now. 0, or -1
 * with a message (STATUS_PLACEMENT). */
int backed_begin(struct prepared *r, const struct plan *p, int vector, const struct touchers *who,
	const volatile sig_atomic_t *stop, bool *touch, struct errors *e);

/* Before each sample: drops the vectors of p that are to be cold. 0, or -1 with a message. */
int backed_cool(const struct prepared *r, const struct plan *p, struct errors *e);

/* Adds how the pages of a user's file come to lie elsewhere; false: the vector is no such file. */
bool backed_hint(const struct plan *p, int vector, struct errors *e);

#endif
