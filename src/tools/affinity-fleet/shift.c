/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of all sets of all nodes, and which of them have a step. */
#include "affinity-fleet/shift.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/robust.h"
#include "affinity-fleet/steps.h"

#define DISTURBED 4 /* standard deviations of a date */
#define AROUND    2 /* dates on each side that tell what is usual */
#define STRAY     4 /* one in so many dates may stray */
#define OWN       8 /* differences that tell a node's own spread */
/* Degrees of freedom that a median of n differences of neighbours keeps: 0.37 n of a median of
 * independent ones (Hampel, as in statistics/robust.h), 2/3 of that because neighbours share a date
 * (von Neumann, Annals of Mathematical Statistics 12, 1941). */
#define EFFICIENCY (0.37 * 2 / 3)
/* Of a date: equal figures differ by rounding. */
#define LEAST_NOISE 1e-6

/* Series of all sets and nodes, [(set * nodes + node) * dates]. */
struct work {
	const struct fleet_series *s;
	size_t sets;
	double *scores, *effects;
	double *all;          /* scores, with those of disturbed dates */
	double *deviations;   /* [(node * dates + date) * figures] */
	double *noise, *wide; /* [sets] of scores; by how much more the changes of nodes differ */
	double *limits;       /* [sets] */
	double *unit;         /* [sets] the per cent that a score of 1 is */
	double df;
};

static double *series(const struct work *w, double *all, size_t set, size_t node)
{
	return all + (set * w->s->nodes + node) * w->s->dates;
}

/* ---- deviations and their contrasts */

/* Takes their median from n values that are `stride` apart. */
static void subtract_median(double *x, size_t n, size_t stride)
{
	const double middle = robust_median_at(x, n, stride);

	for (size_t i = 0; i < n; i++)
		x[i * stride] -= middle;
}

/* From each value what all nodes have at its date, then what its node has at all dates. */
static void subtract_medians(const struct fleet_series *s, double *d)
{
	const size_t width = s->layout->figures, row = s->dates * width;

	for (size_t i = 0; i < row; i++)
		subtract_median(d + i, s->nodes, row);
	for (size_t n = 0; n < s->nodes; n++)
		for (size_t f = 0; f < width; f++)
			subtract_median(d + n * row + f, s->dates, width);
}

/* The spread of a value from date to date, from differences of neighbours of count series of the
 * same length; a known split parts no neighbours. */
static double spread_of(const struct fleet_series *s, const double *x, size_t count, size_t stride,
	size_t *differences)
{
	double *all = alloc_zeroed(count * s->dates, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t t = 1; t < s->dates; t++) {
			const double *now = x + (i * s->dates + t) * stride;
			const double difference = now[0] - *(now - stride);

			if (!isnan(difference) && !(steps_known(s) && t == s->first))
				all[n++] = difference;
		}
	const double spread = robust_spread(all, n, 0) / M_SQRT2;

	free(all);
	*differences = n;
	return spread;
}

static void scale_of(const struct fleet_series *s, const double *d, double *scale)
{
	size_t n;

	for (size_t f = 0; f < s->layout->figures; f++)
		scale[f] = fmax(LEAST_NOISE, spread_of(s, d + f, s->nodes, s->layout->figures, &n));
}

static void contrast(struct work *w)
{
	const struct fleet_layout *l = w->s->layout;
	const size_t all = w->s->nodes * w->s->dates;
	double *scale = alloc_zeroed(2 * l->figures + w->sets, sizeof(*scale));
	double *z = scale + l->figures, *out = z + l->figures;

	scale_of(w->s, w->deviations, scale);
	for (size_t i = 0; i < all; i++) {
		const double *d = w->deviations + i * l->figures;

		for (size_t f = 0; f < l->figures; f++)
			z[f] = d[f] / scale[f];
		fleet_contrasts(l, z, out);
		for (size_t set = 0; set < w->sets; set++)
			w->scores[set * all + i] = w->all[set * all + i] = out[set];
		fleet_contrasts(l, d, out);
		for (size_t set = 0; set < w->sets; set++)
			w->effects[set * all + i] = out[set];
	}
	free(scale);
}

/* ---- noise, and dates that were disturbed */

static void learn_noise(struct work *w)
{
	const size_t all = w->s->nodes * w->s->dates;
	size_t n = 0;

	for (size_t set = 0; set < w->sets; set++) {
		w->noise[set] = spread_of(w->s, w->scores + set * all, w->s->nodes, 1, &n);
		const double effects = spread_of(w->s, w->effects + set * all, w->s->nodes, 1, &n);

		w->noise[set] = fmax(LEAST_NOISE, w->noise[set]);
		w->unit[set] = effects / w->noise[set];
		w->df = fmax(w->df, EFFICIENCY * (double)n);
	}
	w->df = fmax(1, w->df);
}

