/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the results of a group on dates. */
#include "affinity-fleet/findings.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "statistics/robust.h"
#include "base/text.h"
#include "affinity-fleet/lost_time.h"

#define DAY_S 86400.0

#define LEAST 3           /* dates on each side of a change */
#define DATES (2 * LEAST) /* that drift takes */

/* What results are put on: dates, or runs before and after. */
struct grid {
	const struct group *g;
	const struct intake *in;
	const struct host *hosts;
	double begin_s, length_s; /* of the first date, of each; length 0: before and after */
	size_t *periods;          /* [dates] those that enough nodes were measured in */
	double *first_s;          /* [dates] the first result's time */
	size_t dates, before;
};

/* group_fill() or group_fill_times() */
typedef void take(const struct group *g, const struct intake *in, size_t result, double *row);

/* ---- dates */

static size_t period_of(const struct grid *d, const struct result *x)
{
	return (size_t)((x->begin_s - d->begin_s) / d->length_s);
}

static bool counts(const struct result *x)
{
	return !x->left_out && !isnan(x->begin_s) && x->role != ROLE_FRESH;
}

static void find_span(struct grid *d, size_t *periods)
{
	double first = INFINITY, last = -INFINITY;

	for (size_t i = 0; i < d->g->nhosts; i++) {
		const struct host *h = &d->hosts[d->g->hosts[i]];

		for (size_t k = 0; k < h->count; k++) {
			const struct result *x = &d->in->results[h->results[k]];

			first = counts(x) ? fmin(first, x->begin_s) : first;
			last = counts(x) ? fmax(last, x->begin_s) : last;
		}
	}
	d->begin_s = floor(first / DAY_S) * DAY_S;
	*periods = last >= first ? (size_t)((last - d->begin_s) / d->length_s) + 1 : 0;
}

/* How many nodes were measured in a period, and when first. */
struct period {
	size_t nodes, last; /* the node that was counted last, plus 1 */
	double first_s;
};

static void count_periods(const struct grid *d, struct period *periods)
{
	for (size_t i = 0; i < d->g->nhosts; i++) {
		const struct host *h = &d->hosts[d->g->hosts[i]];

		for (size_t k = 0; k < h->count; k++) {
			const struct result *x = &d->in->results[h->results[k]];

			if (!counts(x))
				continue;
			struct period *p = &periods[period_of(d, x)];

			p->first_s = p->nodes ? fmin(p->first_s, x->begin_s) : x->begin_s;
			p->nodes += p->last != i + 1;
			p->last = i + 1;
		}
	}
}

static void find_dates(struct grid *d)
{
	size_t count;

	find_span(d, &count);
	struct period *periods = alloc_zeroed(count + 1, sizeof(*periods));

	count_periods(d, periods);
	d->periods = alloc_zeroed(count + 1, sizeof(*d->periods));
	d->first_s = alloc_zeroed(count + 1, sizeof(*d->first_s));
	for (size_t p = 0; p < count; p++)
		if (periods[p].nodes >= GROUP_LEAST) {
			d->first_s[d->dates] = periods[p].first_s;
			d->periods[d->dates++] = p;
		}
	free(periods);
}

/* ---- values */

/* The runs of a node at one date; a figure's value is their median. */
static void take_date(const struct grid *d, take *fill, const size_t *results, size_t runs,
	double *rows, double *out)
{
	const size_t width = d->g->layout.figures;
	double *all = alloc_zeroed(runs + 1, sizeof(*all));

	for (size_t i = 0; i < runs * width; i++)
		rows[i] = NAN;
	for (size_t r = 0; r < runs; r++)
		fill(d->g, d->in, results[r], rows + r * width);
	for (size_t f = 0; f < width; f++) {
		for (size_t r = 0; r < runs; r++)
			all[r] = rows[r * width + f];
		out[f] = robust_median(all, runs);
	}
	free(all);
}

static void fill_dates(const struct grid *d, take *fill, const struct host *h, double *node)
{
	size_t *found = alloc_zeroed(h->count + 1, sizeof(*found));
	double *rows = alloc_zeroed(h->count * d->g->layout.figures + 1, sizeof(*rows));

	for (size_t t = 0; t < d->dates; t++) {
		size_t n = 0;

		for (size_t k = 0; k < h->count; k++) {
			const struct result *x = &d->in->results[h->results[k]];

			if (counts(x) && period_of(d, x) == d->periods[t])
				found[n++] = h->results[k];
		}
		take_date(d, fill, found, n, rows, node + t * d->g->layout.figures);
	}
	free(found);
	free(rows);
}

