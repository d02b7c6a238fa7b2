/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares figures that are computed twice. */
#ifndef EQUAL_H
#define EQUAL_H

#include <math.h>
#include <stdbool.h>

/* But for rounding. Says both where they differ. */
static bool is(double found, double expected)
{
	if (fabs(found - expected) <= 1e-9 * fabs(expected))
		return true;
	print_message("# %.12g, not %.12g\n", found, expected);
	return false;
}

#endif
