/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A period in instants that are unequally far apart: Rayleigh's power |sum exp(2 pi i t / T)|^2 / n
 * (Philosophical Magazine 10, 1880), averaged over windows, so that a period that drifts is found
 * too. Instants without a period have a power of 1 at each T.
 */
#ifndef PERIODOGRAM_H
#define PERIODOGRAM_H

#include <stddef.h>

struct spectral_line {
	double period, power; /* NAN: too few instants; a period alone: nothing is sharp */
};

/* The strongest period of the ascending times[n] from `shortest` to `longest`. Sharp events have
 * nearly the same power at half, at a third of their period: the longest counts that has half the
 * power of the strongest. */
struct spectral_line periodogram(const double *times, size_t n, double shortest, double longest);

#endif
