/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the figures of an experiment are in the files beside the page. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "affinity-report/sentences/sentences.h"

/* The number of the CSV's column with the number of the run; -1: there is none. */
static int run_column(const char *head)
{
	int column = 0;

	for (const char *at = head; *at; column++) {
		size_t n = strcspn(at, ",\r\n");

		if (n == 3 && !strncmp(at, "run", n))
			return column;
		at += n + (at[n] != '\0');
	}
	return -1;
}

/* The number in that column of a line; -1: none. The columns before it have no quoted commas. */
static long run_of(const char *line, int column)
{
	char *end;

	for (; column && line; column--) {
		line = strchr(line, ',');
		line = line ? line + 1 : NULL;
	}
	long run = line ? strtol(line, &end, 10) : -1;

	return line && end > line && *end == ',' ? run : -1;
}

struct lines_of_run {
	size_t first, last; /* from 1; first 0: none */
};

/* The lines of each run; to be freed. NULL: there is no such file. */
static struct lines_of_run *find_lines(const char *path, size_t nruns)
{
	FILE *in = fopen(path, "r");
	struct lines_of_run *list = in ? alloc_zeroed(nruns + 1, sizeof(*list)) : NULL;
	char *line = NULL;
	size_t size = 0, number = 0;
	int column = -1;

	while (in && getline(&line, &size, in) > 0) {
		if (!number++) {
			column = run_column(line);
			continue;
		}
		long run = column < 0 ? -1 : run_of(line, column);

		if (run < 0 || (size_t)run >= nruns)
			continue;
		list[run].first = list[run].first ? list[run].first : number;
		list[run].last = number;
	}
	free(line);
	if (in)
		fclose(in);
	return list;
}

/* A link to a file beside the page. */
static void link_to(FILE *out, const char *name, const char *ending)
{
	fputs("<a href='", out);
	for (const char *c = name; *c; c++)
		if (strchr("%?#:", *c))
			fprintf(out, "%%%02X", (unsigned char)*c);
		else
			html_text_n(out, c, 1);
	html(out, "%-s'>%s%-s</a>", ending, name, ending);
}

static void run_lines(const struct document *d, const struct lines_of_run *list, FILE *out)
{
	html_folded_begin(out, "Lines of the CSV by run");
	fputs("<div class=scroll tabindex=0 role=region aria-label='Lines of the "
	      "CSV'><table><thead><tr><th>run</th><th scope=col>first "
	      "line</th><th scope=col>last line</th></tr></thead><tbody>\n",
		out);
	for (size_t i = 0; i < d->nruns; i++) {
		if (!list[i].first)
			continue;
		html(out, "<tr><th scope=row>%s</th><td>%zu</td><td>%zu</td></tr>\n",
			*d->runs[i].label ? d->runs[i].label : "the only one", list[i].first,
			list[i].last);
	}
	fputs("</tbody></table></div>\n", out);
	html_folded_end(out);
}

void page_source(const struct page *p, const char *name, const struct document *d, FILE *out)
{
	/* beside the page, or as they were named; of a page elsewhere from the root */
	char *whole = p->away ? realpath(d->path, NULL) : NULL;
	const char *from = whole ? whole : d->path;
	char *file = p->apart ? alloc_string(from, strlen(from) - strlen(".json"))
			      : alloc_format("%s", name);
	char *path = p->apart ? alloc_format("%s.csv", file)
			      : alloc_format("%s/%s.csv", p->folder, name);
	struct lines_of_run *list = find_lines(path, d->nruns);
	bool any = false;

	for (size_t i = 0; list && i < d->nruns; i++)
		any |= list[i].first > 0;
	fputs("<p>Source of all figures: ", out);
	link_to(out, file, ".json");
	if (any) {
		fputs("; each sample: ", out);
		link_to(out, file, ".csv");
	}
	fputs(".</p>\n", out);
	if (any)
		run_lines(d, list, out);
	free(list);
	free(whole);
	free(file);
	free(path);
}
