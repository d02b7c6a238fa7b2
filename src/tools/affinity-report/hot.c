/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What it costs that a cold vector lies on a second memory, in sentences: of tables of speedups by
 * the share of accesses that goes to the hot one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/figure.h"
#include "affinity-report/grids.h"
#include "affinity-report/page.h"
#include "affinity-report/rates.h"

static const char share_axis[] = "hot_share";

/* A column of the table: vectors on the second memory, over those of the baseline. */
struct hot {
	const struct document_table *table;
	size_t column;
	const struct document_run *run, *base; /* of a measured row */
};

static struct amount at(const struct hot *h, size_t row)
{
	return h->table->cells[row * h->table->columns.count + h->column];
}

static bool has_cold(const struct document_run *r)
{
	return r->nvectors > 1 && r->vectors[1].asked_node;
}

/* The first run of this column that is compared; false: none, or its cold vector is where the
 * baseline's is. */
static bool find(const struct document *d, struct hot *h)
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

/* ---- from which share on */

/* The first row from which on all measured ones have at least this part of the speed, at one of
 * their ends; rows.count: none. */
static size_t from_row(const struct hot *h, double (*end)(struct amount))
{
	size_t from = h->table->rows.count;

	for (size_t i = h->table->rows.count; i-- > 0 && !(end(at(h, i)) < SUFFICIENT);)
		from = isfinite(at(h, i).value) ? i : from;
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
		if (isfinite(at(h, i).value) && !isfinite(at(h, i).low))
			return false;
	return true;
}

/* ---- words */

/* "cold Y (node 1)" */
static void place(FILE *out, const struct hot *h, const struct document_run *r)
{
	const char *value = document_value(r, h->table->column_axis);
	const char *node = r->vectors[1].asked_node;

	html(out, "%s %s (%s%s)", h->table->column_axis, value,
		strspn(node, "0123456789") == strlen(node) ? "node " : "", node);
}

static void figure(FILE *out, const struct hot *h, size_t i)
{
	const struct amount a = at(h, i);

	fprintf(out, "%.3g", a.value);
	if (isfinite(a.low) && isfinite(a.high))
		fprintf(out, " (%.3g .. %.3g)", a.low, a.high);
	html(out, " with %s %s", share_axis, h->table->rows.list[i]);
}

/* The first and the last share. */
static void ends(FILE *out, const struct hot *h)
{
	const size_t n = h->table->rows.count;
	size_t first = n, last = n;

	for (size_t i = 0; i < n; i++)
		if (isfinite(at(h, i).value)) {
			first = first < n ? first : i;
			last = i;
		}
	figure(out, h, first);
	if (last == first)
		return;
	fputs(", and ", out);
	figure(out, h, last);
	fputs(",", out);
}

static void threshold(FILE *out, const struct hot *h)
{
	const size_t n = h->table->rows.count, from = from_row(h, value_of);
	const size_t earliest = from_row(h, high_of), sure = from_row(h, low_of);

	fprintf(out, "; at least %.2g of it ", SUFFICIENT);
	if (from == n) {
		fputs("with <strong>no</strong> measured share", out);
		if (earliest < n && has_intervals(h))
			html(out, ", but perhaps from %s %s on", share_axis,
				h->table->rows.list[earliest]);
		return;
	}
	html(out, "from <strong>%s %s</strong> on", share_axis, h->table->rows.list[from]);
	if (!has_intervals(h)) {
		fputs(", without intervals: more samples tell how certain it is", out);
		return;
	}
	if (sure == from && earliest == from)
		return;
	if (sure < n)
		html(out, " (%s .. %s)", h->table->rows.list[earliest], h->table->rows.list[sure]);
	else
		html(out, " (%s .., perhaps with none)", h->table->rows.list[earliest]);
}

static void say(const struct hot *h, FILE *out)
{
	const struct document_table *t = h->table;

	html(out, "<li>%s", t->operation ? t->operation : "");
	page_table_values(t, t->operation ? ", " : "", out);
	fputs(t->operation || t->values.count ? ": " : "", out);
	place(out, h, h->run);
	fputs(" has ", out);
	ends(out, h);
	fputs(" of the speed of ", out);
	place(out, h, h->base);
	threshold(out, h);
	fputs(".</li>\n", out);
}

void page_hot(const struct document *d, const struct document_table *t, FILE *out)
{
	if (t->id != QUANTITY_SPEEDUP || strcmp(t->row_axis, share_axis) != 0 ||
		t->shown != SHOWN_TABLE || t->mean || t->thread >= 0)
		return;
	for (size_t i = 0; i < t->columns.count; i++) {
		struct hot h = {.table = t, .column = i};

		if (find(d, &h))
			say(&h, out);
	}
}
