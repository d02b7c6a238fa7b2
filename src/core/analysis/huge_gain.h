/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What far huge pages save a run: the gain of translation.h, as a quantity of three runs. */
#ifndef HUGE_GAIN_H
#define HUGE_GAIN_H

#include "analysis/view.h"

/* QUANTITY_HUGE_GAIN, in percent: the part of its vectors that the run had in far huge pages, times
 * by which part the run of `smallPages` takes longer than the baseline. The threads' own nodes are
 * near. AMOUNT_NONE where one of the two runs was not measured, or the kernel shows no nodes or
 * sizes of pages; the interval is that of the two times. */
struct amount huge_gain_of(const struct experiment *x, size_t run, int op, int thread);

/* The part, 0 to 1, over all placements of the run; NAN: not known. */
double huge_gain_far(const struct run *t, int thread);

/* Do baseline and smallPages name runs by the same variables? */
bool huge_gain_asked(const struct experiment *x);

#endif
