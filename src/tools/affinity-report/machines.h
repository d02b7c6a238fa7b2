/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of several machines, for the files machines*.c only. */
#ifndef MACHINES_H
#define MACHINES_H

#include "affinity-report/figures/grids.h"
#include "affinity-report/page.h"

/* Figures of one experiment that machines are compared by. */
struct compared {
	const struct page *page;
	const char *bare; /* the experiment */
	bool whole;       /* of all work: vectors have to be of the same sizes */
};

/* machines.c: the document of that experiment and machine; NULL: not measured there */
const struct document *page_of_machine(const struct page *p, size_t machine, const char *bare);
/* The same table of another document, by title, axes and unit; NULL: none */
const struct document_table *page_same_table(
	const struct document *d, const struct document_table *t);
/* Are the sizes of the vectors of two documents the same? */
bool page_same_sizes(const struct document *a, const struct document *b);

/* machines_means.c: how many times the costs of the first machine those of the others are, as
 * geometric means of all figures that they have in common; nothing where these are none. bare: the
 * experiments that several have. */
void page_machines_means(const struct page *p, const struct words *bare, FILE *out);

/* machines_picture.c: a picture of the grid, whose rows are figures and whose columns are machines,
 * or a sentence that says why there is none. Only machines that did the same work are in it. t: the
 * table that the figures are of, or NULL; title: what they are, with their unit. */
void machines_picture(const struct compared *c, const struct document_table *t,
	const struct grid *g, const char *title, FILE *out);

#endif
