/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what was done. */
#include "document/conditions.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/parts.h"
#include "input/param.h"
#include "input/request.h"

/* A field of an object, and whether another value is other work. */
struct field {
	const char *key;
	bool work;
};

static const struct field of_method[] = {{"mode", true}, {"window_s", true}, {"statistic", true},
	{"summary", true}, {"confidence", false}, {"iterations", false}, {"warmup", false},
	{"interleave", false}, {NULL, false}};
static const struct field of_vector[] = {{"bytes", true}, {"type", true}, {"asked_node", false},
	{"asked_pages", false}, {"init", false}, {NULL, false}};
static const struct field of_thread[] = {{"cpu", false}, {"vectors", true}, {NULL, false}};
static const struct field of_job[] = {{"kernel", true}, {"unit", true}, {"passes", true},
	{"sleep_s", true}, {"chose", false}, {NULL, false}};

/* A whole number is the same with and without a point. */
static char *text_of(const json_t *value)
{
	if (json_is_number(value))
		return alloc_format("%.12g", json_number_value(value));
	return json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
}

static void add_fields(
	struct conditions *c, const char *whose, const json_t *object, const struct field *fields)
{
	for (; fields->key; fields++) {
		const json_t *value = json_object_get(object, fields->key);

		if (!value)
			continue;
		c->list = alloc_grow(c->list, c->count, sizeof(*c->list));
		c->list[c->count++] =
			(struct condition_fact){alloc_format("%s: %s", whose, fields->key),
				text_of(value), fields->work, false};
	}
}

/* Every object of a list: "vector 3 of d=1". */
static void add_list(struct conditions *c, const char *what, const char *run, const json_t *list,
	const struct field *fields)
{
	const json_t *object;
	size_t i;

	json_array_foreach (list, i, object) {
		char *whose = alloc_format("%s %zu%s%s", what, i, *run ? " of " : "", run);

		add_fields(c, whose, object, fields);
		free(whose);
	}
}

/* As document.c names runs: values in the order of the file. */
static char *label_of(json_t *values)
{
	char *label = alloc_string("", 0);
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

static void add_run(struct conditions *c, const json_t *run)
{
	char *label = label_of(json_object_get(run, "values"));
	const json_t *kernel;
	size_t i;

	c->list = alloc_grow(c->list, c->count, sizeof(*c->list));
	c->list[c->count++] = (struct condition_fact){
		alloc_format("run%s%s: threads", *label ? " " : "", label),
		alloc_format("%zu", json_array_size(json_object_get(run, "threads"))), true, false};
	add_list(c, "vector", label, json_object_get(run, "vectors"), of_vector);
	add_list(c, "thread", label, json_object_get(run, "threads"), of_thread);
	json_array_foreach (document_operations_in(run), i, kernel) {
		const char *name = json_string_value(json_object_get(kernel, "operation"));
		char *what = alloc_format("%s, thread", name ? name : "?");

		add_list(c, what, label, json_object_get(kernel, "threads"), of_job);
		free(what);
	}
	free(label);
}

static struct condition_fact *argument_of(struct conditions *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->list[i].name, name))
			return &c->list[i];
	return NULL;
}

/* Keys of the file say where and how often; what they change of the work stands in the facts of
 * vectors and jobs. Parameters of kernels stand here only. */
static void add_argument(struct conditions *c, const char *key, const char *value, bool replaces)
{
	const struct param *known = param_find(request_keys, key);
	char *name = alloc_format("argument %s", known ? known->name : key);
	struct condition_fact *f = argument_of(c, name);

	if (f) {
		char *before = f->value;

		f->value = replaces ? alloc_string(value, strlen(value))
				    : alloc_format("%s; %s", before, value);
		free(before);
		free(name);
		return;
	}
	c->list = alloc_grow(c->list, c->count, sizeof(*c->list));
	c->list[c->count++] = (struct condition_fact){name, alloc_string(value, strlen(value)),
		!known || !strcmp(known->name, "argsExtra"), true};
}

/* "key: value # comment", or KEY=VALUE of --set. */
static void take_argument(struct conditions *c, char *line, char divider, bool replaces)
{
	char *comment = strchr(line, '#'), *value;

	if (comment)
		*comment = '\0';
	value = strchr(line, divider);
	if (!value)
		return;
	*value++ = '\0';
	add_argument(c, text_trim(line), text_trim(value), replaces);
}

static void add_arguments(struct conditions *c, const json_t *arguments)
{
	const char *text = json_string_value(json_object_get(arguments, "text"));
	struct words lines = {0};
	const json_t *set;
	size_t i;

	words_split(&lines, text ? text : "", "\r\n");
	for (i = 0; i < lines.count; i++)
		take_argument(c, lines.word[i], ':', false);
	words_free(&lines);
	json_array_foreach (json_object_get(arguments, "set"), i, set) {
		char *copy = alloc_string(json_string_value(set), json_string_length(set));

		take_argument(c, copy, '=', true);
		free(copy);
	}
}

void conditions_read(struct conditions *c, const struct document *d)
{
	const json_t *run;
	size_t i;

	*c = (struct conditions){0};
	add_arguments(c, json_object_get(d->source, "arguments"));
	add_fields(c, "method", json_object_get(d->source, "method"), of_method);
	json_array_foreach (json_object_get(d->source, "runs"), i, run)
		add_run(c, run);
}

const struct condition_fact *conditions_find(
	const struct conditions *c, const char *name, size_t near)
{
	if (near < c->count && !strcmp(c->list[near].name, name))
		return &c->list[near];
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->list[i].name, name))
			return &c->list[i];
	return NULL;
}

void conditions_free(struct conditions *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->list[i].name);
		free(c->list[i].value);
	}
	free(c->list);
	*c = (struct conditions){0};
}
