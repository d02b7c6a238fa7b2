/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolates with GSL. */
#include "statistics/steffen.h"

#include <gsl/gsl_interp.h>
#include <math.h>

double steffen_at(const double *xs, const double *ys, size_t n, double x)
{
	const gsl_interp_type *type = n < gsl_interp_type_min_size(gsl_interp_steffen)
					      ? gsl_interp_linear
					      : gsl_interp_steffen;
	double y = NAN;

	if (!(x >= xs[0] && x <= xs[n - 1]))
		return NAN;
	gsl_interp *curve = gsl_interp_alloc(type, n);

	gsl_interp_init(curve, xs, ys, n);
	gsl_interp_eval_e(curve, xs, ys, x, NULL, &y);
	gsl_interp_free(curve);
	return y;
}
