/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds curves of rates by the number of threads in tables. */
#include "findings/rates.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "document/figure.h"

/* Of more curves a picture says more than sentences. */
#define MOST_CURVES 8

static bool is_rate(const struct document_table *t)
{
	const char *per = strrchr(t->unit, '/');

	return t->shown == SHOWN_TABLE && !t->ranges && !t->mean && t->thread < 0 && per &&
	       !strcmp(per, "/s");
}

/* Has an earlier table rates of the same? Then this one says nothing new. */
static bool is_told(const struct document *d, const struct document_table *t)
{
	for (const struct document_table *other = d->tables; other < t; other++)
		if (is_rate(other) && document_alike(other, t))
			return true;
	return false;
}

bool rates_is(const struct document *d, const struct document_table *t)
{
	return is_rate(t) && !is_told(d, t);
}

bool rates_count_threads(const struct document *d, const char *variable)
{
	bool any = false;

	for (size_t i = 0; i < d->nruns; i++) {
		const char *value = document_value(&d->runs[i], variable);
		uint64_t n;

		if (d->runs[i].skipped)
			continue;
		if (!value || text_count(value, &n) || n != d->runs[i].nthreads)
			return false;
		any = true;
	}
	return any;
}

bool rates_find(const struct document *d, const struct document_table *t, struct rates *c)
{
	if (!rates_is(d, t))
		return false;
	if (rates_count_threads(d, t->row_axis))
		*c = (struct rates){t, &t->rows, &t->columns, t->row_axis, t->column_axis, false};
	else if (*t->column_axis && rates_count_threads(d, t->column_axis))
		*c = (struct rates){t, &t->columns, &t->rows, t->column_axis, t->row_axis, true};
	else
		return false;
	return c->threads->count > 1 && c->others->count <= MOST_CURVES;
}

struct amount rates_at(const struct rates *c, size_t curve, size_t i)
{
	const size_t columns = c->table->columns.count;

	return c->table->cells[c->across ? curve * columns + i : i * columns + curve];
}

void rates_add(struct finding *f, const char *name, const struct rates *c, struct amount rate)
{
	if (rate.low < 0) /* as its interval may be */
		rate.low = 0;
	finding_figure(f, name, rate, c->table->unit);
}

static bool is_measured(struct amount a)
{
	return isfinite(a.value) && a.value > 0;
}

static double count_of(const struct rates *c, size_t i)
{
	double count = NAN;

	return text_position(c->threads->list[i], &count) ? NAN : count;
}

long rates_highest(const struct rates *c, size_t curve)
{
	long highest = -1;
	size_t measured = 0;

	for (size_t i = 0; i < c->threads->count; i++) {
		if (!is_measured(rates_at(c, curve, i)))
			continue;
		measured++;
		if (highest < 0 ||
			rates_at(c, curve, i).value > rates_at(c, curve, (size_t)highest).value)
			highest = (long)i;
	}
	return measured > 1 ? highest : -1;
}

long rates_fewest(const struct rates *c, size_t curve, double rate)
{
	long fewest = -1;

	for (size_t i = 0; i < c->threads->count; i++)
		if (is_measured(rates_at(c, curve, i)) && rates_at(c, curve, i).value >= rate &&
			(fewest < 0 || count_of(c, i) < count_of(c, (size_t)fewest)))
			fewest = (long)i;
	return fewest;
}

bool rates_are_choices(const struct document *d, const struct rates *c)
{
	for (size_t i = 0; i < d->ntables; i++)
		if (d->tables[i].ranges && *c->other_axis &&
			!strcmp(d->tables[i].row_axis, c->other_axis))
			return c->others->count > 1;
	return false;
}

long rates_best(const struct rates *c)
{
	long best = -1;

	for (size_t i = 0; i < c->others->count; i++) {
		const long own = rates_highest(c, i);

		if (own >= 0 && (best < 0 || rates_at(c, i, (size_t)own).value >
						     rates_at(c, (size_t)best,
							     (size_t)rates_highest(c, (size_t)best))
							     .value))
			best = (long)i;
	}
	return best;
}

bool rates_are_placements(const struct document *d, const struct rates *c)
{
	const struct document_run *first = NULL;

	for (size_t i = 0; *c->other_axis && i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];
		const char *here = document_value(r, c->other_axis);

		if (r->skipped || !here || !r->nvectors || !r->vectors[0].asked_node)
			continue;
		first = first ? first : r;
		if (strcmp(here, document_value(first, c->other_axis)) != 0 &&
			strcmp(r->vectors[0].asked_node, first->vectors[0].asked_node) != 0)
			return true;
	}
	return false;
}
