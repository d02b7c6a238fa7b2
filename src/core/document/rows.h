/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a result document, for its reader, its writer and the schema. */
#ifndef ROWS_H
#define ROWS_H

#include "document/document.h"
#include "document/fields.h"

extern const struct fields document_fields;

/* rows_values.c: what many have in common. */
extern const struct fields amount_fields, marked_fields, mark_fields, text_fields, number_fields,
	whole_fields, index_fields, pair_fields, own_fields, named_fields, pages_fields,
	method_fields, message_fields;

/* rows_places.c */
extern const struct fields vector_fields, thread_fields, leave_fields;
/* rows_operations.c */
extern const struct fields operation_fields, figures_fields, together_fields, clock_fields,
	sample_fields;
/* rows_tails.c */
extern const struct fields tails_fields;
/* rows_tables.c */
extern const struct fields table_fields, lacking_fields, claims_fields, counting_fields;

#endif
