/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts where the format has numbers. */
#include <string.h>

#include "document/parts.h"

/* Members of a run that are numbers, wherever they are; of the others those whose unit ends their
 * name. */
static bool is_number(const char *key)
{
	static const char *const names[] = {"value", "low", "high", "units", "calls", "n",
		"elements", "bytes", "times_caches", "spread", "cv", "ns_per_unit", "placement"};
	static const char *const units[] = {"_s", "_ns", "_hz"};
	const size_t length = strlen(key);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(key, names[i]))
			return true;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		const size_t unit = strlen(units[i]);

		if (length > unit && !strcmp(key + length - unit, units[i]))
			return true;
	}
	return false;
}

/* Variables of a sweep and parameters have any name, and texts. */
static bool has_own_names(const char *key)
{
	return !strcmp(key, "values") || !strcmp(key, "parameters");
}

const char *document_mistyped(const json_t *o)
{
	const char *key, *found = NULL;
	json_t *value;
	size_t i;

	if (json_is_array(o))
		json_array_foreach (o, i, value)
			if (!found)
				found = document_mistyped(value);
	if (json_is_object(o))
		json_object_foreach ((json_t *)o, key, value)
			if (!found && !has_own_names(key))
				found = is_number(key) && (json_is_string(value) ||
								  json_is_boolean(value))
						? key
						: document_mistyped(value);
	return found;
}
