/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what numbers without a unit mean. */
#include "report/plan_units.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "input/param.h"
#include "input/registry.h"
#include "input/request.h"

static const struct param *find_row(const struct plan *p, const char *name)
{
	const struct param *row = NULL;

	for (int op = 0; !row && op < p->nops; op++)
		for (int i = 0; !row && i < p->nthreads; i++)
			row = param_find(p->ops[op].jobs[i].kernel->params, name);
	return row;
}

/* Bytes of an element of all vectors; 0: they differ, or there is none. */
static size_t element_of(const struct plan *p)
{
	size_t bytes = p->nvectors ? element_bytes(p->vectors[0].type) : 0;

	for (int i = 1; i < p->nvectors; i++)
		if (element_bytes(p->vectors[i].type) != bytes)
			return 0;
	return bytes;
}

static void tell_word(const struct plan *p, const struct param *row, const char *word, FILE *out)
{
	const int digits = (int)strspn(word, "0123456789");
	char size[32];
	const uint64_t number = strtoull(word, NULL, 10);

	if (!digits || (word[digits] && word[digits] != '*'))
		return;
	if (row->type == PARAM_EXTENT) {
		const size_t bytes = element_of(p);

		fprintf(out, " (%.*s element%s", digits, word, text_s(number));
		if (bytes && number <= UINT64_MAX / bytes)
			fprintf(out, ", %s", text_size_exact(number * bytes, size, sizeof(size)));
		fputc(')', out);
	} else if (row->type == PARAM_BYTES) {
		fprintf(out, " (%s)", text_size_exact(number, size, sizeof(size)));
	}
}

void plan_units_parameter(const struct plan *p, const struct setting *s, FILE *out)
{
	const struct param *row = find_row(p, s->name);

	for (size_t i = 0; i < s->values.count; i++) {
		fprintf(out, " %s", s->values.word[i]);
		if (row)
			tell_word(p, row, s->values.word[i], out);
	}
}

static bool is_given_later(const struct args *a, size_t i)
{
	for (size_t k = i + 1; k < a->count; k++)
		if (param_find(request_keys, a->entries[k].key) ==
			param_find(request_keys, a->entries[i].key))
			return true;
	return false;
}

void plan_units_keys(const struct args *a, FILE *out)
{
	double number;

	/* what --set gives stands last, and holds */
	for (size_t i = 0; i < a->count; i++) {
		const struct entry *entry = &a->entries[i];
		const struct param *row = param_find(request_keys, entry->key);

		if (row && row->type == PARAM_DURATION && !is_given_later(a, i) &&
			!text_real(entry->value, &number))
			fprintf(out, "%s: %s is %s ms\n", entry->key, entry->value, entry->value);
	}
}
