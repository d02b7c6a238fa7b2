/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What it costs that a cold vector lies on a second memory: of tables of speedups by the share of
 * accesses that goes to the hot one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/quality.h"
#include "findings/findings.h"
#include "findings/rates.h"

static const char share_axis[] = "hot_share";

/* A column of the table: vectors on the second memory, over those of the baseline. */
struct hot {
	const struct document_table *table;
	size_t column;
	const struct document_run *run, *base; /* of a measured row */
};

static struct amount speedup_at(const struct hot *h, size_t row)
{
	return h->table->cells[row * h->table->columns.count + h->column];
}

static bool has_cold(const struct document_run *r)
{
	return r->nvectors > 1 && r->vectors[1].asked_node;
}

/* The first run of this column that is compared; false: none, or its cold vector is where the
 * baseline's is. */
static bool find_compared_run(const struct document *d, struct hot *h)
{
	const struct document_table *t = h->table;

	for (size_t i = 0; i < d->nruns * t->rows.count && !h->run; i++) {
		const struct document_run *r = &d->runs[i / t->rows.count];

		h->base = document_is_of_cell(r, t, t->rows.list[i % t->rows.count], h->column)
				  ? document_measured(d, r->baseline)
				  : NULL;
		h->run = h->base ? r : NULL;
	}
	return h->run && has_cold(h->run) && has_cold(h->base) &&
	       strcmp(h->run->vectors[1].asked_node, h->base->vectors[1].asked_node) != 0;
}

/* The first row from which on all measured ones have at least this part of the speed, at one of
 * their ends; rows.count: none. */
static size_t from_row(const struct hot *h, double (*end)(struct amount))
{
	size_t from = h->table->rows.count;

	for (size_t i = h->table->rows.count; i-- > 0 && !(end(speedup_at(h, i)) < SUFFICIENT);)
		from = isfinite(speedup_at(h, i).value) ? i : from;
	return from;
}

static double value_of(struct amount a)
{
	return a.value;
}

/* Without an interval nothing is certain. */
static double low_of(struct amount a)
{
	return isfinite(a.value) && !isfinite(a.low) ? -INFINITY : a.low;
}

static double high_of(struct amount a)
{
	return isfinite(a.value) && !isfinite(a.high) ? INFINITY : a.high;
}

static bool has_intervals(const struct hot *h)
{
	for (size_t i = 0; i < h->table->rows.count; i++)
		if (isfinite(speedup_at(h, i).value) && !isfinite(speedup_at(h, i).low))
			return false;
	return true;
}

/* ---- what is said */

/* "cold Y (node 1)" */
static void add_place(
	struct finding *f, const char *name, const struct hot *h, const struct document_run *r)
{
	char *node = findings_node(r->vectors[1].asked_node);

	finding_text(f, name, "%s %s (%s)", h->table->column_axis,
		document_value(r, h->table->column_axis), node);
	free(node);
}

/* The first and the last share. */
static void add_ends(struct finding *f, const struct hot *h)
{
	const size_t n = h->table->rows.count;
	size_t first = n, last = n;

	for (size_t i = 0; i < n; i++)
		if (isfinite(speedup_at(h, i).value)) {
			first = first < n ? first : i;
			last = i;
		}
	finding_figure(f, "first", speedup_at(h, first), "");
	finding_text(f, "first_share", "%s", h->table->rows.list[first]);
	if (last == first)
		return;
	finding_figure(f, "last", speedup_at(h, last), "");
	finding_text(f, "last_share", "%s", h->table->rows.list[last]);
}

static void add_row(struct finding *f, const char *name, const struct hot *h, size_t row)
{
	if (row < h->table->rows.count)
		finding_text(f, name, "%s", h->table->rows.list[row]);
}

/* From which share on. */
static void add_threshold(struct finding *f, const struct hot *h)
{
	const size_t n = h->table->rows.count, from = from_row(h, value_of);
	const size_t earliest = from_row(h, high_of), sure = from_row(h, low_of);
	const bool certain = has_intervals(h);

	finding_figure(f, "part", (struct amount){SUFFICIENT, NAN, NAN}, "");
	add_row(f, "from", h, from);
	if (from == n && certain)
		add_row(f, "perhaps", h, earliest);
	if (from < n && !certain)
		finding_text(f, "uncertain", "yes");
	if (from == n || !certain || (sure == from && earliest == from))
		return;
	add_row(f, "earliest", h, earliest);
	add_row(f, "sure", h, sure);
}

void findings_hot(const struct document *d, const struct document_table *t, struct finding_list *to)
{
	if (t->id != QUANTITY_SPEEDUP || strcmp(t->row_axis, share_axis) != 0 ||
		t->shown != SHOWN_TABLE || t->mean || t->thread >= 0)
		return;
	for (size_t i = 0; i < t->columns.count; i++) {
		struct hot h = {.table = t, .column = i};

		if (!find_compared_run(d, &h))
			continue;
		struct finding *f = findings_add(to, FINDING_HOT);

		f->trust = document_quality_of(d).word;
		findings_add_of(f, t);
		add_place(f, "place", &h, h.run);
		add_place(f, "base", &h, h.base);
		add_ends(f, &h);
		add_threshold(f, &h);
	}
}
