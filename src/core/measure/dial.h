/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the pause after each line with which threads that move lines reach a rate beside other
 * threads. The time of a line grows with its pause, but not where memory is saturated, so that no
 * rate tells the next pause by itself: trials close it in.
 *
 *	dial_begin(&d, 20e9);
 *	while (dial_tell(&d, rate with a pause of d.pause))
 *		;
 */
#ifndef DIAL_H
#define DIAL_H

#include <stdbool.h>
#include <stdint.h>

/* A rate is reached within this part of it ... */
#define DIAL_REACHED 0.05
/* ... and trials go on until it is met within this one, since samples differ, too. */
#define DIAL_MET 0.02

struct dial {
	double wanted;            /* of any unit, in any time; more than 0 */
	uint64_t pause;           /* for the next trial, and at the end the best one */
	uint64_t quick, slow;     /* pauses: more than wanted, less than wanted */
	double at_quick, at_slow; /* times of a unit there */
	bool has_slow;
	bool slow_last; /* the last trial was slower than wanted */
	uint64_t best;
	double off; /* by how much the best one misses, as a part of the rate */
	int trials;
};

void dial_begin(struct dial *d, double wanted);

/* What d->pause gave. false: no trial is needed any more, and d->pause is the best one. */
bool dial_tell(struct dial *d, double rate);

#endif
