/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns that the CSV of samples and that of figures have in common. Included in report/ only.
 * Heads and fields end with a comma. A list within a field is divided by blanks. */
#ifndef REPORT_FIELDS_H
#define REPORT_FIELDS_H

#include "document/document.h"

/* A column for each variable of the sweep; for one whose values are sizes another, NAME_bytes, with
 * numbers. One whose name is in `others`, names divided by commas, is called sweep_NAME. */
void fields_sweep_head(const struct document *d, const bool *sizes, const char *others, FILE *out);
void fields_sweep(const struct document *d, const bool *sizes, size_t run, FILE *out);
/* For both: has a variable sizes alone? To be freed. */
bool *fields_sizes(const struct document *d);

/* The host, "simulated machine" before it where it is one. */
void fields_host(const struct document *d, FILE *out);

/* The vectors of a thread: numbers, and of each the nodes and the sizes of its pages as found in a
 * placement (divided by +, NA: not known), bytes and type. */
#define FIELDS_VECTORS "vectors,vector_nodes,vector_bytes,vector_types,vector_page_bytes,"
void fields_vectors(const struct document_run *r, size_t placement, size_t thread, FILE *out);

#endif
