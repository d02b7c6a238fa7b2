/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and texts as JSON. */
#include "document/value.h"

#include <math.h>

json_t *value_number(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

json_t *value_amount(struct amount a)
{
	return json_pack("{s:o, s:o, s:o}", "value", value_number(a.value), "low",
		value_number(a.low), "high", value_number(a.high));
}

json_t *value_string(const char *text)
{
	json_t *s = json_string(text);

	return s ? s : json_string("(not UTF-8)");
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
