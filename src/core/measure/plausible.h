/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether threads can have done the work that their kernels report in the time that it took. */
#ifndef PLAUSIBLE_H
#define PLAUSIBLE_H

#include "measure/workers.h"

/* NULL, or why no core can have done the units of the sample in its time, by the highest clock rate
 * that there is; written to why[n]. */
const char *plausible_rate(const struct kernel *k, const struct worker *w,
	const struct thread_sample *t, char *why, size_t n);

/* The same of all threads of a sample. 0, or -1 with a message. */
int plausible_all(struct workers *c, struct errors *e);

/* By the rate that the chains beside the sample show, no core can have done the work in what is
 * left of the time of a thread without its loss: then it is taken for not known, and
 * DISTURBED_STOLEN is returned; else 0. */
unsigned plausible_loss(const struct workers *c, const struct sample *s, int thread);

#endif
