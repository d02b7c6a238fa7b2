/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the operations of all runs. */
#include "analysis/op_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "analysis/derive.h"

int op_names_find(const struct plan *p, const char *label)
{
	for (int op = 0; op < p->nops; op++)
		if (!strcmp(p->ops[op].label, label))
			return op;
	return -1;
}

static bool is_listed(const struct op_names *n, const char *label)
{
	for (size_t i = 0; i < n->count; i++)
		if (!strcmp(n->list[i], label))
			return true;
	return false;
}

static void add_plan(struct op_names *n, const struct plan *p)
{
	for (int op = 0; op < p->nops; op++) {
		if (is_listed(n, p->ops[op].label))
			continue;
		n->list = alloc_grow(n->list, n->count, sizeof(*n->list));
		n->list[n->count++] = p->ops[op].label;
	}
}

void op_names_make(struct op_names *n, const struct experiment *x)
{
	*n = (struct op_names){0};
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped)
			add_plan(n, &x->runs[i].plan);
}

void op_names_free(struct op_names *n)
{
	free(n->list);
	*n = (struct op_names){0};
}

/* Of the threads of one operation; false: it is not that of the others. */
static bool same_unit(const struct plan *p, int op, int thread, const char **unit)
{
	for (int t = 0; t < p->nthreads; t++) {
		const char *own = p->ops[op].jobs[t].kernel->unit;

		if (thread != ALL_THREADS && thread != t)
			continue;
		if (!*own || (*unit && strcmp(own, *unit) != 0))
			return false;
		*unit = own;
	}
	return true;
}

const char *op_names_unit(const struct experiment *x, const char *operation, int thread)
{
	const char *unit = NULL;

	for (size_t i = 0; i < x->nruns; i++) {
		const struct plan *p = &x->runs[i].plan;

		if (x->runs[i].skipped)
			continue;
		for (int op = 0; op < p->nops; op++) {
			if (operation && strcmp(p->ops[op].label, operation) != 0)
				continue;
			if (!same_unit(p, op, thread, &unit))
				return NULL;
		}
	}
	return unit;
}
