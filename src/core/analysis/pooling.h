/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variances that the figures of all runs share. With three placements an interval has two degrees
 * of freedom and is wide; where there are many figures of a kind, how much their placements differ
 * is known much better (statistics/prior.h). Figures of one run may depend on each other, because
 * they have the same pages; those of different runs do not.
 */
#ifndef POOLING_H
#define POOLING_H

#include "statistics/prior.h"
#include "measure/estimate.h"
#include "measure/experiment.h"

/* Kinds of figures: costs and times of threads, the same of all threads together, and ratios. */
enum family {
	FAMILY_COST,
	FAMILY_BUSY,
	FAMILY_UNIT,
	FAMILY_COST_OF_ALL,
	FAMILY_BUSY_OF_ALL,
	FAMILY_UNIT_OF_ALL,
	FAMILY_RATE,
	FAMILY_BANDWIDTH,
	FAMILY_TRAFFIC,
	FAMILY_SPEEDUP,
	FAMILY_SPEEDUP_OF_ALL,
	FAMILY_SLOWDOWN,
	FAMILY_OVERHEAD,
	FAMILIES
};

extern const char *const family_names[FAMILIES]; /* "cost" */

/* Variances are shared from so many figures of so many runs on; with two placements, hence one
 * degree of freedom, more runs are needed. With fewer, intervals cover less than 93 % where they
 * say 95 (simulated: make coverage-of-intervals). */
#define POOLING_FIGURES  30
#define POOLING_RUNS     10
#define POOLING_RUNS_TWO 30

/* Nor are they where samples are lopsided on average by more than this (struct deviations): then
 * medians jump between two modes, and their variances tell little. The samples of a placement are
 * symmetric within 0.1 for normal noise, and at 0.7 where two in five are slower. */
#define POOLING_SKEWNESS 0.2

/* A median of fewer samples a placement is as its samples are, and these show no shape. */
#define POOLING_SAMPLES 3

/* Placements whose figures agree to the last digit, as a coarse clock makes them, tell no variance.
 * Up to this part of a family they are left out; with more of them nothing is shared. */
#define POOLING_EQUAL 0.05

/* A family of figures, as the samples show it. */
struct pooling_family {
	struct kin kin;
	size_t samples;       /* of all its figures; 0: there is none */
	size_t figures, runs; /* with an interval over placements */
	const char *own;      /* why each has its own variance; NULL: they share */
};

struct pooling {
	struct pooling_family families[FAMILIES];
};

/* The figures of a family while they are gathered. */
struct gathered {
	struct variance *list; /* [m], those of a run together */
	size_t m;
	double skewnesses, far_sum, far_squares; /* of all figures */
	size_t samples, far;                     /* the same */
	bool few; /* some have fewer than POOLING_SAMPLES a placement */
};

/* Adds a figure of a run, or a ratio of two that were measured in the same placements. */
void pooling_gather(struct gathered *g, const struct estimate *x, size_t run);
void pooling_gather_ratio(
	struct gathered *g, const struct estimate *a, const struct estimate *b, size_t run);

/* Decides what they share, and frees the list. */
struct pooling_family pooling_decide(struct gathered *g);

/* Fits the families of figures of all samples that do something, and lets the runs know. s must
 * outlive the use of x. */
void pooling_fit(struct pooling *s, struct experiment *x);

/* What a figure of an operation and a thread (or ALL_THREADS, or THREADS_OF_KIND) takes from its
 * family: nothing where nothing was fitted, and where the kernel does nothing, since an empty call
 * varies unlike work. */
const struct kin *pooling_kin(const struct samples *r, enum family family, int op, int thread);

#endif
