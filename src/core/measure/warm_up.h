/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warm-up of a series that goes on until the costs have settled. For series.c. */
#ifndef WARM_UP_H
#define WARM_UP_H

#include "measure/series.h"

/* Takes the first sample of a calibration over as that of the warm-up, or frees it: it has one
 * round, and so have those to come. */
void warm_up_keep(struct series *b, struct sample first);

/* After each sample of the warm-up. When the costs have settled, or there is no more time, the
 * warm-up ends, and the last samples count: at most `wanted`. */
void warm_up_ask(struct series *b, size_t wanted);

/* Stopped by the user: what follows the first sample is better than nothing. */
void warm_up_cut(struct series *b);

#endif
