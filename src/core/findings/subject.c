/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an answer is about: "4 GiB of weights of 2 bytes, gemv, 8 threads". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "base/text.h"
#include "findings/findings.h"
#include "findings/rates.h"
#include "input/registry.h"

const struct document_run *findings_run(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nvectors)
			return &d->runs[i];
	return NULL;
}

static double bytes_of_unit(const struct document_run *r, const struct document_operation *o)
{
	return document_figure(r, o, ALL_THREADS, DOCUMENT_BYTES_PER_S).amount.value /
	       document_figure(r, o, ALL_THREADS, DOCUMENT_UNITS_PER_S).amount.value;
}

/* " of 2 bytes", which tells the type of weights; nothing where runs differ in it. */
static void add_size_of_one(char **to, const struct document *d, const struct document_table *t)
{
	double size = NAN;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_operation *o =
			d->runs[i].skipped || !t->operation
				? NULL
				: document_operation(&d->runs[i], t->operation);
		const double own = o ? bytes_of_unit(&d->runs[i], o) : NAN;

		if (isfinite(size) && isfinite(own) && fabs(own / size - 1) > 0.01)
			return;
		size = isfinite(own) ? own : size;
	}
	if (isfinite(size))
		alloc_append(to, " ", "of %.3g byte%s", size, fabs(size - 1) < 0.005 ? "" : "s");
}

/* Of the first vector; slices are parts of one. */
static int64_t whole_bytes(const struct document_run *r)
{
	static const char slices[] = "slices:";
	int64_t bytes = 0;

	for (size_t i = 0; i < r->nvectors; i++) {
		const char *node = r->vectors[i].asked_node;

		if (!i || (node && !strncmp(node, slices, sizeof(slices) - 1)))
			bytes += r->vectors[i].bytes;
	}
	return bytes;
}

/* "4 GiB", "64 KiB to 4 GiB": of the first vector of runs; to be freed. */
static char *sizes_of(const struct document *d)
{
	int64_t least = INT64_MAX, most = 0;
	char from[32], to[32];

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped && d->runs[i].nvectors) {
			const int64_t bytes = whole_bytes(&d->runs[i]);

			least = bytes < least ? bytes : least;
			most = bytes > most ? bytes : most;
		}
	text_size((uint64_t)least, from, sizeof(from));
	text_size((uint64_t)most, to, sizeof(to));
	return alloc_format("%s%s%s", from, least == most ? "" : " to ", least == most ? "" : to);
}

/* ", 8 threads, weights q4" */
static void add_values(char **to, const struct document *d, const struct document_table *t)
{
	for (size_t i = 0; i < t->values.count; i++) {
		const char *name = t->values.list[i].name, *value = t->values.list[i].value;

		if (rates_count_threads(d, name))
			alloc_append(to, ", ", "%s thread%s", value, strcmp(value, "1") ? "s" : "");
		else
			alloc_append(to, ", ", "%s %s", name, value);
	}
}

void findings_add_subject(
	struct finding *f, const struct document *d, const struct document_table *t)
{
	const struct kernel *k = t->operation ? registry_find(t->operation) : NULL;
	char *text = sizes_of(d);

	alloc_append(&text, " ", "of %ss", k ? k->unit : "number");
	add_size_of_one(&text, d, t);
	if (t->operation)
		alloc_append(&text, ", ", "%s", t->operation);
	add_values(&text, d, t);
	finding_text(f, "subject", "%s", text);
	free(text);
}

const char *findings_reason(const char *text)
{
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		const size_t digits = strspn(colon + 1, "0123456789");

		if (digits && !strncmp(colon + 1 + digits, ": ", 2))
			return colon + 1 + digits + 2;
	}
	return text;
}

void findings_add_threads(
	struct finding *f, const struct document_texts *threads, const bool *which)
{
	struct finding_list *list = NULL;
	size_t count = 0, last = 0;

	for (size_t i = 0; i < threads->count; i++) {
		count += which[i];
		last = which[i] ? i : last;
	}
	if (!count)
		return;
	finding_text(f, "n", count == 1 && !strcmp(threads->list[last], "1") ? "1" : "2");
	list = finding_add_list(f, "threads");
	for (size_t i = 0; i < threads->count; i++)
		if (which[i])
			finding_text(
				findings_add(list, FINDING_NAME), "name", "%s", threads->list[i]);
}
