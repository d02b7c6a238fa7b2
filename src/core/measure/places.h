/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the pages of an operation's vectors are before it and after it. For series.c. */
#ifndef PLACES_H
#define PLACES_H

#include "measure/workers.h"

/* Where the pages were when they were last proven: [vectors of the run], to be freed. NULL: no
 * kernel of the operation can move pages. */
struct op_places *places_before(const struct prepared *r, const struct workers *c);

/* Asks again, in the threads of the operation, and fills in `after`. */
void places_after(struct op_places *places, const struct prepared *r, const struct workers *c);

#endif
