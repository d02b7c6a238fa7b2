/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the figures of the first screen in groups, each with its rows and columns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/numbers.h"
#include "base/say.h"
#include "affinity/screen.h"
#include "findings/rates.h"

/* A matrix of more columns has no room for intervals; the widest is told. */
#define COLUMNS_WITH_INTERVALS 5

/* Figures of the same `what`, which stand one after another. */
struct group {
	const struct described_figure *list;
	size_t count;
	const char **rows, **columns; /* in the order in which they come */
	size_t nrows, ncolumns;
	bool bare;     /* without intervals */
	double widest; /* half of an interval, as a part of its figure */
	int label;     /* characters of the longest row */
};

static void add_once(const char **names, size_t *count, const char *name)
{
	for (size_t i = 0; i < *count; i++)
		if (!strcmp(names[i], name))
			return;
	names[(*count)++] = name;
}

static bool is_matrix(const struct group *g)
{
	return !strcmp(g->list->what, SCREEN_MATRIX) && g->ncolumns > 1 &&
	       strcmp(g->columns[0], "fewest") != 0;
}

static int by_number(const void *a, const void *b)
{
	const int x = atoi(*(const char *const *)a), y = atoi(*(const char *const *)b);

	return (x > y) - (x < y);
}

static struct group group_from(const struct described_figure *list, size_t count)
{
	struct group g = {.list = list};

	while (g.count < count && !strcmp(list[g.count].what, list->what))
		g.count++;
	g.rows = alloc_zeroed(g.count, sizeof(*g.rows));
	g.columns = alloc_zeroed(g.count, sizeof(*g.columns));
	for (size_t i = 0; i < g.count; i++) {
		const struct amount a = list[i].amount;
		const int length = (int)strlen(list[i].row);

		add_once(g.rows, &g.nrows, list[i].row);
		add_once(g.columns, &g.ncolumns, list[i].column);
		g.widest = fmax(g.widest, (a.high - a.low) / 2 / a.value);
		g.label = length > g.label ? length : g.label;
	}
	if (is_matrix(&g)) /* its first row may lack some */
		qsort(g.columns, g.ncolumns, sizeof(*g.columns), by_number);
	g.bare = g.ncolumns > COLUMNS_WITH_INTERVALS;
	return g;
}

static const struct described_figure *find_cell(const struct group *g, size_t row, size_t column)
{
	for (size_t i = 0; i < g->count; i++)
		if (!strcmp(g->list[i].row, g->rows[row]) &&
			!strcmp(g->list[i].column, g->columns[column]))
			return &g->list[i];
	return NULL;
}

/* "187 +- 3 /16", with ? where it is weak. To be freed. */
static char *cell_text(const struct group *g, size_t row, size_t column)
{
	const struct described_figure *f = find_cell(g, row, column);
	struct buffer text;
	FILE *out = buffer_open(&text);

	if (f) {
		const int decimals = numbers_decimals(f->amount);

		fprintf(out, "%.*f", decimals, f->amount.value);
		if (!g->bare)
			say_interval(out, SAY_PLAIN, " ", f->amount, decimals, "");
		if (f->enough)
			fprintf(out, " /%ld", f->enough);
		if (f->mark == TRUST_WEAK)
			fputc('?', out);
	}
	return buffer_text(&text, out);
}

/* Low ones are better where they are times. 256 colours: from green over yellow to red. */
static int colour_of(const struct group *g, const struct described_figure *f)
{
	static const int colours[] = {22, 58, 94, 88, 52};
	double least = INFINITY, most = 0;

	for (size_t i = 0; i < g->count; i++) {
		least = fmin(least, g->list[i].amount.value);
		most = fmax(most, g->list[i].amount.value);
	}
	const double at = most > least ? (f->amount.value - least) / (most - least) : 0;
	const int step = (int)fmin(4, 5 * at);

	return colours[strcmp(f->unit, "ns") ? 4 - step : step];
}

static void print_cell(const struct group *g, size_t row, size_t column, const char *text,
	int width, bool colours, FILE *out)
{
	const struct described_figure *f = find_cell(g, row, column);

	if (!colours || !is_matrix(g)) {
		fprintf(out, "%*s", width, text);
		return;
	}
	fprintf(out, "%*s\033[38;5;231;48;5;%dm%s\033[0m", width - (int)strlen(text), "",
		colour_of(g, f), text);
}

static void print_rows(
	const struct group *g, char **cells, const int *widths, bool colours, FILE *out)
{
	for (size_t i = 0; i < g->nrows; i++) {
		const char *of = "";
		int blank = 0; /* before the next figure: none stand at the end of a line */

		fprintf(out, "  %-*s", g->label, g->rows[i]);
		for (size_t k = 0; k < g->ncolumns; k++) {
			const struct described_figure *f = find_cell(g, i, k);

			of = f && f->of && *f->of ? f->of : of;
			blank += widths[k];
			if (!f)
				continue;
			print_cell(g, i, k, cells[i * g->ncolumns + k], blank, colours, out);
			blank = 0;
		}
		if (*of)
			fprintf(out, "%*s   %s", blank, "", of);
		fputc('\n', out);
	}
}

