/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the load beside a run reached, by the samples. */
#ifndef LOADS_H
#define LOADS_H

#include "base/amount.h"
#include "measure/samples.h"

struct experiment;

/* Bytes in a second of a line of background in the samples of an operation. AMOUNT_NONE: no line,
 * or no samples. */
struct amount loads_reached(const struct samples *r, int op, size_t line);

/* Is that another rate than the stated one (DIAL_REACHED)? */
bool loads_missed(const struct samples *r, int op, size_t line);
bool loads_any_missed(const struct samples *r, int op);

/* The quantity background: of all lines together, in GB/s. */
struct amount loads_of(const struct experiment *x, size_t run, int op, int thread);

#endif
