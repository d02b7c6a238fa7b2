/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The curves of a plot: lines, dots and intervals. */
#include <math.h>

#include "affinity-report/drawings/draw.h"
#include "affinity-report/drawings/panel.h"

/* Dots that are closer would hide their line. */
#define MOST_DOTS 60

double panel_height(const struct panel *p, double value)
{
	return axis_at(&p->y, fmin(fmax(value, p->y.least), p->y.most));
}

/* The interval of each point. */
static void intervals(FILE *out, const struct panel *p, size_t curve)
{
	bool any = false;

	for (size_t i = 0; i < p->grid->nrows; i++) {
		struct amount a = panel_amount(p, i, curve);

		if (!panel_has(p, i, curve) || !(a.high > a.low))
			continue;
		fprintf(out, "%sM%.1f %.1fV%.1f", any ? "" : "<path d='",
			axis_at(&p->x, panel_place(p, i, curve)), panel_height(p, a.low),
			panel_height(p, a.high));
		any = true;
	}
	if (any)
		fprintf(out, "' style='stroke:%s' />", draw_colour(curve));
}

/* The line breaks where there is no figure. */
static void line(FILE *out, const struct panel *p, size_t curve)
{
	bool on = false;

	fputs("<path class=curve d='", out);
	for (size_t i = 0; i < p->grid->nrows; i++) {
		if (panel_has(p, i, curve))
			fprintf(out, "%s%.1f %.1f", on ? "L" : "M",
				axis_at(&p->x, panel_place(p, i, curve)),
				axis_at(&p->y, panel_amount(p, i, curve).value));
		on = panel_has(p, i, curve);
	}
	fputs("'", out);
	draw_line_style(out, curve);
}

static void dots(FILE *out, const struct panel *p, size_t curve)
{
	fputs("<path d='", out);
	for (size_t i = 0; i < p->grid->nrows; i++)
		if (panel_has(p, i, curve))
			html(out, "M%.1f %.1f%s", axis_at(&p->x, panel_place(p, i, curve)),
				axis_at(&p->y, panel_amount(p, i, curve).value), draw_mark(curve));
	fprintf(out, "' fill='%s' style='stroke:%s' />", draw_colour(curve), draw_colour(curve));
}

void panel_curves(FILE *out, const struct panel *p)
{
	for (size_t k = 0; k < p->grid->ncolumns; k++) {
		intervals(out, p, k);
		line(out, p, k);
		if (p->grid->nrows <= MOST_DOTS)
			dots(out, p, k);
	}
}

void panel_sample(FILE *out, size_t curve)
{
	fputs("<svg width=32 height=10 aria-hidden=true><path d='M1 5H29'", out);
	draw_line_style(out, curve);
	html(out, "<path d='M15 5%s' fill='%s' /></svg>", draw_mark(curve), draw_colour(curve));
}
