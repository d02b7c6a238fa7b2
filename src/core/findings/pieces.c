/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found, and parts of sentences that several findings have. */
#include <stdlib.h>

#include "base/alloc.h"
#include "document/quality.h"
#include "findings/findings.h"

char *findings_pairs(const struct document_pairs *p)
{
	char *text = alloc_string("", 0);

	for (size_t i = 0; i < p->count; i++)
		alloc_append(&text, ", ", "%s %s", p->list[i].name, p->list[i].value);
	return text;
}

void findings_add_of(struct finding *f, const struct document_table *t)
{
	char *values = findings_pairs(&t->values);

	finding_text(f, "operation", t->operation ? "%s" : NULL, t->operation);
	finding_text(f, "values", "%s", values);
	free(values);
}

void findings_fill(struct document *d)
{
	static const struct {
		findings_of_table *find;
		bool of_vectors;
	} all[] = {{findings_crossings, false}, {findings_how_many, false},
		{findings_shares, false}, {findings_meetings, false}, {findings_hot, false},
		{findings_weights, true}, {findings_placements, true}, {findings_layers, true}};
	const bool has_vectors = findings_run(d);
	/* times of an emulated machine say nothing of a real one */
	const bool real = !document_simulated(d);

	findings_free(&d->findings);
	for (size_t i = 0; real && i < d->ntables; i++) /* says more than extremes do */
		findings_links(d, &d->tables[i], &d->findings);
	findings_headline(d, &d->findings);
	if (!real)
		return;
	for (size_t k = 0; k < sizeof(all) / sizeof(*all); k++)
		for (size_t i = 0; i < d->ntables && (has_vectors || !all[k].of_vectors); i++)
			all[k].find(d, &d->tables[i], &d->findings);
	findings_memories(d, &d->findings);
	findings_lines(d, &d->findings);
}
