/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of the pages is best on the near one of two memories, in sentences: of the tables
 * best_share, advised_share and kernel_share. */
#include <math.h>
#include <string.h>

#include "affinity-report/grids.h"
#include "affinity-report/page.h"

/* The cell of another of the three tables; value NAN: none, or it is not known. */
static struct amount beside(
	const struct document *d, const struct document_table *t, size_t cell, enum quantity id)
{
	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *other = &d->tables[i];

		if (other->id == id && grids_alike(other, t) &&
			other->rows.count == t->rows.count &&
			other->columns.count == t->columns.count)
			return other->cells[cell];
	}
	return AMOUNT_NONE;
}

static void percent(FILE *out, struct amount a)
{
	fprintf(out, "%.3g&nbsp;%%", a.value);
	if (isfinite(a.low) && isfinite(a.high))
		fprintf(out, " (%.3g .. %.3g)", a.low, a.high);
}

/* Is advice among the shares that are not told apart from the best? Nothing is said where that has
 * no interval. What lies between two measured shares was not measured. */
static void judge(FILE *out, struct amount advice, struct amount best)
{
	const double low = isfinite(advice.low) ? advice.low : advice.value;
	const double high = isfinite(advice.high) ? advice.high : advice.value;

	if (isfinite(best.low) && isfinite(best.high))
		fprintf(out, ", %s the shares that are not told apart from the best",
			low <= best.high && high >= best.low ? "among" : "outside of");
}

static void where(FILE *out, const struct document_table *t, size_t cell)
{
	const char *row = t->rows.list[cell / t->columns.count];
	const char *column = t->columns.list[cell % t->columns.count];

	if (t->operation)
		html(out, "%s, ", t->operation);
	html(out, "%s %s", t->row_axis, row);
	if (*t->column_axis)
		html(out, ", %s %s", t->column_axis, column);
	page_table_values(t, ", ", out);
}

static void say(const struct document *d, const struct document_table *t, size_t cell, FILE *out)
{
	const struct amount best = t->cells[cell];
	const struct amount advised = beside(d, t, cell, QUANTITY_ADVISED_SHARE);
	const struct amount kernel = beside(d, t, cell, QUANTITY_KERNEL_SHARE);

	fputs("<li>", out);
	where(out, t, cell);
	fputs(": the bandwidth is highest with <strong>", out);
	percent(out, best);
	fputs("</strong> of the pages on the node of the threads", out);
	if (!isfinite(best.low))
		fputs(", without an interval: more samples tell how certain it is", out);
	fputs(".", out);
	if (isfinite(advised.value)) {
		fputs(" The ratio of the bandwidths advises ", out);
		percent(out, advised);
		judge(out, advised, best);
		fputs(".", out);
	}
	if (isfinite(kernel.value)) {
		fputs(" The kernel's own weights are ", out);
		percent(out, kernel);
		judge(out, kernel, best);
		fputs(".", out);
	}
	fputs("</li>\n", out);
}

void page_shares(const struct document *d, const struct document_table *t, FILE *out)
{
	if (t->id != QUANTITY_BEST_SHARE || t->shown != SHOWN_TABLE)
		return;
	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		if (isfinite(t->cells[i].value))
			say(d, t, i, out);
}
