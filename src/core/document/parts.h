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

void document_read_warnings(struct document *d, const json_t *list);
void document_read_method(struct document *d, struct document_method *m, const json_t *o);

/* "": it is not there */
const char *document_text_or_empty(const json_t *o, const char *key);
struct document_mark document_mark(const json_t *o);
struct document_marked document_marked(const json_t *o);

/* found.c: what was asked of a vector and found in each placement. */
int document_by_node(const void *a, const void *b);
struct document_pages *document_pages(struct document *d, json_t *o, size_t *n);
void document_read_found(struct document *d, struct document_vector *v, const json_t *vector);
/* details.c: other parts that are only shown. */
void document_read_details(struct document *d, struct document_run *r, const json_t *run);
void document_read_counting(struct document *d, const json_t *counting);
void document_read_lacking(struct document *d, const json_t *list);

/* jobs.c. */
struct document_own document_own(struct document *d, json_t *o);
int document_read_runs(struct document *d, const json_t *runs, struct errors *e);
void document_read_operations(
	struct document *d, struct document_operations *to, const json_t *kernels);
int document_read_tables(struct document *d, const json_t *tables, struct errors *e);
/* programs.c: a document of affinity-map. */
int document_read_programs(struct document *d, json_t *o, struct errors *e);
/* claims.c. */
int document_read_claims(struct document *d, const json_t *claims, struct errors *e);

#endif
