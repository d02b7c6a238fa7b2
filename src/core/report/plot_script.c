/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the gnuplot script of a picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/alloc.h"
#include "analysis/heading.h"
#include "report/plot.h"
#include "report/plot_axes.h"
#include "system/simulated.h"
#include "base/text.h"

/* Okabe and Ito's colours, distinct for any colour vision and in print: jfly.uni-koeln.de/color,
 * 2008. */
static const char *const colours[] = {
	"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"};

#define COLOURS (sizeof(colours) / sizeof(*colours))

/* Writes a text in gnuplot's quotes. Removes or escapes the characters that end it or start markup.
 * The label of a tic is also a format, in which %% stands for %. SVG has UTF-8 only, and no control
 * characters. */
static void quoted_as(FILE *f, const char *text, bool format)
{
	size_t n;

	fputc('"', f);
	for (; *text; text += n ? n : 1) {
		n = text_character(text);
		if (!n)
			fprintf(f, "x%02x", (unsigned char)*text);
		else if (strchr("_^@&~", *text))
			fprintf(f, "\\\\%c", *text);
		else if (format && *text == '%')
			fputs("%%", f);
		else if (!strchr("\"\\`{}\x7f", *text) && (unsigned char)*text >= ' ')
			fwrite(text, 1, n, f);
	}
	fputc('"', f);
}

static void quoted(FILE *f, const char *text)
{
	quoted_as(f, text, false);
}

static void label(const char *what, const char *text, FILE *f)
{
	fprintf(f, "set %s ", what);
	quoted(f, text);
	fprintf(f, "\n");
}

static void write_plot_head(const struct table *m, FILE *f)
{
	char by[128];
	struct utsname host;

	uname(&host);
	char *words = heading_words(&m->head);
	char *title = alloc_format("%s%s on %.*s",
		simulated_by(by, sizeof(by)) ? "simulated machine: " : "", words,
		(int)strcspn(host.nodename, "."), host.nodename);

	/* on half of a page its labels are still readable */
	fprintf(f, "set terminal svg size 640,400 dynamic background rgb 'white' font "
		   "'sans-serif,14'\nset border 3\nset tics nomirror out\n");
	label("title", title, f);
	free(title);
	free(words);
}

static void tics(const char *axis, char *const *labels, size_t n, FILE *f)
{
	fprintf(f, "set %stics (", axis);
	for (size_t i = 0; i < n; i++) {
		fprintf(f, "%s", i ? ", " : "");
		quoted_as(f, labels[i], true);
		fprintf(f, " %zu", i);
	}
	fprintf(f, ")\n");
}

/* The points of one curve: place, value, interval; a gap if there is no figure. */
static void curve_data(const struct table *m, size_t column, bool numeric, FILE *f)
{
	fprintf(f, "$curve%zu << END\n", column);
	for (size_t i = 0; i < m->rows; i++) {
		struct amount a = m->cells[i * m->cols + column];
		double x = (double)i;

		if (m->places)
			x = m->places[i * m->cols + column];
		else if (numeric)
			text_position(m->row_labels[i], &x);
		if (!isfinite(a.value) || !isfinite(x))
			fprintf(f, "\n");
		else
			fprintf(f, "%.12g %.12g %.12g %.12g\n", x, a.value,
				isfinite(a.low) ? a.low : a.value,
				isfinite(a.high) ? a.high : a.value);
	}
	fprintf(f, "END\n");
}

/* The end of a label beside a mark: above the frame, where no curve is. row: of labels, the lowest
 * is 0; side: of the mark on which it is. */
static void above(double x, size_t row, const char *side, const char *colour, FILE *f)
{
	fprintf(f, " at first %.12g, graph 1 %s offset %s0.3,%.1f textcolor rgb '%s'\n", x, side,
		*side == 'r' ? "-" : "", 0.6 + (double)row, colour);
}

/* Room for these rows of labels between the frame and the title. */
static void label_rows(size_t rows, FILE *f)
{
	if (rows)
		fprintf(f, "set tmargin %zu\nset title offset 0,%zu\n", 2 + rows, rows - 1);
}

