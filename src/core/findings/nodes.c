/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On which nodes the vectors of a run are, as found and as asked for. */
#include <string.h>

#include "base/alloc.h"
#include "findings/findings.h"

/* The only node that a vector was found on; -1: several, or not known. */
static int found_on(const struct document_vector *v)
{
	int node = -1;

	for (size_t i = 0; i < v->npages; i++) {
		if (v->pages[i].pages && node >= 0)
			return -1;
		if (v->pages[i].pages)
			node = v->pages[i].node;
	}
	return node;
}

int findings_only_node(const struct document_run *r)
{
	int node = r->nvectors ? found_on(&r->vectors[0]) : -1;

	for (size_t i = 1; i < r->nvectors; i++)
		if (found_on(&r->vectors[i]) != node)
			return -1;
	return node;
}

int findings_node_of_all(const struct document *d)
{
	int node = -1;

	for (size_t i = 0; i < d->nruns; i++) {
		if (d->runs[i].skipped)
			continue;
		const int own = findings_only_node(&d->runs[i]);

		if (own < 0 || (node >= 0 && own != node))
			return -1;
		node = own;
	}
	return node;
}

char *findings_node(const char *asked)
{
	const bool number = strspn(asked, "0123456789") == strlen(asked);

	return alloc_format("%s%s", number ? "node " : "", asked);
}
