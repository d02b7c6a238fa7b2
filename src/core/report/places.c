/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On which nodes the pages of vectors were before an operation and after it, in the text report. */
#include "report/cells.h"

#include "memory/mem.h"

#define WIDTH 12

static int64_t pages_on(const struct document_pages *pages, size_t n, int node)
{
	for (size_t i = 0; i < n; i++)
		if (pages[i].node == node)
			return pages[i].pages;
	return 0;
}

/* Has any vector of the operation pages there? */
static bool is_used(const struct document_operation *o, int node)
{
	for (size_t i = 0; i < o->nplaces; i++) {
		const struct document_places *v = &o->places[i];

		if (pages_on(v->before, v->nbefore, node) || pages_on(v->after, v->nafter, node))
			return true;
	}
	return false;
}

static void print_places_head(const struct document_operation *o, FILE *out)
{
	char name[32];

	fprintf(out, " - %-22s", o->name);
	for (int node = 0; node < MEM_MAX_NODES; node++) {
		if (!is_used(o, node))
			continue;
		snprintf(name, sizeof(name), "node %d", node);
		fprintf(out, " %*s", WIDTH, name);
	}
	fputc('\n', out);
}

static void print_places_row(const struct document_operation *o, size_t i, bool after, FILE *out)
{
	const struct document_places *v = &o->places[i];
	const struct document_pages *pages = after ? v->after : v->before;
	const size_t n = after ? v->nafter : v->nbefore;
	const int64_t absent = after ? v->absent_after : v->absent_before;
	int used = fprintf(out, "   vector %zu, %s", v->vector, after ? "after" : "before");

	fprintf(out, "%*s", used < 25 ? 25 - used : 0, "");
	for (int node = 0; node < MEM_MAX_NODES; node++)
		if (is_used(o, node))
			fprintf(out, " %*lld", WIDTH, (long long)pages_on(pages, n, node));
	if (absent)
		fprintf(out, ", absent: %lld", (long long)absent);
	fputc('\n', out);
}

void report_places(const struct document_run *r, FILE *out)
{
	bool any = false;

	for (size_t op = 0; op < r->operations.count; op++) {
		const struct document_operation *o = &r->operations.list[op];

		if (!o->places)
			continue;
		if (!any)
			fprintf(out, "+ Pages on nodes, as placed and after the last sample\n");
		any = true;
		print_places_head(o, out);
		for (size_t i = 0; i < o->nplaces; i++) {
			print_places_row(o, i, false, out);
			print_places_row(o, i, true, out);
		}
	}
	if (any)
		fputc('\n', out);
}
