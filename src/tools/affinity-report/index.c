/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The index at the left of the page. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "affinity-report/page.h"

static void link_to(FILE *out, const char *id, const char *text)
{
	html(out, "<li><a href='#%s'>%s</a></li>\n", id, text);
}

static void list_begin(FILE *out, const char *id, const char *title)
{
	html(out, "<p><a href='#%s'>%s</a></p>\n<ul>\n", id, title);
}

static void group(const struct page *p, const char *id, const char *title, const size_t *members,
	size_t n, FILE *out)
{
	list_begin(out, id, title);
	for (size_t i = 0; i < n; i++) {
		const char *name = p->results->documents[members[i]].name;
		char *text = page_short_name(name);

		link_to(out, name, text);
		free(text);
	}
	fputs("</ul>\n", out);
}

/* Does another experiment of the chapter have the same title? */
static bool is_ambiguous(const struct piece *heading, const struct experiment_text *x)
{
	for (const struct piece *at = heading + 1;
		at->kind != PIECE_END && at->kind != PIECE_HEADING; at++)
		if (at->kind == PIECE_EXPERIMENT && at->experiment != x &&
			!strcmp(at->experiment->title, x->title))
			return true;
	return false;
}

static void experiment(const struct piece *heading, const struct experiment_text *x, FILE *out)
{
	char *text = is_ambiguous(heading, x) ? alloc_format("%s: %s", x->title, x->numbers)
					      : alloc_string(x->title, strlen(x->title));

	link_to(out, x->name, text);
	free(text);
}

/* The experiments of a chapter that were measured. */
static void chapter(const struct page *p, const struct piece *heading, FILE *out)
{
	list_begin(out, heading->id, heading->text);
	for (const struct piece *at = heading + 1;
		at->kind != PIECE_END && at->kind != PIECE_HEADING; at++)
		if (at->kind == PIECE_EXPERIMENT &&
			stored_document(p->results, at->experiment->name))
			experiment(heading, at->experiment, out);
	fputs("</ul>\n", out);
}

static void chapters(const struct page *p, const struct piece *at, FILE *out)
{
	for (; at->kind != PIECE_END; at++)
		if (at->kind == PIECE_HEADING && page_has_chapter(p, at))
			chapter(p, at, out);
}

void page_index(const struct page *p, FILE *out)
{
	fputs("<nav aria-label=Index><details open><summary>Index</summary>\n", out);
	if (p->results->ndocuments) {
		list_begin(out, "found", "What was found");
		fputs("</ul>\n", out);
	}
	if (page_has_machines(p)) {
		list_begin(out, "machines", page_machines_title(p));
		fputs("</ul>\n", out);
	}
	page_groups(p, group, out);
	for (size_t i = 0; chapters_all[i]; i++)
		chapters(p, chapters_all[i], out);
	fputs("<p>About it</p>\n<ul>\n", out);
	if (p->results->npairings)
		link_to(out, "pairs", "Pairs of programs");
	if (p->results->nnotes)
		link_to(out, "skipped", "Not measured");
	if (p->results->ndocuments) {
		link_to(out, "machine", "The machine");
		link_to(out, "warnings", "Warnings");
		link_to(out, "repeat", "How to repeat it");
	}
	fputs("</ul>\n</details></nav>\n", out);
}
