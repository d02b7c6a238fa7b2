/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds in a result what its figures say (analysis/finding.h): computes nothing that the document
 * does not have but how many times one figure is another, and names what is compared. Who says it,
 * the driver, the page and others, all say the same.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "analysis/finding.h"
#include "document/figure.h"

/* Finds all, from the figures: what a file says that was found in it is for people. */
void findings_fill(struct document *d);

/* headline.c: what the experiment found in the quantity that its file is about: that of its first
 * table, or of its kernels. Nothing where no run was measured. */
void findings_headline(const struct document *d, struct finding_list *to);

/* pieces.c: "n 2, weights q4"; to be freed. */
char *findings_pairs(const struct document_pairs *p);

#endif
