/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A single series, and its step at a split. */
#ifndef FLEET_STEPS_H
#define FLEET_STEPS_H

#include "affinity-fleet/shift.h"

#define STEPS_CONFIDENCE 0.95

struct step {
	double before, after, errors; /* means; standard errors of their difference, in dates */
	bool known;
};

/* Is the date of the change known? */
bool steps_known(const struct fleet_series *s);

/* x[dates], NAN: missing. */
struct step steps_at(const struct fleet_series *s, const double *x, size_t split);

/* The mean step of the figures of a resource, in values[dates * figures]; NAN: there is none. */
double steps_resource(const struct fleet_series *s, const struct fleet_order *o,
	const double *values, size_t resource, size_t split);

#endif
