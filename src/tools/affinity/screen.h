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

/* As wide as the first terminals: what is sent to others fits everywhere. */
#define SCREEN_WIDTH 80

/* Groups of figures. The columns of a matrix are numbers of nodes. */
#define SCREEN_LATENCY   "latency of a load"
#define SCREEN_BANDWIDTH "bandwidth"
#define SCREEN_MATRIX    "load, node x node"
#define SCREEN_LINES     "a line from core to core"
#define SCREEN_TAIL      "99.9 %"
#define SCREEN_TRIPS     "a line there and back, " SCREEN_TAIL
#define SCREEN_SIBLINGS  "beside a thread on its core"
#define SCREEN_PAGES     "load in random order"

/* What is left out, one after another, until a screen fits its terminal: the picture, the date and
 * where to measure in full, other bandwidths than the first, and then whole groups. */
enum {
	SCREEN_WHOLE,
	SCREEN_NO_PICTURE,
	SCREEN_NO_EXPERIMENTS,
	SCREEN_ONE_RATE,
	SCREEN_SHORTEST = SCREEN_ONE_RATE + 6
};

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

/* "tail_cores" of "b_tail_cores": of what sorts them, letters follow nine numbers. */
const char *screen_after_number(const char *name);

/* screen_pairs.c: parts. Pairs of CPUs, by the innermost place that both share. */
void screen_add_pairs(struct screen *s, const struct document *d, const char *what);
void screen_add_matrix(struct screen *s, const struct document *d);

/* screen_print.c: the groups of figures. colours: a terminal has them; cuts: SCREEN_... */
void screen_print(const struct screen *s, bool colours, int cuts, FILE *out);

/* screen_changes.c: a line about what differs from the results before; nothing without these. */
void screen_changes(const struct screen *s, const char *folder, FILE *out);

#endif
