/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads findings: their sentences, and the parts that these are made of. */
#include "document/json_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/parts.h"
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

/* ---- reading */

static void read_list(struct finding_list *to, const json_t *list);

static void read_part(struct finding *f, const char *name, const json_t *o)
{
	if (json_is_string(o))
		finding_text(f, name, "%s", json_string_value(o));
	else if (json_is_array(o))
		read_list(finding_add_list(f, name), o);
	else if (document_text(o, "unit"))
		finding_figure(f, name, document_amount(o), document_text(o, "unit"));
}

/* One of a kind that this version does not know is left out. */
static void read_list(struct finding_list *to, const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *o = json_array_get(list, i);
		const char *kind = document_text(o, "kind"), *name;
		const char *trust = document_text(o, "trust");
		const enum finding_kind own = finding_kind_of(kind ? kind : "");
		json_t *value;

		if (own == FINDING_KINDS)
			continue;
		struct finding *f = findings_add(to, own);

		while (trust && f->trust < TRUST_WEAK && strcmp(trust, trust_words[f->trust]))
			f->trust++;
		if (json_is_number(json_object_get(o, "effect")))
			f->effect = document_number(o, "effect");
		json_object_foreach (json_object_get(o, "parts"), name, value)
			read_part(f, name, value);
	}
}

void document_read_findings(struct document *d, const json_t *findings)
{
	d->findings.known = json_is_array(findings);
	read_list(&d->findings, findings);
}
