/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the results of a group on dates. */
#include "programs/affinity-fleet/changes.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/alloc.h"
#include "base/robust.h"
#include "programs/affinity-fleet/changes_held.h"

#define DAY_S 86400.0

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

double changes_per_cent(double effect)
{
	return 100 * expm1(effect / 100);
}

double changes_least(const struct changes *c, const struct fleet_shift *v)
{
	const bool scored = v->set < fleet_sets(c->series.layout);

	return scored ? changes_per_cent(c->shifts.found[v->set]) : NAN;
}

const char *changes_word(const struct fleet_shift *v)
{
	if (!v->known)
		return "unknown";
	if (!v->changed)
		return "steady";
	return v->effect > 0 ? "slower" : "quicker";
}

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

/* The usual number of runs of a node and experiment, of those that have any. */
static size_t usual_runs(const struct grid *d, enum role role)
{
	double *all = alloc_zeroed(d->g->nhosts * d->g->nexperiments + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < d->g->nhosts; i++)
		for (size_t k = 0; k < d->g->nexperiments; k++) {
			const size_t runs = group_results(d->in, &d->hosts[d->g->hosts[i]],
				d->g->experiments[k], role, 0, NULL);

			all[n] = (double)runs;
			n += runs > 0;
		}
	const double usual = robust_median(all, n);

	free(all);
	return isnan(usual) ? 0 : (size_t)usual;
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
static struct step_fact facts_at(const struct grid *d, const struct host *h, size_t split)
{
	struct step_fact at = {h->newest, h->newest};
	double newest[2] = {-INFINITY, -INFINITY};

	for (size_t k = 0; k < h->count; k++) {
		const struct result *x = &d->in->results[h->results[k]];

		if (!counts(x))
			continue;
		const bool before = is_before(d, x, split);

		if (x->begin_s <= newest[before])
			continue;
		newest[before] = x->begin_s;
		*(before ? &at.before : &at.after) = h->results[k];
	}
	return at;
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

static void tell(const struct grid *d, struct changes *c)
{
	c->dates = alloc_zeroed(d->dates, sizeof(*c->dates));
	c->at = alloc_zeroed(d->g->nhosts, sizeof(*c->at));
	c->common = alloc_zeroed(d->g->layout.resources, sizeof(*c->common));
	c->split = common_split(&c->series);
	for (size_t t = 0; t < d->dates; t++)
		c->dates[t] = date_name(d, t);
	for (size_t r = 0; r < d->g->layout.resources; r++)
		c->common[r] = fleet_common(&c->series, r, c->split);
	for (size_t i = 0; i < d->g->nhosts; i++) {
		const struct fleet_shift *v = &c->shifts.nodes[i];

		c->at[i] = facts_at(d, &d->hosts[d->g->hosts[i]], v->known ? v->split : c->split);
		c->unknown += !v->known;
		c->slower += v->changed && v->effect > 0;
		c->quicker += v->changed && v->effect < 0;
	}
}

/* ---- may it be judged? */

static char *obstacle(const struct grid *d)
{
	if (d->length_s > 0)
		return d->dates >= CHANGES_DATES
			       ? NULL
			       : alloc_format("%zu date%s, drift takes %d, each with %d nodes",
					 d->dates, d->dates == 1 ? "" : "s", CHANGES_DATES,
					 GROUP_LEAST);
	if (!d->before)
		return alloc_format("half of the nodes have no results before");
	return d->dates >= 3 ? NULL
			     : alloc_format("one run before and one after tell no spread from run "
					    "to run: measure once more");
}

struct changes changes_of(const struct group *g, const struct intake *in, const struct host *hosts,
	double days, double tolerance)
{
	struct grid d = {.g = g, .in = in, .hosts = hosts, .length_s = days * DAY_S};
	struct changes c = {.refused = NULL};

	if (days > 0) {
		find_dates(&d);
	} else {
		d.before = usual_runs(&d, ROLE_BEFORE);
		d.dates = d.before + usual_runs(&d, ROLE_FIRST);
	}
	c.refused = obstacle(&d);
	if (!c.refused) {
		c.values = values_of(&d, group_fill);
		c.series = (struct fleet_series){&g->layout, g->nhosts, d.dates, c.values,
			days > 0 ? CHANGES_LEAST : d.before,
			days > 0 ? d.dates - CHANGES_LEAST : d.before, days > 0 ? CHANGES_LEAST : 1,
			100 * log1p(tolerance / 100)};
		c.shifts = fleet_shifts_of(&c.series);
		double *times = values_of(&d, group_fill_times);

		changes_held(&c.series, times, &c.shifts);
		free(times);
		tell(&d, &c);
	}
	free(d.periods);
	free(d.first_s);
	return c;
}

void changes_free(struct changes *c)
{
	for (size_t t = 0; c->dates && t < c->series.dates; t++)
		free(c->dates[t]);
	fleet_shifts_free(&c->shifts);
	free(c->refused);
	free(c->dates);
	free(c->values);
	free(c->at);
	free(c->common);
	*c = (struct changes){0};
}
