/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads result documents. */
#include "document/results.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define SCHEMA 1

static char *copy(const char *text)
{
	return alloc_string(text ? text : "", text ? strlen(text) : 0);
}

static double number(const json_t *o, const char *key)
{
	const json_t *value = json_object_get(o, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static void add(
	struct results *r, const char *run, const char *operation, int thread, struct amount cost)
{
	r->list = alloc_grow(r->list, r->count, sizeof(*r->list));
	r->list[r->count++] = (struct result){copy(run), copy(operation), thread, cost};
}

/* {"d": "100", "n": "2"} -> "d=100 n=2" */
static char *label_of(json_t *values)
{
	char *label = copy(NULL);
	const char *name;
	json_t *value;

	json_object_foreach (values, name, value) {
		char *longer = alloc_format("%s%s%s=%s", label, *label ? " " : "", name,
			json_is_string(value) ? json_string_value(value) : "?");
		free(label);
		label = longer;
	}
	return label;
}

static void read_kernel(struct results *r, const char *run, const json_t *kernel)
{
	const char *operation = json_string_value(json_object_get(kernel, "operation"));
	const json_t *threads = json_object_get(kernel, "threads"), *thread;
	size_t i;

	json_array_foreach (threads, i, thread) {
		const json_t *f = json_object_get(thread, "figures");

		add(r, run, operation, (int)i,
			(struct amount){
				number(f, "cost_s"), number(f, "low_s"), number(f, "high_s")});
	}
	add(r, run, operation, ALL_THREADS,
		(struct amount){number(kernel, "total_s"), number(kernel, "total_low_s"),
			number(kernel, "total_high_s")});
}

static void read_runs(struct results *r, const json_t *runs)
{
	const json_t *run, *kernel;
	size_t i, k;

	json_array_foreach (runs, i, run) {
		char *label = label_of(json_object_get(run, "values"));

		json_array_foreach (json_object_get(run, "kernels"), k, kernel)
			read_kernel(r, label, kernel);
		free(label);
	}
}

static void read_environment(struct results *r, json_t *environment)
{
	const char *name;
	json_t *value;

	json_object_foreach (environment, name, value) {
		r->facts = alloc_grow(r->facts, r->nfacts, sizeof(*r->facts));
		r->facts[r->nfacts++] =
			(struct environment_fact){copy(name), copy(json_string_value(value))};
	}
}

static int check(const json_t *document, const char *path, struct errors *e)
{
	const char *program = json_string_value(json_object_get(document, "program"));
	const json_t *schema = json_object_get(document, "schema");

	if (!program || strcmp(program, "affinity") || !json_is_integer(schema) ||
		!json_is_array(json_object_get(document, "runs"))) {
		error_add(e, STATUS_USAGE, (struct place){path, 0},
			"is no result document of affinity");
		return error_hint(e, "affinity --json FILE ARGS OUT writes one");
	}
	if (json_integer_value(schema) == SCHEMA)
		return 0;
	error_add(e, STATUS_USAGE, (struct place){path, 0},
		"has schema %lld, this program reads schema %d",
		(long long)json_integer_value(schema), SCHEMA);
	return error_hint(e, "measure again, or use the version that wrote it");
}

int results_read(struct results *r, const char *path, struct errors *e)
{
	json_error_t why;
	json_t *document = json_load_file(path, 0, &why);

	*r = (struct results){.path = copy(path)};
	if (!document) {
		error_add(e, STATUS_USAGE, (struct place){path, why.line > 0 ? why.line : 0},
			"cannot be read as JSON: %s", why.text);
		return error_hint(e, "a file that was cut short must be measured again");
	}
	int failed = check(document, path, e);
	if (!failed) {
		const char *mode = json_string_value(
			json_object_get(json_object_get(document, "method"), "mode"));
		r->per_unit = mode && !strcmp(mode, "time"); /* older documents name none */
		read_runs(r, json_object_get(document, "runs"));
		read_environment(r, json_object_get(document, "environment"));
	}
	json_decref(document);
	return failed;
}

const struct result *results_find(const struct results *r, const struct result *like)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->list[i].thread == like->thread &&
			!strcmp(r->list[i].operation, like->operation) &&
			!strcmp(r->list[i].run, like->run))
			return &r->list[i];
	return NULL;
}

void results_free(struct results *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->list[i].run);
		free(r->list[i].operation);
	}
	for (size_t i = 0; i < r->nfacts; i++) {
		free(r->facts[i].name);
		free(r->facts[i].value);
	}
	free(r->list);
	free(r->facts);
	free(r->path);
	*r = (struct results){0};
}
