/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What intervals of 95 % cover: per cent of 5000 draws, by shape, interval and size of the effects
 * of placements. The numbers of the manual's Method come from here. An interval of one placement
 * does not know the others: it covers what it says only without effects. Rows that are "given" say
 * how many of the intervals are not left out for rare slow samples. */
#ifndef COVERAGE_OF_INTERVALS_H
#define COVERAGE_OF_INTERVALS_H

#include "coverage_shapes.h"

static const double expected[SHAPES][INTERVALS][EFFECTS] = {
	{{94.4, 48.3, 18.7}, {97.8, 63.6, 26.4}, {96.0, 49.0, 19.1}, {94.5, 95.0, 95.9},
		{94.9, 94.8, 95.9}, {94.5, 94.6, 93.7}, {95.6, 94.1, 93.4}, {96.8, 97.6, 96.1},
		{96.8, 96.6, 96.4}, {96.5, 96.6, 96.5}, {100.0, 100.0, 100.0}, {94.1, 93.9, 94.3},
		{100.0, 100.0, 100.0}, {95.6, 49.8, 20.0}, {95.3, 95.4, 95.1}, {95.1, 94.2, 93.9},
		{96.6, 96.5, 96.8}, {94.8, 94.6, 95.7}, {95.4, 95.2, 94.8}, {95.0, 94.5, 94.7}},
	{{95.2, 93.8, 81.7}, {97.7, 97.3, 91.3}, {96.2, 95.2, 83.8}, {95.0, 94.6, 95.8},
		{94.8, 95.2, 94.6}, {94.6, 95.4, 94.0}, {95.8, 95.0, 94.6}, {96.0, 96.3, 95.9},
		{95.4, 95.9, 96.0}, {96.7, 97.0, 96.7}, {100.0, 100.0, 100.0}, {95.0, 94.4, 94.1},
		{100.0, 100.0, 100.0}, {94.7, 92.5, 77.7}, {95.0, 95.4, 94.8}, {94.7, 94.9, 94.9},
		{96.3, 96.3, 96.2}, {95.2, 94.9, 95.4}, {94.6, 95.3, 94.7}, {94.6, 95.1, 94.2}},
	{{92.6, 90.4, 78.4}, {97.8, 89.0, 66.8}, {95.9, 93.9, 78.6}, {94.2, 94.9, 95.2},
		{95.1, 96.3, 94.6}, {94.8, 95.8, 94.9}, {95.0, 95.8, 94.7}, {87.2, 89.0, 93.0},
		{87.2, 89.0, 93.0}, {96.4, 96.0, 95.9}, {99.6, 99.7, 99.9}, {95.1, 95.1, 94.5},
		{99.6, 99.9, 99.6}, {92.7, 90.4, 74.5}, {97.5, 96.8, 95.6}, {97.6, 96.3, 95.8},
		{97.9, 97.5, 96.9}, {94.4, 94.7, 94.7}, {93.9, 94.2, 94.9}, {94.3, 94.3, 94.0}},
	{{67.8, 71.8, 48.9}, {97.5, 70.9, 35.1}, {98.7, 85.3, 55.8}, {92.9, 94.5, 95.0},
		{95.5, 95.5, 94.8}, {95.0, 94.1, 93.6}, {95.5, 93.8, 93.7}, {94.4, 96.9, 96.5},
		{95.3, 98.3, 96.4}, {82.6, 91.9, 96.9}, {100, 100, 100}, {94.9, 95.0, 93.8},
		{64.1, 64.7, 64.2}, {98.1, 93.7, 66.9}, {95.1, 94.8, 94.4}, {94.8, 94.2, 94.5},
		{96.6, 96.4, 96.6}, {95.7, 95.3, 95.1}, {95.2, 95.1, 95.2}, {95.4, 94.6, 95.0}},
	{{24.6, 25.0, 34.0}, {98.0, 64.8, 28.5}, {98.1, 71.6, 51.9}, {56.3, 69.5, 91.5},
		{95.2, 94.7, 94.9}, {95.2, 93.6, 93.6}, {95.2, 93.7, 93.7}, {94.8, 96.6, 96.7},
		{94.5, 95.6, 96.3}, {37.3, 39.1, 81.1}, {51.1, 55.6, 94.4}, {99.6, 98.0, 95.0},
		{24.3, 23.8, 24.0}, {99.8, 99.9, 98.4}, {95.6, 95.0, 95.1}, {95.5, 93.6, 94.2},
		{97.0, 96.6, 96.8}, {95.2, 95.4, 95.1}, {95.3, 95.0, 94.7}, {95.0, 94.4, 94.5}},
	{{74.5, 42.1, 16.1}, {86.5, 56.9, 23.0}, {77.3, 41.7, 16.0}, {95.0, 95.5, 94.4},
		{94.6, 95.1, 94.8}, {94.8, 93.9, 93.7}, {95.1, 94.2, 93.5}, {96.5, 97.3, 96.8},
		{97.0, 97.1, 96.2}, {97.8, 96.9, 96.5}, {100.0, 100.0, 100.0}, {94.8, 94.1, 94.6},
		{100.0, 100.0, 100.0}, {75.7, 41.9, 18.4}, {94.4, 95.2, 94.6}, {95.2, 94.2, 93.9},
		{96.7, 96.3, 96.2}, {94.8, 95.4, 94.6}, {95.1, 94.9, 94.5}, {95.1, 94.7, 94.5}},
};

static bool rarely_slow(const struct shape *shape)
{
	return shape->draw == heavy || shape->draw == tenth;
}

/* The exceptions are those that the manual names. */
static bool is_exception(enum interval w, const struct shape *shape, double effect)
{
	bool here = effect > 0 || shape->draw == correlated;

	switch (w) {
	case MEAN_GIVEN:
	case MEAN_GIVEN_HERE:
		return true;
	case PLACEMENTS_MEAN:
	case WATCHED_MEAN:
		return rarely_slow(shape);
	case WATCHED_MEDIAN:
	case WATCHED_SHARED:
		return shape->draw == bimodal;
	case SAMPLES_MEAN:
		return here || rarely_slow(shape) || shape->draw == bimodal;
	case MEAN_COVERS_HERE:
		return here || shape->draw == bimodal;
	case SAMPLES_MEDIAN:
	case SAMPLES_RATIO:
		return here;
	default:
		return false;
	}
}

/* Of means with rare slow samples only wide intervals are given: these may cover more. */
static double most_of(enum interval w, const struct shape *shape)
{
	bool mean = w == MEAN_COVERS || w == MEAN_COVERS_HERE || w == SAMPLES_RATIO;

	return mean && rarely_slow(shape) ? 100 : 98.5;
}

#endif
