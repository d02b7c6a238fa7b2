/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the command line that are no options. */
#ifndef OPERANDS_H
#define OPERANDS_H

#include "base/error.h"
#include "programs/affinity/options.h"

/* Fills in args and out from the operands; a message if the action takes fewer or more. */
void operands_take(struct options *o, struct errors *e);

#endif
