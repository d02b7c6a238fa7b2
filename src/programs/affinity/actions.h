/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command line asks for: measure, plan, list, compare and so on. */
#ifndef ACTIONS_H
#define ACTIONS_H

#include "base/error.h"
#include "programs/affinity/options.h"

/* Does the action of the options. argv, as main() got it: a measurement may start the program
 * again. Failures are messages. */
void actions_perform(const struct options *o, char *const argv[], struct errors *e);

#endif
