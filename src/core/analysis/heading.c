/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Titles in words. */
#include "analysis/heading.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"

const char *axis_kind(int axis)
{
	static const char *const names[] = {[-AXIS_NONE] = "",
		[-AXIS_THREAD] = "thread",
		[-AXIS_OPERATION] = "operation",
		[-AXIS_TIME] = "time"};

	return axis >= AXIS_VARIABLE ? "variable" : names[-axis];
}

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

void heading_add(char **rest, const char *operation, int thread)
{
	if (operation)
		alloc_append(rest, ", ", "%s", operation);
	if (thread != ALL_THREADS)
		alloc_append(rest, ", ", "thread %d", thread);
}

void heading_add_value(char **rest, const char *variable, const char *value)
{
	alloc_append(rest, ", ", "%s=%s", variable, value);
}

/* "NAME along VARIABLE (UNIT), REST" */
static char *put_together(const struct heading *h, const char *name, const char *unit)
{
	char *text = alloc_format("%s", name);

	if (h->along)
		alloc_append(&text, " along ", "%s", h->along);
	if (*unit)
		alloc_append(&text, " ", "(%s)", unit);
	if (h->rest && *h->rest)
		alloc_append(&text, ", ", "%s", h->rest);
	return text;
}

char *heading_title(const struct heading *h)
{
	return put_together(h, h->name, h->unit);
}

/* The unit behind the name says "/s". */
static void without_rate(char *name)
{
	static const char per[] = "_per_s";
	const size_t n = strlen(name), end = strlen(per);

	if (n > end && !strcmp(name + n - end, per))
		name[n - end] = '\0';
}

static char *name_words(const struct heading *h)
{
	if (quantities[h->id].words)
		return alloc_format("%s", quantities[h->id].words);
	char *name = alloc_format("%s", h->name);

	if (is_event(name))
		return name;
	if (*h->unit)
		without_rate(name);
	for (char *at = name; *at; at++)
		*at = *at == '_' ? ' ' : *at;
	return name;
}

char *heading_subject(const struct heading *h)
{
	char *name = name_words(h);

	if (quantities[h->id].words)
		alloc_append(&name, " per ", "%s", h->counted ? h->counted : "unit");
	return name;
}

char *heading_words(const struct heading *h)
{
	char *name = name_words(h);
	char *unit = *h->unit ? unit_words(h->unit, quantities[h->id].words, h->counted)
			      : alloc_format("%s", "");
	struct heading shown = *h;
	char *along = h->along ? heading_axis(h->along) : NULL;

	shown.along = along;
	char *text = put_together(&shown, name, unit);

	free(name);
	free(unit);
	free(along);
	return text;
}

char *heading_axis(const char *name)
{
	return name_words(&(struct heading){QUANTITY_FIGURE, name, NULL, "", NULL, NULL});
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
