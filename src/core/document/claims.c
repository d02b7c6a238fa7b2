/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the claims of a document. */
#include "document/parts.h"

static struct document_claim read_claim(const json_t *o)
{
	return (struct document_claim){
		.claim = document_text(o, "claim"),
		.label = document_text(o, "label"),
		.verdict = document_text(o, "verdict"),
		.reason = document_text(o, "reason"),
		.unit = document_text(o, "unit"),
		.figure_is = document_text(o, "figure_is"),
		.left = document_amount(json_object_get(json_object_get(o, "left"), "value")),
		.right = document_amount(json_object_get(json_object_get(o, "right"), "value")),
		.figure = document_amount(json_object_get(o, "figure")),
		.above = document_number(o, "above"),
		.below = document_number(o, "below"),
	};
}

int document_read_claims(struct document *d, const json_t *claims, struct errors *e)
{
	const json_t *tests = json_object_get(claims, "tests");

	d->claims_confidence = document_number(claims, "confidence");
	d->claims_each = document_number(claims, "confidence_each");
	d->claims_asked = document_whole(claims, "asked");
	d->nclaims = json_array_size(tests);
	d->claims = document_list(d, d->nclaims, sizeof(*d->claims));
	for (size_t i = 0; i < d->nclaims; i++) {
		struct document_claim *c = &d->claims[i];

		*c = read_claim(json_array_get(tests, i));
		if (c->claim && c->label && c->verdict && c->unit && c->figure_is)
			continue;
		error_add(e, STATUS_USAGE, (struct place){d->path, 0},
			"test %zu of the claims is not complete", i + 1);
		return error_hint(e, "the file was changed or damaged: measure again");
	}
	return 0;
}
