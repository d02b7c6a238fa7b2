/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every test program has this before its own text: assert_float_equal() of cmocka takes NAN for
 * equal to everything, here it is equal to nothing. */
#ifndef FLOATS_H
#define FLOATS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void floats_are_equal(
	double found, double expected, double epsilon, const char *file, int line)
{
	if (found == expected || fabs(found - expected) <= epsilon)
		return;
	print_error("%.17g is not %.17g, to %g\n", found, expected, epsilon);
	_fail(file, line);
}

#undef assert_float_equal
#define assert_float_equal(found, expected, epsilon) \
	floats_are_equal(found, expected, epsilon, __FILE__, __LINE__)

#endif
