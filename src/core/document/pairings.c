/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads documents of pairs of programs. */
#include "document/pairings.h"

#include <string.h>

#include "base/alloc.h"
#include "document/members.h"
#include "document/parts.h"
#include "document/value.h"

static int read_figure(struct document *d, struct pairings_figure *f, const json_t *o)
{
	const json_t *cells = json_object_get(o, "cells");
	const char *shape = document_text(o, "shape");

	*f = (struct pairings_figure){.what = document_text(o, "figure"),
		.title = document_text(o, "title"),
		.stacked = shape && !strcmp(shape, "stacked"),
		.rows = document_texts(d, json_object_get(o, "rows")),
		.columns = document_texts(d, json_object_get(o, "columns"))};
	if (!f->what || !f->title || json_array_size(cells) != f->rows.count)
		return -1;
	f->cells = document_list(d, f->rows.count * f->columns.count, sizeof(*f->cells));
	for (size_t i = 0; i < f->rows.count; i++) {
		const json_t *row = json_array_get(cells, i);

		if (json_array_size(row) != f->columns.count)
			return -1;
		for (size_t k = 0; k < f->columns.count; k++)
			f->cells[i * f->columns.count + k] =
				document_amount(json_array_get(row, k));
	}
	return 0;
}

static int read_figures(struct pairings *p, const json_t *o)
{
	const json_t *list = json_object_get(o, "figures");
	int failed = 0;

	p->nfigures = json_array_size(list);
	p->figures = document_list(&p->memory, p->nfigures, sizeof(*p->figures));
	for (size_t i = 0; i < p->nfigures && !failed; i++)
		failed = read_figure(&p->memory, &p->figures[i], json_array_get(list, i));
	return failed;
}

static void read_warnings(struct pairings *p, const json_t *list)
{
	size_t n = json_array_size(list);

	p->warnings.list = document_list(&p->memory, n, sizeof(*p->warnings.list));
	for (size_t i = 0; i < n; i++) {
		const char *text = document_text(json_array_get(list, i), "text");

		if (text)
			p->warnings.list[p->warnings.count++] = text;
	}
}

int pairings_read(struct pairings *p, const char *path, struct errors *e)
{
	json_t *o = json_load_file(path, 0, NULL);

	value_show_controls(o);
	const char *program = document_text(o, "program");

	*p = (struct pairings){.memory = {.path = alloc_string(path, strlen(path))}};
	p->memory.source = o;
	read_warnings(p, json_object_get(o, "warnings"));
	p->host = document_text(o, "host");
	p->kernel = document_text(o, "kernel");
	p->version = document_text(o, "affinity_version");
	if (program && !strcmp(program, "affinity-map") && document_whole(o, "schema") == 1 &&
		json_is_array(json_object_get(o, "figures")) && p->host && p->kernel &&
		p->version && !read_figures(p, o))
		return 0;
	return error_add(e, STATUS_USAGE, (struct place){path, 0},
		"is not a complete document of affinity-map --pairs");
}

void pairings_free(struct pairings *p)
{
	document_free(&p->memory);
	*p = (struct pairings){0};
}
