/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of the first screen, out of the results of args/first. Included by first*.c and
 * screen*.c only. */
#ifndef SCREEN_H
#define SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/quality.h"
#include "base/error.h"
#include "base/text.h"
#include "document/document.h"
#include "describe/describe.h"
#include "topology/topo.h"

/* What is a matrix: its columns are numbers of nodes. */
#define SCREEN_MATRIX "load, node x node"

struct screen {
	const struct topo *topo;
	struct document *documents; /* by the order of their names */
	char **names;               /* "1_latency" */
	size_t ndocuments;
	struct described_figure *figures;
	size_t count;
	struct words experiments; /* that measure more, each once */
	const char *experiment;   /* that of the figures that are being added */
	struct quality quality;   /* of all documents */
	double seconds;
	size_t cut; /* documents that ended with what they had */
};

/* Reads a folder. 0, or -1 with messages; call screen_free() in both cases. */
int screen_read(struct screen *s, const char *folder, const struct topo *t, struct errors *e);
void screen_free(struct screen *s);

/* For the parts of the screen. The figure of a cell of the first table; value NAN: not measured. */
struct described_figure screen_figure_at(const struct document *d, size_t cell, const char *what);
/* Adds a figure, unless its value is NAN. Takes over the texts, which are to be freed. */
void screen_add(struct screen *s, struct described_figure f, char *row, char *column, char *of);
/* A copy, to be freed. */
char *screen_text(const char *of);

/* screen_pairs.c: parts. */
void screen_add_cores(struct screen *s, const struct document *d);
void screen_add_matrix(struct screen *s, const struct document *d);

/* screen_print.c: the groups of figures. colours: a terminal has them. */
void screen_print(const struct screen *s, bool colours, FILE *out);

/* screen_changes.c: a line about what differs from the results before; nothing without these. */
void screen_changes(const struct screen *s, const char *folder, FILE *out);

#endif
