/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of the text report. */
#include "report/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/held.h"

void report_cell(FILE *out, int width, int digits, double value)
{
	if (isfinite(value))
		fprintf(out, " %*.*f", width, digits, value);
	else
		fprintf(out, " %*s", width, "n/a");
}

const char *report_number(double value, char *buffer, size_t n)
{
	snprintf(buffer, n, isfinite(value) ? "%.12g" : "n/a", value);
	return buffer;
}

void report_half(FILE *out, int width, struct amount a)
{
	fprintf(out, " +-");
	report_cell(out, width, 3, (a.high - a.low) / 2);
}

void report_held(const char *words, FILE *out)
{
	if (*words)
		fprintf(out, " (%s)", words);
}

const char *report_held_words(const struct document_operation *o, char *buffer, size_t n)
{
	const char **words = alloc_zeroed(o->njobs + 1, sizeof(*words));

	for (size_t i = 0; i < o->njobs; i++)
		words[i] = o->jobs[i].held;
	held_join(words, o->njobs, buffer, n);
	free(words);
	return buffer;
}

void report_held_together(const struct document_operation *o, FILE *out)
{
	char all[256];

	report_held(report_held_words(o, all, sizeof(all)), out);
}

void report_mark(const struct document_mark *m, FILE *out)
{
	if (m->there)
		fprintf(out, " | %s%s%s", m->word, *m->why ? ": " : "", m->why);
}

int report_label_width(const struct document_run *r)
{
	size_t width = 14;

	for (size_t i = 0; i < r->operations.count; i++)
		if (strlen(r->operations.list[i].name) > width)
			width = strlen(r->operations.list[i].name);
	return (int)width;
}

const char *report_cost_unit(const struct document_method *m)
{
	return m->per_unit ? "ns/unit" : "s";
}

double report_cost_scale(const struct document_method *m)
{
	return m->per_unit ? 1e9 : 1;
}
