/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes findings: their sentences, and the parts that these are made of. */
#include "document/json_findings.h"

#include <stdlib.h>

#include "document/value.h"

static json_t *one(const struct finding *f);

static json_t *list(const struct finding_list *f)
{
	json_t *all = json_array();

	for (size_t i = 0; i < f->count; i++)
		json_array_append_new(all, one(&f->list[i]));
	return all;
}

static json_t *part(const struct finding_part *p)
{
	if (p->text)
		return value_string(p->text);
	if (!p->unit)
		return list(&p->list);
	json_t *o = value_amount(p->amount);

	json_object_set_new(o, "unit", value_string(p->unit));
	return o;
}

static json_t *one(const struct finding *f)
{
	json_t *parts = json_object();

	for (size_t i = 0; i < f->count; i++)
		json_object_set_new(parts, f->parts[i].name, part(&f->parts[i]));
	return json_pack("{s:s, s:o}", "kind", finding_kind_name(f->kind), "parts", parts);
}

json_t *json_findings(const struct finding_list *f)
{
	json_t *all = list(f);

	for (size_t i = 0; i < f->count; i++) {
		json_t *o = json_array_get(all, i);
		char *sentence = finding_sentence(&f->list[i]);

		json_object_set_new(o, "trust", json_string(trust_words[f->list[i].trust]));
		json_object_set_new(o, "effect", value_number(f->list[i].effect));
		json_object_set_new(o, "sentence", value_string(sentence));
		free(sentence);
	}
	return all;
}