static void fill_runs(const struct grid *d, take *fill, const struct host *h, enum role role,
	size_t from, size_t runs, double *node)
{
	const size_t width = d->g->layout.figures;
	size_t *found = alloc_zeroed(runs + 1, sizeof(*found));

	for (size_t k = 0; k < d->g->nexperiments; k++) {
		const size_t n = group_results(d->in, h, d->g->experiments[k], role, runs, found);

		for (size_t r = 0; r < n && r < runs; r++)
			fill(d->g, d->in, found[r], node + (from + r) * width);
	}
	free(found);
}

static double *values_of(const struct grid *d, take *fill)
{
	const size_t row = d->dates * d->g->layout.figures;
	double *values = alloc_zeroed(d->g->nhosts * row + 1, sizeof(*values));

	for (size_t i = 0; i < d->g->nhosts * row; i++)
		values[i] = NAN;
	for (size_t i = 0; i < d->g->nhosts; i++) {
		const struct host *h = &d->hosts[d->g->hosts[i]];
		double *node = values + i * row;

		if (d->length_s > 0) {
			fill_dates(d, fill, h, node);
		} else {
			fill_runs(d, fill, h, ROLE_BEFORE, 0, d->before, node);
			fill_runs(d, fill, h, ROLE_FIRST, d->before, d->dates - d->before, node);
		}
	}
	return values;
}

/* ---- what is told of dates and nodes */

static char *date_name(const struct grid *d, size_t date)
{
	if (d->length_s > 0) {
		const time_t begin = (time_t)d->first_s[date];
		struct tm t;
		char text[32] = "?";

		if (gmtime_r(&begin, &t))
			strftime(text, sizeof(text), "%Y-%m-%d", &t);
		return alloc_format("%s", text);
	}
	return date < d->before ? alloc_format("before %zu", date + 1)
				: alloc_format("after %zu", date - d->before + 1);
}

static bool is_before(const struct grid *d, const struct result *x, size_t split)
{
	return d->length_s > 0 ? period_of(d, x) < d->periods[split] : x->role == ROLE_BEFORE;
}

/* The newest results before and after a node's change. */
static void find_results(const struct grid *d, const struct host *h, struct node_finding *n)
{
	double newest[2] = {-INFINITY, -INFINITY};

	n->before = n->after = h->newest;
	for (size_t k = 0; k < h->count; k++) {
		const struct result *x = &d->in->results[h->results[k]];

		if (!counts(x))
			continue;
		const bool before = is_before(d, x, n->split);

		if (x->begin_s <= newest[before])
			continue;
		newest[before] = x->begin_s;
		*(before ? &n->before : &n->after) = h->results[k];
	}
}

/* The date from which on all nodes changed most. */
static size_t common_split(const struct fleet_series *s)
{
	size_t best = s->first;
	double most = -1;

	for (size_t split = s->first; split <= s->last; split++) {
		double sum = 0;

		for (size_t r = 0; r < s->layout->resources; r++) {
			const double effect = fleet_common(s, r, split).effect;

			sum += isnan(effect) ? 0 : fabs(effect);
		}
		if (sum > most) {
			most = sum;
			best = split;
		}
	}
	return best;
}

static enum verdict_kind kind_of(const struct fleet_shift *v)
{
	if (!v->known)
		return VERDICT_UNKNOWN;
	if (!v->changed)
		return VERDICT_STEADY;
	return v->effect > 0 ? VERDICT_SLOWER : VERDICT_QUICKER;
}

static struct amount per_cent(double effect, double low, double high)
{
	return (struct amount){fleet_per_cent(effect), fleet_per_cent(low), fleet_per_cent(high)};
}

