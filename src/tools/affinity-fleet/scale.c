/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What healthy nodes have in common: middles and spreads of figures and of sets. */
#include "affinity-fleet/fleet.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/robust.h"

/* Per cent. Figures that agree better do so by rounding. */
#define LEAST_SCALE 0.01

/* Median and spread of each column of values[nodes * columns]. */
static void middles(
	const double *values, size_t nodes, size_t columns, double *middle, double *spread)
{
	double *column = alloc_zeroed(nodes, sizeof(*column));

	for (size_t k = 0; k < columns; k++) {
		for (size_t n = 0; n < nodes; n++)
			column[n] = values[n * columns + k];
		middle[k] = robust_median(column, nodes);
		spread[k] = fmax(robust_spread(column, nodes, middle[k]), LEAST_SCALE);
	}
	free(column);
}

static void standardise(
	const struct fleet_layout *l, const struct fleet_scale *s, const double *values, double *z)
{
	for (size_t f = 0; f < l->figures; f++)
		z[f] = (values[f] - s->centre[f]) / s->scale[f];
}

/* The per cent of a contrast of 1: the usual scale of the figures that it is made of. */
static void set_units(const struct fleet_layout *l, struct fleet_scale *s)
{
	const struct fleet_order order = fleet_order_of(l);
	double *part = alloc_zeroed(l->figures, sizeof(*part)), *unit = s->unit;

	*unit++ = robust_median_at(s->scale, l->figures, 1);
	for (size_t r = 0; r < l->resources; r++) {
		const size_t first = order.first[r], n = order.first[r + 1] - first;

		for (size_t i = 0; i < n; i++)
			part[i] = s->scale[order.figure[first + i]];
		*unit++ = robust_median(part, n);
	}
	for (size_t d = 0; d < l->domains; d++) {
		for (size_t f = 0; f < l->figures; f++)
			part[f] = l->domain[f] == d ? s->scale[f] : NAN;
		*unit++ = robust_median(part, l->figures);
	}
	for (size_t f = 0; f < l->figures; f++)
		*unit++ = s->scale[f];
	free(part);
	free(order.first);
}

/* Spreads of a kind are about equal; that of a single set is uncertain where nodes are few. */
static void shrink(const struct fleet_layout *l, size_t nodes, double *spread)
{
	const double own = 0.4 * ((double)nodes - 1), common = 10;
	double *part = alloc_zeroed(fleet_sets(l), sizeof(*part));
	size_t first = 0;

	for (int kind = 0; kind < FLEET_KINDS; kind++) {
		const size_t n = fleet_members(l, (enum fleet_kind)kind);

		for (size_t i = 0; i < n; i++)
			part[i] = spread[first + i] * spread[first + i];
		const double usual = robust_median(part, n);

		for (size_t i = 0; i < n; i++) {
			double *s = &spread[first + i];

			*s = sqrt((own * *s * *s + common * usual) / (own + common));
		}
		first += n;
	}
	free(part);
}

struct fleet_scale fleet_scale_of(const struct fleet_layout *l, size_t nodes, const double *values)
{
	const size_t sets = fleet_sets(l);
	double *all = alloc_zeroed(2 * l->figures + 3 * sets, sizeof(*all));
	struct fleet_scale s = {.centre = all};
	double *contrasts = alloc_zeroed(nodes * sets, sizeof(*contrasts));
	double *z = alloc_zeroed(l->figures, sizeof(*z));

	s.scale = s.centre + l->figures;
	s.middle = s.scale + l->figures;
	s.spread = s.middle + sets;
	s.unit = s.spread + sets;
	middles(values, nodes, l->figures, s.centre, s.scale);
	set_units(l, &s);
	for (size_t n = 0; n < nodes; n++) {
		standardise(l, &s, values + n * l->figures, z);
		fleet_contrasts(l, z, contrasts + n * sets);
	}
	middles(contrasts, nodes, sets, s.middle, s.spread);
	shrink(l, nodes, s.spread);
	free(contrasts);
	free(z);
	return s;
}

void fleet_scale_free(struct fleet_scale *s)
{
	free(s->centre);
	*s = (struct fleet_scale){0};
}

void fleet_score(const struct fleet_layout *l, const struct fleet_scale *s, const double *values,
	double *scores, double *effects)
{
	double *x = alloc_zeroed(l->figures, sizeof(*x));

	standardise(l, s, values, x);
	fleet_contrasts(l, x, scores);
	for (size_t set = 0; set < fleet_sets(l); set++)
		scores[set] = (scores[set] - s->middle[set]) / s->spread[set];
	for (size_t f = 0; f < l->figures; f++)
		x[f] = values[f] - s->centre[f];
	if (effects)
		fleet_contrasts(l, x, effects);
	free(x);
}
