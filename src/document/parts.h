/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the reader share; for document*.c only. */
#ifndef DOCUMENT_PARTS_H
#define DOCUMENT_PARTS_H

#include <jansson.h>

#include "document/document.h"

/* A list of count zeroed elements, and one more, that belongs to the document. */
void *document_list(struct document *d, size_t count, size_t size);

/* NULL, NAN, 0: `o` has no such field, or one of another type. */
const char *document_text(const json_t *o, const char *key);
double document_number(const json_t *o, const char *key);
int64_t document_whole(const json_t *o, const char *key);
bool document_flag(const json_t *o, const char *key);

struct amount document_amount(const json_t *o);
struct document_texts document_texts(struct document *d, const json_t *list);
struct document_pairs document_pairs(struct document *d, json_t *o);

/* jobs.c. */
int document_read_runs(struct document *d, const json_t *runs, struct errors *e);
void document_read_operations(
	struct document *d, struct document_operations *to, const json_t *kernels);
int document_read_tables(struct document *d, const json_t *tables, struct errors *e);

#endif