static double noise_of(const struct work *w, size_t set, size_t node)
{
	size_t n;
	const double own = spread_of(w->s, series(w, w->scores, set, node), 1, 1, &n);

	return n >= OWN ? fmax(own, w->noise[set]) : w->noise[set];
}

/* What a date is expected to be: the median around it, of two the lower. */
static double usual(const struct fleet_series *s, const double *x, size_t date)
{
	const bool after = steps_known(s) && date >= s->first;
	const size_t begin = after ? s->first : 0,
		     end = steps_known(s) && !after ? s->first : s->dates;
	const size_t from = date >= begin + AROUND ? date - AROUND : begin,
		     to = date + AROUND < end ? date + AROUND + 1 : end;
	double around[2 * AROUND + 1];
	size_t n = 0;

	for (size_t t = from; t < to; t++)
		if (!isnan(x[t]))
			around[n++] = x[t];
	return n == 2 ? fmin(around[0], around[1]) : robust_median(around, n);
}

static void drop_disturbed(struct work *w, size_t set, size_t node, double noise)
{
	double *x = series(w, w->scores, set, node), *e = series(w, w->effects, set, node);
	double *middles = alloc_zeroed(w->s->dates, sizeof(*middles));

	for (size_t t = 0; t < w->s->dates; t++)
		middles[t] = usual(w->s, x, t);
	for (size_t t = 0; t < w->s->dates; t++)
		if (fabs(x[t] - middles[t]) > DISTURBED * noise)
			x[t] = e[t] = NAN;
	free(middles);
}

/* ---- steps */

static double score_at(const struct work *w, size_t set, size_t node, size_t split, double noise)
{
	const struct step p = steps_at(w->s, series(w, w->scores, set, node), split);

	return p.known ? (p.after - p.before) / (p.errors * noise) : NAN;
}

/* How much more the changes at a known date differ than the noise lets expect. */
static double excess(const struct work *w, size_t set, const double *noise)
{
	double *all = alloc_zeroed(w->s->nodes, sizeof(*all));

	for (size_t n = 0; n < w->s->nodes; n++)
		all[n] = score_at(w, set, n, w->s->first, noise[n]);
	const double spread = robust_spread(all, w->s->nodes, 0);

	free(all);
	return fmax(1, spread);
}

/* Are there too many dates nearer to the mean of the other side of the split? Those that are left
 * out as disturbed count, too: two of three disturbed ones would leave out the third. */
static bool strays(const struct fleet_series *s, const double *x, struct step p, size_t split)
{
	const double middle = (p.before + p.after) / 2;
	size_t astray[2] = {0}, n[2] = {0};

	for (size_t t = 0; t < s->dates; t++) {
		if (isnan(x[t]))
			continue;
		n[t >= split]++;
		astray[t >= split] += (x[t] > middle) != ((p.after > p.before) == (t >= split));
	}
	return astray[0] > n[0] / STRAY || astray[1] > n[1] / STRAY;
}

/* The score as a part of its limit. A step moves nearly all dates after it; some disturbed ones,
 * which are many standard deviations away, move their mean alone. */
static double part_at(const struct work *w, size_t set, size_t node, size_t split, double noise)
{
	const double *x = series(w, w->scores, set, node);
	const struct step p = steps_at(w->s, x, split);
	const double part =
		fabs(p.after - p.before) / (p.errors * noise * w->wide[set] * w->limits[set]);

	if (!p.known)
		return NAN;
	return part > 1 && strays(w->s, series(w, w->all, set, node), p, split) ? 1 : part;
}

static void consider(struct work *w, size_t set, size_t node, double noise, double *most,
	struct fleet_shift *out)
{
	for (size_t split = w->s->first; split <= w->s->last; split++) {
		const double part = part_at(w, set, node, split, noise);

		if (!(part > *most))
			continue;
		*most = part;
		*out = (struct fleet_shift){.known = true, .set = set, .split = split};
	}
}

static void conclude(struct work *w, size_t node, double most, struct fleet_shift *out)
{
	const struct step p = steps_at(w->s, series(w, w->effects, out->set, node), out->split);
	const double half = robust_t_half(STEPS_CONFIDENCE, w->df) * p.errors * w->unit[out->set] *
			    noise_of(w, out->set, node);

	out->effect = p.after - p.before;
	out->low = out->effect - half;
	out->high = out->effect + half;
	out->changed = most > 1 && fabs(out->effect) >= w->s->floor;
}

