/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds kinds of memory to the numbers of nodes. */
#include "analysis/node_labels.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Does the text use $name or ${name}? */
static bool uses_name(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strchr(at, '$')); at++) {
		const char *begin = at[1] == '{' ? at + 2 : at + 1;
		unsigned char next = (unsigned char)begin[strnlen(begin, length)];

		if (!strncmp(begin, name, length) && !isalnum(next) && next != '_')
			return true;
	}
	return false;
}

static bool is_node_of_vectors(const struct experiment *x, const char *name)
{
	for (size_t i = 0; i < x->args->count; i++) {
		const struct entry *e = &x->args->entries[i];

		if (!strcmp(e->key, "nodePerVector") && uses_name(e->value, name))
			return true;
	}
	return false;
}

char *node_label(const struct experiment *x, int v, const char *value)
{
	const struct topo_node *n;
	uint64_t number;

	if (text_count(value, &number) || number > INT_MAX ||
		!(n = topo_node(x->topo, (int)number)) || !n->memory ||
		!is_node_of_vectors(x, x->sweep.variables[v].name))
		return alloc_string(value, strlen(value));
	return alloc_format("%s (%s)", value, n->memory);
}
