/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which physical ranges the vectors of a placement lie, with physicalRanges: yes. */
#ifndef PHYSICAL_H
#define PHYSICAL_H

#include "memory/frames.h"
#include "memory/mem.h"
#include "plan/plan.h"

struct physical {
	struct frames frames; /* of all vectors, in the last placement; a range is of one vector */
	int error;            /* errno, and no frames: they could not be read */
};

/* Reads them in place of those of the placement before, if the file asks for it; warns where it
 * may not. */
void physical_find(
	struct physical *f, const struct plan *p, const struct mem *mems, struct errors *e);
void physical_free(struct physical *f);

#endif
