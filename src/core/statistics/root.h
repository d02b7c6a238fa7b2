/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a function of one number is zero. */
#ifndef ROOT_H
#define ROOT_H

typedef double root_function(double x, void *arg);

/* Brent's method (GSL) between low and high, where the signs of f differ, to this relative
 * precision. */
double root_between(root_function *f, void *arg, double low, double high, double precision);

#endif
