/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices as aligned text. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trust.h"
#include "base/alloc.h"
#include "statistics/crossing.h"
#include "base/numbers.h"
#include "report/cells.h"

/* A table as it is shown: times in a unit in which they are short, rounded by their intervals. */
struct shown {
	const struct document_table *table;
	size_t rows, cols;
	struct scale scale;
	struct amount *cells; /* [rows * cols], in that unit */
	int *decimals;        /* [cols]; -1: each cell has its own */
	int *widths;          /* [cols] */
	bool signs;           /* is a figure fair or weak? */
};

/* Behind a figure. */
static const char *const signs[] = {[TRUST_FIRM] = " ", [TRUST_FAIR] = "~", [TRUST_WEAK] = "?"};

static enum trust_word word_of(const struct shown *s, size_t cell)
{
	const struct document_mark *mark =
		&s->table->cells_by_row[cell / s->cols].list[cell % s->cols].figure.mark;

	return mark->there ? trust_word_named(mark->word) : TRUST_FIRM;
}

/* Nothing where no figure of the table has one. */
static const char *sign(const struct shown *s, size_t cell)
{
	return s->signs ? signs[word_of(s, cell)] : "";
}

static void column_decimals(struct shown *s)
{
	int common = numbers_common_decimals(s->cells, s->rows * s->cols);
	struct amount *column = alloc_zeroed(s->rows + 1, sizeof(*column));

	for (size_t k = 0; k < s->cols; k++) {
		for (size_t i = 0; i < s->rows; i++)
			column[i] = s->cells[i * s->cols + k];
		s->decimals[k] = common >= 0 ? common : numbers_common_decimals(column, s->rows);
	}
	free(column);
}

static struct shown choose_shown(const struct document_table *t)
{
	const size_t rows = t->rows.count, cols = t->columns.count, n = rows * cols;
	bool seconds = !t->ranges && !strcmp(t->unit, "s");
	struct shown s = {t, rows, cols,
		seconds ? numbers_scale(t->unit, t->cells, n) : (struct scale){NULL, 1},
		alloc_zeroed(n + 1, sizeof(*s.cells)), alloc_zeroed(cols + 1, sizeof(*s.decimals)),
		alloc_zeroed(cols + 1, sizeof(*s.widths)), false};

	for (size_t i = 0; i < n; i++) {
		s.cells[i] = amount_times(t->cells[i], s.scale.factor);
		s.signs |= word_of(&s, i) != TRUST_FIRM;
	}
	column_decimals(&s);
	return s;
}

static void forget(struct shown *s)
{
	free(s->cells);
	free(s->decimals);
	free(s->widths);
}

/* "cost (us), read" for "cost (s), read". */
static void print_title(const struct shown *s, FILE *out)
{
	const struct document_table *t = s->table;
	char *rest = NULL;

	heading_add(&rest, t->operation, t->thread);
	for (size_t i = 0; i < t->values.count; i++)
		heading_add_value(&rest, t->values.list[i].name, t->values.list[i].value);
	const struct heading h = {.id = t->id,
		.name = t->quantity,
		.along = t->along,
		.unit = s->scale.unit ? s->scale.unit : t->unit,
		.rest = rest};
	char *title = heading_title(&h);

	fprintf(out, "%s\n", title);
	free(title);
	free(rest);
}

static char *cell_text(const struct shown *s, size_t cell)
{
	const struct amount a = s->cells[cell];
	int decimals = s->decimals[cell % s->cols];

	if (s->table->ranges) {
		char *text = crossing_text(a);

		alloc_append(&text, "", "%s", sign(s, cell));
		return text;
	}
	if (!isfinite(a.value))
		return alloc_format("-%s", sign(s, cell));
	if (decimals < 0)
		decimals = numbers_decimals(a);
	if (!isfinite(a.low))
		return alloc_format("%.*f%s", decimals, a.value, sign(s, cell));
	return alloc_format("%.*f +-%.*f%s", decimals, a.value, decimals, numbers_half(a, decimals),
		sign(s, cell));
}

static int column_width(const struct shown *s, size_t column)
{
	int width = (int)strlen(s->table->columns.list[column]);

	for (size_t i = 0; i < s->rows; i++) {
		char *text = cell_text(s, i * s->cols + column);
		width = (int)strlen(text) > width ? (int)strlen(text) : width;
		free(text);
	}
	return width;
}

static int label_width(const struct document_table *t)
{
	int width = (int)(strlen(t->row_axis) + strlen(t->column_axis) + 3);

	for (size_t i = 0; i < t->rows.count; i++)
		if ((int)strlen(t->rows.list[i]) > width)
			width = (int)strlen(t->rows.list[i]);
	return width;
}

#define PAIRS "pairs of CPUs"

/* "same L3", "same L3, s=M": to be freed */
static char *class_name(const struct document_class *c)
{
	return alloc_format("%s%s%s", c->name, c->at ? ", " : "", c->at ? c->at : "");
}

/* Before a cell, or the head of a column. */
static const char *border(const struct document_table *t, size_t column)
{
	return t->column_begins.list && t->column_begins.list[column] ? " | " : "  ";
}

