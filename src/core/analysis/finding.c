/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings and their parts. */
#include "analysis/finding.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct finding *findings_add(struct finding_list *f, enum finding_kind kind)
{
	f->list = alloc_grow(f->list, f->count, sizeof(*f->list));
	f->list[f->count] = (struct finding){.kind = kind, .effect = 1};
	return &f->list[f->count++];
}

void findings_free(struct finding_list *f)
{
	for (size_t i = 0; i < f->count; i++) {
		struct finding *one = &f->list[i];

		for (size_t k = 0; k < one->count; k++) {
			free(one->parts[k].text);
			findings_free(&one->parts[k].list);
		}
		free(one->parts);
	}
	free(f->list);
	*f = (struct finding_list){0};
}

static struct finding_part *add_part(struct finding *f, struct finding_part part)
{
	f->parts = alloc_grow(f->parts, f->count, sizeof(*f->parts));
	f->parts[f->count] = part;
	return &f->parts[f->count++];
}

void finding_text(struct finding *f, const char *name, const char *format, ...)
{
	va_list values;

	if (!format)
		return;
	va_start(values, format);
	char *text = alloc_vformat(format, values);
	va_end(values);

	if (*text)
		add_part(f, (struct finding_part){.name = name, .text = text});
	else
		free(text);
}

void finding_figure(struct finding *f, const char *name, struct amount a, const char *unit)
{
	if (isfinite(a.value))
		add_part(f, (struct finding_part){.name = name, .amount = a, .unit = unit});
}

struct finding_list *finding_add_list(struct finding *f, const char *name)
{
	return &add_part(f, (struct finding_part){.name = name})->list;
}

const struct finding_part *finding_part(const struct finding *f, const char *name)
{
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->parts[i].name, name))
			return &f->parts[i];
	return NULL;
}
