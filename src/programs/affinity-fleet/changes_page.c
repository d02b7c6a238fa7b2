/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes as a page: nodes and experiments, nodes and dates. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/html.h"
#include "programs/affinity-fleet/changes_documents.h"

/* Nodes by what they changed most, the slowest first. */
struct row {
	size_t node;
	const struct fleet_shift *shift;
};

static int rank(const struct fleet_shift *v)
{
	return v->changed ? 2 : v->known;
}

static int order(const void *a, const void *b)
{
	const struct fleet_shift *x = ((const struct row *)a)->shift,
				 *y = ((const struct row *)b)->shift;

	if (rank(x) != rank(y))
		return rank(y) - rank(x);
	return (x->effect < y->effect) - (x->effect > y->effect);
}

static struct row *rows_of(const struct findings *f, size_t group)
{
	const size_t n = f->groups[group].nhosts;
	struct row *rows = alloc_zeroed(n, sizeof(*rows));

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct row){i, &f->changes[group].shifts.nodes[i]};
	qsort(rows, n, sizeof(*rows), order);
	return rows;
}

static void begin_row(const struct findings *f, size_t group, const struct row *r, FILE *out)
{
	html(out, "<tr class=%s><td>%s<td>%s", changes_word(r->shift),
		f->in->hosts.list[f->groups[group].hosts[r->node]], changes_word(r->shift));
}

static void experiments(const struct findings *f, size_t group, const struct row *rows, FILE *out)
{
	const struct group *g = &f->groups[group];
	const struct changes *c = &f->changes[group];

	fputs("<table>\n<tr><th>node<th>verdict", out);
	for (size_t r = 0; r < g->layout.resources; r++)
		fleet_page_heading(verdicts_set_name(g, f->in, 1 + r), out);
	fputs("\n<tr class=all><td>all nodes<td>-", out);
	for (size_t r = 0; r < g->layout.resources; r++)
		fleet_page_cell(changes_per_cent(c->common[r].effect), f->tolerance, out);
	fputs("\n", out);
	for (size_t i = 0; i < g->nhosts; i++) {
		begin_row(f, group, &rows[i], out);
		for (size_t r = 0; r < g->layout.resources; r++)
			fleet_page_cell(
				changes_per_cent(
					c->shifts
						.resources[rows[i].node * g->layout.resources + r]),
				f->tolerance, out);
		fputs("\n", out);
	}
	fputs("</table>\n", out);
}

static void dates(const struct findings *f, size_t group, const struct row *rows, FILE *out)
{
	const struct changes *c = &f->changes[group];

	fputs("<p>The set that changed most of each node, against the others, above its mean "
	      "before the change:</p>\n<table>\n<tr><th>node<th>verdict<th>set",
		out);
	for (size_t t = 0; t < c->series.dates; t++)
		fprintf(out, "<th>%s", c->dates[t]);
	fputs("\n", out);
	for (size_t i = 0; i < f->groups[group].nhosts; i++) {
		begin_row(f, group, &rows[i], out);
		fleet_page_heading(rows[i].shift->known ? verdicts_set_name(&f->groups[group],
								  f->in, rows[i].shift->set)
							: alloc_format("-"),
			out);
		for (size_t t = 0; t < c->series.dates; t++)
			fleet_page_cell(
				changes_per_cent(
					c->shifts.courses[rows[i].node * c->series.dates + t]),
				f->tolerance, out);
		fputs("\n", out);
	}
	fputs("</table>\n", out);
}

void changes_page(const struct findings *f, FILE *out)
{
	fleet_page_begin("Changes of the nodes of a cluster", out);
	fprintf(out,
		"<p>How much slower nodes became, in per cent: all of them, and each one against "
		"the others%s. Red cells are slower by more than %g %%, blue ones quicker.</p>\n",
		f->days > 0 ? ", from the date on from which it changed most" : "", f->tolerance);
	for (size_t i = 0; i < f->count; i++) {
		fleet_page_facts(f, &f->groups[i], out);
		if (f->changes[i].refused) {
			html(out, "<p>Not judged: %s</p>\n", f->changes[i].refused);
			continue;
		}
		struct row *rows = rows_of(f, i);

		experiments(f, i, rows, out);
		dates(f, i, rows, out);
		free(rows);
	}
	fleet_page_end(f, out);
}
