/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of the page: which experiments were not measured, and how to repeat the others. */
#include <stdlib.h>
#include <string.h>

#include "base/installed.h"
#include "affinity-report/page.h"

void page_skipped(const struct page *p, FILE *out)
{
	if (!p->results->nnotes)
		return;
	page_title(p, out, "h2 id='skipped'", "Not measured");
	fputs("<div class=scroll><table class=facts><tbody>\n", out);
	for (size_t i = 0; i < p->results->nnotes; i++) {
		const struct stored_note *n = &p->results->notes[i];

		html(out,
			"<tr><th scope=row><code>%s</code></th><td "
			"class=state>%s</td><td>%s</td></tr>\n",
			n->name, n->state, n->why);
	}
	fputs("</tbody></table></div>\n", out);
}

static void checkout(const struct document *d, FILE *out)
{
	static const char dirty[] = "-dirty";
	const char *version = document_fact(d, "affinity_version");
	size_t n = strlen(version), m = sizeof(dirty) - 1;
	bool is_dirty = n >= m && !strcmp(version + n - m, dirty);

	html(out, "<pre>git checkout %.*s%s", (int)(is_dirty ? n - m : n), version,
		is_dirty ? "    # and changes that were not committed\nmake\n" : "\nmake\n");
}

void page_repeat(const struct page *p, FILE *out)
{
	const struct document *d = page_newest(p);

	page_title(p, out, "h2 id='repeat'", "How to repeat it");
	checkout(d, out);
	for (size_t i = 0; i < p->results->ndocuments; i++) {
		char *command = page_command(p, &p->results->documents[i].document);

		html(out, "%s\n", command);
		free(command);
	}
	char *folder = installed_folder(), *program = installed_names("scripts/report", folder);

	html(out, "%s %s", program, page_path(p, p->folder));
	free(program);
	free(folder);
	html(out, "</pre>\n<p>Built by %s, %s, with %s.</p>\n", document_fact(d, "compiler"),
		document_fact(d, "compiler_flags"), document_fact(d, "libraries"));
}
