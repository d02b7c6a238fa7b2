/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices as aligned text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kinds.h"
#include "analysis/overheads.h"
#include "analysis/trust.h"
#include "base/alloc.h"
#include "base/crossing.h"
#include "base/numbers.h"
#include "report/report.h"

/* A table as it is shown: times in a unit in which they are short, rounded by their intervals. */
struct shown {
	const struct table *table;
	struct scale scale;
	struct amount *cells; /* [rows * cols], in that unit */
	int *decimals;        /* [cols]; -1: each cell has its own */
	bool signs;           /* is a figure fair or weak? */
};

/* Behind a figure. */
static const char *const signs[] = {[TRUST_FIRM] = " ", [TRUST_FAIR] = "~", [TRUST_WEAK] = "?"};

/* Nothing where no figure of the table has one. */
static const char *sign(const struct shown *s, size_t cell)
{
	const bool known = s->table->trust && isfinite(s->cells[cell].value);

	return s->signs ? signs[known ? s->table->trust[cell].word : TRUST_FIRM] : "";
}

static void column_decimals(struct shown *s)
{
	const struct table *m = s->table;
	int common = numbers_common_decimals(s->cells, m->rows * m->cols);
	struct amount *column = alloc_zeroed(m->rows, sizeof(*column));

	for (size_t k = 0; k < m->cols; k++) {
		for (size_t i = 0; i < m->rows; i++)
			column[i] = s->cells[i * m->cols + k];
		s->decimals[k] = common >= 0 ? common : numbers_common_decimals(column, m->rows);
	}
	free(column);
}

static struct shown show(const struct table *m)
{
	size_t n = m->rows * m->cols;
	bool seconds = !m->ranges && !strcmp(m->head.unit, "s");
	struct shown s = {m,
		seconds ? numbers_scale(m->head.unit, m->cells, n) : (struct scale){NULL, 1},
		alloc_zeroed(n, sizeof(*s.cells)), alloc_zeroed(m->cols, sizeof(*s.decimals)),
		false};

	for (size_t i = 0; i < n; i++) {
		s.cells[i] = amount_times(m->cells[i], s.scale.factor);
		s.signs |=
			m->trust && isfinite(m->cells[i].value) && m->trust[i].word != TRUST_FIRM;
	}
	column_decimals(&s);
	return s;
}

static void forget(struct shown *s)
{
	free(s->cells);
	free(s->decimals);
}

/* "cost (us), read" for "cost (s), read". */
static void print_title(const struct shown *s, FILE *out)
{
	struct heading h = s->table->head;

	h.unit = s->scale.unit ? s->scale.unit : h.unit;
	char *title = heading_title(&h);

	fprintf(out, "%s\n", title);
	free(title);
}

static char *cell_text(const struct shown *s, size_t cell)
{
	const struct amount a = s->cells[cell];
	int decimals = s->decimals[cell % s->table->cols];

	if (s->table->ranges)
		return crossing_text(a);
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
	const struct table *m = s->table;
	int width = (int)strlen(m->col_labels[column]);

	for (size_t i = 0; i < m->rows; i++) {
		char *text = cell_text(s, i * m->cols + column);
		width = (int)strlen(text) > width ? (int)strlen(text) : width;
		free(text);
	}
	return width;
}

static int label_width(const struct table *m)
{
	int width = (int)(strlen(m->row_name) + strlen(m->col_name) + 3);

	for (size_t i = 0; i < m->rows; i++)
		width = (int)strlen(m->row_labels[i]) > width ? (int)strlen(m->row_labels[i])
							      : width;
	return width;
}

struct printing {
	FILE *out;
	bool any;
};

static void print_table(void *arg, const struct table *m)
{
	struct printing *p = arg;
	FILE *out = p->out;
	struct shown s = show(m);
	int width = label_width(m), corner;

	p->any = true;
	print_title(&s, out);
	corner = fprintf(out, "  %s%s%s", m->row_name, *m->col_name ? " \\ " : "", m->col_name);
	fprintf(out, "%*s", width + 2 - corner, "");
	for (size_t k = 0; k < m->cols; k++)
		fprintf(out, "  %*s", column_width(&s, k), m->col_labels[k]);
	fprintf(out, "\n");
	for (size_t i = 0; i < m->rows; i++) {
		fprintf(out, "  %-*s", width, m->row_labels[i]);
		for (size_t k = 0; k < m->cols; k++) {
			char *text = cell_text(&s, i * m->cols + k);
			const int ends = k + 1 == m->cols && text[strlen(text) - 1] == ' ';

			text[strlen(text) - (size_t)ends] = '\0';
			fprintf(out, "  %*s", column_width(&s, k) - ends, text);
			free(text);
		}
		fprintf(out, "\n");
	}
	if (m->held)
		fprintf(out, "  data in: %s\n", m->held);
	if (s.signs)
		fprintf(out, "  %s fair, %s weak: JSON has the reasons\n", signs[TRUST_FAIR],
			signs[TRUST_WEAK]);
	fprintf(out, "\n");
	forget(&s);
}

/* Where the sweep reaches another kind of cores: figures before and behind are of unlike cores. */
static void print_kinds(const struct experiment *x, FILE *out)
{
	for (size_t i = 0; i < x->nruns; i++) {
		char *kinds = kinds_begin(x, i);

		if (kinds)
			fprintf(out, "from %s on, threads also run on cores of kind: %s\n\n",
				x->runs[i].label, kinds);
		free(kinds);
	}
}

/* A line that was asked for must not be missing without a word. */
static void print_none(const struct experiment *x, const struct view *v, FILE *out)
{
	const struct counted_metric *lacks = v->counter && counter_missing(v->counter)
						     ? v->counter
						     : overheads_missing(x, v->quantity);
	char *title = view_title(x, v);

	fprintf(out, "%s: n/a", title);
	if (lacks)
		fprintf(out, ": %s is not counted: %s", lacks->name, counter_missing(lacks));
	fprintf(out, "\n\n");
	free(title);
}

void report_tables(const struct experiment *x, const struct views *v, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < v->count; i++) {
		if (v->list[i].plot)
			continue;
		if (!any)
			fprintf(out, "          --Tables--\n\n");
		any = true;
		struct printing p = {out, false};

		view_tables(x, &v->list[i], print_table, &p);
		if (!p.any)
			print_none(x, &v->list[i], out);
	}
	if (any)
		print_kinds(x, out);
}
