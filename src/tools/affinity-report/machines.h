/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of several machines, for the files machines*.c only. */
#ifndef MACHINES_H
#define MACHINES_H

#include "affinity-report/grids.h"
#include "affinity-report/page.h"

/* Figures of one experiment that machines are compared by. */
struct compared {
	const struct page *page;
	const char *bare; /* the experiment */
	bool whole;       /* of all work: vectors have to be of the same sizes */
};

/* The first machine of hardware that measured the experiment, with its number; NULL: none did. */
const struct document *machines_reference(const struct page *p, const char *bare, size_t *machine);

/* machines_picture.c: a picture of the grid, whose rows are figures and whose columns are machines,
 * or a sentence that says why there is none. Only machines that did the same work are in it. t: the
 * table that the figures are of, or NULL; title: what they are, with their unit. */
void machines_picture(const struct compared *c, const struct document_table *t,
	const struct grid *g, const char *title, FILE *out);

#endif
