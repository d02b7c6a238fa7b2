/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds variables of a sweep that change nothing. */
#include "measure/sweep_use.h"

#include <ctype.h>
#include <string.h>

#include "input/param.h"
#include "input/request.h"

/* The other keys, sweep and where, only name a variable, and its value there does not change the
 * run. */
static bool substituted(const struct entry *entry)
{
	return strcmp(entry->key, "sweep") != 0 && strcmp(entry->key, "where") != 0;
}

static bool goes_on(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool value_uses(const char *value, const char *name)
{
	size_t length = strlen(name);

	while ((value = strchr(value, '$'))) {
		bool braces = *++value == '{';

		value += braces;
		/* $delay does not use $d */
		if (!strncmp(value, name, length) && !goes_on(value[length]))
			return true;
	}
	return false;
}

static bool file_uses(const struct args *a, const char *name)
{
	for (size_t i = 0; i < a->count; i++)
		if (substituted(&a->entries[i]) && value_uses(a->entries[i].value, name))
			return true;
	return false;
}

static bool is_key(const char *name)
{
	bool known = param_find(request_keys, name) || param_find(common_params, name);

	for (const struct kernel_id *k = kernel_map; k->id && !known; k++)
		known = param_find(k->kernel->params, name);
	return known;
}

/* The key whose value is the bare name of the variable, without the $; NULL: there is none. */
static const char *key_without_dollar(const struct args *a, const char *name)
{
	for (size_t i = 0; i < a->count; i++)
		if (substituted(&a->entries[i]) && !strcmp(a->entries[i].value, name))
			return a->entries[i].key;
	return NULL;
}

static int report_unused(const struct variable *v, const struct args *a, struct errors *e)
{
	const char *key = key_without_dollar(a, v->name);

	if (!key && is_key(v->name))
		key = v->name;
	error_add(e, STATUS_USAGE, v->values.at, "sweep: no key uses $%s%s%s%s%s%s", v->name,
		key ? "; did you mean '" : "", key ? key : "", key ? ": $" : "", key ? v->name : "",
		key ? "'?" : "");
	if (key)
		return error_hint(e, "its runs would be alike; sweep: " SWEEP_REPEAT
				     " = 1..5:1 repeats them on purpose");
	return error_hint(e,
		"a line such as 'sizePerVector: $%s' uses it; sweep: " SWEEP_REPEAT
		" = 1..5:1 repeats the runs on purpose",
		v->name);
}

int sweep_check_use(const struct sweep *s, const struct args *a, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < s->nvariables; i++) {
		const struct variable *v = &s->variables[i];

		if (strcmp(v->name, SWEEP_REPEAT) != 0 && !file_uses(a, v->name))
			failed = report_unused(v, a, e);
	}
	return failed;
}
