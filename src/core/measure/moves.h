/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations whose kernels move pages, before they are measured. For series.c. */
#ifndef MOVES_H
#define MOVES_H

#include "placement/prepare.h"

/* Does the kernel tell where each page is that threads of the operation move? Counts of a mapping's
 * pages do not show which page moved. 0, or -1 with a message (STATUS_PLACEMENT). */
int moves_check(
	const struct prepared *r, const struct plan *p, const struct plan_op *op, struct errors *e);

#endif
