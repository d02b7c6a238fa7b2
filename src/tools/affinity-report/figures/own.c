/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures that kernels have of their own, of threads together and alone. */
#include "base/alloc.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/figures/figures.h"

static void add_names(struct name_list *n, const struct document_operations *o)
{
	for (size_t i = 0; i < o->count; i++)
		for (size_t k = 0; k < o->list[i].njobs; k++)
			for (size_t f = 0; f < o->list[i].jobs[k].own.count; f++)
				name_list_add(n, o->list[i].jobs[k].own.list[f].name);
}

static struct name_list names_of(const struct document *d)
{
	struct name_list n = {0};

	for (size_t i = 0; i < d->nruns; i++) {
		add_names(&n, &d->runs[i].operations);
		for (size_t k = 0; k < d->runs[i].nalone; k++)
			add_names(&n, &d->runs[i].alone[k]);
	}
	return n;
}

static void fill_own(
	struct amount *cells, const struct name_list *names, const struct document_own *o)
{
	for (size_t i = 0; i < o->count; i++) {
		long column = name_list_find(names, o->list[i].name);

		if (column >= 0)
			cells[column] = o->list[i].value;
	}
}

/* The threads of an operation; first: the number of its first thread in the run. */
static void add_operation(struct grid *g, const struct name_list *names,
	const struct document_run *r, const struct document_operation *o, size_t first,
	const char *alone)
{
	for (size_t k = 0; k < o->njobs; k++)
		if (o->jobs[k].own.count)
			fill_own(grid_row(g, "%s%s%s, thread %zu%s", r->label, *r->label ? " " : "",
					 o->name, first + k, alone),
				names, &o->jobs[k].own);
	if (o->njobs > 1 && o->own.count)
		fill_own(
			grid_row(g, "%s%s%s, all threads", r->label, *r->label ? " " : "", o->name),
			names, &o->own);
}

static void add_run(struct grid *g, const struct name_list *names, const struct document_run *r)
{
	for (size_t i = 0; i < r->operations.count; i++)
		add_operation(g, names, r, &r->operations.list[i], 0, "");
	for (size_t k = 0; k < r->nalone; k++)
		for (size_t i = 0; i < r->alone[k].count; i++)
			add_operation(g, names, r, &r->alone[k].list[i], k, " alone");
}

void page_own(const struct document *d, FILE *out)
{
	struct name_list names = names_of(d);
	struct grid g = {.corner = alloc_format("run")};

	for (size_t i = 0; i < names.count; i++)
		grid_column(&g, "%s", names.list[i]);
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_run(&g, &names, &d->runs[i]);
	if (names.count) {
		html_folded_begin(out, "Figures of the kernels, of a sample");
		html_grid(out, &g);
		html_folded_end(out);
	}
	grid_free(&g);
	name_list_free(&names);
}
