/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages in the user's own words. */
#include "input/aliases.h"

#include <string.h>

#include "input/param.h"
#include "input/request.h"

static bool has_key(const struct args *a, const char *key)
{
	for (size_t i = 0; i < a->count; i++)
		if (!strcmp(a->entries[i].key, key))
			return true;
	return false;
}

void aliases_speak(const struct args *a, struct errors *e)
{
	for (size_t i = 0; i < a->count; i++) {
		const char *key = a->entries[i].key;
		const struct param *p = param_find(request_keys, key);

		if (p && !has_key(a, p->name))
			errors_rename(e, p->name, key);
	}
}
