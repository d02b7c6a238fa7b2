/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was counted in each thread. */
#include <math.h>

#include "base/alloc.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/figures/figures.h"

/* Shares and rates have no figure per unit. */
static bool is_per_unit(const struct document_counter *c)
{
	return isfinite(c->per_unit);
}

static struct name_list metrics_of(const struct document *d, bool per_unit)
{
	struct name_list n = {0};

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t o = 0; o < d->runs[i].operations.count; o++) {
			const struct document_operation *at = &d->runs[i].operations.list[o];

			for (size_t k = 0; k < at->njobs; k++)
				for (size_t c = 0; c < at->jobs[k].ncounters; c++)
					if (at->jobs[k].counters[c].metric &&
						is_per_unit(&at->jobs[k].counters[c]) == per_unit)
						name_list_add(&n, at->jobs[k].counters[c].metric);
		}
	return n;
}

static void fill_metrics(struct amount *cells, const struct name_list *metrics,
	const struct document_job *j, bool per_unit)
{
	for (size_t c = 0; c < j->ncounters; c++) {
		const struct document_counter *at = &j->counters[c];
		long k = at->metric ? name_list_find(metrics, at->metric) : -1;

		if (k >= 0 && is_per_unit(at) == per_unit)
			cells[k].value = per_unit ? at->per_unit : at->value;
	}
}

static void add_run(struct grid *g, const struct name_list *metrics, const struct document_run *r,
	bool per_unit)
{
	for (size_t o = 0; o < r->operations.count; o++) {
		const struct document_operation *at = &r->operations.list[o];

		for (size_t k = 0; k < at->njobs; k++)
			if (at->jobs[k].ncounters)
				fill_metrics(grid_row(g, "%s%s%s, thread %zu", r->label,
						     *r->label ? " " : "", at->name, k),
					metrics, &at->jobs[k], per_unit);
	}
}

static void table(const struct document *d, bool per_unit, FILE *out)
{
	struct name_list metrics = metrics_of(d, per_unit);
	struct grid g = {.corner = alloc_format("run")};

	for (size_t i = 0; i < metrics.count; i++)
		grid_column(&g, "%s", metrics.list[i]);
	for (size_t i = 0; metrics.count && i < d->nruns; i++)
		if (!d->runs[i].skipped)
			add_run(&g, &metrics, &d->runs[i], per_unit);
	if (g.nrows) {
		html_folded_begin(out,
			per_unit ? "Counters, per unit of work" : "Counters, as shares and rates");
		html_grid(out, &g);
		html_folded_end(out);
	}
	grid_free(&g);
	name_list_free(&metrics);
}

void page_counters(const struct document *d, FILE *out)
{
	table(d, true, out);
	table(d, false, out);
}
