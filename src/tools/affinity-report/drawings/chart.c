/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts of shares; colours and dashes of all charts. */
#include <math.h>

#include "affinity-report/drawings/draw.h"

/* One for each column; page.css has them for light and dark pages. */
static const char *const colours[DRAW_COLOURS] = {"var(--local)", "var(--remote)", "var(--third)",
	"var(--fourth)", "var(--fifth)", "var(--sixth)"};

const char *draw_colour(size_t i)
{
	return colours[i % DRAW_COLOURS];
}

const char *draw_mark(size_t i)
{
	static const char *const marks[] = {"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
		"m-2.7-2.7h5.4v5.4h-5.4z", "m0-3.8l3.6 6.4h-7.2z",
		"m0-3.9l3.9 3.9l-3.9 3.9l-3.9-3.9z", "m0 3.8l3.6-6.4h-7.2z", "m-3-3l6 6m0-6l-6 6"};

	return marks[i % (sizeof(marks) / sizeof(*marks))];
}

void draw_line_style(FILE *out, size_t i)
{
	static const char *const dashes[] = {"", "4 2", "1 2", "8 2 1 2"};
	const char *dash = dashes[i / DRAW_COLOURS % (sizeof(dashes) / sizeof(*dashes))];

	fprintf(out, " style='fill:none;stroke:%s%s%s' />", draw_colour(i),
		*dash ? ";stroke-dasharray:" : "", dash);
}

void draw_line_sample(FILE *out, size_t i)
{
	fputs("<svg width=28 height=8 aria-hidden=true><path d='M0 4H24' stroke-width=2", out);
	draw_line_style(out, i);
	fputs("</svg>", out);
}

/* The last one ends with the field: half of it would not be seen. */
void draw_times(FILE *out, double left, double right, double y, double length, const char *unit)
{
	for (int i = 0; i <= 4; i++)
		fprintf(out, "<text x=%.1f y=%g%s>%.3g %s</text>", left + i * (right - left) / 4, y,
			i < 4 ? "" : " style='text-anchor:end'", i * length / 4, unit);
}

void draw_legend(FILE *out, const struct grid *g)
{
	fputs("<p class=legend>", out);
	for (size_t i = 0; i < g->ncolumns; i++)
		html(out, "<span><i style='background:%s'></i>%p</span>", draw_colour(i),
			HTML_LABEL(g->columns[i]));
	fputs("</p>\n", out);
}

static void draw_names(FILE *out, const struct grid *g)
{
	for (size_t i = 0; i < g->ncolumns; i++)
		html(out, "%s%s", i ? ", " : "", g->columns[i]);
}

/* Bars start at x = 150 and are 480 wide; the row's head is to their left. */
static void draw_bar_head(FILE *out, const char *text, double y)
{
	html(out, "<text class=head x=140 y=%a>%s</text>", y, text);
}

static void stacked_row(FILE *out, const struct grid *g, size_t row)
{
	double at = 0;

	draw_bar_head(out, g->rows[row].head, (double)row * 24 + 16);
	for (size_t k = 0; k < g->ncolumns; k++) {
		double share = g->rows[row].cells[k].value, to = at + (isfinite(share) ? share : 0);

		html(out, "<rect x=%a y=%zu width=%a height=18 fill='%s' />", 150 + at * 480,
			row * 24 + 3, (to - at) * 480, draw_colour(k));
		at = to;
	}
}

void draw_stacked(FILE *out, const struct grid *g)
{
	draw_legend(out, g);
	fprintf(out,
		"<div class=scroll><svg class=chart role=img viewBox='0 0 660 %zu' "
		"style='width:660px'><title>Shares of ",
		g->nrows * 24 + 26);
	draw_names(out, g);
	fputs("</title>", out);
	for (size_t i = 0; i < g->nrows; i++)
		stacked_row(out, g, i);
	for (int percent = 0; percent <= 100; percent += 25)
		fprintf(out, "<text x=%d y=%zu>%d %%</text>", 150 + percent * 480 / 100,
			g->nrows * 24 + 18, percent);
	fputs("</svg></div>\n", out);
}
