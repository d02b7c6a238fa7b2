/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found, and parts of sentences that several findings have. */
#include <stdlib.h>

#include "base/alloc.h"
#include "findings/findings.h"

char *findings_pairs(const struct document_pairs *p)
{
	char *text = alloc_string("", 0);

	for (size_t i = 0; i < p->count; i++)
		alloc_append(&text, ", ", "%s %s", p->list[i].name, p->list[i].value);
	return text;
}

void findings_fill(struct document *d)
{
	findings_free(&d->findings);
	findings_headline(d, &d->findings);
}
