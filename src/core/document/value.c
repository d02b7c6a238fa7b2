/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and texts as JSON. */
#include "document/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/text.h"

json_t *value_number(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

double value_rounded(double number)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*g", VALUE_DIGITS, number);
	return isfinite(number) ? strtod(text, NULL) : NAN;
}

json_t *value_amount(struct amount a)
{
	return json_pack("{s:o, s:o, s:o}", "value", value_number(a.value), "low",
		value_number(a.low), "high", value_number(a.high));
}

/* Fowler, Noll and Vo's hash, FNV-1a (RFC 9923), going on from an earlier one. */
#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * FNV_PRIME;
	return hash;
}

static uint64_t add_number(uint64_t hash, double number)
{
	number += 0.0; /* -0 equals 0 */
	return add_bytes(hash, &number, sizeof(number));
}

/* The members of an object have no order. */
static uint64_t hash_members(const json_t *object)
{
	uint64_t sum = 0;
	const char *key;
	json_t *value;

	json_object_foreach ((json_t *)object, key, value) {
		const uint64_t of_value = value_hash(value);

		sum += add_bytes(
			add_bytes(FNV_BASIS, key, strlen(key)), &of_value, sizeof(of_value));
	}
	return sum;
}

static uint64_t hash_items(const json_t *array)
{
	uint64_t hash = FNV_BASIS, of_item;
	const json_t *item;
	size_t i;

	json_array_foreach (array, i, item) {
		of_item = value_hash(item);
		hash = add_bytes(hash, &of_item, sizeof(of_item));
	}
	return hash;
}

uint64_t value_hash(const json_t *value)
{
	const unsigned char type = (unsigned char)json_typeof(value);
	const uint64_t hash = add_bytes(FNV_BASIS, &type, 1);
	json_int_t whole;

	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return hash + hash_members(value);
	case JSON_ARRAY:
		return hash + hash_items(value);
	case JSON_STRING:
		return add_bytes(hash, json_string_value(value), json_string_length(value));
	case JSON_INTEGER:
		whole = json_integer_value(value);
		return add_bytes(hash, &whole, sizeof(whole));
	case JSON_REAL:
		return add_number(hash, json_real_value(value));
	default:
		return hash;
	}
}

/* Writes bytes that are not UTF-8 as \xHH, so that two texts stay two. */
static json_t *escaped(const char *text)
{
	size_t length = 0;
	char *copy = alloc_zeroed(4 * strlen(text) + 1, 1);

	while (*text) {
		size_t n = text_character(text);

		if (n)
			memcpy(copy + length, text, n);
		else
			snprintf(copy + length, 5, "\\x%02x", (unsigned char)*text);
		length += n ? n : 4;
		text += n ? n : 1;
	}
	json_t *s = json_stringn(copy, length);

	free(copy);
	return s;
}

json_t *value_string(const char *text)
{
	json_t *s = json_string(text);

	return s ? s : escaped(text);
}

static char *shown_text(const char *text)
{
	struct buffer copy;
	FILE *out = buffer_open(&copy);

	text_print_shown(text, out);
	return buffer_text(&copy, out);
}

static void rename_members(json_t *object)
{
	json_t *renamed = json_object(), *value;
	const char *name;

	json_object_foreach (object, name, value) {
		char *other = shown_text(name);

		json_object_set(renamed, other, value);
		free(other);
	}
	json_object_clear(object);
	json_object_update(object, renamed);
	json_decref(renamed);
}

void value_show_controls(json_t *value)
{
	const char *name;
	bool renames = false;
	json_t *part;
	size_t i;

	if (json_is_string(value) && text_control(json_string_value(value))) {
		char *text = shown_text(json_string_value(value));

		json_string_set(value, text);
		free(text);
	}
	json_array_foreach (value, i, part)
		value_show_controls(part);
	json_object_foreach (value, name, part) {
		value_show_controls(part);
		renames |= text_control(name) != NULL;
	}
	if (renames)
		rename_members(value);
}

json_t *value_messages(const struct errors *e)
{
	json_t *list = json_array();

	for (size_t i = 0; i < e->count; i++)
		json_array_append_new(list,
			json_pack("{s:o, s:o}", "text", value_string(e->list[i].text), "hint",
				e->list[i].hint ? value_string(e->list[i].hint) : json_null()));
	return list;
}

int value_write(json_t *document, FILE *out)
{
	int failed = !document || json_dumpf(document, out, VALUE_FORMAT);

	json_decref(document);
	if (!failed)
		fputc('\n', out);
	return failed ? -1 : 0;
}
