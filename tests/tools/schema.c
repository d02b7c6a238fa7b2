/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: schema OLD
 *
 * Prints the JSON schema of result documents, made of the rows of their fields. What the facts of
 * the environment and findings are, which no row says, is taken from the schema OLD.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/rows.h"

/* Of those that have a name, in the order in which they are first met. */
static struct {
	const struct fields *of;
	size_t first; /* of a map the first field is the name */
} named[64];
static size_t nnamed;

static json_t *object_schema(const struct fields *of, size_t first);

static void note(const struct fields *of, size_t first)
{
	for (size_t i = 0; i < nnamed; i++)
		if (named[i].of == of)
			return;
	named[nnamed].of = of;
	named[nnamed++].first = first;
}

static json_t *reference(const char *name)
{
	char text[64];

	snprintf(text, sizeof(text), "#/$defs/%s", name);
	return json_pack("{s:s}", "$ref", text);
}

static json_t *field_schema(const struct field *f);

static json_t *item_schema(const struct fields *of, size_t first)
{
	json_t *alone;

	if (of->bare)
		return field_schema(&of->list[of->n - 1]);
	if (!of->name)
		return object_schema(of, first);
	note(of, first);
	alone = reference(of->name);
	return of->instead ? json_pack("{s:[o, o]}", "anyOf", alone, item_schema(of->instead, 0))
			   : alone;
}

static json_t *simple(const char *type, bool null)
{
	return null ? json_pack("{s:[s, s]}", "type", type, "null")
		    : json_pack("{s:s}", "type", type);
}

static json_t *choice(const struct field *f, bool null)
{
	json_t *list = json_array();

	for (size_t i = 0; f->choices[i]; i++)
		json_array_append_new(list, json_string(f->choices[i]));
	if (null)
		json_array_append_new(list, json_null());
	return json_pack("{s:o}", "enum", list);
}

static json_t *record(const struct field *f)
{
	json_t *o = item_schema(f->of, 0);

	return f->there && !(f->flags & LEFT_OUT)
		       ? json_pack("{s:[o, {s:s}]}", "anyOf", o, "type", "null")
		       : o;
}

static json_t *type_schema(const struct field *f)
{
	const bool null = f->flags & NULLED && !(f->flags & LEFT_OUT);

	switch (f->type) {
	case FIELD_TEXT:
		return f->choices ? choice(f, null) : simple("string", null);
	case FIELD_NUMBER:
		return f->flags & SURE ? simple("number", false) : reference("figure");
	case FIELD_COUNT:
		return simple("integer", true);
	case FIELD_FLAG:
		return f->flags & LEFT_OUT ? json_pack("{s:b}", "const", true)
					   : simple("boolean", false);
	case FIELD_RECORD:
		return record(f);
	case FIELD_LIST:
		return json_pack("{s:s, s:o}", "type", "array", "items", item_schema(f->of, 0));
	case FIELD_MAP:
		return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
			item_schema(f->of, 1));
	case FIELD_OTHER:
		return reference(f->name);
	default:
		return simple("integer", null);
	}
}

static json_t *field_schema(const struct field *f)
{
	json_t *o = type_schema(f);

	if (f->flags & (FROM_0 | FROM_1) || f->type == FIELD_INDEX)
		json_object_set_new(o, "minimum", json_integer(f->flags & FROM_1 ? 1 : 0));
	if (f->words)
		json_object_set_new(o, "description", json_string(f->words));
	return o;
}

static json_t *object_schema(const struct fields *of, size_t first)
{
	json_t *o = json_object(), *must = json_array(), *properties = json_object();

	for (size_t i = first; i < of->n; i++) {
		if (of->list[i].flags & MUST)
			json_array_append_new(must, json_string(of->list[i].name));
		json_object_set_new(properties, of->list[i].name, field_schema(&of->list[i]));
	}
	if (of->words)
		json_object_set_new(o, "description", json_string(of->words));
	json_object_set_new(o, "type", json_string("object"));
	if (json_array_size(must))
		json_object_set_new(o, "required", must);
	else
		json_decref(must);
	json_object_set_new(o, "additionalProperties", json_false());
	json_object_set_new(o, "properties", properties);
	return o;
}

static void print(const json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY);

	fputs(text, stdout);
	free(text);
}

/* A line for each member; members of `properties` and of $defs get lines of their own. */
static void print_members(json_t *object, int depth)
{
	const char *name, *between = "";
	json_t *value;

	puts("{");
	json_object_foreach (object, name, value) {
		printf("%s%*s\"%s\": ", between, depth, "", name);
		if (json_is_object(value) &&
			(!strcmp(name, "$defs") || !strcmp(name, "properties") ||
				json_object_get(value, "properties")) &&
			depth < 5)
			print_members(value, depth + 1);
		else
			print(value);
		between = ",\n";
	}
	printf("\n%*s}", depth - 1, "");
}

int main(int argc, char **argv)
{
	json_t *old = argc > 1 ? json_load_file(argv[1], 0, NULL) : NULL, *defs = json_object(), *o;
	json_t *properties = json_object_get(old, "properties"),
	       *of_old = json_object_get(old, "$defs");
	static const char *const kept[] = {"rate_of_cpus", "parts"};

	if (!json_object_get(properties, "environment") || !json_object_get(of_old, kept[0]))
		return fputs("usage: schema OLD\n", stderr), 2;
	o = json_pack("{s:s, s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema",
		"title", "A result document of affinity, schema 3", "description",
		"Made by scripts/reference of the rows of src/core/document/rows_*.c. Times are "
		"seconds "
		"(_s) or nanoseconds (_ns), sizes bytes; null means: not measured, or there is no "
		"such figure. Later versions may add fields.");
	json_object_update_new(o, object_schema(&document_fields, 0));
	json_object_set_new(json_object_get(o, "properties"), "schema",
		json_pack("{s:i}", "const", DOCUMENT_SCHEMA));
	for (size_t i = 0; i < document_fields.n; i++)
		if (document_fields.list[i].type == FIELD_OTHER)
			json_object_set(json_object_get(o, "properties"),
				document_fields.list[i].name,
				json_object_get(properties, document_fields.list[i].name));
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		json_object_set(defs, kept[i], json_object_get(of_old, kept[i]));
	json_object_set_new(defs, "figure", json_pack("{s:[s, s]}", "type", "number", "null"));
	for (size_t i = 0; i < nnamed; i++)
		json_object_set_new(
			defs, named[i].of->name, object_schema(named[i].of, named[i].first));
	json_object_set_new(o, "$defs", defs);
	print_members(o, 1);
	puts("");
	json_decref(o);
	json_decref(old);
	return 0;
}
