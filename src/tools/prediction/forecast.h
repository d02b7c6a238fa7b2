/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts the runs of an argument file. */
#ifndef PREDICTION_FORECAST_H
#define PREDICTION_FORECAST_H

#include "forecast/forecast.h"
#include "measure/experiment.h"
#include "prediction/training.h"

/* What a training set says of a planned experiment; both must outlive it. Returns the number of
 * operations that are predicted; those that the model does not cover say why. forecast_free() frees
 * it. */
size_t forecast_make(struct forecast *f, struct training *t, const struct experiment *x);

#endif
