/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "document/shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/value.h"

/* A field of a shape: {name}, {*name}. */
struct field {
	char name[32];
	bool text, size;
	const char *end; /* in the shape, behind it */
};

static struct field field(const char *shape)
{
	struct field f = {.text = shape[1] == '*'};
	const char *name = shape + 1 + f.text, *end = strchr(name, '}');
	size_t length = (size_t)(end - name), bytes = strlen("bytes");

	snprintf(f.name, sizeof(f.name), "%.*s", (int)length, name);
	f.size = length >= bytes && !strcmp(f.name + length - bytes, "bytes");
	f.end = end + 1;
	return f;
}

/* Up to 14 digits are exact both ways, and no JSON has more (VALUE_FORMAT). */
static json_t *number(double n)
{
	return n == floor(n) && fabs(n) < 1e14 ? json_integer((json_int_t)n) : json_real(n);
}

/* " KiB" of "48 KiB" -> 1024; 0: no unit of sizes. */
static double unit(const char **text)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

	for (size_t i = 0; **text == ' ' && i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(*text + 1, names[i], strlen(names[i]))) {
			*text += 1 + strlen(names[i]);
			return (double)(UINT64_C(1) << (10 * i));
		}
	return 0;
}

/* Reads the field's value and moves `text` behind it; NULL: it is not there. */
static json_t *read_field(const struct field *f, const char **text)
{
	char *end;

	if (f->text) {
		const char *stop = *f->end ? strchr(*text, *f->end) : NULL;
		size_t length = stop ? (size_t)(stop - *text) : strlen(*text);
		char *part = alloc_string(*text, length);
		json_t *value = value_string(part);

		free(part);
		*text += length;
		return value;
	}

	double n = strtod(*text, &end);

	if (end == *text || !isfinite(n))
		return NULL;
	*text = end;
	return number(f->size ? round(n * unit(text)) : n);
}

json_t *shape_read(const char *shape, const char *text)
{
	json_t *o = json_object();

	while (*shape) {
		if (*shape == '{') {
			struct field f = field(shape);
			json_t *value = read_field(&f, &text);

			if (!value)
				break;
			json_object_set_new(o, f.name, value);
			shape = f.end;
		} else if (!strncmp(shape, "(s)", 3)) {
			text += *text == 's';
			shape += 3;
		} else if (*shape++ != *text++) {
			shape--;
			break;
		}
	}
	if (!*shape && !*text)
		return o;
	json_decref(o);
	return NULL;
}

char *shape_append(char *text, const char *separator, const char *more)
{
	char *longer = alloc_format("%s%s%s", text, *text ? separator : "", more);

	free(text);
	return longer;
}

/* NULL: the value is of another type. */
static char *write_field(const struct field *f, const json_t *value)
{
	if (f->text)
		return json_is_string(value) ? alloc_format("%s", json_string_value(value)) : NULL;
	if (!json_is_number(value))
		return NULL;

	double n = json_number_value(value);
	char size[32];

	if (!f->size)
		return alloc_format("%.14g", n);
	if (!(n >= 0 && n < 1e18))
		return NULL;
	text_size_exact((uint64_t)n, size, sizeof(size));
	return alloc_string(size, strlen(size));
}

char *shape_write(const char *shape, const json_t *o)
{
	char *all = alloc_string("", 0);
	bool one = false;

	while (*shape) {
		char *part;

		if (*shape == '{') {
			struct field f = field(shape);
			const json_t *value = json_object_get(o, f.name);

			part = write_field(&f, value);
			one = json_number_value(value) == 1;
			shape = f.end;
		} else if (!strncmp(shape, "(s)", 3)) {
			part = alloc_format("%s", one ? "" : "s");
			shape += 3;
		} else {
			part = alloc_string(shape++, 1);
		}
		if (!part) {
			free(all);
			return NULL;
		}
		all = shape_append(all, "", part);
		free(part);
	}
	return all;
}
