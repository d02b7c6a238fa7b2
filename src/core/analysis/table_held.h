/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds the data of a table's cells, in one line. */
#ifndef TABLE_HELD_H
#define TABLE_HELD_H

#include "analysis/view.h"

/* "memory"; "L1 (8KiB, 16KiB), memory (64MiB; 8KiB store_nt)": words of plan/held.h, each with the
 * rows, or else the cells, that it is of. held: [rows * cols] of the table, "" of cells without
 * data. To be freed; NULL: no cell has data. */
char *table_held(const struct table *m, char (*held)[PLAN_HELD]);

#endif
