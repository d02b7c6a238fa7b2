/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --check: the state of the machine. */
#ifndef STATE_H
#define STATE_H

#include "programs/affinity/options.h"
#include "topology/topo.h"

/* Tells the facts of the machine and what in its state spoils measurements, and writes --json.
 * Messages: an unknown --accept; with --strict that something spoils. */
void state_check(const struct options *o, const struct topo *t, struct errors *e);

#endif
