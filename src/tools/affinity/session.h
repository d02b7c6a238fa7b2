/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One measurement from a plan to its result files. */
#ifndef SESSION_H
#define SESSION_H

#include "analysis/claims.h"
#include "analysis/pooling.h"
#include "measure/experiment.h"
#include "affinity/options.h"

/* Measures, judges the claims, checks and writes. Ctrl-C ends the measurement after the current
 * sample and keeps the samples that were taken. On failure no result file is written or changed. 0,
 * or -1 with messages.
 */
int session_measure(const struct options *o, struct experiment *x, const struct views *v,
	struct claims *c, struct errors *e);

/* Measures only, for those that write something else than results; Ctrl-C as above. pooling must
 * outlive the use of x. 0, or -1 with messages. */
int session_sample(
	const struct options *o, struct experiment *x, struct pooling *pooling, struct errors *e);

/* After all is written: -1 with a message if Ctrl-C ended session_sample() early, else 0. */
int session_interruption(const struct experiment *x, struct errors *e);

#endif
