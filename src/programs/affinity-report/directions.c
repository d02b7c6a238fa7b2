/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which figures are better when they are larger. */
#include <string.h>

#include "programs/affinity-report/grids.h"

/* What the driver computes (analysis/quantity.c), by its name. */
static const struct {
	const char *quantity;
	enum grid_heat heat;
} known[] = {
	{"cost", HEAT_MORE_IS_WORSE},
	{"busy", HEAT_MORE_IS_WORSE},
	{"ns_per_unit", HEAT_MORE_IS_WORSE},
	{"ns_per_op", HEAT_MORE_IS_WORSE},
	{"rate", HEAT_LESS_IS_WORSE},
	{"bandwidth", HEAT_LESS_IS_WORSE},
	{"traffic", HEAT_LESS_IS_WORSE},
	{"speedup", HEAT_LESS_IS_WORSE},
	{"hypothetical", HEAT_LESS_IS_WORSE},
	{"overhead", HEAT_MORE_IS_WORSE},
	{"slowdown", HEAT_MORE_IS_WORSE},
	{"clock_rate", HEAT_LESS_IS_WORSE},
	{"break_even", HEAT_MORE_IS_WORSE},
	{"break_even_time", HEAT_MORE_IS_WORSE},
	{"extra", HEAT_MORE_IS_WORSE},
	{"numa_overhead", HEAT_MORE_IS_WORSE},
	{"stall_cost", HEAT_MORE_IS_WORSE},
	{"cap_overhead", HEAT_MORE_IS_WORSE},
	{"rcm_overhead", HEAT_MORE_IS_WORSE},
	{"coverage_32", HEAT_LESS_IS_WORSE},
	{"huge_gain", HEAT_LESS_IS_WORSE},
	{"whole_time", HEAT_MORE_IS_WORSE},
	{"walk", HEAT_MORE_IS_WORSE},
};

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

/* Counters and figures of kernels have names of their own. */
enum grid_heat grids_direction(const struct document_table *t)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (grids_is_of(t->quantity, known[i].quantity))
			return known[i].heat;
	return grids_is_time(t->unit)   ? HEAT_MORE_IS_WORSE
	       : grids_is_rate(t->unit) ? HEAT_LESS_IS_WORSE
					: HEAT_NONE;
}
