/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One measurement from a plan to its result files. */
#ifndef SESSION_H
#define SESSION_H

#include "measure/experiment.h"
#include "programs/affinity/options.h"
#include "analysis/claims.h"

/* Measures, judges the claims, checks and writes. Ctrl-C ends the measurement after the current
 * sample and keeps the samples that were taken. On failure no result file is written or changed. 0,
 * or -1 with messages.
 */
int session_measure(const struct options *o, struct experiment *x, const struct views *v,
	struct claims *c, struct errors *e);

#endif
