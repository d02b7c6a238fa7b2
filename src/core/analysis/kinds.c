/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where a sweep begins to use another kind of cores. */
#include "analysis/kinds.h"

#include <stdlib.h>

#include "base/alloc.h"

static bool uses(const struct run *t, int kind)
{
	for (int i = 0; !t->skipped && i < t->plan.nthreads; i++)
		if (t->plan.threads[i].kind == kind)
			return true;
	return false;
}

static size_t first_run(const struct experiment *x, int kind)
{
	size_t run = 0;

	while (run < x->nruns && !uses(&x->runs[run], kind))
		run++;
	return run;
}

static bool is_first(const struct experiment *x, size_t run)
{
	for (size_t i = 0; i < run; i++)
		if (!x->runs[i].skipped)
			return false;
	return true;
}

char *kinds_begin(const struct experiment *x, size_t run)
{
	const struct run *t = &x->runs[run];
	char *names = NULL;

	if (t->skipped || t->plan.names_cores)
		return NULL;
	for (int kind = 0; kind < x->topo->nkinds; kind++)
		if (first_run(x, kind) == run && !is_first(x, run))
			alloc_append(&names, ", ", "%s", topo_kind_name(x->topo, kind));
	return names;
}

static bool row_uses(const struct experiment *x, const long *runs, size_t cols, int kind)
{
	for (size_t k = 0; k < cols; k++)
		if (runs[k] >= 0 && uses(&x->runs[runs[k]], kind))
			return true;
	return false;
}

static bool row_ran(const struct experiment *x, const long *runs, size_t cols)
{
	for (size_t k = 0; k < cols; k++)
		if (runs[k] >= 0 && !x->runs[runs[k]].skipped)
			return true;
	return false;
}

static bool row_named(const struct experiment *x, const long *runs, size_t cols)
{
	for (size_t k = 0; k < cols; k++)
		if (runs[k] >= 0 && x->runs[runs[k]].plan.names_cores)
			return true;
	return false;
}

char **kinds_of_rows(const struct experiment *x, const long *runs, size_t rows, size_t cols)
{
	char **begin = alloc_zeroed(rows + 1, sizeof(*begin));
	bool any = false;

	for (int kind = 0; kind < x->topo->nkinds; kind++) {
		size_t i = 0, before = 0;

		for (; i < rows && !row_uses(x, &runs[i * cols], cols, kind); i++)
			before += row_ran(x, &runs[i * cols], cols);
		if (i == rows || !before || row_named(x, &runs[i * cols], cols))
			continue;
		alloc_append(&begin[i], ", ", "%s", topo_kind_name(x->topo, kind));
		any = true;
	}
	if (any)
		return begin;
	free(begin);
	return NULL;
}

bool kinds_mixed(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && plan_mixes_kinds(&x->runs[i].plan))
			return true;
	return false;
}
