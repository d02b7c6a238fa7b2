/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On which nodes the pages of vectors were before an operation and after it, in the text report. */
#include "report/report.h"

#define WIDTH 12

/* The nodes that any vector of the operation has pages on. */
static void nodes_of(const struct samples *r, int op, bool *nodes)
{
	for (int i = 0; i < r->prepared->plan->nvectors; i++) {
		const struct op_places *v = &r->ops[op].places[i];

		for (int node = 0; node < MEM_MAX_NODES; node++)
			nodes[node] |= v->before.on_node[node] || v->after.on_node[node];
	}
}

static void head(const struct samples *r, int op, const bool *nodes, FILE *out)
{
	char name[32];

	fprintf(out, " - %-22s", r->plan->ops[op].label);
	for (int node = 0; node < MEM_MAX_NODES; node++) {
		if (!nodes[node])
			continue;
		snprintf(name, sizeof(name), "node %d", node);
		fprintf(out, " %*s", WIDTH, name);
	}
	fputc('\n', out);
}

static void row(
	int vector, const char *when, const struct mem_found *found, const bool *nodes, FILE *out)
{
	int used = fprintf(out, "   vector %d, %s", vector, when);

	fprintf(out, "%*s", used < 25 ? 25 - used : 0, "");
	for (int node = 0; node < MEM_MAX_NODES; node++)
		if (nodes[node])
			fprintf(out, " %*zu", WIDTH, found->on_node[node]);
	if (found->absent)
		fprintf(out, ", absent: %zu", found->absent);
	fputc('\n', out);
}

static void operation(const struct samples *r, int op, FILE *out)
{
	bool nodes[MEM_MAX_NODES] = {false};

	nodes_of(r, op, nodes);
	head(r, op, nodes, out);
	for (int i = 0; i < r->prepared->plan->nvectors; i++) {
		const struct op_places *v = &r->ops[op].places[i];

		if (!v->before.pages || !v->after.pages)
			continue;
		row(i, "before", &v->before, nodes, out);
		row(i, "after", &v->after, nodes, out);
	}
}

void report_places(const struct samples *r, FILE *out)
{
	bool any = false;

	for (int op = 0; op < r->plan->nops; op++) {
		if (!r->ops[op].places)
			continue;
		if (!any)
			fprintf(out, "+ Pages on nodes, as placed and after the last sample\n");
		any = true;
		operation(r, op, out);
	}
	if (any)
		fputc('\n', out);
}
