/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What experiments are called. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/arguments.h"
#include "affinity-report/store/store.h"

/* Does the file of another experiment have the same title? That of another machine may. */
static bool is_taken(const struct page *p, const struct document *d, const char *title)
{
	bool taken = false;

	for (size_t i = 0; i < p->results->ndocuments && !taken; i++) {
		const struct document *other = &p->results->documents[i].document;
		struct comment c = comment_read(document_comment(other), false);

		taken = !document_same_file(other, d) && !strcmp(c.title, title);
		comment_free(&c);
	}
	return taken;
}

struct comment page_comment(const struct page *p, const struct document *d)
{
	struct comment c = comment_read(document_comment(d), false);

	if (*c.title && is_taken(p, d, c.title)) {
		comment_free(&c);
		c = comment_read(document_comment(d), true);
	}
	return c;
}

/* The experiment of a chapter; NULL: no chapter names it. */
static const struct experiment_text *text_of(const char *name)
{
	for (size_t i = 0; chapters_all[i]; i++)
		for (const struct piece *at = chapters_all[i]; at->kind != PIECE_END; at++)
			if (at->kind == PIECE_EXPERIMENT && !strcmp(at->experiment->name, name))
				return at->experiment;
	return NULL;
}

char *page_name(const struct page *p, const struct stored_document *of)
{
	const struct experiment_text *x = text_of(of->name);
	struct comment c = page_comment(p, &of->document);
	char *name = x && *x->title ? alloc_format("%s: %s", x->numbers, x->title)
		     : *c.title     ? alloc_format("%s", c.title)
				    : page_short_name(of->name);

	if (of->machine) {
		char *longer =
			alloc_format("%s: %s", p->results->machines.word[of->machine - 1], name);

		free(name);
		name = longer;
	}
	comment_free(&c);
	return name;
}
