/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time of all samples, node by node, and date by date. */
#include "affinity-fleet/lost_time.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/robust.h"
#include "affinity-fleet/layout.h"

/* Standard deviations between nodes, or from date to date. */
#define BEYOND 4
/* One result, or date, does not say whether the next is alike. */
#define RESULTS 2

/* Of one role's results of a node, 100 ln(time / cost). */
struct lost_time {
	double usual, least; /* median and least over results; NAN: not known */
	size_t results;
};

static double held_in(const struct group *g, const struct result *x, const double *centre)
{
	double *all = alloc_zeroed(x->count + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < x->count; i++) {
		const size_t f = layout_find(g, x->figures[i]);

		if (f < g->layout.figures)
			all[n++] = x->times[i] - centre[f];
	}
	const double usual = robust_median(all, n);

	free(all);
	return usual;
}

static struct lost_time read_lost_time(const struct group *g, const struct intake *in,
	const struct host *h, enum role role, const double *centre, double own)
{
	double *all = alloc_zeroed(h->count + 1, sizeof(*all));
	struct lost_time out = {NAN, INFINITY, 0};

	for (size_t i = 0; i < h->count; i++) {
		const struct result *x = &in->results[h->results[i]];
		const double held = x->left_out || x->role != role
					    ? NAN
					    : held_in(g, x, centre) - (isnan(own) ? 0 : own);

		if (isnan(held))
			continue;
		all[out.results++] = held;
		out.least = fmin(out.least, held);
	}
	out.usual = robust_median(all, out.results);
	free(all);
	return out;
}

/* What is usual among all nodes, and from where on a node is held up. */
struct usual {
	double middle, limit;
};

static struct usual usual_of(const struct lost_time *first, size_t nodes, double floor)
{
	double *all = alloc_zeroed(nodes, sizeof(*all));
	struct usual u;

	for (size_t i = 0; i < nodes; i++)
		all[i] = first[i].usual;
	u.middle = robust_median(all, nodes);
	u.limit = u.middle + fmax(floor, BEYOND * robust_spread(all, nodes, u.middle));
	free(all);
	return u;
}

static bool is_held(const struct lost_time *h, const struct usual *u)
{
	return h->results >= RESULTS && h->least > u->limit;
}

static double per_cent(double held, const struct usual *u)
{
	return 100 * expm1((held - u->middle) / 100);
}

static void conclude(const struct lost_time *first, size_t nodes, const struct lost_time *fresh,
	const struct usual *u, size_t node, struct node_finding *v)
{
	const bool again = v->fresh >= RESULTS;
	struct fleet_others others = FLEET_NO_OTHERS;

	v->small = false;
	v->kind = !again ? VERDICT_SUSPECT : is_held(fresh, u) ? VERDICT_SLOW : VERDICT_CLEARED;
	v->slower = AMOUNT_NONE;
	v->slower.value = per_cent((v->kind == VERDICT_SLOW ? fresh : &first[node])->usual, u);
	v->least = NAN;
	v->score = (first[node].usual - u->middle) / (u->limit - u->middle);
	for (size_t i = 0; i < nodes; i++)
		fleet_others_add(&others, first[i].usual);
	v->others_low = per_cent(fleet_others_low(&others, first[node].usual), u);
	v->others_high = per_cent(fleet_others_high(&others, first[node].usual), u);
}

void lost_time_judge(const struct findings *f, const struct group *g, const double *centre,
	const double *effects, struct node_finding *nodes)
{
	const size_t sets = fleet_sets(&g->layout);
	struct lost_time *first = alloc_zeroed(g->nhosts, sizeof(*first));

	for (size_t i = 0; i < g->nhosts; i++)
		first[i] = read_lost_time(
			g, f->in, &f->hosts[g->hosts[i]], ROLE_FIRST, centre, effects[i * sets]);
	const struct usual u = usual_of(first, g->nhosts, fleet_effect(f->tolerance));

	for (size_t i = 0; i < g->nhosts; i++) {
		if (!is_held(&first[i], &u) || nodes[i].kind == VERDICT_SLOW)
			continue;
		const struct lost_time fresh = read_lost_time(
			g, f->in, &f->hosts[g->hosts[i]], ROLE_FRESH, centre, effects[i * sets]);

		nodes[i].set_number = sets;
		nodes[i].fresh = fresh.results / g->nexperiments;
		conclude(first, g->nhosts, &fresh, &u, i, &nodes[i]);
	}
	free(first);
}

