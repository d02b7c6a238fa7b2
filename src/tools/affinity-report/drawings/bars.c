/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws groups of bars with their figures. */
#include <math.h>

#include "base/numbers.h"
#include "affinity-report/drawings/axis.h"
#include "affinity-report/drawings/draw.h"
#include "affinity-report/figures/grids.h"

/* The field in the picture's 400 units; behind it is room for the figure of the longest bar. */
#define LEFT  8.0
#define RIGHT 330.0
#define TOP   22.0

#define HEAD      19.0
#define BAR       15.0
#define MOST_BARS 96

struct bars {
	const struct grid *grid;
	struct scale scale;
	struct axis axis;
	double group, bottom;
	bool ratios;
};

static struct amount shown_bar(const struct bars *b, size_t row, size_t column)
{
	return amount_times(b->grid->rows[row].cells[column], b->scale.factor);
}

/* Returns how many figures there are. */
static size_t set_axis(struct bars *b)
{
	size_t n = 0;

	b->axis = (struct axis){.most = b->ratios ? 1.2 : 0, .from = LEFT, .to = RIGHT};
	for (size_t i = 0; i < b->grid->nrows; i++)
		for (size_t k = 0; k < b->grid->ncolumns; k++) {
			struct amount a = shown_bar(b, i, k);

			if (!isfinite(a.value))
				continue;
			b->axis.most = fmax(
				b->axis.most, fmax(a.value, isfinite(a.high) ? a.high : a.value));
			b->axis.least = fmin(b->axis.least,
				fmin(a.value,
					isfinite(a.low) ? grids_low(b->grid->unit, a) : a.value));
			n++;
		}
	if (!(b->axis.most > 0 || b->axis.least < 0))
		b->axis.most = 1;
	axis_round(&b->axis);
	return n;
}

/* Over the bar, whatever its colour: between two lines of the paper's. */
static void interval(FILE *out, double from, double to, double y)
{
	fprintf(out, "<path class=halo d='M%.1f %.1fH%.1f' /><path d='M%.1f %.1fH%.1f' />", from, y,
		to, from, y, to);
}

static void bar(FILE *out, const struct bars *b, struct amount a, double y, size_t column)
{
	const double zero = axis_at(&b->axis, 0), end = axis_at(&b->axis, a.value);
	const int decimals = numbers_decimals(a);
	double behind = fmax(zero, end);

	fprintf(out, "<rect x=%.1f y=%.1f width=%.1f height=13 fill='%s' />", fmin(zero, end), y,
		fabs(end - zero), draw_colour(column));
	if (a.high > a.low) {
		interval(out, axis_at(&b->axis, fmax(a.low, b->axis.least)),
			axis_at(&b->axis, a.high), y + 6.5);
		behind = fmax(behind, axis_at(&b->axis, a.high));
	}
	fprintf(out, "<text class=title x=%.1f y=%.1f>%.*f</text>", behind + 4, y + 11, decimals,
		a.value);
}

static void group(FILE *out, const struct bars *b, size_t row)
{
	const double y = TOP + (double)row * b->group;

	html(out, "<text class=head x=%g y=%.1f>%p</text>", LEFT, y + 13,
		HTML_LABEL(b->grid->rows[row].head));
	for (size_t k = 0; k < b->grid->ncolumns; k++)
		if (isfinite(shown_bar(b, row, k).value))
			bar(out, b, shown_bar(b, row, k), y + HEAD + (double)k * BAR, k);
}

static void marks(FILE *out, const struct bars *b)
{
	const struct axis *a = &b->axis;

	for (double v = a->least; v <= a->most * (1 + 1e-9) + 1e-12; v = axis_next(a, v))
		fprintf(out, "<path class=grid d='M%.1f %gV%.1f' /><text x=%.1f y=%.1f>%.6g</text>",
			axis_at(a, v), TOP, b->bottom, axis_at(a, v), b->bottom + 16, v);
	if (b->ratios)
		fprintf(out, "<path class=one d='M%.1f %gV%.1f' />", axis_at(a, 1), TOP, b->bottom);
}

static void picture(FILE *out, const struct bars *b, const char *title, const char *caption)
{
	html(out,
		"<svg class=panel role=img viewBox='0 0 400 %.0f'><title>%p</title>"
		"<text class=title x=2 y=13>%p</text>",
		b->bottom + 24, HTML_LABEL(caption), HTML_LABEL(title));
	marks(out, b);
	for (size_t i = 0; i < b->grid->nrows; i++)
		group(out, b, i);
	fputs("</svg>\n", out);
}

bool draw_grouped(
	FILE *out, const struct grid *g, struct scale s, const char *title, const char *caption)
{
	struct bars b = {.grid = g,
		.scale = s,
		.ratios = !g->unit || !*g->unit,
		.group = HEAD + (double)g->ncolumns * BAR + 5};
	const size_t n = set_axis(&b);

	b.bottom = TOP + (double)g->nrows * b.group;
	if (n > MOST_BARS) {
		fprintf(out, "<p class=note>No picture: %zu bars are too many to read.</p>\n", n);
		return false;
	}
	if (!n)
		return false;
	if (g->ncolumns > 1)
		draw_legend(out, g);
	picture(out, &b, title, caption);
	return true;
}
