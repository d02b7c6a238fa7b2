/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/enough.h"

#include <math.h>

#include "analysis/derive.h"

static double wider(double widest, const struct samples *r, int op, int who)
{
	struct estimate x;

	/* a total that does not exist is not printed */
	if (derive_cost_estimate(r, op, who, &x) || (who == ALL_THREADS && isnan(x.value)))
		return who == ALL_THREADS ? widest : NAN;
	double error = estimate_error(&x);

	return error <= widest ? widest : error;
}

double enough_error(const struct samples *r, int op)
{
	double widest = wider(0, r, op, ALL_THREADS);

	for (int i = 0; i < r->plan->nthreads && !isnan(widest); i++)
		widest = wider(widest, r, op, i);
	return widest;
}

enum ended enough_ended(const struct samples *r, int op)
{
	const struct op_result *o = &r->ops[op];

	if (o->ended == ENDED_TARGET && !(enough_error(r, op) <= r->plan->request->target_error))
		return ENDED_TIME;
	return o->ended;
}
