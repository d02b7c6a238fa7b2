/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has an operation enough placements? What decides is the interval that reports print. */
#ifndef ENOUGH_H
#define ENOUGH_H

#include "measure/experiment.h"

/* Half the widest interval of a cost of the operation, of a thread or of all together, as a part of
 * the cost; NAN: one has no interval. An experiment_error. */
double enough_error(const struct samples *r, int op);

/* Why there are no more samples, by the printed figure: what shares its variance or has no interval
 * because of rare slow samples (pooling.h) is known better when all are taken. */
enum ended enough_ended(const struct samples *r, int op);

#endif
