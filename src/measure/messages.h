/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages of the runs of an experiment, as messages of its file. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "measure/experiment.h"

/* Adds the mistakes of all runs to e, each once. A run that this machine cannot place is only
 * warned of, unless no run is left. 0, or -1 when nothing can be measured. */
int messages_judge(struct experiment *x, struct errors *e);

#endif
