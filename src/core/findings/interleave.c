/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of the pages is best on the near one of two memories: of the tables best_share,
 * advised_share and kernel_share. */
#include <math.h>

#include "document/quality.h"
#include "findings/findings.h"

/* The cell of another of the three tables; value NAN: none, or it is not known. */
static struct amount beside(
	const struct document *d, const struct document_table *t, size_t cell, enum quantity id)
{
	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *other = &d->tables[i];

		if (other->id == id && document_alike(other, t) &&
			other->rows.count == t->rows.count &&
			other->columns.count == t->columns.count)
			return other->cells[cell];
	}
	return AMOUNT_NONE;
}

/* Advice, and whether it is among the shares that are not distinguished from the best. Nothing is
 * said where that has no interval. What lies between two measured shares was not measured. */
static void add_advice(struct finding *f, const char *name, const char *among, struct amount advice,
	struct amount best)
{
	const double low = isfinite(advice.low) ? advice.low : advice.value;
	const double high = isfinite(advice.high) ? advice.high : advice.value;

	finding_figure(f, name, advice, "%");
	if (isfinite(advice.value) && isfinite(best.low) && isfinite(best.high))
		finding_text(
			f, among, low <= best.high && high >= best.low ? "among" : "outside of");
}

static void add_best_share(const struct document *d, const struct document_table *t, size_t cell,
	struct finding_list *to)
{
	const struct amount best = t->cells[cell];
	struct finding *f = findings_add(to, FINDING_SHARE);

	f->trust = document_quality_of(d).word;
	findings_add_of(f, t);
	finding_text(f, "row", "%s %s", t->row_axis, t->rows.list[cell / t->columns.count]);
	if (*t->column_axis)
		finding_text(f, "column", "%s %s", t->column_axis,
			t->columns.list[cell % t->columns.count]);
	finding_figure(f, "best", best, "%");
	add_advice(f, "advised", "advised_is", beside(d, t, cell, QUANTITY_ADVISED_SHARE), best);
	add_advice(f, "kernel", "kernel_is", beside(d, t, cell, QUANTITY_KERNEL_SHARE), best);
}

void findings_shares(
	const struct document *d, const struct document_table *t, struct finding_list *to)
{
	if (t->id != QUANTITY_BEST_SHARE || t->shown != SHOWN_TABLE)
		return;
	for (size_t i = 0; i < t->rows.count * t->columns.count; i++)
		if (isfinite(t->cells[i].value))
			add_best_share(d, t, i, to);
}