/* Marks the size of each cache if it lies within the sizes of the picture. */
static void cache_marks(const struct topo *t, double least, double most, FILE *f)
{
	for (int level = 1; level <= 4; level++) {
		double bytes = (double)t->caches[level].bytes;

		if (bytes < least || bytes > most)
			continue;
		fprintf(f,
			"set arrow from first %.0f, graph 0 to first %.0f, graph 1 nohead dt 2 lc "
			"rgb '#888888'\nset label \"L%d\"",
			bytes, bytes, level);
		above(bytes, 0, "right", "#666666", f);
	}
}

/* Marks the reach of each level of a TLB in the colour of its curve, behind it what may be. first:
 * the row of labels that is free. */
static void reach_marks(const struct table *m, size_t first, FILE *f)
{
	for (size_t i = 0; i < m->nmarks; i++) {
		const struct table_mark *k = &m->marks[i];
		const char *colour = colours[k->col % COLOURS];

		fprintf(f,
			"set object rectangle from first %.12g, graph 0 to first %.12g, graph 1 "
			"behind fc rgb '%s' fs transparent solid 0.1 noborder\n",
			k->at.low, k->at.high, colour);
		fprintf(f,
			"set arrow from first %.12g, graph 0 to first %.12g, graph 1 nohead dt 2 "
			"lc rgb '%s'\nset label ",
			k->at.value, k->at.value, colour);
		quoted(f, k->label);
		above(k->at.value, first + k->col, "right", colour, f);
	}
}

/* Marks where a sweep reaches further places or kinds of cores: at its point, or before its bars.
 */
static void begin_marks(const struct table *m, bool numeric, FILE *f)
{
	for (size_t i = 0; m->row_begins && !m->places && i < m->rows; i++) {
		double x = (double)i - 0.5;

		if (!m->row_begins[i])
			continue;
		if (numeric)
			text_position(m->row_labels[i], &x);
		fprintf(f,
			"set arrow from first %.12g, graph 0 to first %.12g, graph 1 nohead dt 3 "
			"lc rgb '#444444'\nset label ",
			x, x);
		quoted(f, m->row_begins[i]);
		above(x, 0, "left", "#444444", f);
	}
}

/* Tails are seen where both axes are logarithmic. */
static bool shows_tails(const struct table *m)
{
	return m->places && m->head.id == QUANTITY_SHARE_ABOVE;
}

static void x_axis(const struct table *m, bool numeric, double least, double most, FILE *f)
{
	bool geometric = numeric && plot_geometric(least, most);

	if (m->places) {
		char *place = heading_title(&m->place);

		fprintf(f, "set xlabel \"%s\" noenhanced\n", place);
		fputs(shows_tails(m) ? "set logscale xy 10\nset yrange [*:100]\n"
				     : "set xrange [0:*]\n",
			f);
		free(place);
	} else if (!numeric)
		tics("x", m->row_labels, m->rows, f);
	else
		plot_x_tics(m, least, most, f);
	if (geometric && !m->places)
		fprintf(f, "set logscale x 2\n");
	if (m->sizes && geometric)
		cache_marks(m->sizes, least, most, f);
	if (geometric)
		reach_marks(m, m->sizes ? 1 : 0, f);
	label_rows((geometric && m->sizes) + (geometric && m->nmarks ? m->cols : 0) +
			   (m->row_begins && !m->places),
		f);
}

/* Bars, because a line between two names would show values that do not exist. */
static void draw_bars(const struct table *m, FILE *f)
{
	double width = 0.8 / (double)m->cols;

	fprintf(f, "set xrange [-0.5:%zu.5]\nset style fill solid 0.85 border lt -1\n",
		m->rows - 1);
	if (m->rows > 6)
		fprintf(f, "set xtics rotate by -40\n");
	for (size_t k = 0; k < m->cols; k++) {
		double shift = ((double)k + 0.5) * width - 0.4;

		fprintf(f, "%s$curve%zu using ($1+%.4f):2:(%.4f) with boxes lc rgb '%s' title ",
			k ? ", " : "plot ", k, shift, width, colours[k % COLOURS]);
		quoted(f, m->col_labels[k]);
		fprintf(f,
			", $curve%zu using ($1+%.4f):3:(0):($4-$3) with vectors nohead lw 1.5 "
			"lc rgb 'black' notitle",
			k, shift);
	}
	fprintf(f, "\n");
}

