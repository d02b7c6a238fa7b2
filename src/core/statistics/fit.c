/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares with GSL. */
#include "statistics/fit.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit_nlinear.h>

#include "base/alloc.h"

/* Residuals of logarithms: a step of 1e-6 is far below any error of measurement. */
#define STEPS  200
#define ENOUGH 1e-6

/* A column of the matrix of derivatives comes as `out`, so its elements are not neighbours. */
static int residuals(const gsl_vector *x, void *with, gsl_vector *out)
{
	const struct fit *f = with;
	double *found = alloc_zeroed(f->rows, sizeof(*found));
	int failed = GSL_SUCCESS;

	f->residuals(f->with, x->data, found);
	for (size_t i = 0; i < f->rows; i++) {
		if (!isfinite(found[i]))
			failed = GSL_EDOM;
		gsl_vector_set(out, i, found[i]);
	}
	free(found);
	return failed;
}

static void read_solution(
	const struct fit *f, gsl_multifit_nlinear_workspace *w, double *values, double *errors)
{
	gsl_matrix *covariance = gsl_matrix_alloc(f->parameters, f->parameters);
	const gsl_vector *r = gsl_multifit_nlinear_residual(w);
	double squares = 0;

	gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(w), 0, covariance);
	for (size_t i = 0; i < f->rows; i++)
		squares += gsl_vector_get(r, i) * gsl_vector_get(r, i);
	for (size_t i = 0; i < f->parameters; i++) {
		values[i] = gsl_vector_get(w->x, i);
		if (errors)
			errors[i] = sqrt(gsl_matrix_get(covariance, i, i) * squares /
					 (double)(f->rows - f->parameters));
	}
	gsl_matrix_free(covariance);
}

int fit_least_squares(const struct fit *f, double *values, double *errors)
{
	gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf problem = {
		.f = residuals, .n = f->rows, .p = f->parameters, .params = (void *)f};
	int why = GSL_SUCCESS;

	how.h_df = 1e-6;
	if (!f->parameters || f->rows <= f->parameters)
		return -1;
	gsl_error_handler_t *before = gsl_set_error_handler_off();
	gsl_multifit_nlinear_workspace *w = gsl_multifit_nlinear_alloc(
		gsl_multifit_nlinear_trust, &how, f->rows, f->parameters);
	gsl_vector_const_view start = gsl_vector_const_view_array(values, f->parameters);
	int failed = gsl_multifit_nlinear_init(&start.vector, &problem, w);

	if (!failed)
		failed = gsl_multifit_nlinear_driver(
			STEPS, ENOUGH, ENOUGH, ENOUGH, NULL, NULL, &why, w);
	/* GSL_ENOPROG: the start was the minimum, to the last digit; of the first step the driver
	 * says so in `why` only */
	if (failed == GSL_ENOPROG || why == GSL_ENOPROG)
		failed = 0;
	if (!failed)
		read_solution(f, w, values, errors);
	gsl_multifit_nlinear_free(w);
	gsl_set_error_handler(before);
	return failed ? -1 : 0;
}
