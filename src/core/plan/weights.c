/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nodePerVector: weighted:measured: pages by the bandwidth of each node.
 *
 * The part of a node is the bandwidth at which the threads of the vector read its memory. If they
 * are on several nodes, the lowest of their bandwidths counts, because the others wait for the
 * slowest (Gureya et al., Bandwidth-Aware Page Placement in NUMA, IPDPS 2020).
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "memory/deal.h"
#include "plan/parts.h"

/* Adds the nodes on which a thread may run to readers[MEM_MAX_NODES]. false: it is on none. */
static bool add_reader(const struct plan *p, const struct plan_thread *t, bool *readers)
{
	for (int i = 0; t->cpu == UNBOUND && i < p->topo->nnodes; i++) {
		const struct topo_node *n = &p->topo->nodes[i];

		if (n->allowed_cpus && n->node < MEM_MAX_NODES)
			readers[n->node] = true;
	}
	if (t->cpu == UNBOUND)
		return true;
	if (t->node < 0 || t->node >= MEM_MAX_NODES)
		return false;
	readers[t->node] = true;
	return true;
}

/* The nodes of the threads that use a vector; thread 0 for a vector without users, as for its first
 * touch. */
static bool find_readers(const struct plan *p, int vector, bool *readers)
{
	bool used = false, known = true;

	for (int i = 0; i < p->nthreads; i++) {
		if (!plan_uses(&p->threads[i], vector))
			continue;
		used = true;
		known &= add_reader(p, &p->threads[i], readers);
	}
	return used ? known : add_reader(p, &p->threads[0], readers);
}

static int refuse_node_weight(const struct plan *p, int vector, int node, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d: weighted:measured needs the bandwidth of the memory of node %d for the "
		"nodes of its threads, which '%s' does not have",
		vector, node, p->topo->rates_source);
	return error_hint(e, "weighted:0=3,1=1 gives the weights");
}

/* "bw.json: 20 GB/s from node 0, 10 GB/s from node 1, read by CPUs of node 0" */
static char *describe(const struct plan *p, const struct plan_vector *v, const bool *readers)
{
	char *text = alloc_format("%s:", p->topo->rates_source), nodes[256];
	const char *between = "";

	for (int node = 0; node < MEM_MAX_NODES; node++) {
		if (!v->nodes[node])
			continue;
		alloc_append(&text, "", "%s %.3g GB/s from node %d", between,
			topo_lowest_rate(p->topo, readers, MEM_MAX_NODES, node) * 1e-9, node);
		between = ",";
	}
	text_ranges(readers, MEM_MAX_NODES, nodes, sizeof(nodes));
	char *whole = alloc_format("%s, read by CPUs of node %s", text, nodes);

	free(text);
	return whole;
}

static int weigh(struct plan *p, int vector, struct errors *e)
{
	struct plan_vector *v = &p->vectors[vector];
	bool readers[MEM_MAX_NODES] = {false};
	double parts[MEM_MAX_NODES];
	unsigned weights[MEM_MAX_NODES];
	const bool known = find_readers(p, vector, readers);
	size_t n = 0;

	for (int node = 0; node < MEM_MAX_NODES; node++) {
		if (!v->nodes[node])
			continue;
		parts[n] = known ? topo_lowest_rate(p->topo, readers, MEM_MAX_NODES, node) : NAN;
		if (!(parts[n++] > 0))
			return refuse_node_weight(p, vector, node, e);
	}
	deal_weights(parts, n, weights);
	for (int node = MEM_MAX_NODES - 1; node >= 0; node--)
		v->weights[node] = v->nodes[node] ? weights[--n] : 0;
	v->weights_by = describe(p, v, readers);
	plan_describe_vector(p, v);
	return 0;
}

int plan_weights(struct plan *p, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < p->nvectors; i++) {
		if (!p->vectors[i].measured || p->vectors[i].refused || !plan_users_placed(p, i))
			continue;
		if (p->topo->rates) {
			failed |= weigh(p, i, e);
			continue;
		}
		error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
			"nodePerVector: weighted:measured needs the bandwidths between nodes, and "
			"no results of them are given");
		return error_hint(e,
			"affinity --json bandwidth.json args/matrix/bandwidth.args OUT measures "
			"them, --bandwidths bandwidth.json gives them");
	}
	return failed;
}
