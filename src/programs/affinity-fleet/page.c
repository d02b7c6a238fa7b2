/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page: a map of nodes and experiments, the slowest nodes first. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/html.h"
#include "programs/affinity-fleet/documents.h"

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

void fleet_page_cell(double effect, double tolerance, FILE *out)
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

struct row {
	const struct node_verdict *verdict;
	const double *effects;
	double most;
};

static int order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const int by_kind = (int)y->verdict->kind - (int)x->verdict->kind;

	if (by_kind)
		return by_kind;
	return (x->most < y->most) - (x->most > y->most);
}

static struct row *rows_of(const struct group *g, const struct verdicts *v)
{
	const size_t width = 1 + g->layout.resources;
	struct row *rows = alloc_zeroed(g->nhosts, sizeof(*rows));

	for (size_t i = 0; i < g->nhosts; i++) {
		rows[i] = (struct row){&v->nodes[i], v->effects + i * width, -INFINITY};
		for (size_t k = 0; k < width; k++)
			rows[i].most = fmax(rows[i].most, rows[i].effects[k]);
	}
	qsort(rows, g->nhosts, sizeof(*rows), order);
	return rows;
}

void fleet_page_begin(const char *title, FILE *out)
{
	fprintf(out,
		"<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>%s</title>\n"
		"<style>%s</style>\n<h1>%s</h1>\n",
		title, style, title);
}

void fleet_page_heading(char *text, FILE *out)
{
	html(out, "<th>%s", text);
	free(text);
}

void fleet_page_facts(const struct findings *f, const struct group *g, FILE *out)
{
	const size_t *facts = f->in->results[f->hosts[g->hosts[0]].newest].facts;

	fprintf(out, "<h2>%zu like nodes</h2>\n<p>", g->nhosts);
	for (size_t i = 0; i < g->alike; i++) {
		if (!facts_recorded(f->in->words.list[facts[i]]))
			continue;
		html(out, "%s%s: %s", i ? "; " : "", facts_names[i], f->in->words.list[facts[i]]);
	}
	fputs("</p>\n", out);
}

static void heading(const struct findings *f, const struct group *g, FILE *out)
{
	fleet_page_facts(f, g, out);
	fputs("<table>\n<tr><th>node<th>verdict<th>whole node", out);
	for (size_t r = 0; r < g->layout.resources; r++)
		fleet_page_heading(verdicts_set_name(g, f->in, 1 + r), out);
	fputs("\n", out);
}

/* No cell may show it: a figure, a NUMA node, time taken away. */
static void what(
	const struct findings *f, const struct group *g, const struct node_verdict *n, FILE *out)
{
	char *set = verdicts_set_name(g, f->in, n->set);

	html(out, ": %s %+.1f %%", set, n->effect);
	free(set);
}

static void group_map(
	const struct findings *f, const struct group *g, const struct verdicts *v, FILE *out)
{
	struct row *rows = rows_of(g, v);

	heading(f, g, out);
	for (size_t i = 0; i < g->nhosts; i++) {
		const struct node_verdict *n = rows[i].verdict;

		html(out, "<tr class=%s><td>%s<td>%s", verdicts_words[n->kind],
			f->in->hosts.list[n->host], verdicts_words[n->kind]);
		if (n->kind != VERDICT_ALIKE)
			what(f, g, n, out);
		for (size_t k = 0; k < 1 + g->layout.resources; k++)
			fleet_page_cell(rows[i].effects[k], f->tolerance, out);
		fputs("\n", out);
	}
	fputs("</table>\n", out);
	free(rows);
}

static void not_judged(const struct findings *f, FILE *out)
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

void fleet_page_end(const struct findings *f, FILE *out)
{
	not_judged(f, out);
	fputs("</html>\n", out);
}

void documents_page(const struct findings *f, FILE *out)
{
	fleet_page_begin("Nodes of a cluster", out);
	fprintf(out,
		"<p>Costs of the first runs above those of the median node, in per cent. Red cells "
		"are slower by more than "
		"%g %%, blue ones faster. A suspect is not known to be slow: it must be run "
		"again.</p>\n",
		f->tolerance);
	for (size_t i = 0; i < f->count; i++)
		group_map(f, &f->groups[i], &f->verdicts[i], out);
	fleet_page_end(f, out);
}
