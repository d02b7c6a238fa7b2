/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kinds of cores that threads run on. */
#include <stdlib.h>

#include "base/alloc.h"
#include "plan/parts.h"

static bool has_kind(const struct plan *p, int kind)
{
	for (int i = 0; i < p->nthreads; i++)
		if (p->threads[i].kind == kind)
			return true;
	return false;
}

bool plan_mixes_kinds(const struct plan *p)
{
	int first = -1;

	for (int i = 0; i < p->nthreads; i++) {
		int kind = p->threads[i].kind;

		if (first >= 0 && kind >= 0 && kind != first)
			return true;
		first = kind >= 0 ? kind : first;
	}
	return false;
}

/* "performance, efficiency"; to be freed. */
static char *names_of_kinds(const struct plan *p)
{
	char *all = alloc_string("", 0);

	for (int kind = 0; kind < p->topo->nkinds; kind++)
		if (has_kind(p, kind))
			alloc_append(&all, ", ", "%s", topo_kind_name(p->topo, kind));
	return all;
}

void plan_kinds(struct plan *p, struct errors *e)
{
	for (int i = 0; i < p->nthreads; i++) {
		const struct topo_cpu *cpu = topo_cpu(p->topo, p->threads[i].cpu);

		p->threads[i].kind = cpu ? cpu->kind : -1;
	}
	if (e->failures || p->names_cores || !plan_mixes_kinds(p))
		return;
	char *names = names_of_kinds(p);
	error_warn(e, "threads run on cores of several kinds: %s", names);
	error_hint(e,
		"corePerThread: kind(%s)* keeps to one kind; where the file names kinds or cores, "
		"they may differ",
		p->topo->kinds[0].name);
	free(names);
}
