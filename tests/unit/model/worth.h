/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model's worth on the tables of the thesis, as the manual has it. */
#ifndef WORTH_H
#define WORTH_H

#include <math.h>
#include <stddef.h>

/* Of |predicted / measured - 1| in per cent, all and where threads interact; how many of 100
 * intervals contain the measured figure; how often the best placement is chosen, and what is lost
 * where it is not. */
struct worth {
	double median, most, interacting_median, interacting_most, covered;
	size_t best, sets;
	double regret;
};

enum {
	WORTH_PLACEMENT,
	WORTH_EXPERIMENT,
	WORTH_SINGLE,
	WORTH_LOCAL,
	WORTH_DISTANCE,
	WORTH_NEAREST,
	WORTH_ROWS
};

static const char *const worth_names[WORTH_ROWS] = {"one placement left out",
	"a whole experiment left out", "single threads only", "naive: all as local",
	"naive: distance table", "naive: nearest of another experiment"};

static const struct worth expected[WORTH_ROWS] = {
	[WORTH_PLACEMENT] = {0.8, 3.3, 1.8, 6.6, 93.3, 12, 12, 0},
	[WORTH_EXPERIMENT] = {0.8, 3.3, 1.7, 6.6, 92.2, 12, 12, 0},
	[WORTH_SINGLE] = {0.8, 4.1, 2.9, 9.7, NAN, 12, 12, 0},
	[WORTH_LOCAL] = {47.4, 67.0, 50.7, 68.8, NAN, 3, 12, 211.2},
	[WORTH_DISTANCE] = {5.5, 55.1, 13.1, 52.7, NAN, 12, 12, 0},
	[WORTH_NEAREST] = {2.9, 85.7, 12.9, 100.1, NAN, 12, 12, 0},
};

#endif
