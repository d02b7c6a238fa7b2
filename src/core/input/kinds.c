/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds kinds of cores. */
#include "input/kinds.h"

#include "base/list.h"

int kinds_find(
	const struct topo *t, const char *text, const char *key, struct place at, struct errors *e)
{
	struct list_call call;
	char known[512];
	const bool right = list_call_read(&call, text) && call.arguments.count == 1;
	const int kind = right ? topo_kind(t, call.arguments.word[0]) : -1;

	list_call_free(&call);
	if (kind >= 0)
		return kind;
	error_add(e, STATUS_PLACEMENT, at, "%s: '%s' is not a kind of cores of this machine", key,
		text);
	if (t->nkinds)
		error_hint(e, "kinds of cores here: %s", topo_kinds(t, known, sizeof(known)));
	else
		error_hint(e, "all cores here are alike, or hwloc does not know their kinds");
	return -1;
}
