/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an experiment found, in a sentence: the extremes of its first table. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "document/figure.h"
#include "base/alloc.h"
#include "base/buffer.h"
#include "analysis/heading.h"
#include "programs/affinity-report/grids.h"
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

#define EVERY SIZE_MAX

static bool is_within(const struct document_table *t, size_t i, size_t row, size_t column)
{
	return (row == EVERY || i / t->columns.count == row) &&
	       (column == EVERY || i % t->columns.count == column);
}

/* Of the cells of a row or a column, or of all. */
static struct extremes extremes_within(const struct document_table *t, size_t row, size_t column)
{
	struct extremes x = {0};

	for (size_t i = 0; i < t->rows.count * t->columns.count; i++) {
		double value = t->cells[i].value;

		if (!isfinite(value) || value <= 0 || is_mean(t, i) ||
			!is_within(t, i, row, column))
			continue;
		if (!x.n || value < t->cells[x.least].value)
			x.least = i;
		if (!x.n || value > t->cells[x.most].value)
			x.most = i;
		x.n++;
	}
	return x;
}

static double span(const struct document_table *t, struct extremes x)
{
	return x.n > 1 ? t->cells[x.most].value / t->cells[x.least].value : 0;
}

/* Operations do different work: where the table has several figures of each, the ends are of the
 * one that they are farthest apart of. */
static struct extremes extremes_of(const struct document_table *t)
{
	const bool rows = t->rows_are == AXIS_OPERATION, columns = t->columns_are == AXIS_OPERATION;
	const size_t n = rows ? t->rows.count : columns ? t->columns.count : 0;
	struct extremes most = {0};

	for (size_t i = 0; i < n; i++) {
		struct extremes x = extremes_within(t, rows ? i : EVERY, rows ? EVERY : i);

		most = span(t, x) > span(t, most) ? x : most;
	}
	return most.n ? most : extremes_within(t, EVERY, EVERY);
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

/* "size 16 KiB", "node 1", "load": an operation and "thread 0" say themselves what they are. */
static void position(FILE *out, const char *axis, int kind, const char *label)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
	const size_t digits = strspn(label, "0123456789.");

	if (kind != AXIS_OPERATION && strncmp(label, axis, strlen(axis)) != 0)
		html(out, "%s ", axis);
	html_text_n(out, label, digits);
	for (size_t i = 0; digits && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(label + digits, units[i]))
			fputs("&nbsp;", out);
	html_text(out, label + digits);
}

static void place(FILE *out, const struct document_table *t, size_t i)
{
	fputs(" (", out);
	position(out, t->row_axis, t->rows_are, t->rows.list[i / t->columns.count]);
	if (*t->column_axis) {
		fputs(", ", out);
		position(
			out, t->column_axis, t->columns_are, t->columns.list[i % t->columns.count]);
	}
	fputs(")", out);
}

void page_table_values(const struct document_table *t, const char *first, FILE *out)
{
	for (size_t i = 0; i < t->values.count; i++)
		html(out, "%s%s %p", i ? ", " : first, t->values.list[i].name,
			HTML_LABEL(t->values.list[i].value));
}

/* "cache-misses" could be words. */
static bool is_counted(const struct document_table *t)
{
	return t->id == QUANTITY_COUNTER && islower((unsigned char)*t->quantity) &&
	       !strcmp(t->unit, "per unit");
}

/* "Cost" of "cost (s)", "time per access" of "ns_per_unit (ns)". Names of counters stay as they
 * are: "Counter mem_load.l3_miss" begins a sentence. To be freed. */
static char *words_of(const struct document *d, const struct document_table *t, bool begins)
{
	char *name = caption_subject(d, t);

	if (!begins || (!is_counted(t) && heading_begin(name)))
		return name;
	char *words = alloc_format("Counter %s", name);

	free(name);
	return words;
}

/* "Cost of read, node 0: " */
static void quantity(
	FILE *out, const struct document *d, const struct document_table *t, bool begins)
{
	char *name = words_of(d, t, begins);

	html_text(out, name);
	free(name);
	if (t->operation)
		html(out, " of %s", t->operation);
	page_table_values(t, ", ", out);
	fputs(": ", out);
}

/* ---- how far apart the ends are */

/* What was done in the runs of a cell; NAN: not known. */
static double work_of(const struct document *d, const struct document_table *t, size_t cell)
{
	const char *row = t->rows.list[cell / t->columns.count];
	double units = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		if (!document_is_of_cell(r, t, row, cell % t->columns.count))
			continue;
		for (size_t k = 0; k < r->operations.count; k++)
			for (size_t j = 0; j < r->operations.list[k].njobs; j++)
				units += r->operations.list[k].jobs[j].figures.units;
	}
	return units > 0 ? units : NAN;
}