static void judge_shifts(struct work *w, struct fleet_shifts *out)
{
	const size_t nodes = w->s->nodes;
	double *most = alloc_zeroed(2 * nodes, sizeof(*most)), *noise = most + nodes;

	for (size_t set = 0; set < w->sets; set++) {
		for (size_t n = 0; n < nodes; n++) {
			noise[n] = noise_of(w, set, n);
			drop_disturbed(w, set, n, noise[n]);
		}
		w->wide[set] = steps_known(w->s) ? excess(w, set, noise) : 1;
		for (size_t n = 0; n < nodes; n++)
			consider(w, set, n, noise[n], &most[n], &out->nodes[n]);
	}
	for (size_t n = 0; n < nodes; n++)
		if (out->nodes[n].known)
			conclude(w, n, most[n], &out->nodes[n]);
	free(most);
}

/* ---- what is told beside the verdicts */

static void set_limits(struct work *w)
{
	const double splits = (double)(w->s->last - w->s->first + 1);

	for (size_t set = 0; set < w->sets; set++) {
		const double tail =
			fleet_tail(w->s->layout, fleet_set(w->s->layout, set).kind, FLEET_NAME) /
			splits / 2;

		w->limits[set] = robust_t_half(1 - 2 * tail, w->df);
	}
}

/* A step of which half of the dates are after it. */
static double found(const struct work *w, size_t set)
{
	const size_t split = steps_known(w->s) ? w->s->first : w->s->dates / 2;
	const double errors = sqrt(1 / (double)split + 1 / (double)(w->s->dates - split)),
		     one = errors * w->noise[set] * w->unit[set] * w->wide[set];

	return fmax(w->s->floor, w->limits[set] * one) +
	       robust_normal_limit(1 - STEPS_CONFIDENCE) * one;
}

static void fill_shifts(struct work *w, struct fleet_shifts *out)
{
	const struct fleet_series *s = w->s;
	const size_t width = s->layout->figures, resources = s->layout->resources;
	const struct fleet_order order = fleet_order_of(s->layout);

	for (size_t n = 0; n < s->nodes; n++) {
		const struct fleet_shift *v = &out->nodes[n];
		const double *x = series(w, w->effects, v->set, n);
		const struct step p = steps_at(s, x, v->split);

		for (size_t t = 0; t < s->dates; t++)
			out->courses[n * s->dates + t] = v->known ? x[t] - p.before : NAN;
		for (size_t r = 0; r < resources; r++)
			out->resources[n * resources + r] =
				v->known
					? steps_resource(s, &order,
						  w->deviations + n * s->dates * width, r, v->split)
					: NAN;
	}
	free(order.first);
	for (size_t set = 0; set < w->sets; set++) {
		out->noise[set] = w->noise[set] * w->unit[set];
		out->found[set] = found(w, set);
	}
}

struct fleet_shifts fleet_shifts_of(const struct fleet_series *s)
{
	const size_t sets = fleet_sets(s->layout), all = s->nodes * s->dates;
	struct work w = {.s = s,
		.sets = sets,
		.scores = alloc_zeroed(3 * sets * all, sizeof(double)),
		.deviations = alloc_zeroed(all * s->layout->figures, sizeof(double)),
		.noise = alloc_zeroed(4 * sets, sizeof(double))};
	const struct fleet_shifts out = {.nodes = alloc_zeroed(s->nodes, sizeof(*out.nodes)),
		.resources = alloc_zeroed(s->nodes * s->layout->resources, sizeof(double)),
		.courses = alloc_zeroed(all, sizeof(double)),
		.noise = alloc_zeroed(2 * sets, sizeof(double))};
	struct fleet_shifts told = out;

	w.effects = w.scores + sets * all;
	w.all = w.effects + sets * all;
	w.wide = w.noise + sets;
	w.limits = w.wide + sets;
	w.unit = w.limits + sets;
	told.found = told.noise + sets;
	for (size_t i = 0; i < all * s->layout->figures; i++)
		w.deviations[i] = s->values[i];
	subtract_medians(s, w.deviations);
	contrast(&w);
	learn_noise(&w);
	set_limits(&w);
	judge_shifts(&w, &told);
	fill_shifts(&w, &told);
	free(w.scores);
	free(w.deviations);
	free(w.noise);
	return told;
}

void fleet_shifts_free(struct fleet_shifts *s)
{
	free(s->nodes);
	free(s->resources);
	free(s->courses);
	free(s->noise);
	*s = (struct fleet_shifts){0};
}
