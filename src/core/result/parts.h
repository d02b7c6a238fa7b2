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
/* No mark where there is no value. */
struct document_marked result_marked(struct document *d, struct amount a, const struct trust *t);
/* Of a quantity of a run; without mark where it has none. */
struct document_marked result_quantity(struct document *d, const struct experiment *x, size_t run,
	int op, int thread, enum quantity q);

struct document_pairs result_values(struct document *d, const struct sweep *s, size_t run);
struct document_thread result_thread(struct document *d, const struct plan *p, int thread);

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
