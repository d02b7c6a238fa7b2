/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says once what holds the data of many cells. */
#include "analysis/table_held.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

/* Are all cells with data from `from` on, a stride apart, of these words? */
static bool all_are(const char *words, char (*from)[PLAN_HELD], size_t count, size_t stride)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		const char *cell = from[i * stride];

		if (*cell && strcmp(cell, words) != 0)
			return false;
		any |= *cell != '\0';
	}
	return any;
}

/* As many as a line holds. */
#define PLACES 12

struct places {
	FILE *out;
	size_t count;
};

static void print_place(struct places *p, const char *row, const char *col)
{
	if (p->count++ < PLACES)
		fprintf(p->out, "%s%s%s%s", p->count > 1 ? ", " : " (", row,
			*row && *col ? " " : "", col);
}

/* Rows, columns where all rows are alike, and single cells. */
static void print_places(
	const struct table *m, char (*held)[PLAN_HELD], const char *words, FILE *out)
{
	struct places p = {out, 0};
	bool *columns = alloc_zeroed(m->cols + 1, sizeof(*columns)), any = false;

	for (size_t k = 0; k < m->cols; k++) {
		columns[k] = m->cols > 1 && all_are(words, &held[k], m->rows, m->cols);
		if (columns[k])
			print_place(&p, "", m->col_labels[k]);
		any |= columns[k];
	}
	for (size_t i = 0; i < m->rows; i++) {
		char(*row)[PLAN_HELD] = &held[i * m->cols];
		const bool whole = !any && all_are(words, row, m->cols, 1);

		if (whole)
			print_place(&p, m->row_labels[i], "");
		for (size_t k = 0; !whole && k < m->cols; k++)
			if (!strcmp(row[k], words) && !columns[k])
				print_place(&p, m->row_labels[i], m->col_labels[k]);
	}
	if (p.count > PLACES)
		fprintf(out, " and %zu more", p.count - PLACES);
	fputs(")", out);
	free(columns);
}

static bool is_first(char (*held)[PLAN_HELD], size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (!strcmp(held[i], held[cell]))
			return false;
	return *held[cell];
}

char *table_held(const struct table *m, char (*held)[PLAN_HELD])
{
	const size_t n = m->rows * m->cols;
	const char *between = "";
	struct buffer line;
	FILE *out = buffer_open(&line);

	for (size_t i = 0; i < n; i++) {
		if (!is_first(held, i))
			continue;
		fprintf(out, "%s%s", between, held[i]);
		if (!all_are(held[i], held, n, 1))
			print_places(m, held, held[i], out);
		between = "; ";
	}
	buffer_close(&line, out);
	if (*line.data)
		return line.data;
	free(line.data);
	return NULL;
}
