/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometric means of tables: `mean=geometric` and `mean=scenarios`. */
#ifndef MEANS_H
#define MEANS_H

#include "analysis/factors.h"
#include "analysis/view.h"

/* Adds a row with the mean of every column and, when there are several columns, a column with the
 * mean of every row. The corner is the mean of all cells. No mean is taken over rows (columns) that
 * are unlike: threads on several kinds of cores. */
void means_add(struct table *m, bool unlike_rows, bool unlike_cols);

/*
 * Figure 3 of SMT-Bench, from slowdowns of kernels that run in pairs. The scenarios are columns:
 * the kernel alone, which is 1; beside itself, the cell where both names are equal; and beside
 * other units, the mean of the cells with kernels that keep another unit of the core busy. Kernels
 * that share the first word of their name keep the same unit busy if that word is fp or int:
 * fp_add and fp_mul.
 */
#define SCENARIOS 3

/* Replaces the columns of a table of slowdowns with scenarios, and adds the row of means. */
void scenarios_make(struct table *m);

#endif
