/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a function out of what was observed: least squares with GSL's multifit_nlinear. */
#ifndef FIT_H
#define FIT_H

#include <stddef.h>

struct fit {
	/* Sets residuals[rows]. The parameters may have any value that the solver tries; a residual
	 * that is not finite ends the fit. */
	void (*residuals)(void *with, const double *parameters, double *residuals);
	void *with;
	size_t rows, parameters;
};

/* Minimises the sum of the squares of the residuals (Levenberg and Marquardt, derivatives by
 * differences). values[parameters] are the start and become the result. errors[parameters] become
 * their standard errors: the roots of the diagonal of (J'J)^-1 sum(r^2) / (rows - parameters);
 * NULL: they are not wanted. Returns 0, or -1 with both unchanged: fewer rows than parameters, or
 * no minimum was found. */
int fit_least_squares(const struct fit *f, double *values, double *errors);

#endif
