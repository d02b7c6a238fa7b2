/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the figures of a document that affinity-map --pairs wrote. */
#ifndef PAIRINGS_H
#define PAIRINGS_H

#include "document/document.h"

/* A figure: bars for each row, one for each column. */
struct pairings_figure {
	const char *what;  /* "Figure 5"; "" if it has no number */
	const char *title; /* the caption */
	bool stacked;      /* shares that sum to 1; else groups of bars */
	struct document_texts rows, columns;
	struct amount *cells; /* [rows.count * columns.count] */
};

struct pairings {
	struct document memory; /* owns everything; its other fields are not set */
	const char *host, *kernel, *version;
	struct document_texts warnings;
	struct pairings_figure *figures;
	size_t nfigures;
};

/* 0, or -1 with messages (STATUS_USAGE): not a document of affinity-map --pairs, or a figure is not
 * complete. Call pairings_free() in both cases. */
int pairings_read(struct pairings *p, const char *path, struct errors *e);
void pairings_free(struct pairings *p);

#endif
