/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The staircase. */
#include "model/levels.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/fit.h"
#include "base/root.h"

/* Far below any error of measurement. */
#define EXACT 1e-12
/* Of bytes so many times the reach nothing survives: exp(-100). */
#define MANY 100
/* A step that all points miss by as much, but for this, is not told apart from the one before. */
#define TOLD 0.05

/* Of the part that is found, h; 1 is always a solution, and not the one where bytes exceed reach.
 */
static double survivors(double h, void *times)
{
	return h - exp(-(1 - h) * *(double *)times);
}

static double found_in_order(double times)
{
	/* below 1 / times lies one solution, and the difference is positive there */
	return times < MANY ? root_between(survivors, &times, 0, 1 / times, EXACT) : 0;
}

double levels_missed(const struct levels *l, size_t step, double bytes)
{
	const double times = bytes / l->reach[step];

	if (!(times > 1 + EXACT))
		return 0;
	return 1 - (l->random ? 1 / times : found_in_order(times));
}

double levels_cost(const struct levels *l, const double *costs, double bytes)
{
	double all = costs[0];

	for (size_t i = 0; i < l->steps; i++)
		all += costs[i + 1] * levels_missed(l, i, bytes);
	return all;
}

double levels_shared(double reach, double own, double all)
{
	return all > 0 ? reach * own / all : reach;
}

struct task {
	const struct levels *levels;
	const struct levels_point *points;
	size_t n;
};

static void residuals(void *with, const double *costs, double *out)
{
	const struct task *t = with;

	for (size_t i = 0; i < t->n; i++)
		out[i] = levels_cost(t->levels, costs, t->points[i].bytes) / t->points[i].cost - 1;
}

static double missed_before(const struct levels *l, size_t step, double bytes)
{
	return step ? levels_missed(l, step - 1, bytes) : 1;
}

bool levels_tell(const struct levels *l, size_t step, const struct levels_point *points, size_t n)
{
	bool within = false, beyond = false;

	for (size_t i = 0; i < n; i++) {
		const double bytes = points[i].bytes, missed = levels_missed(l, step, bytes);

		within |= missed_before(l, step, bytes) - missed > TOLD;
		beyond |= missed > TOLD;
	}
	return within && beyond;
}

int levels_fit(const struct levels *l, const struct levels_point *points, size_t n, double *costs,
	double *errors)
{
	const struct task t = {l, points, n};
	const struct fit f = {residuals, (void *)&t, n, l->steps + 1};

	for (size_t i = 0; i < l->steps; i++)
		if (!levels_tell(l, i, points, n))
			return -1;
	for (size_t i = 0; i <= l->steps; i++)
		costs[i] = n ? points[0].cost : 0;
	return fit_least_squares(&f, costs, errors);
}
