/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of the page, and functions that its parts share. */
#include "affinity-report/page.h"

#include <string.h>

#include "affinity-report/drawings/draw.h"

/* The assembler includes the files: make compiles from the project's top folder. */
__asm__(".pushsection .rodata\n.global page_css\npage_css:\n.incbin "
	"\"src/tools/affinity-report/page.css\"\n"
	".byte 0\n.global page_js\npage_js:\n.incbin "
	"\"src/tools/affinity-report/page.js\"\n"
	".byte 0\n.popsection\n");
extern const char page_css[], page_js[];

const char *page_path(const struct page *p, const char *path)
{
	size_t n = strlen(p->top);

	return n && !strncmp(path, p->top, n) ? path + n : path;
}

static bool warns(const struct document *d, const char *warning)
{
	for (size_t i = 0; i < d->nwarnings; i++)
		if (!strcmp(d->warnings[i].text, warning))
			return true;
	return false;
}

bool page_common(const struct page *p, const char *warning)
{
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (!warns(&p->results->documents[i].document, warning))
			return false;
	return true;
}

/* What was measured comes first; the machine, the warnings and the commands are at the end. */
static void parts(const struct page *p, FILE *out)
{
	bool any = p->results->ndocuments;

	if (any)
		page_findings(p, out);
	page_machines(p, out);
	if (any)
		page_chapters(p, out);
	page_pairs(p, out);
	page_skipped(p, out);
	if (!any)
		return;
	page_machine(p, out);
	page_warnings(p, out);
	page_repeat(p, out);
}

void page_write(const struct page *p, FILE *out)
{
	html(out,
		"<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta "
		"name=viewport content='width=device-width, initial-scale=1'>\n<title>affinity: "
		"%s</title>\n<style>\n%-s</style>\n</head>\n<body>\n<a class=skip "
		"href='#results'>To the results</a>\n",
		p->results->ndocuments ? document_fact(page_newest(p), "host")
				       : p->results->pairings[0].pairings.host,
		page_css);
	draw_arrow_head(out);
	if (p->results->ndocuments)
		page_heading(p, out);
	fputs("<div class=frame>\n", out);
	page_index(p, out);
	fputs("<main id=results>\n", out);
	parts(p, out);
	fprintf(out, "</main>\n</div>\n<script id=page>\n%s</script>\n</body>\n</html>\n", page_js);
}
