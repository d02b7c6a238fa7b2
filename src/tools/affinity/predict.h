/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --predict and --advise: what a planned experiment would cost. */
#ifndef PREDICT_H
#define PREDICT_H

#include "measure/experiment.h"
#include "affinity/options.h"

/* Can the action write the format of this row of output_formats? */
bool predict_writes(enum action action, int row);

/* Writes the outputs of the options; --advise measures the best before that. 0, or -1 with
 * messages: a bad profile, or nothing of the experiment is covered by it. */
int predict_experiment(const struct options *o, struct experiment *x, struct errors *e);

/* --advise of an opened file with so many placements that not all can be planned. */
int predict_large(
	const struct options *o, const struct args *a, const struct topo *t, struct errors *e);

/* --worth: writes the text report. 0, or -1 with messages. */
int predict_worth(const struct options *o, const struct topo *t, struct errors *e);

#endif
