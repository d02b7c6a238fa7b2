/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a variable of a sweep the size of vectors? */
#ifndef SIZE_AXIS_H
#define SIZE_AXIS_H

#include "analysis/view.h"

/* axis: a variable of the sweep, or another axis, which is none. */
bool size_axis(const struct experiment *x, int axis);

#endif
