/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From where on what is quicker: the runs that cells of tables of crossings compare, and what that
 * says. */
#include "findings/crossings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "statistics/crossing.h"
#include "base/text.h"

const char *crossing_variable(const struct document_table *t)
{
	return t->id == QUANTITY_CROSSING ? t->along : NULL;
}

bool crossing_places_differ(const struct document_run *a, const struct document_run *b)
{
	return a->nvectors && b->nvectors && a->vectors[0].asked_node && b->vectors[0].asked_node &&
	       strcmp(a->vectors[0].asked_node, b->vectors[0].asked_node) != 0;
}

bool crossing_is_first(const struct document *d, const struct document_table *t)
{
	for (const struct document_table *other = d->tables; other < t; other++)
		if (document_same_subject(other, t))
			return false;
	return true;
}

/* ---- what is compared */

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

static void add_point(struct crossing_pair *c, const struct document_table *t,
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
	c->same_place &= crossing_places_differ(r, base) && findings_only_node(r) >= 0 &&
			 findings_only_node(r) == findings_only_node(base);
}

struct crossing_pair crossing_compared(
	const struct document *d, const struct document_table *t, size_t row, size_t column)
{
	struct crossing_pair c = {.certain = true,
		.same_place = true,
		.own = document_quality_begin(d),
		.bases = document_quality_begin(d)};

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i],
					  *base = document_measured(d, r->baseline);
		const char *value = document_value(r, t->along);
		double x;

		if (base && base != r && value && !text_position(value, &x) &&
			document_is_of_cell(r, t, t->rows.list[row], column))
			add_point(&c, t, r, base, x);
	}
	quality_judge_each(&c.own);
	quality_judge_each(&c.bases);
	return c;
}

/* ---- what that says */

char *crossing_difference(const struct document_run *of, const struct document_run *other)
{
	char *text = alloc_string("", 0);

	for (size_t i = 0; i < of->values.count; i++) {
		const char *name = of->values.list[i].name, *value = of->values.list[i].value;
		const char *there = document_value(other, name);

		if (!there || strcmp(there, value) != 0)
			alloc_append(&text, ", ", "%s %s", name, value);
	}
	return text;
}

static void add_difference(struct finding *f, const char *name, const struct document_run *of,
	const struct document_run *other, bool node)
{
	char *text = crossing_difference(of, other);
	char *asked =
		node && of->vectors[0].asked_node ? findings_node(of->vectors[0].asked_node) : NULL;

	finding_text(
		f, name, "%s%s%s%s", text, asked ? " (" : "", asked ? asked : "", asked ? ")" : "");
	free(asked);
	free(text);
}

static void add_value(struct finding *f, const char *name, const struct document_table *t, double x)
{
	finding_figure(f, name, (struct amount){x, NAN, NAN}, t->unit);
}

static enum finding_kind kind_of(struct amount a, const struct crossing_pair *c)
{
	const char *word = crossing_word(a);

	if (c->same_place || (word && !strcmp(word, "same memory")))
		return FINDING_SAME_MEMORY;
	if (isinf(a.value))
		return a.value > 0 ? FINDING_NEVER : FINDING_ALWAYS;
	if (!isnan(a.value))
		return FINDING_CROSSING;
	return !word                   ? FINDING_ONE_POINT
	       : strcmp(word, "mixed") ? FINDING_UNDECIDED
				       : FINDING_MIXED;
}

/* The points at which intervals do not tell. */
static void add_open(
	struct finding *f, const struct document_table *t, const struct crossing_pair *c)
{
	if (c->nopen > MOST_OPEN) {
		finding_text(f, "nopen", "%zu", c->nopen);
		finding_text(f, "points", "%zu", c->points);
		return;
	}
	struct finding_list *list = c->nopen ? finding_add_list(f, "open") : NULL;

	for (size_t i = 0; i < c->nopen; i++)
		add_value(findings_add(list, FINDING_POINT), "at", t, c->open[i]);
}

/* Where a crossing has no value: the ends of what was measured, and what is not certain there. */
static void add_reach(struct finding *f, const struct document_table *t, struct amount a,
	const struct crossing_pair *c)
{
	add_value(f, "least", t, c->least);
	add_value(f, "most", t, c->most);
	add_value(f, "low", t, a.low);
	add_value(f, "high", t, a.high);
	if (!c->certain)
		finding_text(f, "uncertain", "yes");
	if (f->kind == FINDING_ALWAYS || f->kind == FINDING_NEVER)
		add_open(f, t, c);
}

struct finding *crossing_add(struct finding_list *to, const struct document_table *t, size_t cell,
	const struct crossing_pair *c)
{
	const struct amount a = t->cells[cell];
	struct finding *f = findings_add(to, kind_of(a, c));
	const bool places = !c->same_place && crossing_places_differ(c->first, c->base);

	f->trust = c->own.word > c->bases.word ? c->own.word : c->bases.word;
	add_difference(f, "first", c->first, c->base, false);
	add_difference(f, "base", c->base, c->first, places);
	finding_text(f, "along", "%s", t->along);
	if (c->same_place)
		finding_text(f, "node", "%d", findings_only_node(c->first));
	if (f->kind != FINDING_CROSSING) {
		add_reach(f, t, a, c);
		return f;
	}
	finding_figure(f, "at", a, t->unit);
	if (isnan(a.low) && isnan(a.high))
		finding_text(f, "uncertain", "yes");
	else if (!isfinite(a.low) && !isfinite(a.high))
		finding_text(f, "nowhere", "yes");
	return f;
}

/* Of what table and column it is. */
static void add_where(struct finding *f, const struct document_table *t, size_t column)
{
	const bool named = t->columns_are == AXIS_OPERATION || t->columns_are == AXIS_THREAD;

	findings_add_of(f, t);
	if (named)
		finding_text(f, "column", "%s %s", t->column_axis, t->columns.list[column]);
}

void findings_crossings(
	const struct document *d, const struct document_table *t, struct finding_list *to)
{
	for (size_t i = 0; crossing_variable(t) && crossing_is_first(d, t) &&
			   i < t->rows.count * t->columns.count;
		i++) {
		const size_t column = i % t->columns.count;
		const struct crossing_pair c =
			crossing_compared(d, t, i / t->columns.count, column);

		if (c.first)
			add_where(crossing_add(to, t, i, &c), t, column);
	}
}
