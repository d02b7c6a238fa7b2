/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads how far a TLB reaches. */
#include "machine/translations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/figure.h"
#include "input/values.h"

/* Lines so far apart are on pages of their own; nearer ones are the control. */
#define APART 4096

void translations_begin(struct translations *t)
{
	for (size_t i = 0; i < TRANSLATIONS_PAGES; i++)
		for (size_t k = 0; k < REACH_LEVELS; k++)
			t->bytes[i][k] = NAN;
}

/* The level whose reach a table shows, from 0; -1: none. */
static int level_of(const struct document_table *t)
{
	return t->id == QUANTITY_REACH_1 ? 0 : t->id == QUANTITY_REACH_2 ? 1 : -1;
}

/* What a variable of the sweep is in a row; NULL: the file has no such variable. */
static const char *value_of(const struct document_table *t, size_t row, const char *variable)
{
	if (t->row_axis && !strcmp(t->row_axis, variable))
		return t->rows.list[row];
	for (size_t i = 0; i < t->values.count; i++)
		if (!strcmp(t->values.list[i].name, variable))
			return t->values.list[i].value;
	return NULL;
}

/* Bytes from a line to the next one, less the line by which it is more than pages; 0: not known. */
static double apart(const struct document_table *t, size_t row)
{
	const char *stride = value_of(t, row, "stride");
	char *unit;
	double bytes = stride ? strtod(stride, &unit) : 0;

	if (!stride || strcmp(unit, "B") != 0)
		return 0;
	return floor(bytes / APART) * APART;
}

/* The pages of all vectors of a document; NULL: of several kinds. */
static const char *pages_of_all(const struct document *d)
{
	const char *all = NULL;

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].nvectors; k++) {
			const char *own = d->runs[i].vectors[k].asked_pages;

			if (!own || (all && strcmp(all, own) != 0))
				return NULL;
			all = own;
		}
	return all;
}

/* -1: these are none. */
static int pages_named(const char *name)
{
	for (int i = 0; name && i < TRANSLATIONS_PAGES && pages_names[i]; i++)
		if (!strcmp(pages_names[i], name))
			return i;
	return -1;
}

void translations_add(struct translations *t, const struct document *d)
{
	for (size_t i = 0; i < d->ntables; i++) {
		const struct document_table *from = &d->tables[i];
		const int level = level_of(from);

		for (size_t row = 0; level >= 0 && from->columns.count && row < from->rows.count;
			row++) {
			const char *name = value_of(from, row, "pages");
			const int pages = pages_named(name ? name : pages_of_all(d));
			const struct document_figure reach =
				document_cell(d, from, row * from->columns.count);
			const double bytes = reach.amount.value * apart(from, row);

			if (pages >= 0 && bytes > 0 && isfinite(bytes))
				t->bytes[pages][level] = bytes;
		}
	}
}
