/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From where on what is quicker, in sentences: the runs that cells of tables of crossings compare.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "base/buffer.h"
#include "statistics/crossing.h"
#include "base/text.h"
#include "document/figure.h"
#include "affinity-report/crossings.h"
#include "affinity-report/grids.h"

const char *crossing_variable(const struct document_table *t)
{
	return t->id == QUANTITY_CROSSING ? t->along : NULL;
}

bool crossing_places_differ(const struct document_run *a, const struct document_run *b)
{
	return a->nvectors && b->nvectors && a->vectors[0].asked_node && b->vectors[0].asked_node &&
	       strcmp(a->vectors[0].asked_node, b->vectors[0].asked_node) != 0;
}

static struct amount cost_of(const struct document_run *r, const struct document_operation *o)
{
	return document_figure(r, o, ALL_THREADS, DOCUMENT_COST).amount;
}

static bool has_intervals(const struct document_run *r, const struct document_table *t)
{
	for (size_t i = 0; i < r->operations.count; i++)
		if ((!t->operation || !strcmp(t->operation, r->operations.list[i].name)) &&
			!isfinite(cost_of(r, &r->operations.list[i]).low))
			return false;
	return true;
}

/* Do intervals not tell which of both costs more? False where there are none. */
static bool is_open(const struct document_table *t, const struct document_run *r,
	const struct document_run *base)
{
	const struct document_operation *here, *there;

	if (!t->operation || t->thread >= 0 || t->columns_are == AXIS_THREAD)
		return false;
	here = document_operation(r, t->operation);
	there = document_operation(base, t->operation);
	if (!here || !there)
		return false;
	const struct amount times = amount_ratio(cost_of(r, here), cost_of(base, there));

	if (isnan(times.low)) /* of two intervals, and wider than says anything */
		return isfinite(cost_of(r, here).low) && isfinite(cost_of(base, there).low);
	return times.low <= 1 && times.high >= 1;
}

static void add(struct crossing_pair *c, const struct document_table *t,
	const struct document_run *r, const struct document_run *base, double x)
{
	c->first = !c->points || x < c->least ? r : c->first;
	c->base = c->first == r ? base : c->base;
	c->least = c->points ? fmin(c->least, x) : x;
	c->most = c->points ? fmax(c->most, x) : x;
	c->points++;
	if (is_open(t, r, base)) {
		if (c->nopen < MOST_OPEN)
			c->open[c->nopen] = x;
		c->nopen++;
	}
	document_quality_add(&c->own, r, t->operation);
	document_quality_add(&c->bases, base, t->operation);
	c->certain &= has_intervals(r, t) && has_intervals(base, t);
	c->same_place &= crossing_places_differ(r, base) && page_only_node(r) >= 0 &&
			 page_only_node(r) == page_only_node(base);
}

struct crossing_pair crossing_compared(const struct document *d, const struct document_table *t,
	const char *along, size_t row, size_t column)
{
	struct crossing_pair c = {.certain = true,
		.same_place = true,
		.own = document_quality_begin(d),
		.bases = document_quality_begin(d)};

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i],
					  *base = document_measured(d, r->baseline);
		const char *value = document_value(r, along);
		double x;

		if (base && base != r && value && !text_position(value, &x) &&
			document_is_of_cell(r, t, t->rows.list[row], column))
			add(&c, t, r, base, x);
	}
	quality_judge_each(&c.own);
	quality_judge_each(&c.bases);
	return c;
}

void crossing_mark_same(const struct document *d, const struct document_table *t, struct grid *g)
{
	const char *along = crossing_variable(t);

	for (size_t i = 0; along && i < t->rows.count * t->columns.count; i++) {
		const size_t row = i / t->columns.count, column = i % t->columns.count;
		const struct crossing_pair c = crossing_compared(d, t, along, row, column);

		if (c.first && c.same_place)
			g->rows[row].cells[column] = crossing_none_to_find();
	}
}

bool crossing_is_first(const struct document *d, const struct document_table *t)
{
	for (const struct document_table *other = d->tables; other < t; other++)
		if (grids_same_subject(other, t))
			return false;
	return true;
}

static void say_table(const struct document *d, const struct document_table *t, FILE *out)
{
	const char *along = crossing_variable(t);

	for (size_t i = 0; along && crossing_is_first(d, t) && i < t->rows.count * t->columns.count;
		i++) {
		const size_t row = i / t->columns.count, column = i % t->columns.count;
		struct crossing_pair c = crossing_compared(d, t, along, row, column);

		if (!c.first)
			continue;
		fputs("<li>", out);
		crossing_sentence(out, t, along, t->cells[i], &c);
		crossing_where(out, t, column);
		fputs(".</li>\n", out);
	}
}

void page_crossings(const struct document *d, FILE *out)
{
	struct buffer text;
	FILE *sentences = buffer_open(&text);

	for (size_t i = 0; i < d->ntables && !document_simulated(d); i++)
		say_table(d, &d->tables[i], sentences);
	for (size_t i = 0; i < d->ntables && !document_simulated(d); i++)
		page_how_many(d, &d->tables[i], sentences);
	for (size_t i = 0; i < d->ntables && !document_simulated(d); i++)
		page_shares(d, &d->tables[i], sentences);
	for (size_t i = 0; i < d->ntables && !document_simulated(d); i++)
		page_layers(d, &d->tables[i], sentences);
	for (size_t i = 0; i < d->ntables && !document_simulated(d); i++)
		page_hot(d, &d->tables[i], sentences);
	buffer_close(&text, sentences);
	if (*text.data)
		fprintf(out, "<ul class=words>\n%s</ul>\n", text.data);
	free(text.data);
}
