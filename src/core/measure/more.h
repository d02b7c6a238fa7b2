/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are there placements enough? For measure.c. */
#ifndef MORE_H
#define MORE_H

#include "measure/experiment.h"

/* Does the run need a further placement? All its operations get the same ones: they are compared
 * within each. With targetError it also says why each has ended. */
bool more_placements(const struct experiment *x, struct run *t);

/* Does any run? After more_placements() of each. */
bool more_of_any(const struct experiment *x);

/* Can any run have several? */
bool more_ever(const struct experiment *x);

#endif
