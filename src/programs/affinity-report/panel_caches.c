/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The caches of the machine behind a curve over sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "programs/affinity-report/panel.h"

/* Of a name that is 12 high. */
#define NAME_WIDTH 76

/* Did every run of a row have a vector of that size? */
bool panel_is_of_sizes(const struct document *d, const struct document_table *t)
{
	bool any = false;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];
		const char *value = document_value(r, t->row_axis);
		bool has = false;
		uint64_t bytes;

		if (r->skipped || !value)
			continue;
		for (size_t k = 0; k < r->nvectors && !text_bytes(value, &bytes); k++)
			has |= r->vectors[k].bytes == (int64_t)bytes;
		if (!has)
			return false;
		any = true;
	}
	return any;
}

/* From what the caches below hold to what this one holds. */
static void band(
	FILE *out, const struct panel *p, const char *name, double from, double to, bool shaded)
{
	double left = axis_at(&p->x, fmax(from, p->x.least));
	double right = axis_at(&p->x, fmin(to, p->x.most));

	if (!(right > left))
		return;
	if (shaded)
		fprintf(out, "<rect class=band x=%.1f y=%g width=%.1f height=%g />", left,
			PANEL_TOP, right - left, PANEL_BOTTOM - PANEL_TOP);
	fprintf(out, "<text class=title x=%.1f y=%g>", left + 4, PANEL_TOP + 12);
	if (right - left < NAME_WIDTH)
		html_text_n(out, name, strcspn(name, " "));
	else
		html_text(out, name);
	fputs("</text>", out);
}

void panel_caches(FILE *out, const struct panel *p)
{
	struct words levels = {0};
	double from = 0;
	bool shaded = true;

	words_split(&levels, document_fact(p->document, "caches"), ",");
	for (size_t i = 0; i < levels.count; i++) {
		/* "L2 2 MiB x 2" */
		char *name = text_trim(levels.word[i]), *end = strstr(name, " x "), *size;
		uint64_t bytes;

		if (*name != 'L' || !end || !(size = strchr(name, ' ')))
			continue;
		*end = '\0';
		char *word = alloc_format("%.*s%s", (int)strcspn(size + 1, " "), size + 1,
			size + 1 + strcspn(size + 1, " ") + (strchr(size + 1, ' ') ? 1 : 0));

		if (!text_bytes(word, &bytes) && (double)bytes > from) {
			band(out, p, name, from, (double)bytes, shaded);
			from = (double)bytes;
			shaded = !shaded;
		}
		free(word);
	}
	words_free(&levels);
}
