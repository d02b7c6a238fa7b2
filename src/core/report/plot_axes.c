/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The axes of a picture. */
#include "report/plot_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "analysis/heading.h"
#include "base/text.h"

/* Labels of more tics would touch each other. */
#define MOST_TICS 12
#define GEOMETRIC 64
/* Times that differ by less are as well read from 0 on. */
#define LOG_FROM 8

bool plot_numeric_rows(const struct table *m, double *least, double *most)
{
	*least = INFINITY;
	*most = -INFINITY;
	for (size_t i = 0; i < m->rows; i++) {
		double value;

		if (text_position(m->row_labels[i], &value))
			return false;
		*least = fmin(*least, value);
		*most = fmax(*most, value);
	}
	return m->rows > 1;
}

bool plot_geometric(double least, double most)
{
	return least > 0 && most / least >= GEOMETRIC;
}

/* Is there room for a tic beside those that are there? All in parts of the axis. */
static bool has_room(const double *places, size_t n, double place)
{
	for (size_t i = 0; i < n; i++)
		if (fabs(places[i] - place) * MOST_TICS < 1)
			return false;
	return true;
}

static void tic(const struct table *m, size_t row, double value, bool first, FILE *f)
{
	char size[32];
	const char *label = m->row_labels[row];

	if (m->sizes)
		label = text_size((uint64_t)value, size, sizeof(size));
	/* what is a position has no character that gnuplot would take for something else */
	fprintf(f, "%s\"%s\" %.12g", first ? "" : ", ", label, value);
}

/* Of rows that are crowded some. */
static void tics_at_rows(const struct table *m, double least, double most, FILE *f)
{
	double *places = alloc_zeroed(m->rows + 1, sizeof(*places));
	bool geometric = plot_geometric(least, most);
	size_t n = 0;

	fputs("set xtics (", f);
	for (size_t i = 0; i < m->rows; i++) {
		double value, place;

		if (text_position(m->row_labels[i], &value))
			continue;
		place = geometric ? log(value / least) / log(most / least)
				  : (value - least) / (most - least);
		if (most > least && !has_room(places, n, place))
			continue;
		tic(m, i, value, !n, f);
		places[n++] = place;
	}
	fputs(")\n", f);
	free(places);
}

void plot_x_tics(const struct table *m, double least, double most, FILE *f)
{
	bool whole = true;

	for (size_t i = 0; i < m->rows; i++) {
		double value;

		whole = whole && !text_position(m->row_labels[i], &value) && value == floor(value);
	}
	if (m->rows <= MOST_TICS || plot_geometric(least, most))
		tics_at_rows(m, least, most, f);
	else if (whole) /* many: whole numbers all the same */
		fprintf(f, "set xtics %.12g\n", ceil((most - least) / (MOST_TICS - 2)));
}

bool plot_logarithmic(const char *unit, double least, double most)
{
	return !strcmp(unit, "ns") && least > 0 && most >= LOG_FROM * least;
}

/* The ends of the figures; infinity and 0 of none. */
static void find_ends(const struct table *m, double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (size_t i = 0; i < m->rows * m->cols; i++) {
		if (!isfinite(m->cells[i].value))
			continue;
		*least = fmin(*least, m->cells[i].value);
		*most = fmax(*most, m->cells[i].value);
	}
}

/* From 0, or from the least figure below it, which may be that of an overhead. */
static void y_range(double least, FILE *f)
{
	if (least < 0)
		fputs("set yrange [*:0<*]\nset xzeroaxis lt -1\n", f);
	else
		fputs("set yrange [0:*]\n", f);
}

void plot_y_axis(const struct table *m, bool by_size, FILE *f)
{
	double least, most;

	find_ends(m, &least, &most);
	bool logarithmic = by_size && plot_logarithmic(m->head.unit, least, most);
	struct heading axis = m->head;

	axis.rest = NULL;
	char *label = heading_words(&axis);

	fprintf(f, "set ylabel \"%s%s\" noenhanced\n", label, logarithmic ? ", log scale" : "");
	free(label);
	if (logarithmic)
		fputs("set logscale y 2\nset yrange [*:*]\n", f);
	else
		y_range(least, f);
	if (!strcmp(m->head.unit, "s"))
		fputs("set format y '%.1s %cs'\n", f);
	else if (!strcmp(m->head.unit, "1/s"))
		fputs("set format y '%.1s %c'\n", f);
}
