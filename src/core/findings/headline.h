/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sentence of an experiment is made from. */
#ifndef HEADLINE_H
#define HEADLINE_H

#include "findings/findings.h"

/* A table of the document, or one made here of its runs: then with a mark of each cell. */
struct compared {
	const struct document *document;
	const struct document_table *table;
	const struct trust *marks;
	const char *counted; /* what a unit is in that one; NULL: several things */
};

/* headline.c: "Time per access" of "ns_per_unit (ns)", with operation and values. begins: it is the
 * first word of a sentence. */
void headline_add_quantity(struct finding *f, const struct compared *c, bool begins);
/* Adds the least and the most figure; nothing where there are not two. */
void headline_add_extremes(const struct compared *c, struct finding_list *to);

/* runs.c: adds the figures of all runs and operations of a document without a table. */
void headline_add_runs(const struct document *d, struct finding_list *to);

#endif
