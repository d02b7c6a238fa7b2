/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that the CSV of samples and that of figures have in common. */
#include "report/fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "system/environment.h"

/* ---- the sweep */

static const char *value_of(const struct document *d, size_t run, size_t variable)
{
	const struct document_pairs *values = &d->runs[run].values;

	return variable < values->count ? values->list[variable].value : "";
}

bool *fields_sizes(const struct document *d)
{
	const size_t n = d->nruns ? d->runs->values.count : 0;
	bool *sizes = alloc_zeroed(n + 1, sizeof(*sizes));
	uint64_t bytes;

	for (size_t v = 0; v < n; v++) {
		sizes[v] = true;
		for (size_t i = 0; sizes[v] && i < d->nruns; i++)
			sizes[v] = !text_bytes(value_of(d, i, v), &bytes);
	}
	return sizes;
}

/* Is it one of the names that commas divide? */
static bool is_among(const char *name, const char *names)
{
	size_t n = strlen(name);

	for (const char *at = names; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, name, n) && (at[n] == ',' || !at[n]))
			return true;
	}
	return false;
}

/* Two columns of one name would be one to most readers. */
static void name(const char *column, const char *others, FILE *out)
{
	fprintf(out, "%s%s,", is_among(column, others) ? "sweep_" : "", column);
}

void fields_sweep_head(const struct document *d, const bool *sizes, const char *others, FILE *out)
{
	for (size_t v = 0; d->nruns && v < d->runs->values.count; v++) {
		const char *variable = d->runs->values.list[v].name;

		name(variable, others, out);
		if (!sizes[v])
			continue;
		char *bytes = alloc_format("%s_bytes", variable);

		name(bytes, document_value(d->runs, bytes) ? bytes : others, out);
		free(bytes);
	}
}

void fields_sweep(const struct document *d, const bool *sizes, size_t run, FILE *out)
{
	uint64_t bytes;

	for (size_t v = 0; v < d->runs->values.count; v++) {
		const char *value = value_of(d, run, v);

		text_print_csv(value, out);
		fputc(',', out);
		if (sizes[v] && !text_bytes(value, &bytes))
			fprintf(out, "%" PRIu64 ",", bytes);
	}
}

/* ---- machine and vectors */

void fields_host(const struct document *d, FILE *out)
{
	fputs(environment_simulated(&d->environment) ? "simulated machine " : "", out);
	text_print_csv(document_fact(d, "host"), out);
	fputc(',', out);
}

static void write_nodes(const struct document_placement *p, FILE *out)
{
	for (size_t i = 0; i < p->nodes; i++)
		fprintf(out, "%s%d", i ? "+" : "", p->pages_on_node[i].node);
	if (!p->nodes)
		fputs("NA", out);
}

/* A vector may have both transparent huge pages and small ones. */
static void page_bytes(
	const struct document_vector *v, const struct document_placement *p, FILE *out)
{
	if (!p->sizes_shown_by || !p->kernel_page_bytes)
		fputs("NA", out);
	else if (!p->transparent_huge_bytes)
		fprintf(out, "%" PRId64, p->kernel_page_bytes);
	else if (p->transparent_huge_bytes >= v->bytes)
		fprintf(out, "%" PRId64, p->transparent_page_bytes);
	else
		fprintf(out, "%" PRId64 "+%" PRId64, p->kernel_page_bytes,
			p->transparent_page_bytes);
}

enum column { NUMBER, NODES, BYTES, TYPE, PAGE_BYTES, COLUMNS };

static void write_field(
	const struct document_run *r, size_t placement, size_t id, enum column c, FILE *out)
{
	const struct document_vector *v = &r->vectors[id];
	const struct document_placement *found =
		placement && placement <= v->nagain ? &v->found_again[placement - 1] : &v->found;

	if (c == NUMBER)
		fprintf(out, "%zu", id);
	else if (c == NODES)
		write_nodes(found, out);
	else if (c == BYTES)
		fprintf(out, "%" PRId64, v->bytes);
	else if (c == TYPE)
		fputs(v->type ? v->type : "NA", out);
	else
		page_bytes(v, found, out);
}

void fields_vectors(const struct document_run *r, size_t placement, size_t thread, FILE *out)
{
	const struct document_thread *t = &r->threads[thread];

	for (enum column c = 0; c < COLUMNS; c++) {
		for (size_t k = 0; k < t->nvectors; k++) {
			fputs(k ? " " : "", out);
			write_field(r, placement, t->vectors[k], c, out);
		}
		fputc(',', out);
	}
}
