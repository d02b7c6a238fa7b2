/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations that the parts of the reader share; for document*.c only. */
#ifndef DOCUMENT_PARTS_H
#define DOCUMENT_PARTS_H

#include <jansson.h>

#include "document/document.h"

/* A list of count zeroed elements and one more; the document owns it. */
void *document_list(struct document *d, size_t count, size_t size);

/* NULL, NAN or 0: `o` does not have the field, or it is of another type. */
const char *document_text(const json_t *o, const char *key);
double document_number(const json_t *o, const char *key);
int64_t document_whole(const json_t *o, const char *key);
bool document_flag(const json_t *o, const char *key);

struct amount document_amount(const json_t *o);
struct document_texts document_texts(struct document *d, const json_t *list);
struct document_pairs document_pairs(struct document *d, json_t *o);

/* typed.c: a member of a run, at any depth, that is a text or a flag where the format has a number;
 * NULL: there is none. */
const char *document_mistyped(const json_t *o);

void document_read_method(struct document_method *m, const json_t *o);

/* jobs.c. */
int document_read_runs(struct document *d, const json_t *runs, struct errors *e);
void document_read_operations(
	struct document *d, struct document_operations *to, const json_t *kernels);
int document_read_tables(struct document *d, const json_t *tables, struct errors *e);
/* claims.c. */
int document_read_claims(struct document *d, const json_t *claims, struct errors *e);

#endif
