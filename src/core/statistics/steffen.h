/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies between points. */
#ifndef STEFFEN_H
#define STEFFEN_H

#include <stddef.h>

/* The value at x of a curve through n points, two at least, whose xs ascend: between two of them it
 * goes from one value to the other without overshooting (Steffen, Astronomy and Astrophysics 239,
 * 1990; GSL), and along a line where there are no others. NAN: x is outside of them. */
double steffen_at(const double *xs, const double *ys, size_t n, double x);

#endif