static void print_row(const struct shown *s, size_t row, FILE *out)
{
	for (size_t k = 0; k < s->cols; k++) {
		char *text = cell_text(s, row * s->cols + k);
		const int ends = k + 1 == s->cols && text[strlen(text) - 1] == ' ';

		text[strlen(text) - (size_t)ends] = '\0';
		fprintf(out, "%s%*s", border(s->table, k), s->widths[k] - ends, text);
		free(text);
	}
	fprintf(out, "\n");
}

static void print_class(const struct shown *s, const struct document_class *c, int width, FILE *out)
{
	const struct amount amounts[] = {c->fewest, c->median, c->most};
	char *name = class_name(c);

	fprintf(out, "  %-*s  %6" PRId64 " of %-6" PRId64, width, name, c->measured, c->pairs);
	for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++) {
		const struct amount a = amount_times(amounts[i], s->scale.factor);

		fprintf(out, "  %8.*f", numbers_decimals(a), a.value);
	}
	fprintf(out, "%s%s\n", c->mark.there && s->signs ? " " : "",
		c->mark.there && s->signs ? signs[trust_word_named(c->mark.word)] : "");
	free(name);
}

/* Pairs that are equally near, before the pairs themselves. */
static void print_classes(const struct shown *s, FILE *out)
{
	const struct document_table *t = s->table;
	int width = (int)strlen(PAIRS);

	if (!document_has_classes(t))
		return;
	for (size_t i = 0; i < t->nclasses; i++) {
		char *name = class_name(&t->classes[i]);

		width = (int)strlen(name) > width ? (int)strlen(name) : width;
		free(name);
	}
	fprintf(out, "  %-*s  %-16s  %8s  %8s  %8s\n", width, PAIRS, " measured", "fewest",
		"median", "most");
	for (size_t i = 0; i < t->nclasses; i++)
		print_class(s, &t->classes[i], width, out);
	fputc('\n', out);
}

/* Where a figure is missing although events were timed. */
static bool lacks_percentiles(const struct document_table *t)
{
	bool lacks = false;

	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		lacks |= !isfinite(t->cells[i].value);
	return lacks && t->id >= QUANTITY_P1 && t->id <= QUANTITY_P99_99;
}

static void print_table(const struct document_table *t, FILE *out)
{
	struct shown s = choose_shown(t);
	int width = label_width(t), corner;

	for (size_t k = 0; k < s.cols; k++)
		s.widths[k] = column_width(&s, k);
	print_title(&s, out);
	print_classes(&s, out);
	corner = fprintf(
		out, "  %s%s%s", t->row_axis, *t->column_axis ? " \\ " : "", t->column_axis);
	fprintf(out, "%*s", width + 2 - corner, "");
	for (size_t k = 0; k < s.cols; k++)
		fprintf(out, "%s%*s", border(t, k), s.widths[k], t->columns.list[k]);
	fprintf(out, "\n");
	for (size_t i = 0; i < s.rows; i++) {
		if (t->row_begins.list && t->row_begins.list[i])
			fprintf(out, "  -- %s\n", t->row_begins.list[i]);
		fprintf(out, "  %-*s", width, t->rows.list[i]);
		print_row(&s, i, out);
	}
	if (t->held)
		fprintf(out, "  data in: %s\n", t->held);
	if (lacks_percentiles(t))
		fputs("  -: below what stamps tell, too few events, or not measured: the "
		      "distributions say which\n",
			out);
	if (s.signs)
		fprintf(out, "  %s fair, %s weak: JSON has the reasons\n", signs[TRUST_FAIR],
			signs[TRUST_WEAK]);
	fprintf(out, "\n");
	forget(&s);
}

/* Where the sweep reaches another kind of cores: figures before and behind are of unlike cores. */
static void print_kinds(const struct document *d, FILE *out)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (d->runs[i].kinds_begin)
			fprintf(out, "from %s on, threads also run on cores of kind: %s\n\n",
				d->runs[i].label, d->runs[i].kinds_begin);
}

/* Lines that have no figures, where these would stand. */
static void print_lacking(const struct document *d, size_t before, FILE *out)
{
	for (size_t i = 0; i < d->nlacking; i++) {
		const struct document_lacking *l = &d->lacking[i];

		if (l->before == before)
			fprintf(out, "%s: n/a%s%s\n\n", l->title, l->reason ? ": " : "",
				l->reason ? l->reason : "");
	}
}

void report_tables(const struct document *d, FILE *out)
{
	bool any = d->nlacking > 0;

	for (size_t i = 0; i < d->ntables; i++)
		any |= d->tables[i].shown == SHOWN_TABLE;
	if (!any)
		return;
	fprintf(out, "          --Tables--\n\n");
	for (size_t i = 0; i < d->ntables; i++) {
		print_lacking(d, i, out);
		if (d->tables[i].shown == SHOWN_TABLE)
			print_table(&d->tables[i], out);
	}
	print_lacking(d, d->ntables, out);
	print_kinds(d, out);
}
