/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of prepare.h share: the placement of a vector that is mapped. */
#ifndef FOUND_H
#define FOUND_H

#include "placement/prepare.h"
#include "placement/touch.h"

struct placement *found_now(const struct prepared *r, int vector);

/* verify: strict, an error; warn, and for a node that is only preferred, a warning: the run goes
 * on. 0, or -1 with the message. */
int found_wrong(const struct plan *p, int vector, const char *why, struct errors *e);

/* Queries the nodes of a vector's pages again. Any thread can query the kernel: those of p's
 * operations have just run, and a team of another size would make OpenMP start threads anew. 0, or
 * -1 with a message. */
int found_again(const struct prepared *r, const struct plan *p, int vector, struct touched *now,
	struct errors *e);

/* Keeps what was found of all vectors for recheck.c, and reads their physical ranges. */
void found_note(struct prepared *r, struct errors *e);

#endif
