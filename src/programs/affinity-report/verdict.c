/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment found, in a sentence: the extremes of its first table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "programs/affinity-report/page.h"

/* Figures that differ by less are called alike. */
#define ALIKE 1.1

struct extremes {
	size_t least, most, n; /* indices of cells, and how many cells have a figure */
};

/* Means are of other cells. */
static bool is_mean(const struct document_table *t, size_t i)
{
	size_t columns = t->columns.count;

	return t->mean &&
	       (i / columns + 1 == t->rows.count || (columns > 1 && i % columns + 1 == columns));
}

static struct extremes extremes_of(const struct document_table *t)
{
	struct extremes x = {0};

	for (size_t i = 0; i < t->rows.count * t->columns.count; i++) {
		double value = t->cells[i].value;

		if (!isfinite(value) || value <= 0 || is_mean(t, i))
			continue;
		if (!x.n || value < t->cells[x.least].value)
			x.least = i;
		if (!x.n || value > t->cells[x.most].value)
			x.most = i;
		x.n++;
	}
	return x;
}

/* The first table that compares figures; NULL: none. */
static const struct document_table *compared(const struct document *d)
{
	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];

		if (!t->ranges && !(t->mean && !strcmp(t->mean, "scenarios")) &&
			extremes_of(t).n > 1)
			return t;
	}
	return NULL;
}

static void figure(FILE *out, struct amount a, const char *unit)
{
	struct scale s = numbers_scale(unit, &a, 1);
	struct amount shown = amount_times(a, s.factor);
	int decimals = numbers_decimals(shown);

	fprintf(out, "<strong>%.*f", decimals, shown.value);
	if (*(s.unit ? s.unit : unit)) {
		fputs("&nbsp;", out);
		html_text(out, s.unit ? s.unit : unit);
	}
	fputs("</strong>", out);
}

static void place(FILE *out, const struct document_table *t, size_t i)
{
	fputs(" (", out);
	html_text(out, t->row_axis);
	fputs(" ", out);
	html_text(out, t->rows.list[i / t->columns.count]);
	if (*t->column_axis) {
		fputs(", ", out);
		html_text(out, t->column_axis);
		fputs(" ", out);
		html_text(out, t->columns.list[i % t->columns.count]);
	}
	fputs(")", out);
}

void page_table_values(const struct document_table *t, const char *first, FILE *out)
{
	for (size_t i = 0; i < t->values.count; i++) {
		fputs(i ? ", " : first, out);
		html_text(out, t->values.list[i].name);
		fputs(" ", out);
		html_text(out, t->values.list[i].value);
	}
}

/* "cost of read, node 0" of "cost (s)" */
static void quantity(FILE *out, const struct document_table *t)
{
	const char *unit = strstr(t->quantity, " (");

	html_text_n(out, t->quantity, unit ? (size_t)(unit - t->quantity) : strlen(t->quantity));
	if (t->operation) {
		fputs(" of ", out);
		html_text(out, t->operation);
	}
	page_table_values(t, ", ", out);
	fputs(": ", out);
}

static void of_table(const struct document_table *t, FILE *out)
{
	struct extremes x = extremes_of(t);
	struct amount least = t->cells[x.least], most = t->cells[x.most];

	quantity(out, t);
	if (most.value < ALIKE * least.value) {
		fprintf(out, "%zu figures, all within <strong>%.2g&nbsp;%%</strong>, from ", x.n,
			(most.value / least.value - 1) * 100);
	} else {
		fputs("from ", out);
	}
	figure(out, least, t->unit);
	place(out, t, x.least);
	fputs(" to ", out);
	figure(out, most, t->unit);
	place(out, t, x.most);
	fputs(least.high >= most.low ? ", which their intervals do not tell apart." : ".", out);
}

/* Where each table has a single figure: those of the first quantity. False: there are none. */
static bool of_single_figures(const struct document *d, FILE *out)
{
	const struct document_table *first = NULL;

	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];

		if (t->ranges || extremes_of(t).n != 1 || t->shown != SHOWN_TABLE ||
			(first && strcmp(t->quantity, first->quantity) != 0))
			continue;
		fputs(first ? "; " : "", out);
		first = t;
		quantity(out, t);
		figure(out, t->cells[extremes_of(t).least], t->unit);
	}
	fputs(first ? "." : "", out);
	return first;
}

/* Where the file asks for no table: the costs of the first run that was measured. */
static void of_run(const struct document *d, const struct document_run *r, FILE *out)
{
	fputs("cost: ", out);
	for (size_t i = 0; i < r->operations.count; i++) {
		fputs(i ? ", " : "", out);
		html_text(out, r->operations.list[i].name);
		fputs(" ", out);
		figure(out, r->operations.list[i].total,
			d->method.cost ? d->method.cost : "seconds");
	}
	fputs(".", out);
}

void page_verdict(const struct document *d, FILE *out)
{
	const struct document_table *t = compared(d);
	const struct document_run *run = NULL;

	for (size_t i = d->nruns; i-- > 0;)
		run = d->runs[i].skipped ? run : &d->runs[i];
	if (!t && !run)
		return;
	struct quality q = page_quality_of(d);

	fputs("<p class=verdict>", out);
	if (t)
		of_table(t, out);
	else if (!of_single_figures(d, out))
		of_run(d, run, out);
	page_doubts(&q, out);
	fputs("</p>\n", out);
	page_quality(&q, out);
}
