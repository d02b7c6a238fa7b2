/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of figures, and how far each is from what surrounds it. */
#include "affinity-fleet/fleet.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/robust.h"

size_t fleet_members(const struct fleet_layout *l, enum fleet_kind kind)
{
	const size_t members[] = {1, l->resources, l->domains, l->figures};

	return members[kind];
}

size_t fleet_sets(const struct fleet_layout *l)
{
	return 1 + l->resources + l->domains + l->figures;
}

struct fleet_set fleet_set(const struct fleet_layout *l, size_t set)
{
	int kind = FLEET_NODE;

	while (set >= fleet_members(l, (enum fleet_kind)kind))
		set -= fleet_members(l, (enum fleet_kind)kind++);
	return (struct fleet_set){(enum fleet_kind)kind, set};
}

struct fleet_order fleet_order_of(const struct fleet_layout *l)
{
	size_t *all = alloc_zeroed(l->resources + 2 + l->figures, sizeof(*all));
	struct fleet_order o = {all, all + l->resources + 2};

	for (size_t f = 0; f < l->figures; f++)
		o.first[l->resource[f] + 2]++;
	for (size_t r = 2; r < l->resources + 2; r++)
		o.first[r] += o.first[r - 1];
	for (size_t f = 0; f < l->figures; f++) /* the next place of r is at r + 1 meanwhile */
		o.figure[o.first[l->resource[f] + 1]++] = f;
	return o;
}

static double mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return n > 0 ? sum / (double)n : NAN;
}

/* What one node has: its figures with the missing ones filled in, and room for a part of them. */
struct view {
	const struct fleet_layout *l;
	struct fleet_order order;
	double *x, *part;
};

/* The figures of a resource, but for those of a domain. */
static size_t gather_resource(const struct view *v, size_t resource, size_t but_domain)
{
	size_t n = 0;

	for (size_t i = v->order.first[resource]; i < v->order.first[resource + 1]; i++) {
		const size_t f = v->order.figure[i];

		if ((but_domain == FLEET_NOWHERE || v->l->domain[f] != but_domain) &&
			!isnan(v->x[f]))
			v->part[n++] = v->x[f];
	}
	return n;
}

static double median_of(const struct view *v, size_t resource, size_t but_domain)
{
	return robust_median(v->part, gather_resource(v, resource, but_domain));
}

/* Sets contrasts of node and resources, and fills missing figures in. */
static void of_resources(struct view *v, double *contrasts)
{
	const size_t n = v->l->resources;
	double *medians = alloc_zeroed(2 * n, sizeof(*medians)), *others = medians + n;

	for (size_t r = 0; r < n; r++) {
		contrasts[1 + r] = mean(v->part, gather_resource(v, r, FLEET_NOWHERE));
		medians[r] = median_of(v, r, FLEET_NOWHERE);
	}
	for (size_t f = 0; f < v->l->figures; f++)
		if (isnan(v->x[f]))
			v->x[f] = medians[v->l->resource[f]];
	contrasts[0] = robust_median(medians, n);
	for (size_t r = 0; r < n; r++)
		others[r] = contrasts[1 + r];
	const size_t known = robust_sort(others, n);

	for (size_t r = 0; r < n; r++)
		if (!isnan(contrasts[1 + r]))
			contrasts[1 + r] -= robust_median_but(others, known, contrasts[1 + r]);
	free(medians);
}

/* around: [resources], room for what surrounds the domain. */
static double of_domain(const struct view *v, size_t domain, double *around)
{
	const struct fleet_layout *l = v->l;
	double sum = 0;
	size_t n = 0;

	for (size_t r = 0; r < l->resources; r++)
		around[r] = median_of(v, r, domain);
	for (size_t f = 0; f < l->figures; f++) {
		if (l->domain[f] != domain || isnan(around[l->resource[f]]))
			continue;
		sum += v->x[f] - around[l->resource[f]];
		n++;
	}
	return n > 0 ? sum / (double)n : NAN;
}

/* Each figure beside the others of its resource, which are sorted once. */
static void of_figures(const struct view *v, const double *deviations, double *contrasts)
{
	const struct fleet_layout *l = v->l;

	for (size_t r = 0; r < l->resources; r++) {
		const size_t n = robust_sort(v->part, gather_resource(v, r, FLEET_NOWHERE));

		for (size_t i = v->order.first[r]; i < v->order.first[r + 1]; i++) {
			const size_t f = v->order.figure[i];

			contrasts[f] = deviations[f] - robust_median_but(v->part, n, v->x[f]);
		}
	}
}

void fleet_contrasts(const struct fleet_layout *l, const double *deviations, double *contrasts)
{
	struct view v = {.l = l,
		.order = fleet_order_of(l),
		.x = alloc_zeroed(2 * l->figures + l->resources, sizeof(double))};
	double *domains = contrasts + 1 + l->resources;

	v.part = v.x + l->figures;
	for (size_t f = 0; f < l->figures; f++)
		v.x[f] = deviations[f];
	of_resources(&v, contrasts);
	for (size_t d = 0; d < l->domains; d++)
		domains[d] = of_domain(&v, d, v.part + l->figures);
	of_figures(&v, deviations, domains + l->domains);
	free(v.x);
	free(v.order.first);
}
