/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds nodes by the kind of their memory or by its attributes. */
#include "input/tiers.h"

#include <string.h>

bool tiers_named(const struct list_call *c)
{
	return (!strcmp(c->name, "kind") || !strcmp(c->name, "best")) && c->arguments.count <= 2;
}

bool tiers_kind(const char *text)
{
	struct list_call c;
	const bool kind =
		list_call_read(&c, text) && !strcmp(c.name, "kind") && c.arguments.count == 1;

	list_call_free(&c);
	return kind;
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

int tiers_node(const struct names *n, const struct list_call *c, const char *text, const char *key,
	struct place at, struct errors *e)
{
	const char *name = c->arguments.word[0];
	const bool best = !strcmp(c->name, "best");
	const char *near = c->arguments.count > 1 ? c->arguments.word[1] : best ? "first" : NULL;
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
	return node;
}
