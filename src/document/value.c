/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and texts as JSON. */
#include "document/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

json_t *value_number(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

json_t *value_amount(struct amount a)
{
	return json_pack("{s:o, s:o, s:o}", "value", value_number(a.value), "low",
		value_number(a.low), "high", value_number(a.high));
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
