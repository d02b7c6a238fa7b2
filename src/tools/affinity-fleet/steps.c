/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of a single series, and of a fleet as a whole. */
#include "affinity-fleet/steps.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/robust.h"

bool steps_known(const struct fleet_series *s)
{
	return s->first == s->last;
}

struct step steps_at(const struct fleet_series *s, const double *x, size_t split)
{
	double sums[2] = {0};
	size_t n[2] = {0};

	for (size_t t = 0; t < s->dates; t++)
		if (!isnan(x[t])) {
			sums[t >= split] += x[t];
			n[t >= split]++;
		}
	if (n[0] < s->least || n[1] < s->least)
		return (struct step){.known = false};
	return (struct step){sums[0] / (double)n[0], sums[1] / (double)n[1],
		sqrt(1 / (double)n[0] + 1 / (double)n[1]), true};
}

double steps_resource(const struct fleet_series *s, const struct fleet_order *o,
	const double *values, size_t resource, size_t split)
{
	const size_t width = s->layout->figures;
	double *course = alloc_zeroed(s->dates, sizeof(*course)), sum = 0;
	size_t n = 0;

	for (size_t i = o->first[resource]; i < o->first[resource + 1]; i++) {
		for (size_t t = 0; t < s->dates; t++)
			course[t] = values[t * width + o->figure[i]];
		const struct step p = steps_at(s, course, split);

		sum += p.known ? p.after - p.before : 0;
		n += p.known;
	}
	free(course);
	return n ? sum / (double)n : NAN;
}

/* The standard error of a median of n normal values. */
static double median_error(double spread, size_t n)
{
	return sqrt(M_PI_2 / (double)n) * spread;
}

struct fleet_common fleet_common(const struct fleet_series *s, size_t resource, size_t split)
{
	const size_t row = s->dates * s->layout->figures;
	const struct fleet_order order = fleet_order_of(s->layout);
	double *all = alloc_zeroed(s->nodes, sizeof(*all));
	struct fleet_common c;
	size_t n = 0;

	for (size_t i = 0; i < s->nodes; i++) {
		const double change =
			steps_resource(s, &order, s->values + i * row, resource, split);

		if (!isnan(change))
			all[n++] = change;
	}
	c.effect = robust_median(all, n);
	c.between = robust_spread(all, n, c.effect);
	const double half =
		n > 1 ? robust_t_half(STEPS_CONFIDENCE, (double)n - 1) * median_error(c.between, n)
		      : NAN;

	free(all);
	free(order.first);
	c.low = c.effect - half;
	c.high = c.effect + half;
	return c;
}
