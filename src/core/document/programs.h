/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of affinity-map, read as those of the driver are. A run is a candidate of a race, or a
 * mapping of the programs, which --pairs has for each pair. It has one operation, with a thread for
 * each program; a sample is one run of a program. Samples of a round belong together: they are of
 * one placement.
 */
#ifndef DOCUMENT_PROGRAMS_H
#define DOCUMENT_PROGRAMS_H

#include "document/document.h"

/* A program that affinity-map ran. */
struct document_program {
	const char *name, *file;
	struct document_texts command; /* its words */
};

/* As document_read(), which refuses these; document_read_times() refuses those whose costs are
 * figures that programs print. */
int document_read_any(struct document *d, const char *path, struct errors *e);
int document_read_times(struct document *d, const char *path, struct errors *e);

#endif
