/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line asks for: measure, plan, list, compare and so on. */
#ifndef ACTIONS_H
#define ACTIONS_H

#include "base/error.h"
#include "affinity/options.h"
#include "topology/topo.h"

/* Does the action of the options. argv, as main() got it: a measurement may start the program
 * again. Failures are messages. */
void actions_perform(const struct options *o, char *const argv[], struct errors *e);

/* batch.c: all argument files, one after another. Tells the plan of each. */
void batch_plan(const struct options *o, const struct topo *t, struct errors *e);

/* Measures each, or predicts the one that there is. Of several all are looked at first, and if one
 * is wrong none is measured; afterwards messages about a file are printed when it is done. */
void batch_measure(const struct options *o, const struct topo *t, struct errors *e);

/* state.c: --check. Tells the facts of the machine and what in its state spoils measurements, and
 * writes --json. Messages: an unknown --accept; with --strict that something spoils. */
void state_check(const struct options *o, const struct topo *t, struct errors *e);

#endif