static struct node_finding find_node(const struct grid *d, const struct fleet_series *s,
	const struct fleet_shifts *shifts, const struct judged *j, size_t node)
{
	const struct fleet_shift *v = &shifts->nodes[node];
	const bool scored = v->set < fleet_sets(s->layout);
	struct node_finding n = {.kind = kind_of(v),
		.set_number = v->set,
		.slower = v->known ? per_cent(v->effect, v->low, v->high) : AMOUNT_NONE,
		.least = v->known && scored ? fleet_per_cent(shifts->found[v->set]) : NAN,
		.rank = v->effect,
		.split = v->known ? v->split : j->split,
		.since = v->known && d->length_s > 0 ? j->dates[v->split] : NULL,
		.course = j->courses + node * s->dates};

	find_results(d, &d->hosts[d->g->hosts[node]], &n);
	return n;
}

static struct resource_finding find_resource(const struct fleet_series *s,
	const struct fleet_shifts *shifts, size_t split, size_t resource)
{
	const struct fleet_common all = fleet_common(s, resource, split);
	struct resource_finding r = {.all = per_cent(all.effect, all.low, all.high),
		.between = all.between,
		.within = shifts->noise[1 + resource],
		.least = fleet_per_cent(shifts->found[1 + resource])};

	for (size_t f = 0; f < s->layout->figures; f++)
		r.figures += s->layout->resource[f] == resource;
	return r;
}

static double *all_per_cent(const double *effects, size_t n)
{
	double *all = alloc_zeroed(n, sizeof(*all));

	for (size_t i = 0; i < n; i++)
		all[i] = fleet_per_cent(effects[i]);
	return all;
}

static void find_all(const struct grid *d, const struct fleet_series *s,
	const struct fleet_shifts *shifts, struct judged *out)
{
	const size_t nodes = d->g->nhosts, resources = s->layout->resources;

	out->ndates = d->dates;
	out->dates = alloc_zeroed(d->dates, sizeof(*out->dates));
	for (size_t t = 0; t < d->dates; t++)
		out->dates[t] = date_name(d, t);
	out->split = common_split(s);
	out->effects = all_per_cent(shifts->resources, nodes * resources);
	out->courses = all_per_cent(shifts->courses, nodes * d->dates);
	out->nodes = alloc_zeroed(nodes, sizeof(*out->nodes));
	for (size_t n = 0; n < nodes; n++)
		out->nodes[n] = find_node(d, s, shifts, out, n);
	out->resources = alloc_zeroed(resources, sizeof(*out->resources));
	for (size_t r = 0; r < resources; r++)
		out->resources[r] = find_resource(s, shifts, out->split, r);
}

/* ---- may it be judged? */

static char *why_no_changes(const struct grid *d)
{
	if (d->length_s > 0)
		return d->dates >= DATES ? NULL
					 : alloc_format("%zu date%s, drift takes %d, each with %d "
							"nodes",
						   d->dates, text_s(d->dates), DATES, GROUP_LEAST);
	if (!d->before)
		return alloc_format("half of the nodes have no results before");
	return d->dates >= 3 ? NULL
			     : alloc_format("one run before and one after tell no spread from run "
					    "to run: measure once more");
}

static void judge_dates(const struct grid *d, double tolerance, struct judged *out)
{
	const bool drift = d->length_s > 0;
	double *values = values_of(d, group_fill), *times = values_of(d, group_fill_times);
	const struct fleet_series s = {&d->g->layout, d->g->nhosts, d->dates, values,
		drift ? LEAST : d->before, drift ? d->dates - LEAST : d->before, drift ? LEAST : 1,
		fleet_effect(tolerance)};
	struct fleet_shifts shifts = fleet_shifts_of(&s);

	lost_time_judge_dates(&s, times, &shifts);
	find_all(d, &s, &shifts, out);
	fleet_shifts_free(&shifts);
	free(values);
	free(times);
}

void changes_judge(const struct findings *f, size_t group, struct judged *out)
{
	const struct group *g = &f->groups[group];
	struct grid d = {.g = g, .in = f->in, .hosts = f->hosts, .length_s = f->days * DAY_S};

	if (f->days > 0) {
		find_dates(&d);
	} else {
		d.before = group_usual_runs(g, f->in, f->hosts, ROLE_BEFORE);
		d.dates = d.before + group_usual_runs(g, f->in, f->hosts, ROLE_FIRST);
	}
	out->refused = why_no_changes(&d);
	if (!out->refused)
		judge_dates(&d, f->tolerance, out);
	free(d.periods);
	free(d.first_s);
}
