/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which nodes of a fleet of like machines are slow, and in what. Pure functions on figures.
 *
 * Figures are logarithms of costs, 100 ln(cost), so that a difference is per cent; a bandwidth
 * enters with a minus. NAN: was not measured. Each figure belongs to a resource (memory, caches,
 * ...) and possibly to a NUMA domain. Sets of figures are scored, not figures: a fault slows a set.
 *
 * 1. Clean: the runs of a node become one value each figure, without the runs that were disturbed.
 * 2. Scale: z = (x - median) / (1.4826 MAD), over the nodes, for each figure.
 * 3. Contrast of each set to what surrounds it:
 *      node      median over resources of the median z
 *      resource  mean z, minus the median of the other resources' means
 *      domain    mean over its figures of z, minus the median of the figures of the same resource
 *                in other domains
 *      figure    z, minus the median of the other figures of its resource
 *    divided by its own 1.4826 MAD over the nodes: the score. Sets without surroundings have none.
 * 4. A node with a score beyond the limit for FLEET_SUSPECT is a suspect.
 * 5. Suspects run again. Medians and scales of the first runs score the fresh ones, of which those
 *    count that are not above their median by more than 4 times the noise of a run. A node is named
 *    if a set that was hot has a mean score above limit * sqrt(between^2 + within^2 / runs), and is
 *    slower by the floor at least. That the fresh runs alone decide keeps false alarms rare: a
 *    disturbed run does not come back.
 *
 * Limits: the error (FLEET_SUSPECT, FLEET_NAME) is shared among the sets of a node, by weights,
 * then evenly (Bonferroni). From FLEET_NORMAL nodes on they are those of the normal distribution,
 * and single figures have more than half of the error; below, the MAD of few nodes is uncertain
 * itself, so limits are simulated for that many nodes, and all kinds of sets but the node have as
 * much.
 *
 * What it cannot do: fresh runs remove the noise of runs, never the differences among healthy
 * nodes. A resource that is slow on half of the nodes is the fleet's median, and the healthy half
 * is fast. Groups of unlike machines must be judged apart. With two domains, a fast one looks like
 * a slow other one.
 */
#ifndef FLEET_H
#define FLEET_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLEET_SUSPECT 0.05   /* of healthy nodes that become suspects */
#define FLEET_NAME    0.0007 /* of healthy nodes above the limit of naming */
#define FLEET_NORMAL  100    /* nodes */
#define FLEET_FLOOR   2.0    /* per cent; healthy nodes with heavy tails differ by less */
#define FLEET_NOWHERE SIZE_MAX

struct fleet_layout {
	size_t figures, resources, domains;
	const size_t *resource; /* [figures] */
	const size_t *domain;   /* [figures]; FLEET_NOWHERE: in none */
};

/* Sets are numbered: the node, the resources, the domains, the figures. */
enum fleet_kind { FLEET_NODE, FLEET_RESOURCE, FLEET_DOMAIN, FLEET_FIGURE, FLEET_KINDS };

struct fleet_set {
	enum fleet_kind kind;
	size_t index; /* among its kind */
};

size_t fleet_sets(const struct fleet_layout *l);
size_t fleet_members(const struct fleet_layout *l, enum fleet_kind kind);
struct fleet_set fleet_set(const struct fleet_layout *l, size_t set);

/* The figures of resource r, ascending: figure[first[r]] to figure[first[r + 1] - 1]. */
struct fleet_order {
	size_t *first, *figure;
};

/* free(order.first) frees it. */
struct fleet_order fleet_order_of(const struct fleet_layout *l);

/* Step 1: runs[(node * nruns + run) * figures + figure] to values[node * figures + figure]. Of a
 * node the mean of its runs, without those above ref + 4 w (4 w sqrt(2) of two runs): ref its
 * median run (the faster one of two), w^2 the variance from run to run that the median node has. */
void fleet_clean(const struct fleet_layout *l, size_t nodes, size_t nruns, const double *runs,
	double *values);

/* The w of a figure: its standard deviation from run to run, from the nodes that have all runs of
 * it. nruns >= 2. NAN: none has. */
double fleet_run_spread(const struct fleet_layout *l, size_t nodes, size_t nruns,
	const double *runs, size_t figure);

/* Steps 2 and 3 for one node: deviations[figures] of any unit to contrasts[sets] of the same unit.
 * A missing figure is taken as the median of its resource. NAN: a set without surroundings, or a
 * figure that is missing. */
