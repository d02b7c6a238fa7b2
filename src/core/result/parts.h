/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this folder share. */
#ifndef RESULT_PARTS_H
#define RESULT_PARTS_H

#include "analysis/quantity.h"
#include "analysis/trust.h"
#include "document/parts.h"
#include "result/result.h"

/* Takes over a text that is to be freed; NULL stays NULL. */
const char *result_take(struct document *d, char *text);

struct document_mark result_mark(struct document *d, const struct trust *t);

/* places.c */
struct document_pages *result_pages(
	struct document *d, const struct mem_found *found, size_t *count);
void result_places(struct document *d, struct document_run *to, const struct run *t);

/* operations.c */
struct document_operations result_operations(struct document *d, const struct samples *r);

/* tables.c */
void result_tables(struct document *d, const struct experiment *x, const struct views *v);
void result_claims(struct document *d, const struct experiment *x, const struct claims *c);
void result_counting(struct document *d, const struct counting *c);

#endif
