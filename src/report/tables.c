/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices as aligned text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kinds.h"
#include "analysis/overheads.h"
#include "base/alloc.h"
#include "base/crossing.h"
#include "report/report.h"

/* Six significant digits distinguish any two costs that a clock can distinguish, and fit the widest
 * unit. */
static char *cell_text(const struct table *m, size_t cell)
{
	const struct amount a = m->cells[cell];

	if (m->ranges)
		return crossing_text(a);
	if (!isfinite(a.value))
		return alloc_format("-");
	if (!isfinite(a.low))
		return alloc_format("%.6g", a.value);
	return alloc_format("%.6g +-%.2g", a.value, (a.high - a.low) / 2);
}

static int column_width(const struct table *m, size_t column)
{
	int width = (int)strlen(m->col_labels[column]);

	for (size_t i = 0; i < m->rows; i++) {
		char *text = cell_text(m, i * m->cols + column);
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
	int width = label_width(m), corner;

	p->any = true;
	fprintf(out, "%s\n", m->title);
	corner = fprintf(out, "  %s%s%s", m->row_name, *m->col_name ? " \\ " : "", m->col_name);
	fprintf(out, "%*s", width + 2 - corner, "");
	for (size_t k = 0; k < m->cols; k++)
		fprintf(out, "  %*s", column_width(m, k), m->col_labels[k]);
	fprintf(out, "\n");
	for (size_t i = 0; i < m->rows; i++) {
		fprintf(out, "  %-*s", width, m->row_labels[i]);
		for (size_t k = 0; k < m->cols; k++) {
			char *text = cell_text(m, i * m->cols + k);
			fprintf(out, "  %*s", column_width(m, k), text);
			free(text);
		}
		fprintf(out, "\n");
	}
	fprintf(out, "\n");
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
