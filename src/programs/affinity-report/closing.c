/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of the page: which experiments were not measured, and how to repeat the others. */
#include <stdlib.h>
#include <string.h>

#include "base/installed.h"
#include "programs/affinity-report/page.h"

void page_skipped(const struct page *p, FILE *out)
{
	if (!p->results->nnotes)
		return;
	page_title(p, out, "h2 id='skipped'", "Not measured");
	fputs("<div class=scroll><table class=facts><tbody>\n", out);
	for (size_t i = 0; i < p->results->nnotes; i++) {
		const struct stored_note *n = &p->results->notes[i];

		fputs("<tr><th scope=row><code>", out);
		html_text(out, n->name);
		fputs("</code></th><td class=state>", out);
		html_text(out, n->state);
		fputs("</td><td>", out);
		html_text(out, n->why);
		fputs("</td></tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void checkout(const struct document *d, FILE *out)
{
	static const char dirty[] = "-dirty";
	const char *version = document_fact(d, "affinity_version");
	size_t n = strlen(version), m = sizeof(dirty) - 1;
	bool is_dirty = n >= m && !strcmp(version + n - m, dirty);

	fputs("<pre>git checkout ", out);
	html_text_n(out, version, is_dirty ? n - m : n);
	fputs(is_dirty ? "    # and changes that were not committed\nmake\n" : "\nmake\n", out);
}

void page_repeat(const struct page *p, FILE *out)
{
	const struct document *d = page_newest(p);

	page_title(p, out, "h2 id='repeat'", "How to repeat it");
	checkout(d, out);
	for (size_t i = 0; i < p->results->ndocuments; i++) {
		char *command = page_command(p, &p->results->documents[i].document);

		html_text(out, command);
		fputs("\n", out);
		free(command);
	}
	char *folder = installed_folder(), *program = installed_names("scripts/report", folder);

	html_text(out, program);
	fputs(" ", out);
	html_text(out, page_path(p, p->folder));
	free(program);
	free(folder);
	fputs("</pre>\n<p>Built by ", out);
	html_text(out, document_fact(d, "compiler"));
	fputs(", ", out);
	html_text(out, document_fact(d, "compiler_flags"));
	fputs(", with ", out);
	html_text(out, document_fact(d, "libraries"));
	fputs(".</p>\n", out);
}
