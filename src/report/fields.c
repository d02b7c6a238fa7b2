/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that the CSV of samples and that of figures have in common. */
#include "report/fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* ---- the sweep */

static bool are_sizes(const struct variable *v)
{
	uint64_t bytes;

	for (size_t i = 0; i < v->values.count; i++)
		if (text_bytes(v->values.word[i], &bytes))
			return false;
	return true;
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

void fields_sweep_head(const struct sweep *s, const char *others, FILE *out)
{
	for (size_t v = 0; v < s->nvariables; v++) {
		name(s->variables[v].name, others, out);
		if (!are_sizes(&s->variables[v]))
			continue;
		char *bytes = alloc_format("%s_bytes", s->variables[v].name);

		name(bytes, sweep_find(s, bytes) >= 0 ? bytes : others, out);
		free(bytes);
	}
}

void fields_sweep(const struct sweep *s, size_t run, FILE *out)
{
	uint64_t bytes;

	for (size_t v = 0; v < s->nvariables; v++) {
		const char *value = sweep_value(s, run, v);

		text_print_csv(value, out);
		fputc(',', out);
		if (are_sizes(&s->variables[v]) && !text_bytes(value, &bytes))
			fprintf(out, "%" PRIu64 ",", bytes);
	}
}

/* ---- machine and vectors */

void fields_host(const struct environment *env, FILE *out)
{
	fputs(environment_simulated(env) ? "simulated machine " : "", out);
	text_print_csv(environment_get(env, "host"), out);
	fputc(',', out);
}

static void nodes(const struct mem_found *pages, FILE *out)
{
	const char *between = "";

	for (int i = 0; i < MEM_MAX_NODES; i++)
		if (pages->on_node[i]) {
			fprintf(out, "%s%d", between, i);
			between = "+";
		}
	if (!*between)
		fputs("NA", out);
}

/* A vector may have both transparent huge pages and small ones. */
static void page_bytes(const struct plan_vector *v, const struct placement *found, FILE *out)
{
	struct placement_thp thp = placement_thp(v, found);

	if (!found->sizes.proof)
		fputs("NA", out);
	else if (!thp.bytes)
		fprintf(out, "%zu", found->sizes.kernel_page_bytes);
	else if (thp.bytes >= v->bytes)
		fprintf(out, "%zu", thp.page_bytes);
	else
		fprintf(out, "%zu+%zu", found->sizes.kernel_page_bytes, thp.page_bytes);
}

enum column { NUMBER, NODES, BYTES, TYPE, PAGE_BYTES, COLUMNS };

static void one(const struct samples *r, size_t placement, int id, enum column c, FILE *out)
{
	const struct plan_vector *v = &r->prepared->plan->vectors[id];
	const struct placement *found = prepare_found(r->prepared, placement, id);

	if (c == NUMBER)
		fprintf(out, "%d", id);
	else if (c == NODES)
		nodes(&found->pages, out);
	else if (c == BYTES)
		fprintf(out, "%zu", (size_t)v->bytes);
	else if (c == TYPE)
		fputs(element_names[v->type], out);
	else
		page_bytes(v, found, out);
}

void fields_vectors(const struct samples *r, size_t placement, int thread, FILE *out)
{
	const struct plan_thread *t = &r->plan->threads[thread];

	for (enum column c = 0; c < COLUMNS; c++) {
		for (int k = 0; k < t->nvectors; k++) {
			fputs(k ? " " : "", out);
			one(r, placement, t->vector_ids[k], c, out);
		}
		fputc(',', out);
	}
}
