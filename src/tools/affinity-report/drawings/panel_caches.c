/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The caches of the machine behind a curve over sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "affinity-report/drawings/panel.h"

/* Of a name that is 12 high. */
#define NAME_WIDTH 76
#define LETTER     6.4
#define LINE       6.0

/* Half of a dot. */
#define DOT 4.0

/* Did every run of a row have a vector of that size? */
bool panel_is_of_sizes(const struct document *d, const struct document_table *t)
{
	bool any = false;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];
		const char *value = document_value(r, t->row_axis);
		bool has = false;
		uint64_t bytes;

		if (r->skipped || !value)
			continue;
		for (size_t k = 0; k < r->nvectors && !text_bytes(value, &bytes); k++)
			has |= r->vectors[k].bytes == (int64_t)bytes;
		if (!has)
			return false;
		any = true;
	}
	return any;
}

/* Does the part of the line from one point to another that is between left and right touch these
 * heights? */
static bool crosses(double x0, double y0, double x1, double y1, double left, double right,
	double top, double bottom)
{
	const double from = fmax(fmin(x0, x1), left), to = fmin(fmax(x0, x1), right);

	if (from > to)
		return false;
	const double slope = x1 > x0 || x1 < x0 ? (y1 - y0) / (x1 - x0) : 0;
	const double a = x1 > x0 || x1 < x0 ? y0 + slope * (from - x0) : y0;
	const double b = x1 > x0 || x1 < x0 ? y0 + slope * (to - x0) : y1;

	return fmin(a, b) <= bottom && fmax(a, b) >= top;
}

/* Is any curve in this part of the picture, with its dots and intervals? */
static bool is_taken(
	const struct panel *p, double left, double right, double top, double bottom, size_t curve)
{
	double last_x = NAN, last_y = NAN;
	bool taken = false;

	for (size_t i = 0; i < p->grid->nrows && !taken; i++) {
		const struct amount a = panel_amount(p, i, curve);
		const double x = axis_at(&p->x, panel_place(p, i, curve));
		const double y = axis_at(&p->y, a.value);

		if (!panel_has(p, i, curve)) {
			last_x = NAN;
			continue;
		}
		if (isfinite(last_x))
			taken = crosses(last_x, last_y, x, y, left - DOT, right + DOT, top - DOT,
				bottom + DOT);
		taken |= crosses(x, a.high > a.low ? panel_height(p, a.high) : y, x,
			a.high > a.low ? panel_height(p, a.low) : y, left - DOT, right + DOT,
			top - DOT, bottom + DOT);
		last_x = x;
		last_y = y;
	}
	return taken;
}

/* The highest place for a name that no curve crosses; at the top if all are taken. */
static double free_height(const struct panel *p, double left, double right)
{
	for (double y = PANEL_TOP + 12; y < PANEL_BOTTOM; y += LINE) {
		bool taken = false;

		for (size_t k = 0; k < p->grid->ncolumns && !taken; k++)
			taken = is_taken(p, left, right, y - 10, y + 3, k);
		if (!taken)
			return y;
	}
	return PANEL_TOP + 12;
}

/* From what the caches below hold to what this one holds. */
static void band(
	FILE *out, const struct panel *p, const char *name, double from, double to, bool shaded)
{
	double left = axis_at(&p->x, fmax(from, p->x.least));
	double right = axis_at(&p->x, fmin(to, p->x.most));

	if (!(right > left))
		return;
	if (shaded)
		fprintf(out, "<rect class=band x=%.1f y=%g width=%.1f height=%g />", left,
			PANEL_TOP, right - left, PANEL_BOTTOM - PANEL_TOP);
	const size_t letters = right - left < NAME_WIDTH ? strcspn(name, " ") : strlen(name);

	html(out, "<text class='title cache' x=%.1f y=%g>%.*s</text>", left + 4,
		free_height(p, left + 4, left + 4 + LETTER * (double)letters), (int)letters, name);
}

void panel_caches(FILE *out, const struct panel *p)
{
	const struct fact *caches = environment_fact(&p->document->environment, "caches");
	double from = 0, before = 0;
	bool shaded = true;
	char size[32];

	for (size_t i = 0; caches && i < caches->rows; i++) {
		const double level = fact_number(caches, i, "level");
		const double bytes = fact_number(caches, i, "bytes");

		const bool first = level != before; /* the largest of a level */

		before = level;
		if (!first || !(bytes > from))
			continue;
		char *name = alloc_format(
			"L%.0f %s", level, text_size_exact((uint64_t)bytes, size, sizeof(size)));

		band(out, p, name, from, bytes, shaded);
		free(name);
		from = bytes;
		shaded = !shaded;
	}
}
