/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What disturbed samples do to figures. Figures are made of all samples, each less the time that
 * the thread lost (sample.h). That is too much where a disturbance also leaves cold caches behind;
 * the figures of the undisturbed samples alone are too little where the longer samples are those
 * that are hit. The truth lies between the two. A minimum is that of the samples whose loss is
 * known: there is none without such.
 */
#ifndef UNDISTURBED_H
#define UNDISTURBED_H

#include "analysis/pooling.h"
#include "measure/estimate.h"

/* Parts of an operation's samples. Above the first an interval reaches over both figures; above the
 * second most samples are disturbed, and what is printed is a figure of the disturbance. Up to 80 %
 * such intervals still cover the undisturbed cost (coverage_of_disturbed_test.c). With fewer
 * undisturbed samples than the third, where there are so many at all, nothing is known. */
#define UNDISTURBED_HULL    0.05
#define UNDISTURBED_AGAIN   0.5
#define UNDISTURBED_SAMPLES 5

/* The part of an operation's samples that count in which a thread lost its CPU, was moved, shared
 * its core with another program or met a page fault; NAN without samples. A thread that waits for
 * the system by itself is not disturbed.
 */
double undisturbed_rest(const struct samples *r, int op);

/* Must the operation be measured again, because too many samples are disturbed? */
bool undisturbed_again(const struct samples *r, int op);

/* A figure of one thread in one operation, and of the family of figures with which it shares its
 * variance. */
struct subject {
	const struct samples *samples;
	int op, thread;
	sample_figure *figure; /* NULL: it has values instead */
	enum family family;
};

/* The estimate of the figure in *x. If needed, its interval also reaches over the one that it has
 * when it is moved by what undisturbed samples cost over all of their placement, with the error of
 * that; but beyond its own interval not further than the samples do. Without an undisturbed one the
 * error is that of a single sample. *alone: the figure of the undisturbed samples, moved so; NAN:
 * there are none. NULL: it is not needed. 0, or -1 like estimate(). */
int undisturbed_estimate(const struct subject *s, struct estimate *x, double *alone);

/* The estimate of values, one for each sample of the operation that counts, with its interval
 * as above. 0, or -1 like estimate_values(). */
int undisturbed_values(const struct subject *s, const double *values, struct estimate *x);

#endif
