/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits what was found, and its tables, to a terminal. */
#include "affinity/conclusion.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/terminal.h"
#include "affinity/outputs.h"
#include "report/report.h"

/* The prompt of the shell, and the line that says how many are left out. */
#define LINES_OF_OTHERS 2

/* "files: one.txt, one.json" */
static void print_files(const struct options *o, FILE *out)
{
	const char *before = "files: ";

	for (int i = 0; output_formats[i].suffix; i++) {
		if (!o->outputs[i] || !strcmp(o->outputs[i], "-"))
			continue;
		fprintf(out, "%s%s", before, o->outputs[i]);
		before = ", ";
	}
	if (!strcmp(before, ", "))
		fputc('\n', out);
}

/* Folded as it will be shown. To be freed. */
static char *folded(struct buffer *text, FILE *out, int width)
{
	struct buffer lines;
	FILE *to = buffer_open(&lines);

	buffer_close(text, out);
	terminal_fold(text->data, width, to);
	free(text->data);
	return buffer_text(&lines, to);
}

/* The first `room` lines of all tables; a row that is wider than the terminal is cut. */
static void print_tables(const struct document *d, int room, int width, FILE *out)
{
	struct buffer text;
	FILE *tables = buffer_open(&text);

	report_tables(d, tables);
	buffer_close(&text, tables);
	for (size_t n = strlen(text.data); n > 1 && text.data[n - 2] == '\n'; n--)
		text.data[n - 1] = '\0'; /* the last table ends without a blank line */
	const int lines = terminal_lines(text.data), shown = lines > room ? room : lines;
	char *at = text.data;

	for (int i = 0; i < shown; i++) {
		char *end = strchr(at, '\n');

		*end = '\0';
		terminal_cut(at, 0, width, out);
		at = end + 1;
	}
	if (shown < lines)
		fprintf(out, "  ... %d more lines\n", lines - shown);
	free(text.data);
}

char *conclusion_text(const struct options *o, const struct document *d)
{
	const int width = terminal_width(stderr);
	struct buffer first, last, all;
	FILE *out = buffer_open(&first);

	report_sentences(d, "", out);
	char *found = folded(&first, out, width);

	out = buffer_open(&last);
	report_trust(d, "", out);
	print_files(o, out);
	char *trust = folded(&last, out, width);
	const int room = terminal_height(stderr) - terminal_lines(found) - terminal_lines(trust) -
			 LINES_OF_OTHERS;

	out = buffer_open(&all);
	fputs(found, out);
	print_tables(d, room > 0 ? room : 0, width, out);
	fputs(trust, out);
	free(found);
	free(trust);
	char *text = buffer_text(&all, out);

	text[strlen(text) - 1] = '\0';
	return text;
}
