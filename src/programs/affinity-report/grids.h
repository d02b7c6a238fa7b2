/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of figures that are in documents. Only the geometric mean of figure 3 is computed here, by
 * the function that the text report uses too. */
#ifndef GRIDS_H
#define GRIDS_H

#include "document/document.h"
#include "programs/affinity-report/html.h"

/* Names in the order in which they first appear; the list is to be freed, the names are not. */
struct name_list {
	const char **list;
	size_t count;
};

void name_list_add(struct name_list *n, const char *name);
/* -1: the list does not contain the name. */
long name_list_find(const struct name_list *n, const char *name);
void name_list_free(struct name_list *n);

/* The operations of all runs that were measured. */
struct name_list grids_operations(const struct document *d);
/* The values of a variable in all runs, measured or not; "" if a run does not have the variable. */
struct name_list grids_values(const struct document *d, const char *variable);

/* The first run that was measured, or the first measured run with this value; NULL: none. */
const struct document_run *grids_run(
	const struct document *d, const char *variable, const char *value);

/* Each makes a grid, which is to be freed. */
struct grid grids_threads(const struct document_run *r);
struct grid grids_nodes(const struct document *d, const char *operation);
struct grid grids_series(const struct document *d, const char *operation, const char *variable);
struct grid grids_gains(const struct document_run *r);
struct grid grids_slowdowns(const struct document_run *r);
struct grid grids_all_costs(const struct document *d);
struct grid grids_strides(const struct document *d);
struct grid grids_types(const struct document *d, const char *operation);
/* Figure 3, from a document that runs kernels a and b side by side: each kernel's time per
 * operation alone; its slowdown beside itself; its mean slowdown beside the other kernels. */
struct grid grids_pairs(const struct document *d);

#endif
