/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which figures are better when they are larger. */
#include <string.h>

#include "affinity-report/figures/grids.h"

bool grids_is_time(const char *unit)
{
	return !strcmp(unit, "s") || !strcmp(unit, "ns") || !strcmp(unit, "ns/unit") ||
	       !strncmp(unit, "seconds", strlen("seconds"));
}

bool grids_is_rate(const char *unit)
{
	const char *per = strrchr(unit, '/');

	return per && !strcmp(per, "/s");
}

double grids_low(const char *unit, struct amount a)
{
	const bool from_0 = unit && (grids_is_time(unit) || grids_is_rate(unit)) && a.value >= 0;

	return from_0 && a.low < 0 ? 0 : a.low;
}

/* Of counters and figures of kernels the unit alone says it. */
enum grid_heat grids_direction(const struct document_table *t)
{
	const bool known = t->id < QUANTITIES;
	const enum quantity_direction direction = quantities[t->id].direction;
	const bool time = known ? direction == MORE_IS_WORSE : grids_is_time(t->unit);
	const bool rate = known ? direction == LESS_IS_WORSE : grids_is_rate(t->unit);

	return time ? HEAT_MORE_IS_WORSE : rate ? HEAT_LESS_IS_WORSE : HEAT_NONE;
}
