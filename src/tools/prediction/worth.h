/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --worth: how far the model is off for results that it has not seen. */
#ifndef PREDICTION_WORTH_H
#define PREDICTION_WORTH_H

#include "forecast/worth.h"
#include "prediction/training.h"

/* Predicts the runs of several threads of a profile: by the model, with each run left out of the
 * fit in turn, and with each file; and by rules that know a thread alone only: at its distance,
 * as if all memory was local, and in proportion to the firmware's distances. 0, or -1: the profile
 * has no run of several threads; the counts of operations are set all the same. */
int worth_of(struct worth *w, const struct training *t);

#endif
