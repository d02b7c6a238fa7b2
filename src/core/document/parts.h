/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For those that fill in a document: memory that it owns. */
#ifndef DOCUMENT_PARTS_H
#define DOCUMENT_PARTS_H

#include "document/document.h"

/* A list of count zeroed elements and one more; the document owns it. */
void *document_list(struct document *d, size_t count, size_t size);
/* A text that the document owns. */
const char *document_copy(struct document *d, const char *text);
/* Takes over memory that is to be freed. */
void document_own(struct document *d, void *memory);

/* Fill in what follows from the fields; of a table, cells are as many as its rows and columns. */
void document_finish_vector(struct document *d, struct document_vector *v);
void document_finish_table(struct document *d, struct document_table *t);
/* The same of what needs all of it. */
void document_finish(struct document *d);

/* programs.c: a document of affinity-map. */
int document_read_programs(struct document *d, void *json, struct errors *e);

#endif
