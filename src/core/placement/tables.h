/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The proof that page tables of a vector lie where tablesPerVector asks: by how many the nodes'
 * counts grow while it is touched. */
#ifndef PLACEMENT_TABLES_H
#define PLACEMENT_TABLES_H

#include "memory/mem.h"
#include "memory/tables.h"
#include "plan/plan.h"

/* The counts before a vector is touched, to be freed; after mem_ask(rights). NULL for one without
 * tablesPerVector. */
struct tables_before;
struct tables_before *tables_before(const struct plan_vector *v, const struct mem_rights *rights);

/* What has come since then; nothing for NULL. */
void tables_found(const struct plan_vector *v, const struct mem *m, const struct tables_before *b,
	struct mem_tables *found);

/* The message (STATUS_PLACEMENT) that the kernel refused the policy for them. Always -1. */
int tables_refused(const struct plan *p, int vector, int error, struct errors *e);

/* 0 where they are shown to be there, or none were asked for; -1 with a message. With verify: warn,
 * and of a vector with so few that they cannot be shown, 0 with a warning. */
int tables_judge(
	const struct plan *p, int vector, const struct mem_tables *found, struct errors *e);

#endif
