/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where a sweep begins to use another kind of cores. */
#include "analysis/kinds.h"

#include <stdlib.h>

#include "base/alloc.h"

bool kinds_use(const struct run *t, int kind)
{
	for (int i = 0; !t->skipped && i < t->plan.nthreads; i++)
		if (t->plan.threads[i].kind == kind)
			return true;
	return false;
}

static size_t first_run(const struct experiment *x, int kind)
{
	size_t run = 0;

	while (run < x->nruns && !kinds_use(&x->runs[run], kind))
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

bool kinds_mixed(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && plan_mixes_kinds(&x->runs[i].plan))
			return true;
	return false;
}
