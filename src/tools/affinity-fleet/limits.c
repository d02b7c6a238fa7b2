/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What healthy nodes rarely exceed. */
#include "affinity-fleet/fleet.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/random.h"
#include "statistics/robust.h"

/* The part of the error that each kind of set has. The node is a single set, whose spread nothing
 * else can confirm: it has a small part. Single figures are hardest to find: their noise is largest
 * and their number, too. In a large fleet they have most of the error, which costs the other sets
 * little; few nodes bear no claim on a single figure, so there it would only hide the others. */
static const double even[FLEET_KINDS] = {0.1, 0.3, 0.3, 0.3},
		    of_many[FLEET_KINDS] = {0.1, 0.2, 0.1, 0.6};

/* Scores above the limit of a whole node that the simulation should see, fewest of all kinds: that
 * limit is then known within a tenth or so. */
#define BEYOND 8

/* The part of the error that one set of a kind has; NAN: there is none. */
static double tail(
	const struct fleet_layout *l, const double *weights, enum fleet_kind kind, double error)
{
	const size_t members = fleet_members(l, kind);

	return members > 0 ? error * weights[kind] / (double)members : NAN;
}

double fleet_tail(const struct fleet_layout *l, enum fleet_kind kind, double error)
{
	return tail(l, even, kind, error);
}

/* Box and Muller, Annals of Mathematical Statistics 29, 1958. */
static double normal(uint64_t *state)
{
	const double u = ((double)(random_next(state) >> 11) + 1) * 0x1p-53,
		     v = (double)(random_next(state) >> 11) * 0x1p-53;

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* The scores of a kind, of all simulated nodes. */
struct pool {
	double *scores;
	size_t count;
};

static void simulate(
	const struct fleet_layout *l, size_t nodes, uint64_t *state, struct pool *pools)
{
	const size_t sets = fleet_sets(l);
	double *values = alloc_zeroed(nodes * l->figures + sets, sizeof(*values));
	double *scores = values + nodes * l->figures;

	for (size_t i = 0; i < nodes * l->figures; i++)
		values[i] = normal(state);
	struct fleet_scale s = fleet_scale_of(l, nodes, values);

	for (size_t n = 0; n < nodes; n++) {
		fleet_score(l, &s, values + n * l->figures, scores, NULL);
		for (size_t set = 0; set < sets; set++) {
			struct pool *p = &pools[fleet_set(l, set).kind];

			if (!isnan(scores[set]))
				p->scores[p->count++] = scores[set];
		}
	}
	fleet_scale_free(&s);
	free(values);
}

static struct fleet_limits simulated(const struct fleet_layout *l, size_t nodes, double error)
{
	const size_t fleets = (size_t)ceil(BEYOND / (error * even[FLEET_NODE]) / (double)nodes);
	struct pool pools[FLEET_KINDS] = {0};
	struct fleet_limits limits;
	uint64_t state = 1;

	for (int k = 0; k < FLEET_KINDS; k++)
		pools[k].scores = alloc_zeroed(
			fleets * nodes * fleet_members(l, (enum fleet_kind)k) + 1, sizeof(double));
	for (size_t i = 0; i < fleets; i++)
		simulate(l, nodes, &state, pools);
	for (int k = 0; k < FLEET_KINDS; k++) {
		const double above =
			fleet_tail(l, (enum fleet_kind)k, error) * (double)pools[k].count;

		limits.of[k] = pools[k].count > 0 ? robust_largest(pools[k].scores, pools[k].count,
							    (size_t)ceil(above))
						  : INFINITY;
		free(pools[k].scores);
	}
	return limits;
}

struct fleet_limits fleet_limits(const struct fleet_layout *l, size_t nodes, double error)
{
	struct fleet_limits limits;

	if (nodes < FLEET_NORMAL)
		return simulated(l, nodes, error);
	for (int k = 0; k < FLEET_KINDS; k++) {
		const double t = tail(l, of_many, (enum fleet_kind)k, error);

		limits.of[k] = isnan(t) ? INFINITY : robust_normal_limit(t);
	}
	return limits;
}

double fleet_part(const struct fleet_layout *l, const struct fleet_limits *limits,
	const double *scores, size_t set)
{
	return scores[set] / limits->of[fleet_set(l, set).kind];
}

size_t fleet_hottest(
	const struct fleet_layout *l, const struct fleet_limits *limits, const double *scores)
{
	double most = -INFINITY;
	size_t found = 0;

	for (size_t set = 0; set < fleet_sets(l); set++) {
		const double part = fleet_part(l, limits, scores, set);

		if (part > most) {
			most = part;
			found = set;
		}
	}
	return found;
}

bool fleet_is_hot(
	const struct fleet_layout *l, const struct fleet_limits *limits, const double *scores)
{
	return fleet_part(l, limits, scores, fleet_hottest(l, limits, scores)) > 1;
}

void fleet_others_add(struct fleet_others *o, double value)
{
	if (isnan(value))
		return;
	o->low[1] = fmin(o->low[1], fmax(o->low[0], value));
	o->low[0] = fmin(o->low[0], value);
	o->high[1] = fmax(o->high[1], fmin(o->high[0], value));
	o->high[0] = fmax(o->high[0], value);
}

double fleet_others_low(const struct fleet_others *o, double own)
{
	const double low = o->low[o->low[0] == own];

	return isfinite(low) ? low : NAN;
}

double fleet_others_high(const struct fleet_others *o, double own)
{
	const double high = o->high[o->high[0] == own];

	return isfinite(high) ? high : NAN;
}

double fleet_per_cent(double effect)
{
	return 100 * expm1(effect / 100);
}

double fleet_effect(double per_cent)
{
	return 100 * log1p(per_cent / 100);
}
