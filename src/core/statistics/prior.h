/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variances that many figures share. Each is known from few values only; the common size of all of
 * them is known well, and so is how far they are apart. A moderated variance lies between a
 * figure's own one and the common size (Smyth, Statistical Applications in Genetics and Molecular
 * Biology 3, 2004): the closer to the common size, the more alike all variances are. */
#ifndef PRIOR_H
#define PRIOR_H

#include <stddef.h>

/* The variance of one figure, with its degrees of freedom. Figures of the same group may depend on
 * each other; those of different groups do not. */
struct variance {
	double value, df;
	size_t group;
};

struct prior {
	size_t figures, groups; /* of which it is made; figures 0: nothing is shared */
	double variance;        /* the common size */
	double df;              /* what it counts for; INFINITY: all variances are alike */
	double most; /* of all groups: no moderated variance has more degrees of freedom */
};

#define PRIOR_NONE ((struct prior){0})

/* The logarithm of a variance, corrected for the bias that few degrees of freedom cause. */
double prior_unbiased_log(struct variance v);

/* The prior of list[m], in which the figures of a group stand together. PRIOR_NONE: there are not
 * two groups, or a variance is not above 0. */
struct prior prior_fit(const struct variance *list, size_t m);

/* Returns the moderated variance, with its degrees of freedom. */
struct variance prior_moderate(const struct prior *p, struct variance own);

#endif
