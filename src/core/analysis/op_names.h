/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of all runs by name: `kernels: $k` gives each run other ones. */
#ifndef OP_NAMES_H
#define OP_NAMES_H

#include "measure/experiment.h"

struct op_names {
	const char *
		*list; /* labels of the plans' operations, each once, in the order of the runs */
	size_t count;
};

void op_names_make(struct op_names *n, const struct experiment *x);
void op_names_free(struct op_names *n);

/* What a unit of the work of a thread, or of ALL_THREADS, is, in all operations or one: "access";
 * NULL: several things. */
const char *op_names_unit(const struct experiment *x, const char *operation, int thread);

/* The index of the operation in a plan; -1: the plan does not have it. */
int op_names_find(const struct plan *p, const char *label);

#endif
