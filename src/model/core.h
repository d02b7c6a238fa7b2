/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads on the hardware threads of one core. Beside another one a thread costs what it costs
 * alone on the core times
 *
 *     1 + sum over the others of extra[own kernel][their kernel]
 *
 * Which units of a core two kernels want is not known, so that no other pair says anything of a
 * pair: each has a parameter of its own, and what was not measured is not known. That the extra of
 * several others add up is an assumption; where a core has two hardware threads it is none. Pure
 * functions.
 */
#ifndef CORE_H
#define CORE_H

#include <stddef.h>

/* What was measured on a core: for each of its threads its kernel, and its cost divided by what it
 * costs alone. */
struct core_run {
	const size_t *kernels;
	const double *ratios;
	size_t count;
};

/* extra[own * kernels + other]; NAN: no run shows it. */
struct core_model {
	size_t kernels;
	double *extra;
};

/* The factor of one of the threads of a core; NAN: not known. */
double core_ratio(const struct core_model *m, const size_t *kernels, size_t count, size_t thread);

/* Fits m->extra[kernels * kernels] by squares of predicted / measured - 1; errors, of as many, are
 * standard errors, NAN where they are not known; NULL: not wanted. Returns the number of
 * parameters; 0: the runs have none that can be told. */
size_t core_fit(struct core_model *m, const struct core_run *runs, size_t n, double *errors);

#endif
