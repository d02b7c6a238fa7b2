/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses how many rounds a sample has, where the argument file does not say it. */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <signal.h>

#include "measure/workers.h"

/* A thread works for at least this time in a sample. Its start and end, about 1 us in all, are then
 * a thousandth of it. */
#define CALIBRATE_LEAST_NS 1e6
/* The same as multiples of what a reading of the clock costs and of the clock's smallest step. */
#define CALIBRATE_READINGS 5000
#define CALIBRATE_STEPS    1000

/* For how long a thread works at least in a sample, with this clock. */
double calibrate_least_ns(void);

/* Samples that must be long enough one after another, because one alone may be long only because it
 * found cold caches. */
#define CALIBRATE_CONFIRMED 3
/* Or one that is so long that it leaves no doubt. */
#define CALIBRATE_AMPLE 4

/* Judges a trial after so many others that were long enough, and gives more rounds to kernels whose
 * quickest thread itself worked for too short a time: what others took of it does not count.
 * Returns how many are long enough now; from CALIBRATE_CONFIRMED on no more are needed. */
int calibrate_judge(
	const struct workers *c, const struct sample *s, double least_ns, int confirmed);

/* Takes samples, with more and more rounds, until each thread that leaves the
 * number open works for the least time. The number is a power of 2: then it is mostly the same in
 * the next run. Does nothing if no number is open, or all are chosen. The samples are not kept, but
 * for the first one where it is of one round like those to come: no later one finds vectors that
 * have only been touched. It is stored in *first, whose threads are otherwise NULL. 0, or -1 with a
 * message. */
int calibrate(struct workers *c, const volatile sig_atomic_t *stop, struct sample *first,
	struct errors *e);

#endif
