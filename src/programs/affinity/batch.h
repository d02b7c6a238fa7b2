/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All argument files of the command line, one after another. */
#ifndef BATCH_H
#define BATCH_H

#include "programs/affinity/options.h"
#include "topology/topo.h"

/* Tells the plan of each. */
void batch_plan(const struct options *o, const struct topo *t, struct errors *e);

/* Measures each, or predicts the one that there is. Of several all are looked at first, and if one
 * is wrong none is measured; afterwards messages about a file are printed when it is done. */
void batch_measure(const struct options *o, const struct topo *t, struct errors *e);

#endif
