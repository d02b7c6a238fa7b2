/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What makes figures doubtful although every sample was taken as asked. */
#ifndef DOUBTS_H
#define DOUBTS_H

#include "measure/experiment.h"

/* A part of a thread's time in its kernel below which threads did not work side by side: what they
 * do to each other is then in a tenth of it or more not in its cost. */
#define DOUBTS_OVERLAP 0.9

/* A part of an operation's samples; where more are disturbed, none says what an undisturbed one is:
 * the undisturbed ones are then those that were too short to be hit. */
#define DOUBTS_DISTURBED 0.2

/* A thread's time in the kernel in one sample, below which the way in and out of it shows: a thread
 * comes to its kernel over system calls and a wait, and its first accesses find translation buffers
 * and branch predictors that these have used, about 1 us in all. */
#define DOUBTS_SHORT_NS 200e3
/* The same as a multiple of a reading of the clock, of which two are in it. */
#define DOUBTS_SHORT_READINGS 1000
/* What the passes that the warning names aim at. */
#define DOUBTS_LONG_ENOUGH 5 /* times the above */

/* Warns of each doubt once, with the run and the operation where it is greatest, and says what to
 * write instead. */
void doubts_tell(const struct experiment *x, struct errors *e);

#endif
