/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms of facts that one fact has. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/facts_forms.h"
#include "document/shape.h"
#include "document/value.h"

#define LOAD "{one_minute} {five_minutes} {fifteen_minutes} {threads_running}/{threads}"

/* Behind the fields, /proc/loadavg has the process that began last, which is no load. */
json_t *form_load(const struct form *f, const char *text)
{
	const char *threads = strchr(text, '/');
	char *cut = alloc_string(
		text, threads ? strcspn(threads, " ") + (size_t)(threads - text) : strlen(text));
	json_t *o = shape_read(LOAD, cut);

	(void)f;
	free(cut);
	return o;
}

char *form_load_text(const struct form *f, const json_t *value)
{
	(void)f;
	return json_is_object(value) ? shape_write(LOAD, value) : NULL;
}

/* Adds one size of a level. -1: it is no size. */
static int add_cache(json_t *list, long level, const char *text)
{
	json_t *size = shape_read("{bytes} x {count}", text), *o;

	if (!size)
		return -1;
	o = json_pack("{s:I}", "level", (json_int_t)level);
	json_object_update(o, size);
	json_decref(size);
	return json_array_append_new(list, o);
}

/* "L1 48 KiB x 2, L2 2 MiB x 2 and 1.25 MiB x 2" */
json_t *form_caches(const struct form *f, const char *text)
{
	struct words levels = {0};
	json_t *list = json_array();
	int failed = 0;

	(void)f;
	words_split(&levels, text, ",");
	for (size_t i = 0; i < levels.count && !failed; i++) {
		char *size = text_trim(levels.word[i]), *end = NULL, *and;
		long level = *size == 'L' ? strtol(size + 1, &end, 10) : 0;

		for (size = end && *end == ' ' ? end + 1 : NULL; size; size = and) {
			and = strstr(size, " and ");
			if (and) {
				*and = '\0';
				and += strlen(" and ");
			}
			failed |= add_cache(list, level, size);
		}
		failed |= !end;
	}
	words_free(&levels);
	if (!failed)
		return list;
	json_decref(list);
	return NULL;
}

char *form_caches_text(const struct form *f, const json_t *value)
{
	char *all = json_is_array(value) ? alloc_string("", 0) : NULL;
	json_int_t before = 0;
	const json_t *item;
	size_t i;

	(void)f;
	json_array_foreach (value, i, item) {
		const json_int_t level = json_integer_value(json_object_get(item, "level"));
		char *part = shape_write(
			level == before ? "{bytes} x {count}" : "L{level} {bytes} x {count}", item);

		if (!part) {
			free(all);
			return NULL;
		}
		all = shape_append(all, level == before ? " and " : ", ", part);
		before = level;
		free(part);
	}
	return all;
}

#define LINE    "{bytes}"
#define ASSUMED ", assumed: the machine gives none"

json_t *form_line(const struct form *f, const char *text)
{
	json_t *o = shape_read(LINE ASSUMED, text);
	bool assumed = o != NULL;

	(void)f;
	if (!o)
		o = shape_read(LINE, text);
	if (o)
		json_object_set_new(o, "assumed", json_boolean(assumed));
	return o;
}

char *form_line_text(const struct form *f, const json_t *value)
{
	(void)f;
	if (!json_is_object(value))
		return NULL;
	return shape_write(
		json_is_true(json_object_get(value, "assumed")) ? LINE ASSUMED : LINE, value);
}

json_t *form_kinds(const struct form *f, const char *text)
{
	struct words kinds = {0};
	json_t *list = json_array();

	if (strcmp(text, f->none) != 0)
		words_split(&kinds, text, ",");
	for (size_t i = 0; i < kinds.count; i++)
		json_array_append_new(list, value_string(text_trim(kinds.word[i])));
	words_free(&kinds);
	return list;
}

char *form_kinds_text(const struct form *f, const json_t *value)
{
	char *all = json_is_array(value) ? alloc_string("", 0) : NULL;
	const json_t *item;
	size_t i;

	json_array_foreach (value, i, item)
		all = shape_append(all, ", ", json_is_string(item) ? json_string_value(item) : "");
	if (!all || *all)
		return all;
	free(all);
	return alloc_string(f->none, strlen(f->none));
}

/* "10 21; 21 10" */
json_t *form_distances(const struct form *f, const char *text)
{
	struct words rows = {0};
	json_t *list = json_array();
	bool failed = false;

	(void)f;
	words_split(&rows, text, ";");
	for (size_t i = 0; i < rows.count; i++) {
		struct words cells = {0};
		json_t *row = json_array();
		uint64_t distance = 0;

		words_split(&cells, rows.word[i], " ");
		for (size_t k = 0; k < cells.count; k++) {
			failed |= text_count(cells.word[k], &distance) != 0;
			json_array_append_new(row, json_integer((json_int_t)distance));
		}
		json_array_append_new(list, row);
		words_free(&cells);
	}
	words_free(&rows);
	if (!failed)
		return list;
	json_decref(list);
	return NULL;
}

char *form_distances_text(const struct form *f, const json_t *value)
{
	char *all = json_is_array(value) ? alloc_string("", 0) : NULL, cell[32];
	const json_t *row, *item;
	size_t i, k;

	(void)f;
	json_array_foreach (value, i, row)
		json_array_foreach (row, k, item) {
			snprintf(cell, sizeof(cell), "%lld", (long long)json_integer_value(item));
			all = shape_append(all, k ? " " : "; ", cell);
		}
	return all;
}

