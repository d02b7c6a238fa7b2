/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row for each node: CSV, and metrics of Prometheus. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "programs/affinity-fleet/documents.h"

void fleet_csv_number(double value, FILE *out)
{
	fputc(',', out);
	if (isfinite(value))
		fprintf(out, "%.6g", value);
}

static void row(const struct findings *f, size_t group, const struct node_verdict *v, FILE *out)
{
	char *set = verdicts_set_name(&f->groups[group], f->in, v->set);
	const double values[] = {v->effect, v->low, v->high, v->others_low, v->others_high,
		v->score, (double)v->fresh, v->least};

	text_print_csv(f->in->hosts.list[v->host], out);
	fprintf(out, ",%zu,%s,", group + 1, verdicts_words[v->kind]);
	text_print_csv(set, out);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		fleet_csv_number(values[i], out);
	fputc('\n', out);
	free(set);
}

void documents_csv(const struct findings *f, FILE *out)
{
	fputs("node,group,verdict,set,slower_percent,low_percent,high_percent,others_low_percent,"
	      "others_high_percent,score,fresh_runs,least_found_percent\n",
		out);
	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->groups[i].nhosts; k++)
			row(f, i, &f->verdicts[i].nodes[k], out);
}

/* A label's value (Prometheus's text format). */
static void label(const char *name, const char *text, FILE *out)
{
	fprintf(out, "%s=\"", name);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
	fputc('"', out);
}

static void head(const char *name, const char *help, FILE *out)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

static void verdict_metric(const struct findings *f, const char *name, const char *help,
	enum verdict_kind kind, FILE *out)
{
	head(name, help, out);
	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->groups[i].nhosts; k++) {
			const struct node_verdict *v = &f->verdicts[i].nodes[k];

			fprintf(out, "%s{", name);
			label("node", f->in->hosts.list[v->host], out);
			fprintf(out, "} %d\n", v->kind == kind);
		}
}

static void slower_metric(const struct findings *f, FILE *out)
{
	head("affinity_node_slower_percent",
		"cost above what the rest of the node lets expect, of slow and suspect nodes", out);
	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->groups[i].nhosts; k++) {
			const struct node_verdict *v = &f->verdicts[i].nodes[k];
			char *set = verdicts_set_name(&f->groups[i], f->in, v->set);

			if (v->kind == VERDICT_SLOW || v->kind == VERDICT_SUSPECT) {
				fputs("affinity_node_slower_percent{", out);
				label("node", f->in->hosts.list[v->host], out);
				fputc(',', out);
				label("set", set, out);
				fprintf(out, "} %.6g\n", v->effect);
			}
			free(set);
		}
}

void documents_metrics(const struct findings *f, FILE *out)
{
	size_t refused = 0;

	for (size_t i = 0; i < f->in->hosts.count; i++)
		refused += f->hosts[i].refused != NULL;
	verdict_metric(f, "affinity_node_slow", "1: fresh runs show again that it is slow",
		VERDICT_SLOW, out);
	verdict_metric(
		f, "affinity_node_suspect", "1: it should be run again", VERDICT_SUSPECT, out);
	slower_metric(f, out);
	head("affinity_nodes_not_judged", "nodes with results that cannot be compared", out);
	fprintf(out, "affinity_nodes_not_judged %zu\n", refused);
}