/* Costs are of all that was done, other figures of a unit of it. */
static bool same_work(
	const struct document *d, const struct document_table *t, const struct extremes *x)
{
	const bool by_rows = t->rows_are == AXIS_OPERATION,
		   by_columns = t->columns_are == AXIS_OPERATION;
	const size_t columns = t->columns.count;
	const size_t least = by_rows ? x->least / columns : x->least % columns;
	const size_t most = by_rows ? x->most / columns : x->most % columns;

	if ((by_rows || by_columns) && least != most)
		return false;
	if (t->id != QUANTITY_COST || d->method.per_unit)
		return true;
	return fabs(work_of(d, t, x->most) / work_of(d, t, x->least) - 1) < ALIKE - 1;
}

/* How many times the least is the most; 1: it cannot be said. An overhead is a part of the whole
 * cost, another share of what there is without it. */
static double times_of(
	const struct document *d, const struct document_table *t, const struct extremes *x)
{
	const struct amount least = t->cells[x->least], most = t->cells[x->most];

	if (least.high >= most.low || !same_work(d, t, x))
		return 1;
	if (t->id == QUANTITY_OVERHEAD)
		return (100 - least.value) / (100 - most.value);
	return strcmp(t->unit, "%") ? most.value / least.value
				    : (100 + most.value) / (100 + least.value);
}

static double of_table(
	const struct document *d, const struct document_table *t, enum trust_word *word, FILE *out)
{
	struct extremes x = extremes_of(t);
	struct amount least = t->cells[x.least], most = t->cells[x.most];
	double times = times_of(d, t, &x);
	const struct trust one = document_cell(d, t, x.least).trust,
			   other = document_cell(d, t, x.most).trust;

	*word = page_word_of_figures(d, trust_worse(&one, &other).word);

	quantity(out, d, t, true);
	if (most.value < ALIKE * least.value)
		fprintf(out, "%zu figures, all within <strong>%.2g&nbsp;%%</strong>, from ", x.n,
			(most.value / least.value - 1) * 100);
	else
		fputs("from ", out);
	html(out, "%p", HTML_FIGURE(least, t->unit));
	place(out, t, x.least);
	html(out, " to %p", HTML_FIGURE(most, t->unit));
	place(out, t, x.most);
	if (least.high >= most.low)
		fputs(", which their intervals do not tell apart", out);
	else if (times >= ALIKE && strcmp(t->unit, "%") != 0)
		fprintf(out, ": <strong>%.*f&nbsp;times</strong>", times < 10 ? 1 : 0, times);
	fputs(".", out);
	return times;
}

/* Where each table has a single figure: those of the first quantity. False: there are none. */
static bool of_single_figures(const struct document *d, FILE *out)
{
	const struct document_table *first = NULL;

	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];

		if (t->ranges || extremes_of(t).n != 1 || t->shown != SHOWN_TABLE ||
			(first &&
				(t->id != first->id || strcmp(t->quantity, first->quantity) != 0)))
			continue;
		fputs(first ? "; " : "", out);
		quantity(out, d, t, !first);
		first = t;
		html(out, "%p", HTML_FIGURE(t->cells[extremes_of(t).least], t->unit));
	}
	fputs(first ? "." : "", out);
	return first;
}

/* Where the file asks for no table: the costs of the first run that was measured. */
static void of_run(const struct document *d, const struct document_run *r, FILE *out)
{
	fputs("Cost: ", out);
	for (size_t i = 0; i < r->operations.count; i++) {
		const struct document_operation *o = &r->operations.list[i];

		html(out, "%s%s %p", i ? ", " : "", o->name,
			HTML_FIGURE(document_figure(r, o, ALL_THREADS, DOCUMENT_COST).amount,
				d->method.cost ? d->method.cost : "seconds"));
	}
	fputs(".", out);
}

double page_sentence(const struct document *d, enum trust_word *word, FILE *out)
{
	const struct document_table *t = compared(d);
	const struct document_run *run = NULL;

	for (size_t i = d->nruns; i-- > 0;)
		run = d->runs[i].skipped ? run : &d->runs[i];
	*word = page_quality_of(d).word;
	if (t)
		return of_table(d, t, word, out);
	if (!run)
		return 0;
	if (!of_single_figures(d, out))
		of_run(d, run, out);
	return 1;
}

static void name_lost(const struct document *d, FILE *out)
{
	size_t lost = 0;

	for (size_t i = 0; i < d->nruns; i++)
		lost += d->runs[i].lost;
	if (lost)
		fprintf(out, " %zu of %zu runs lost.", lost, d->nruns);
}

void page_verdict(const struct document *d, FILE *out)
{
	struct buffer text;
	FILE *sentence = buffer_open(&text);
	enum trust_word word;
	bool any = page_sentence(d, &word, sentence) > 0;
	struct quality q = page_quality_of(d);

	buffer_close(&text, sentence);
	if (any) {
		fprintf(out, "<p class=verdict>%s", text.data);
		page_doubts(&q, out);
		name_lost(d, out);
		fputs("</p>\n", out);
		page_quality(&q, out);
	}
	free(text.data);
}