#define THROTTLED "{seconds} s in {periods} period(s)"

/* "0 s" has no periods to tell of. */
json_t *form_throttled(const struct form *f, const char *text)
{
	(void)f;
	return shape_read(THROTTLED, strcmp(text, "0 s") != 0 ? text : "0 s in 0 periods");
}

char *form_throttled_text(const struct form *f, const json_t *value)
{
	const bool none = json_number_value(json_object_get(value, "periods")) == 0;

	(void)f;
	if (!json_is_object(value))
		return NULL;
	return shape_write(none ? "{seconds} s" : THROTTLED, value);
}

/* Where the next "NAME=" of the runtime begins: values may contain blanks. */
static const char *next_variable(const char *text)
{
	while ((text = strchr(text, ' ')) != NULL) {
		const char *name = ++text;

		while (isupper((unsigned char)*name) || isdigit((unsigned char)*name) ||
			*name == '_')
			name++;
		if (*name == '=' && (!strncmp(text, "OMP_", 4) || !strncmp(text, "GOMP_", 5) ||
					    !strncmp(text, "KMP_", 4)))
			return text;
	}
	return NULL;
}

json_t *form_variables(const struct form *f, const char *text)
{
	json_t *o = json_object();

	while (text && strcmp(text, f->none) != 0) {
		const char *next = next_variable(text);
		char *name = alloc_string(text, next ? (size_t)(next - text) - 1 : strlen(text)),
		     *value = strchr(name, '=');

		if (value) {
			*value++ = '\0';
			json_object_set_new(o, name, value_string(value));
		}
		free(name);
		text = next;
	}
	return o;
}

static char *pairs(const json_t *value, const char *divider)
{
	char *all = json_is_object(value) ? alloc_string("", 0) : NULL;
	const char *name;
	json_t *of;

	json_object_foreach ((json_t *)value, name, of) {
		char *pair = alloc_format(
			"%s%s%s", name, divider, json_is_string(of) ? json_string_value(of) : "");

		all = shape_append(all, " ", pair);
		free(pair);
	}
	return all;
}

char *form_variables_text(const struct form *f, const json_t *value)
{
	char *all = pairs(value, "=");

	if (!all || *all)
		return all;
	free(all);
	return alloc_string(f->none, strlen(f->none));
}

/* "numa 2.0.16 hwloc 2.9.0" */
json_t *form_versions(const struct form *f, const char *text)
{
	struct words words = {0};
	json_t *o = json_object();

	(void)f;
	words_split(&words, text, " ");
	for (size_t i = 0; i + 1 < words.count; i += 2)
		json_object_set_new(o, words.word[i], value_string(words.word[i + 1]));
	words_free(&words);
	return o;
}

char *form_versions_text(const struct form *f, const json_t *value)
{
	(void)f;
	return pairs(value, " ");
}

static json_t *of_cpus(const struct form *f, const char *text)
{
	if (!strcmp(text, FORM_UNKNOWN))
		return json_null();
	return f->shape ? form_number(f, text) : value_string(text);
}

/* Adds "0-3: 2.1 GHz". -1: it is of another form. */
static int add_cpus(const struct form *f, json_t *list, const char *text)
{
	const char *value = strstr(text, ": ");
	json_t *of = value ? of_cpus(f, value + 2) : NULL;

	return of ? json_array_append_new(list, json_pack("{s:s%, s:o}", "cpus", text,
							(size_t)(value - text), f->separator, of))
		  : -1;
}

/* "2.1 GHz", or "0-3: 2.1 GHz; 4: 1.5 GHz" */
json_t *form_by_cpus(const struct form *f, const char *text)
{
	struct words parts = {0};
	json_t *list;
	int failed = 0;

	if (!strstr(text, ": "))
		return of_cpus(f, text);
	list = json_array();
	words_split(&parts, text, ";");
	for (size_t i = 0; i < parts.count && !failed; i++)
		failed = add_cpus(f, list, text_trim(parts.word[i]));
	words_free(&parts);
	if (!failed)
		return list;
	json_decref(list);
	return NULL;
}

static char *text_of_cpus(const struct form *f, const json_t *value)
{
	if (json_is_null(value))
		return alloc_string(FORM_UNKNOWN, strlen(FORM_UNKNOWN));
	if (f->shape)
		return form_number_text(f, value);
	return json_is_string(value)
		       ? alloc_string(json_string_value(value), json_string_length(value))
		       : NULL;
}

char *form_by_cpus_text(const struct form *f, const json_t *value)
{
	char *all = json_is_array(value) ? alloc_string("", 0) : NULL;
	const json_t *item;
	size_t i;

	if (!all)
		return json_is_null(value) ? NULL : text_of_cpus(f, value);
	json_array_foreach (value, i, item) {
		const char *cpus = json_string_value(json_object_get(item, "cpus"));
		char *one = text_of_cpus(f, json_object_get(item, f->separator)), *part;

		if (!cpus || !one) {
			free(one);
			free(all);
			return NULL;
		}
		part = alloc_format("%s: %s", cpus, one);
		all = shape_append(all, "; ", part);
		free(part);
		free(one);
	}
	return all;
}
