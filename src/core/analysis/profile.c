/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interpolates a trace, compares two parts. */
#include "analysis/profile.h"

#include <math.h>

/* CPU seconds at which the run had got so far. */
static double time_at(const struct profile_point *points, size_t n, double progress)
{
	for (size_t i = 0; i < n; i++) {
		const struct profile_point *next = &points[i], *last = i ? next - 1 : NULL;

		if (next->progress < progress)
			continue;
		if (!last)
			return next->progress > progress ? NAN : next->cpu_s;
		return last->cpu_s + (next->cpu_s - last->cpu_s) * (progress - last->progress) /
					     (next->progress - last->progress);
	}
	return NAN;
}

double profile_time(const struct profile_point *points, size_t n, double from, double to)
{
	double took = to > from ? time_at(points, n, to) - time_at(points, n, from) : NAN;

	return took > 0 ? took : NAN;
}

enum profile_verdict profile_decide(
	enum profile_verdict before, double gain, double cost, double margin)
{
	double more = cost - gain;

	if (isnan(more))
		return before;
	if (before == PROFILE_STAY)
		more -= margin;
	else if (before == PROFILE_BACK)
		more += margin;
	return more > 0 ? PROFILE_BACK : PROFILE_STAY;
}