/* ---- over time */

/* held[nodes * dates]: by how much longer samples took than their costs say, without what all nodes
 * have at a date. A cost whose samples were all disturbed is taken as what it is at other dates. */
static double *held_by_date(const struct fleet_series *s, const double *times)
{
	const size_t width = s->layout->figures, row = s->dates * width;
	double *held = alloc_zeroed(s->nodes * s->dates, sizeof(*held));
	double *centre = alloc_zeroed(2 * row, sizeof(*centre)), *all = centre + row;

	for (size_t i = 0; i < row; i++)
		centre[i] = robust_median_at(s->values + i, s->nodes, row);
	for (size_t n = 0; n < s->nodes; n++) {
		const double *costs = s->values + n * row, *took = times + n * row;

		for (size_t i = 0; i < row; i++)
			all[i] = costs[i] - centre[i];
		for (size_t f = 0; f < width; f++) {
			const double own = robust_median_at(all + f, s->dates, width);

			for (size_t i = f; i < row; i += width)
				all[i] = took[i] -
					 (isnan(costs[i]) ? centre[i] + (isnan(own) ? 0 : own)
							  : costs[i]);
		}
		for (size_t t = 0; t < s->dates; t++)
			held[n * s->dates + t] = robust_median_at(all + t * width, width, 1);
	}
	for (size_t t = 0; t < s->dates; t++) {
		const double middle = robust_median_at(held + t, s->nodes, s->dates);

		for (size_t n = 0; n < s->nodes; n++)
			held[n * s->dates + t] -= middle;
	}
	free(centre);
	return held;
}

static double limit_of(const struct fleet_series *s, const double *held)
{
	const size_t count = s->nodes * s->dates;
	double *all = alloc_zeroed(count, sizeof(*all));

	for (size_t i = 0; i < count; i++)
		all[i] = held[i] - robust_median_at(held + i / s->dates * s->dates, s->dates, 1);
	const double spread = robust_spread(all, count, 0);

	free(all);
	return fmax(s->floor, BEYOND * spread);
}

/* Are all of x[n] above, and are there enough? */
static bool all_above(const double *x, size_t n, double least, size_t enough)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++) {
		if (isnan(x[i]))
			continue;
		if (!(x[i] > least))
			return false;
		known++;
	}
	return known >= enough;
}

/* Is one side of a split above the other one's median by the limit? */
static bool is_held_beside(
	const double *x, size_t n, const double *other, size_t nother, double limit, size_t enough)
{
	return all_above(x, n, robust_median_at(other, nother, 1) + limit, enough) &&
	       all_above(other, nother, -INFINITY, enough);
}

/* The first date of the longest time that is held up to its end, or behind the longest one from
 * the beginning; 0: neither is. */
static size_t split_of(const struct fleet_series *s, const double *x, double limit)
{
	const size_t enough = s->least > RESULTS ? s->least : RESULTS;

	for (size_t split = s->first; split <= s->last; split++)
		if (is_held_beside(x + split, s->dates - split, x, split, limit, enough))
			return split;
	for (size_t split = s->last; split >= s->first; split--)
		if (is_held_beside(x, split, x + split, s->dates - split, limit, enough))
			return split;
	return 0;
}

void lost_time_judge_dates(
	const struct fleet_series *s, const double *times, struct fleet_shifts *shifts)
{
	double *held = held_by_date(s, times);
	const double limit = limit_of(s, held);

	for (size_t n = 0; n < s->nodes; n++) {
		const double *x = held + n * s->dates;
		struct fleet_shift *v = &shifts->nodes[n];
		const size_t split = v->changed && v->effect > 0 ? 0 : split_of(s, x, limit);
		const double before = robust_median_at(x, split, 1),
			     after = robust_median_at(x + split, s->dates - split, 1);

		if (!split || (v->changed && after < before))
			continue;
		*v = (struct fleet_shift){
			true, true, fleet_sets(s->layout), split, after - before, NAN, NAN};
		for (size_t t = 0; t < s->dates; t++)
			shifts->courses[n * s->dates + t] = x[t] - before;
	}
	free(held);
}