/* Buckets are too many for marks. */
static void draw_lines(const struct table *m, FILE *f)
{
	for (size_t k = 0; k < m->cols; k++) {
		fprintf(f, "%s$curve%zu using ", k ? ", " : "plot ", k);
		if (shows_tails(m))
			fprintf(f, "1:2 with lines");
		else
			fprintf(f, "1:2:3:4 with yerrorlines pt %zu ps 0.7", 4 + k % 8);
		fprintf(f, " lw 2 dt %zu lc rgb '%s' title ", 1 + k / COLOURS % 4,
			colours[k % COLOURS]);
		quoted(f, m->col_labels[k]);
	}
	fprintf(f, "\n");
}

static void curves(const struct table *m, FILE *f)
{
	double least, most;
	bool numeric = plot_numeric_rows(m, &least, &most), lines = numeric || m->places;

	write_plot_head(m, f);
	label("xlabel", m->row_name, f);
	plot_y_axis(m, m->sizes && numeric && plot_geometric(least, most), f);
	fprintf(f, "set grid ytics lc rgb '#dddddd'\nset key below\n");
	if (lines && !shows_tails(m))
		fprintf(f, "set offsets graph 0.02, graph 0.02, 0, 0\n");
	x_axis(m, numeric, least, most, f);
	begin_marks(m, numeric, f);
	for (size_t k = 0; k < m->cols; k++)
		curve_data(m, k, numeric, f);
	if (lines)
		draw_lines(m, f);
	else
		draw_bars(m, f);
}

/* A cell without a figure is also written: without it, gnuplot would extend the neighbouring cells.
 */
static void map_cell(FILE *f, size_t column, size_t row, double value)
{
	if (isfinite(value))
		fprintf(f, "%zu %zu %.12g\n", column, row, value);
	else
		fprintf(f, "%zu %zu NaN\n", column, row);
}

/* Lines before the rows and columns at which places begin. */
static void map_borders(const struct table *m, FILE *f)
{
	for (size_t i = 0; m->row_begins && i < m->rows; i++)
		if (m->row_begins[i])
			fprintf(f,
				"set arrow from graph 0, first %.1f to graph 1, first %.1f nohead "
				"front lw 2\n",
				(double)i - 0.5, (double)i - 0.5);
	for (size_t k = 0; m->col_begins && k < m->cols; k++)
		if (m->col_begins[k])
			fprintf(f,
				"set arrow from first %.1f, graph 0 to first %.1f, graph 1 nohead "
				"front lw 2\n",
				(double)k - 0.5, (double)k - 0.5);
}

static void heat_map(const struct table *m, FILE *f)
{
	write_plot_head(m, f);
	label("xlabel", m->col_name, f);
	label("ylabel", m->row_name, f);
	/* from light to dark, readable without colour too */
	fprintf(f, "set palette defined (0 '#fff7bc', 0.5 '#fe9929', 1 '#cc4c02')\nunset key\n");
	fprintf(f, "set autoscale noextend\nset yrange [%zu.5:-0.5]\nset xrange [-0.5:%zu.5]\n",
		m->rows - 1, m->cols - 1);
	tics("x", m->col_labels, m->cols, f);
	tics("y", m->row_labels, m->rows, f);
	map_borders(m, f);
	fprintf(f, "$map << END\n");
	for (size_t i = 0; i < m->rows; i++)
		for (size_t k = 0; k < m->cols; k++)
			map_cell(f, k, i, m->cells[i * m->cols + k].value);
	fprintf(f, "END\nplot $map using 1:2:3 with image pixels, "
		   "$map using 1:2:(strcol(3) eq 'NaN' ? '-' : sprintf('%%.4g', $3)) with labels "
		   "font ',12'\n");
}

void plot_script(const struct view *v, const struct table *m, FILE *f)
{
	if (v->heat)
		heat_map(m, f);
	else
		curves(m, f);
}
