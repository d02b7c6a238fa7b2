/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the costs of a document. */
#include "document/costs.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "analysis/doubts.h"
#include "base/alloc.h"

static void add(struct costs *c, const struct cost *cost)
{
	c->list = alloc_grow(c->list, c->count, sizeof(*c->list));
	c->list[c->count++] = *cost;
}

static void add_operation(
	struct costs *c, const struct document_run *r, const struct document_operation *o)
{
	bool disturbed = (double)o->samples.disturbed > DOUBTS_DISTURBED * (double)o->samples.taken;

	for (size_t i = 0; i < o->njobs; i++)
		add(c, &(struct cost){
			       r->label, o->name, (int)i, disturbed, o->jobs[i].figures.cost});
	add(c, &(struct cost){r->label, o->name, ALL_THREADS, disturbed, o->total});
}

int costs_read(struct costs *c, const char *path, struct errors *e)
{
	*c = (struct costs){0};
	if (document_read(&c->document, path, e))
		return -1;
	for (size_t i = 0; i < c->document.nruns; i++) {
		const struct document_run *r = &c->document.runs[i];

		for (size_t k = 0; k < r->operations.count; k++)
			add_operation(c, r, &r->operations.list[k]);
	}
	return 0;
}

void costs_free(struct costs *c)
{
	document_free(&c->document);
	free(c->list);
	*c = (struct costs){0};
}

const struct cost *costs_find(const struct costs *c, const struct cost *like)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].thread == like->thread && !strcmp(c->list[i].run, like->run) &&
			!strcmp(c->list[i].operation, like->operation))
			return &c->list[i];
	return NULL;
}
