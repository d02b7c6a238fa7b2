/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Has a cost settled, or does it still fall or rise? A vector that fits a large last-level cache
 * costs up to three times as much in its first round as in its thirtieth, because such caches take
 * lines in only when they come back.
 *
 * The test is that of Mann and Kendall: of all pairs of values, how many rise and how many fall
 * (Mann, Econometrica 13, 1945; Kendall, Rank Correlation Methods, 1948). It asks nothing of the
 * noise but that it be independent, and a few wild values do not move it. Series of several
 * placements add up (Hirsch, Slack and Smith, Water Resources Research 18, 1982).
 */
#ifndef SETTLED_H
#define SETTLED_H

#include <stdbool.h>
#include <stddef.h>

/* What series in time order have in common. */
struct trend {
	double chance;   /* the probability of so many pairs in one direction without any trend */
	double from, to; /* the middle of the first and of the last third, in parts of the mean of
			    their series; 1 where there is no trend */
};

/* A series of values above 0, oldest first. */
struct series_of {
	const double *values;
	size_t n;
};

/* The trend of series[m]; series of fewer than two values tell nothing. chance 1: none do. */
struct trend settled_trend(const struct series_of *series, size_t m);

/* Is it one: unlikely by chance, and by so much that a figure would show it? */
bool settled_is_trend(const struct trend *t, double chance);

/* A smaller change over all values is no trend: a firm figure has three times as much. */
#define SETTLED_CHANGE 0.01

/* A warm-up goes on while a trend in a window that is not long would come by chance in fewer than
 * one of four cases: a sample too many costs little, a fall that is missed makes a wrong figure. A
 * long window shows a fall of 2 % a round beside noise of 5 % with less. What is told as a trend
 * must be unlikely in a file of many figures. */
#define SETTLED_GOES_ON      0.25
#define SETTLED_GOES_ON_LONG 0.05
#define SETTLED_TOLD         0.01

/* Samples that must show no trend: as many as have so many rounds, but not fewer than these, with
 * which alone an unbroken fall is a trend. */
#define SETTLED_ROUNDS 16
#define SETTLED_WINDOW 4
#define SETTLED_LONG   10

/* Samples that a placement may take to settle: the slowest fall that was seen ended after 30. */
#define SETTLED_MOST 60

/* The window of the first placement may take so long: longer samples, of more memory than caches
 * hold, have shown no slow fall. */
#define SETTLED_WINDOW_S 0.25

/* The window where a sample has so many rounds and takes so long. */
size_t settled_window(double rounds, double sample_s);

/* The samples of one placement until its warm-up ends. */
struct settling {
	size_t threads;
	size_t warm;   /* samples of the warm-up of earlier placements; 0: there is none */
	size_t wanted; /* samples after the warm-up; the last ones of it may be among them */
	size_t window; /* settled_window() */
	bool late;     /* there is no time for more samples than are wanted */
};

enum settled { SETTLED_NOT, SETTLED_YES, SETTLED_NEVER };

/* Has the cost settled? costs[threads * n]: those of each thread, oldest first; with one that is
 * not above 0 and finite nothing is known, and the answer is yes. Asked after each sample.
 * SETTLED_NEVER: there is a trend, and the warm-up ends for lack of time. */
enum settled settled_ask(const struct settling *s, const double *costs, size_t n);

/* How many of n samples were warm-up, when the answer is not SETTLED_NOT; at least 1. */
size_t settled_warm_up(const struct settling *s, size_t n);

/* What the next placement gets as `warm` then. Samples that were taken to show that the cost had
 * settled at once are no warm-up there. */
size_t settled_next(const struct settling *s, size_t n);

#endif
