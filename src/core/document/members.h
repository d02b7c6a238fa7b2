/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of objects of formats that have no table of fields. NULL or NAN: there is none, or it is
 * of another type. */
#ifndef MEMBERS_H
#define MEMBERS_H

#include <jansson.h>
#include <math.h>

#include "base/amount.h"
#include "document/parts.h"

static inline const char *document_text(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static inline const char *document_text_or_empty(const json_t *o, const char *key)
{
	const char *text = document_text(o, key);

	return text ? text : "";
}

static inline double document_number(const json_t *o, const char *key)
{
	const json_t *value = json_object_get(o, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static inline int64_t document_whole(const json_t *o, const char *key)
{
	return json_integer_value(json_object_get(o, key));
}

static inline struct amount document_amount(const json_t *o)
{
	return (struct amount){
		document_number(o, "value"), document_number(o, "low"), document_number(o, "high")};
}

static inline struct document_texts document_texts(struct document *d, const json_t *list)
{
	const size_t n = json_array_size(list);
	struct document_texts t = {document_list(d, n, sizeof(*t.list)), n};

	for (size_t i = 0; i < n; i++) {
		const char *text = json_string_value(json_array_get(list, i));

		t.list[i] = text ? text : "";
	}
	return t;
}

#endif
