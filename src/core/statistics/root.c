/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/root.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_roots.h>

/* Bisection alone needs 52 for a double. */
#define STEPS 100

double root_between(root_function *f, void *arg, double low, double high, double precision)
{
	gsl_root_fsolver *s = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
	gsl_function function = {f, arg};

	gsl_root_fsolver_set(s, &function, low, high);
	for (int i = 0; i < STEPS; i++) {
		gsl_root_fsolver_iterate(s);
		if (gsl_root_test_interval(gsl_root_fsolver_x_lower(s), gsl_root_fsolver_x_upper(s),
			    0, precision) == GSL_SUCCESS)
			break;
	}
	const double root = gsl_root_fsolver_root(s);

	gsl_root_fsolver_free(s);
	return root;
}
