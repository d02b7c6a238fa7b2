/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes figures doubtful although every sample was taken as asked. */
#ifndef DOUBTS_H
#define DOUBTS_H

#include "measure/experiment.h"

/* A part of a thread's time in its kernel. If all threads were in their kernels for less than this
 * part, they did not work side by side: for a tenth of the time or more, the thread's cost does not
 * include what the threads do to each other. */
#define DOUBTS_OVERLAP 0.9

/* The warning of a sample below calibrate_least_ns() names a number of passes that makes it so many
 * times that. */
#define DOUBTS_LONG_ENOUGH 2

/* Warns of each doubt once, with the run and the operation where it is greatest, and says what to
 * write instead in the argument file. */
void doubts_tell(const struct experiment *x, struct errors *e);

/* doubts_figures.c, for doubts.c: figures of kernels that say something against the cost. */
void doubts_tell_figures(const struct experiment *x, struct errors *e);

/* doubts_settling.c, for doubts.c: costs that still changed when samples began to count. */
void doubts_tell_settling(const struct experiment *x, struct errors *e);

/* doubts_means.c, for doubts.c: a mean that met no rare slow sample must not look certain. */
void doubts_tell_means(const struct experiment *x, struct errors *e);

/* doubts_tails.c, for doubts.c: distributions of events that timing or other programs changed. */
void doubts_tell_tails(const struct experiment *x, struct errors *e);

#endif
