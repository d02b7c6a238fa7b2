/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms that several facts have. */
#include "document/facts_forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/shape.h"
#include "document/value.h"

static char *copy(const char *text)
{
	return text ? alloc_string(text, strlen(text)) : NULL;
}

static bool nothing(const struct form *f, const char *text)
{
	return f->none && !strcmp(text, f->none);
}

json_t *form_plain(const struct form *f, const char *text)
{
	return nothing(f, text) ? json_null() : value_string(text);
}

char *form_plain_text(const struct form *f, const json_t *value)
{
	return copy(json_is_null(value) ? f->none : json_string_value(value));
}

/* The name of a shape's only field. */
static const char *only(const json_t *o)
{
	return json_object_iter_key(json_object_iter((json_t *)o));
}

json_t *form_number(const struct form *f, const char *text)
{
	json_t *o, *number = NULL;

	if (nothing(f, text))
		return json_null();
	o = shape_read(f->shape, text);
	if (o)
		number = json_object_get(o, only(o));
	if (f->scale != 1 && number)
		number = json_real(json_number_value(number) * f->scale);
	else
		json_incref(number);
	json_decref(o);
	return number;
}

char *form_number_text(const struct form *f, const json_t *value)
{
	json_t *o;
	char *text;

	if (json_is_null(value))
		return copy(f->none);
	if (!json_is_number(value))
		return NULL;
	o = json_pack("{s:f}", strstr(f->shape, "{bytes}") ? "bytes" : "n",
		json_number_value(value) / f->scale);
	text = shape_write(f->shape, o);
	json_decref(o);
	return text;
}

json_t *form_flag(const struct form *f, const char *text)
{
	bool yes = !strcmp(text, f->shape);

	return yes || !strcmp(text, f->separator) ? json_boolean(yes) : NULL;
}

char *form_flag_text(const struct form *f, const json_t *value)
{
	return json_is_boolean(value) ? copy(json_is_true(value) ? f->shape : f->separator) : NULL;
}

json_t *form_object(const struct form *f, const char *text)
{
	return shape_read(f->shape, text);
}

char *form_object_text(const struct form *f, const json_t *value)
{
	return json_is_object(value) ? shape_write(f->shape, value) : NULL;
}

json_t *form_list(const struct form *f, const char *text)
{
	json_t *list = json_array(), *item;
	size_t length = strlen(f->separator);

	while (!nothing(f, text)) {
		const char *end = strstr(text, f->separator);
		char *part = alloc_string(text, end ? (size_t)(end - text) : strlen(text));

		item = shape_read(f->shape, part);
		free(part);
		if (!item) {
			json_decref(list);
			return NULL;
		}
		json_array_append_new(list, item);
		if (!end)
			break;
		text = end + length;
	}
	return list;
}

char *form_list_text(const struct form *f, const json_t *value)
{
	char *all = json_is_array(value) ? copy("") : NULL;
	const json_t *item;
	size_t i;

	json_array_foreach (value, i, item) {
		char *part = shape_write(f->shape, item);

		if (!part) {
			free(all);
			return NULL;
		}
		all = shape_append(all, f->separator, part);
		free(part);
	}
	if (!all || *all || !f->none)
		return all;
	free(all);
	return copy(f->none);
}
