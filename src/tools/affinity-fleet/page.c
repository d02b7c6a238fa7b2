/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page: a map of nodes and resources, the slowest nodes first; over time also one of nodes and
 * dates. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/html.h"
#include "affinity-fleet/documents.h"

/* Per cent from which on a cell has its full colour. */
#define FULL 10.0

static const char style[] =
	"body{font:14px/1.4 sans-serif;margin:2em;max-width:none}"
	"table{border-collapse:collapse;margin:1em 0}"
	"th,td{padding:1px 8px;text-align:right;border:1px solid #ddd}"
	"th{position:sticky;top:0;background:#fff}"
	"td:first-child,td:nth-child(2),th:first-child,th:nth-child(2){text-align:left}"
	"tr.slow td:nth-child(2),tr.slower td:nth-child(2),tr.quicker "
	"td:nth-child(2){font-weight:bold}";

/* Slower is red, faster is blue; what is within the tolerance is white. */
static void print_cell(double effect, double tolerance, FILE *out)
{
	if (!isfinite(effect)) {
		fputs("<td>-", out);
		return;
	}
	const double beyond = fmax(0, fabs(effect) - tolerance) / (FULL - tolerance);
	const int fade = 255 - (int)(155 * fmin(1, beyond));

	if (effect > 0)
		fprintf(out, "<td style='background:rgb(255,%d,%d)'>%+.1f", fade, fade, effect);
	else
		fprintf(out, "<td style='background:rgb(%d,%d,255)'>%+.1f", fade, fade, effect);
}

/* [n] effects of a node, and the end of its row. */
static void print_cells(const struct findings *f, const double *effects, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++)
		print_cell(effects[i], f->tolerance, out);
	fputs("\n", out);
}

static int compare_page_rows(const void *a, const void *b)
{
	const struct node_finding *x = *(const struct node_finding *const *)a,
				  *y = *(const struct node_finding *const *)b;

	if (x->kind != y->kind)
		return (int)y->kind - (int)x->kind;
	return (x->rank < y->rank) - (x->rank > y->rank);
}

static const struct node_finding **ranking(const struct judged *j, size_t n)
{
	const struct node_finding **rows = alloc_zeroed(n, sizeof(*rows));

	for (size_t i = 0; i < n; i++)
		rows[i] = &j->nodes[i];
	qsort(rows, n, sizeof(*rows), compare_page_rows);
	return rows;
}

static void print_facts(const struct findings *f, size_t i, FILE *out)
{
	fprintf(out, "<h2>%zu like nodes</h2>\n<p>", f->groups[i].nhosts);
	for (size_t k = 0; k < f->groups[i].alike; k++)
		if (findings_common(f, i, k))
			html(out, "%s%s: %s", k ? "; " : "", facts_names[k],
				findings_common(f, i, k));
	fputs("</p>\n", out);
}

/* The row's node and verdict; beside the others also what no cell may show: a figure, a NUMA node,
 * time taken away. */
static void begin_row(const struct findings *f, const struct node_finding *n, FILE *out)
{
	html(out, "<tr class=%s><td>%s<td>%s", n->word, n->node, n->word);
	if (!f->changes && n->kind != VERDICT_ALIKE)
		html(out, ": %s %+.1f %%", n->set, n->slower.value);
}

static void print_resources(
	const struct findings *f, size_t i, const struct node_finding *const *rows, FILE *out)
{
	const struct judged *j = &f->judged[i];
	const size_t width = f->groups[i].layout.resources;

	fprintf(out, "<table>\n<tr><th>node<th>verdict%s", j->whole ? "<th>whole node" : "");
	for (size_t r = 0; r < width; r++)
		html(out, "<th>%s", j->resources[r].name);
	fputs("\n", out);
	if (f->changes) {
		fputs("<tr class=all><td>all nodes<td>-", out);
		for (size_t r = 0; r < width; r++)
			print_cell(j->resources[r].all.value, f->tolerance, out);
		fputs("\n", out);
	}
	for (size_t k = 0; k < f->groups[i].nhosts; k++) {
		const size_t node = (size_t)(rows[k] - j->nodes);

		begin_row(f, rows[k], out);
		if (j->whole)
			print_cell(j->whole[node], f->tolerance, out);
		print_cells(f, j->effects + node * width, width, out);
	}
	fputs("</table>\n", out);
}

static void print_dates(
	const struct findings *f, size_t i, const struct node_finding *const *rows, FILE *out)
{
	const struct judged *j = &f->judged[i];

	fputs("<p>The set that changed most of each node, against the others, above its mean "
	      "before the change:</p>\n<table>\n<tr><th>node<th>verdict<th>set",
		out);
	for (size_t t = 0; t < j->ndates; t++)
		fprintf(out, "<th>%s", j->dates[t]);
	fputs("\n", out);
	for (size_t k = 0; k < f->groups[i].nhosts; k++) {
		begin_row(f, rows[k], out);
		html(out, "<th>%s", rows[k]->set ? rows[k]->set : "-");
		print_cells(f, rows[k]->course, j->ndates, out);
	}
	fputs("</table>\n", out);
}

static void print_refused(const struct findings *f, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < f->in->hosts.count; i++) {
		if (!f->hosts[i].refused)
			continue;
		html(out, "%-s%s: %s\n", any ? "<li>" : "<h2>Not judged</h2>\n<ul><li>",
			f->in->hosts.list[i], f->hosts[i].refused);
		any = true;
	}
	fputs(any ? "</ul>\n" : "", out);
}

static void print_begin(const struct findings *f, FILE *out)
{
	const char *title = f->changes ? "Changes of the nodes of a cluster" : "Nodes of a cluster";

	fprintf(out,
		"<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>%s</title>\n"
		"<style>%s</style>\n<h1>%s</h1>\n",
		title, style, title);
	if (f->changes)
		fprintf(out,
			"<p>How much slower nodes became, in per cent: all of them, and each one "
			"against the others%s. Red cells are slower by more than %g %%, blue ones "
			"quicker.</p>\n",
			f->days > 0 ? ", from the date on from which it changed most" : "",
			f->tolerance);
	else
		fprintf(out,
			"<p>Costs of the first runs above those of the median node, in per cent. "
			"Red cells are slower by more than %g %%, blue ones faster. A suspect is "
			"not known to be slow: it must be run again.</p>\n",
			f->tolerance);
}

void documents_page(const struct findings *f, FILE *out)
{
	print_begin(f, out);
	for (size_t i = 0; i < f->count; i++) {
		print_facts(f, i, out);
		if (f->judged[i].refused) {
			html(out, "<p>Not judged: %s</p>\n", f->judged[i].refused);
			continue;
		}
		const struct node_finding **rows = ranking(&f->judged[i], f->groups[i].nhosts);

		print_resources(f, i, rows, out);
		if (f->changes)
			print_dates(f, i, rows, out);
		free(rows);
	}
	print_refused(f, out);
	fputs("</html>\n", out);
}