/* "bandwidth, GB/s". To be freed. */
static char *title_of(const struct group *g)
{
	char *text =
		alloc_format("%s%s%s", g->list->what, *g->list->unit ? ", " : "", g->list->unit);

	if (g->bare)
		alloc_append(&text, ", ", "+- %.0f %% at most", ceil(100 * g->widest));
	return text;
}

/* Moves the columns to where the title has room before them, if that is on the screen. */
static void make_room(struct group *g, const int *widths, const char *title)
{
	const int label = (int)(strlen(title) + strlen(g->columns[0])) - widths[0];
	int width = 2 + label;

	for (size_t k = 0; k < g->ncolumns; k++)
		width += widths[k];
	for (size_t i = 0; i < g->count; i++) {
		const int of = g->list[i].of ? (int)strlen(g->list[i].of) : 0;

		if (width + 3 + of > SCREEN_WIDTH)
			return;
	}
	g->label = label > g->label ? label : g->label;
}

/* The title stands over the rows, where there is room for it beside the names of the columns. */
static void print_head(const struct group *g, const int *widths, const char *title, FILE *out)
{
	int used = fprintf(out, "%s", title);

	if (g->ncolumns < 2 && !*g->columns[0]) {
		fputc('\n', out);
		return;
	}
	for (size_t k = 0; k < g->ncolumns; k++) {
		const int end = 2 + g->label + widths[k];

		if (!k && used + 2 + (int)strlen(g->columns[0]) > end) {
			fputc('\n', out);
			used = 0;
		}
		fprintf(out, "%*s", k ? widths[k] : end - used, g->columns[k]);
	}
	fputc('\n', out);
}

static void print_group(struct group *g, bool colours, FILE *out)
{
	char **cells = alloc_zeroed(g->nrows * g->ncolumns, sizeof(*cells));
	int *widths = alloc_zeroed(g->ncolumns, sizeof(*widths));

	for (size_t k = 0; k < g->ncolumns; k++) {
		size_t widest = strlen(g->columns[k]);

		for (size_t i = 0; i < g->nrows; i++) {
			char **cell = &cells[i * g->ncolumns + k];

			*cell = cell_text(g, i, k);
			widest = strlen(*cell) > widest ? strlen(*cell) : widest;
		}
		widths[k] = (int)widest + 2;
	}
	char *title = title_of(g);

	make_room(g, widths, title);
	print_head(g, widths, title, out);
	free(title);
	print_rows(g, cells, widths, colours, out);
	for (size_t i = 0; i < g->nrows * g->ncolumns; i++)
		free(cells[i]);
	free(cells);
	free(widths);
}

/* The last of these are missed least. */
static bool is_left_out(const struct group *g, int cuts)
{
	static const char *const groups[] = {SCREEN_PAGES, SCREEN_TRIPS, SCREEN_SIBLINGS,
		SCREEN_MATRIX, SCREEN_LINES, SCREEN_BANDWIDTH};
	_Static_assert(SCREEN_SHORTEST - SCREEN_ONE_RATE == sizeof(groups) / sizeof(*groups),
		"each cut after one rate leaves one group out");

	for (int i = 0; i < cuts - SCREEN_ONE_RATE; i++)
		if (!strcmp(g->list->what, groups[i]))
			return true;
	return false;
}

/* Of the intervals; a file may ask for another one than the usual. */
static double confidence_of(const struct screen *s)
{
	for (size_t i = 0; i < s->ndocuments; i++)
		for (size_t k = 0; k < s->documents[i].nruns; k++)
			if (!s->documents[i].runs[k].skipped)
				return s->documents[i].runs[k].method.confidence;
	return NAN;
}

/* What the signs mean, of those that are there. */
static void print_legend(const struct screen *s, int cuts, FILE *out)
{
	bool weak = false, enough = false, tails = false;

	for (size_t i = 0; i < s->count; i++) {
		weak |= s->figures[i].mark == TRUST_WEAK;
		enough |= s->figures[i].enough > 0;
		tails |= !strcmp(s->figures[i].column, SCREEN_TAIL);
	}
	if (cuts)
		fputs("shortened: a pipe takes all; ", out);
	if (enough)
		fprintf(out, "/n: n threads reach %g %% of it; ", 100 * SUFFICIENT);
	if (tails)
		fputs(SCREEN_TAIL ": one of 1000 takes longer; ", out);
	if (weak)
		fputs("?: weak, a wide interval or disturbed samples; ", out);
	fprintf(out, "+- of %g %%\n", 100 * confidence_of(s));
}

void screen_print(const struct screen *s, bool colours, int cuts, FILE *out)
{
	for (size_t i = 0; i < s->count;) {
		struct group g = group_from(&s->figures[i], s->count - i);

		if (!is_left_out(&g, cuts)) {
			if (!strcmp(g.list->what, SCREEN_BANDWIDTH) && cuts >= SCREEN_ONE_RATE)
				g.nrows = 1;
			print_group(&g, colours, out);
		}
		free(g.rows);
		free(g.columns);
		i += g.count;
	}
	print_legend(s, cuts, out);
}
