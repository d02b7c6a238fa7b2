/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captions with the values and units of what is shown. */
#include "affinity-report/figures/captions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "analysis/heading.h"
#include "document/figure.h"

static const char *placeholder(const struct subject *s, const char *name)
{
	const char *value = document_value(s->run, name);

	if (s->unit && (!strcmp(name, "unit") || !strcmp(name, "cost")))
		return s->unit;

	if (!strcmp(name, "baseline"))
		value = s->run->baseline;
	else if (!strcmp(name, "unit"))
		value = s->table ? s->table->unit : NULL;
	else if (!strcmp(name, "cost"))
		value = s->document->method.cost ? s->document->method.cost : "seconds";
	return value ? value : "?";
}

/* Adds the values of variables that the caption does not know. Frees the text. */
static char *with_values(char *text, const struct document_pairs *values)
{
	for (size_t i = 0; i < values->count; i++)
		alloc_append(&text, "", ", %s=%s", values->list[i].name, values->list[i].value);
	return text;
}

char *caption_of(const struct block *b, const struct subject *s)
{
	const char *from = b->caption ? b->caption : "";
	char *text = alloc_string("", 0);

	while (*from) {
		size_t plain = strcspn(from, "{"), length = strcspn(from + plain, "}");
		char *name = from[plain] ? alloc_string(from + plain + 1, length - 1) : NULL;

		alloc_append(
			&text, "", "%.*s%s", (int)plain, from, name ? placeholder(s, name) : "");
		free(name);
		from += plain + (from[plain] ? length + 1 : 0);
	}
	return s->table ? with_values(text, &s->table->values) : text;
}

char *caption_title(const struct document *d, const struct document_table *t, const char *unit)
{
	struct heading h = document_heading(d, t, unit);
	char *rest = NULL;

	heading_add(&rest, t->operation, t->thread);
	for (size_t i = 0; i < t->values.count; i++)
		heading_add_value(&rest, t->values.list[i].name, t->values.list[i].value);
	h.rest = rest;
	char *words = heading_words(&h);

	free(rest);
	return words;
}

char *caption_quantity(const struct document *d, const struct document_table *t, const char *unit)
{
	const struct heading h = document_heading(d, t, unit);

	return heading_words(&h);
}

char *caption_rows(const struct document_table *t)
{
	if (!t->places)
		return heading_axis(t->row_axis);
	const struct heading h = {
		.id = quantity_of_kind(quantity_kind(QUANTITY_COST), t->place),
		.name = t->place,
		.unit = t->place_unit,
	};

	return heading_words(&h);
}