void fleet_contrasts(const struct fleet_layout *l, const double *deviations, double *contrasts);

/* What healthy nodes have in common. */
struct fleet_scale {
	double *centre, *scale;  /* [figures] median and 1.4826 MAD, per cent */
	double *middle, *spread; /* [sets] of the contrasts of z */
	double *unit;            /* [sets] the per cent that a contrast of 1 is */
};

/* From values[nodes * figures]. spread^2 is shrunk to the median of its kind with weights
 * 0.4 (nodes - 1) and 10: all MADs of few nodes are uncertain. fleet_scale_free() frees it. */
struct fleet_scale fleet_scale_of(const struct fleet_layout *l, size_t nodes, const double *values);
void fleet_scale_free(struct fleet_scale *s);

/* scores[sets] of values[figures], and effects[sets], per cent slower (negative: faster;
 * NULL: they are not wanted). */
void fleet_score(const struct fleet_layout *l, const struct fleet_scale *s, const double *values,
	double *scores, double *effects);

struct fleet_limits {
	double of[FLEET_KINDS];
};

/* error: FLEET_SUSPECT or FLEET_NAME. nodes >= 3. The simulation takes some seconds for 40
 * figures; its seed is fixed. */
struct fleet_limits fleet_limits(const struct fleet_layout *l, size_t nodes, double error);

/* The part of the error that one set of a kind has where resources, domains and figures share it
 * evenly; NAN: there is none. */
double fleet_tail(const struct fleet_layout *l, enum fleet_kind kind, double error);

/* Whether a score of these is above its limit. */
bool fleet_is_hot(
	const struct fleet_layout *l, const struct fleet_limits *limits, const double *scores);

/* A score as a part of its limit, and the set with the largest part. */
double fleet_part(const struct fleet_layout *l, const struct fleet_limits *limits,
	const double *scores, size_t set);
size_t fleet_hottest(
	const struct fleet_layout *l, const struct fleet_limits *limits, const double *scores);

/* The least and the most of what all nodes but one have, which is told by its value. */
struct fleet_others {
	double low[2], high[2];
};

#define FLEET_NO_OTHERS ((struct fleet_others){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}})

void fleet_others_add(struct fleet_others *o, double value);
double fleet_others_low(const struct fleet_others *o, double own);
double fleet_others_high(const struct fleet_others *o, double own);

/* Per cent of an effect, which is a difference of figures; and back. */
double fleet_per_cent(double effect);
double fleet_effect(double per_cent);

/* What a spread of scores is made of. */
struct fleet_noise {
	double *within;  /* [sets] standard deviation of a score from run to run */
	double *between; /* [sets] of scores between healthy nodes, without that noise */
	double df;       /* degrees of freedom of `within` */
};

/* runs as in fleet_clean(), of any nodes; nruns >= 2. first: how many runs a value is made of that
 * the scale was computed from. fleet_noise_free() frees it. */
struct fleet_noise fleet_noise_of(const struct fleet_layout *l, const struct fleet_scale *s,
	size_t nodes, size_t nruns, const double *runs, size_t first);
void fleet_noise_free(struct fleet_noise *n);

struct fleet_judge {
	const struct fleet_layout *layout;
	const struct fleet_scale *scale;
	const struct fleet_noise *noise;
	const struct fleet_limits *suspect, *name;
	double floor; /* per cent */
};

struct fleet_verdict {
	bool named;
	bool small;               /* not named, though unusual again: below the floor */
	size_t set;               /* what is slow, if named; else what made it a suspect */
	double effect, low, high; /* per cent slower, with the interval of 95 % */
};

/* One suspect: first[figures], its value as in the scale, and fresh[nruns * figures]. */
struct fleet_verdict fleet_judge(
	const struct fleet_judge *j, const double *first, size_t nruns, const double *fresh);

/* The smallest effect of a set, per cent, that so many fresh runs find in 95 % of the cases. */
double fleet_least(const struct fleet_judge *j, size_t set, size_t nruns);

/* How many fresh runs find an effect of a set, per cent, in 95 % of the cases; two at least. 0: no
 * number of them does, because healthy nodes differ too much, by fleet_between() per cent. */
size_t fleet_runs_for(const struct fleet_judge *j, size_t set, double effect);
double fleet_between(const struct fleet_judge *j, size_t set);

#endif
