/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds kinds of cores. */
#include "input/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const char prefix[] = "kind(";

bool kinds_named(const char *text)
{
	size_t length = strlen(text);

	return !strncmp(text, prefix, strlen(prefix)) && text[length - 1] == ')';
}

int kinds_find(
	const struct topo *t, const char *text, const char *key, struct place at, struct errors *e)
{
	const char *inside = text + strlen(prefix);
	char *name = alloc_string(inside, strlen(inside) - 1), known[512];
	int kind = topo_kind(t, name);

	free(name);
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
