/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads cost each other: costs beside the others over costs alone. */
#include <string.h>

#include "base/alloc.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/figures/figures.h"

/* Does the file ask for a table of it? */
static bool is_shown(const struct document *d)
{
	for (size_t i = 0; i < d->ntables; i++)
		if (d->tables[i].id == QUANTITY_SLOWDOWN)
			return true;
	return false;
}

static void fill_solo(struct grid *g, const struct document_solo *s, long thread)
{
	for (size_t k = 0; k < g->ncolumns; k++) {
		if (strcmp(g->columns[k], s->operation ? s->operation : "") != 0)
			continue;
		if (thread < 0)
			grids_put(g, k, document_marked(&s->overhead_percent));
		else if ((size_t)thread < s->slowdowns.count)
			grids_put(g, k, document_marked(&s->slowdowns.list[thread]));
	}
}

static void add_run(struct grid *g, const struct document_run *r)
{
	const char *blank = *r->label ? " " : "";

	for (size_t t = 0; t < r->nthreads; t++) {
		grid_row(g, "%s%sthread %zu", r->label, blank, t);
		for (size_t i = 0; i < r->nsolos; i++)
			fill_solo(g, &r->solos[i], (long)t);
	}
	grid_row(g, "%s%soverhead", r->label, blank);
	g->rows[g->nrows - 1].unit = "%";
	for (size_t i = 0; i < r->nsolos; i++)
		fill_solo(g, &r->solos[i], -1);
}

void page_alone(const struct document *d, FILE *out)
{
	struct name_list operations = grids_operations(d);
	struct grid g = {.corner = alloc_format("run")};

	for (size_t i = 0; i < operations.count; i++)
		grid_column(&g, "%s", operations.list[i]);
	for (size_t i = 0; i < d->nruns && !is_shown(d); i++)
		if (!d->runs[i].skipped && d->runs[i].nsolos)
			add_run(&g, &d->runs[i]);
	if (g.nrows) {
		html_figure_begin(out, "",
			"Slowdown: cost beside the other threads / cost alone; and overhead");
		html_grid(out, &g);
		html_figure_end(out);
	}
	grid_free(&g);
	name_list_free(&operations);
}
