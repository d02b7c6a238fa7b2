/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same samples with intervals of another confidence than the file asks for. */
#ifndef CONFIDENT_H
#define CONFIDENT_H

#include "measure/experiment.h"

/* An experiment for reading only: it shares everything with x but the requests' confidence, and x
 * must outlive it. */
struct confident {
	struct experiment experiment;
	struct plan **solo_plans; /* [nruns], each NULL or [nthreads] */
};

void confident_make(struct confident *c, const struct experiment *x, double confidence);
void confident_free(struct confident *c);

#endif
