/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds nodes by the kind of their memory or by its attributes. */
#include "input/tiers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool begins(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix)) && text[strlen(text) - 1] == ')';
}

bool tiers_named(const char *text)
{
	return begins(text, "kind(") || begins(text, "best(");
}

bool tiers_kind(const char *text)
{
	return begins(text, "kind(") && !strchr(text, ',');
}

static int no_kind(
	const struct names *n, const char *text, const char *key, struct place at, struct errors *e)
{
	char known[256];

	error_add(e, STATUS_PLACEMENT, at,
		"%s: '%s' is not a kind of memory of a node that can hold vectors here", key, text);
	if (*topo_memories(n->topo, known, sizeof(known)))
		error_hint(e, "kinds of memory here: %s", known);
	else
		error_hint(e, "hwloc knows no kind of memory of a node that can hold vectors here");
	return NAMES_FAILED;
}

/* The nearest node of that kind; near NAMES_FAILED: the first one. */
static int node_of_kind(const struct topo *t, const char *kind, int near)
{
	int found = NAMES_FAILED;

	for (int i = 0; i < t->nnodes; i++) {
		int node = t->nodes[i].node;

		if (!topo_has_memory(&t->nodes[i], kind))
			continue;
		if (found == NAMES_FAILED ||
			(near != NAMES_FAILED &&
				topo_distance(t, near, node) < topo_distance(t, near, found)))
			found = node;
	}
	return found;
}

static int best_node(const struct names *n, const char *attribute, int from, const char *text,
	const char *key, struct place at, struct errors *e)
{
	bool latency = !strcmp(attribute, "latency");
	int node;

	if (!latency && strcmp(attribute, "bandwidth") != 0) {
		error_add(e, STATUS_USAGE, at, "%s: '%s' names no attribute of memory", key, text);
		error_hint(e, "best(bandwidth) or best(latency)");
		return NAMES_FAILED;
	}
	node = topo_best(
		n->topo, latency ? n->topo->latencies : n->topo->bandwidths, latency, from);
	if (node >= 0)
		return node;
	error_add(e, STATUS_PLACEMENT, at,
		"%s: '%s' needs the %s of the nodes for CPUs of node %d, which %s does not give",
		key, text, attribute, from, n->topo->source);
	error_hint(e, "affinity --export-memattrs FILE.xml writes what was measured; "
		      "HWLOC_XMLFILE=FILE.xml HWLOC_THISSYSTEM=1 uses it");
	return NAMES_FAILED;
}

int tiers_node(
	const struct names *n, const char *text, const char *key, struct place at, struct errors *e)
{
	const char *inside = strchr(text, '(') + 1, *comma = strchr(inside, ',');
	char *name = alloc_string(inside, comma ? (size_t)(comma - inside) : strlen(inside) - 1);
	char *other = comma ? alloc_string(comma + 1, strlen(comma + 1) - 1) : NULL;
	bool best = *text == 'b';
	const char *near = other ? other : best ? "first" : NULL;
	int from = near ? names_node(n, near, key, at, e) : NAMES_FAILED, node = NAMES_FAILED;

	if (near && from == NAMES_FAILED) {
		/* names_node() has said why */
	} else if (best) {
		node = best_node(n, name, from, text, key, at, e);
	} else {
		node = node_of_kind(n->topo, name, from);
		if (node == NAMES_FAILED)
			no_kind(n, text, key, at, e);
	}
	free(name);
	free(other);
	return node;
}
