/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns the messages of the runs of an experiment into messages of its file. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include "measure/experiment.h"

/* Adds the mistakes of all runs to e, each once. A run that this machine cannot place only causes a
 * warning, unless no other run can be measured. 0, or -1 when nothing can be measured. */
int messages_judge(struct experiment *x, struct errors *e);

#endif
