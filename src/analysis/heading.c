/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titles in words. */
#include "analysis/heading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quantity.h"
#include "base/alloc.h"

static bool is_event(const char *name)
{
	return !islower((unsigned char)*name) || strpbrk(name, ".:");
}

/* "ns per access"; "seconds per unit" has that already. */
static char *unit_words(const char *unit, bool of_unit, const char *counted)
{
	static const char per[] = " per unit", alone[] = "per unit";
	const char *at = strstr(unit, per);

	if (counted && !strcmp(unit, alone))
		return alloc_format("per %s", counted);
	if (at)
		return alloc_format("%.*s per %s%s", (int)(at - unit), unit,
			counted ? counted : "unit", at + strlen(per));
	if (of_unit)
		return alloc_format("%s per %s", unit, counted ? counted : "unit");
	return alloc_format("%s", unit);
}

/* The unit behind the name says "/s". */
static void without_rate(char *name)
{
	static const char per[] = "_per_s";
	const size_t n = strlen(name), end = strlen(per);

	if (n > end && !strcmp(name + n - end, per))
		name[n - end] = '\0';
}

/* Replaces the name by words. Is it of a unit of work? */
static bool name_words(char **name, bool has_unit)
{
	const int q = quantity_find(*name);

	if (q >= 0 && quantities[q].words) {
		free(*name);
		*name = alloc_format("%s", quantities[q].words);
		return true;
	}
	if (is_event(*name))
		return false;
	if (has_unit)
		without_rate(*name);
	for (char *at = *name; *at; at++)
		*at = *at == '_' ? ' ' : *at;
	return false;
}

/* The length of the name that the title begins with. Is a unit behind it? */
static size_t name_length(const char *title, bool *has_unit)
{
	size_t n = strcspn(title, ",(");

	*has_unit = title[n] == '(' && n && title[n - 1] == ' ';
	return title[n] == '(' && !*has_unit ? strcspn(title, ",") : n - *has_unit;
}

char *heading_subject(const char *title, const char *counted)
{
	bool has_unit;
	char *name = alloc_string(title, name_length(title, &has_unit));

	if (!name_words(&name, has_unit))
		return name;
	char *text = alloc_format("%s per %s", name, counted ? counted : "unit");

	free(name);
	return text;
}

char *heading_words(const char *title, const char *counted)
{
	bool has_unit;
	const size_t n = name_length(title, &has_unit);
	const char *rest = title + n, *end = has_unit ? strchr(rest, ')') : NULL;
	char *name = alloc_string(title, n);
	const bool of_unit = name_words(&name, has_unit);
	char *unit = end ? alloc_string(rest + 2, (size_t)(end - rest) - 2) : NULL;
	char *words = unit ? unit_words(unit, of_unit, counted) : NULL;
	char *text = words ? alloc_format("%s (%s)%s", name, words, end + 1)
			   : alloc_format("%s%s", name, rest);

	free(name);
	free(unit);
	free(words);
	return text;
}

bool heading_begin(char *text)
{
	const size_t word = strcspn(text, " \n,;");

	for (size_t i = 1; i < word && islower((unsigned char)*text); i++)
		if (isupper((unsigned char)text[i]) || strchr("_0123456789", text[i]) ||
			(strchr(".:", text[i]) && i + 1 < word))
			return false;
	*text = (char)toupper((unsigned char)*text);
	return true;
}
