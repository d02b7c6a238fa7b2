/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes and weights of memory policies. */
#include "affinity-map/policies.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "memory/deal.h"

#define WORD_BITS (8 * sizeof(unsigned long))

bool policy_has(const unsigned long *nodes, int node)
{
	return nodes[(size_t)node / WORD_BITS] >> (size_t)node % WORD_BITS & 1;
}

static void add_node(struct policy *p, int node)
{
	p->count += !policy_has(p->nodes, node);
	p->nodes[(size_t)node / WORD_BITS] |= 1UL << (size_t)node % WORD_BITS;
}

struct policy policy_of_all(const struct topo *t, int mode, const char *option)
{
	struct policy p = {.mode = mode, .option = option};

	for (int i = 0; i < t->nnodes; i++)
		if (t->nodes[i].allowed && t->nodes[i].bytes && topo_is_target(&t->nodes[i]))
			add_node(&p, t->nodes[i].node);
	return p;
}

struct policy policy_of_cpus(
	const struct topo *t, const int *cpus, int ncpus, int mode, const char *option)
{
	struct policy p = {.mode = mode, .option = option};

	for (int i = 0; i < ncpus; i++) {
		const struct topo_cpu *cpu = topo_cpu(t, cpus[i]);
		const struct topo_node *n = cpu ? topo_node(t, cpu->node) : NULL;

		if (n && n->allowed && n->bytes)
			add_node(&p, n->node);
	}
	return p;
}

/* Equal weights are interleave's. */
static bool are_equal(const struct policy *p)
{
	int first = 0;

	for (int node = 0; node < LINUX_NODES; node++) {
		if (!policy_has(p->nodes, node))
			continue;
		first = first ? first : p->weights[node];
		if (p->weights[node] != first)
			return false;
	}
	return true;
}

char *policy_of_kernel(const struct topo *t, struct policy *p)
{
	*p = policy_of_all(t, POLICY_WEIGHTED, "weighted-interleave=");
	for (int i = 0; i < t->nnodes; i++) {
		const struct topo_node *n = &t->nodes[i];

		if (!policy_has(p->nodes, n->node))
			continue;
		if (!n->kernel_weight)
			return alloc_format("weighted interleave of the kernel: this one has none "
					    "(Linux 6.9)");
		p->weights[n->node] = (unsigned char)n->kernel_weight;
	}
	if (are_equal(p))
		return alloc_format("weighted interleave of the kernel: the system's weights are "
				    "equal, as those of interleave");
	return NULL;
}

/* The nodes of CPUs; ncpus 0: all whose CPUs may be used. */
static void find_readers(const struct topo *t, const int *cpus, int ncpus, bool *readers)
{
	for (int i = 0; i < (ncpus ? ncpus : t->ncpus); i++) {
		const struct topo_cpu *cpu = ncpus ? topo_cpu(t, cpus[i]) : &t->cpus[i];

		if (cpu && cpu->allowed && cpu->node >= 0 && cpu->node < LINUX_NODES)
			readers[cpu->node] = true;
	}
}

/* Rates of the policy's nodes, in ascending order. Returns how many, or -1: one is not known. */
static int find_rates(
	const struct topo *t, const struct policy *p, const bool *readers, double *rates)
{
	int n = 0;

	for (int node = 0; node < LINUX_NODES; node++) {
		if (!policy_has(p->nodes, node))
			continue;
		rates[n] = topo_lowest_rate(t, readers, LINUX_NODES, node);
		if (!(rates[n++] > 0))
			return -1;
	}
	return n;
}

/* Moves a part of what the other nodes have to the readers, in proportion on both sides. False:
 * there are no others. */
static bool shift(const struct policy *p, const bool *readers, double part, double *rates)
{
	double near = 0, far = 0;

	for (int node = 0, n = 0; node < LINUX_NODES; node++)
		if (policy_has(p->nodes, node))
			*(readers[node] ? &near : &far) += rates[n++];
	for (int node = 0, n = 0; node < LINUX_NODES; node++)
		if (policy_has(p->nodes, node))
			rates[n++] *= readers[node] ? 1 + part * far / near : 1 - part;
	return near > 0 && far > 0;
}

char *policy_of_rates(
	const struct topo *t, const int *cpus, int ncpus, double part, struct policy *p)
{
	bool readers[LINUX_NODES] = {false};
	double rates[LINUX_NODES];
	unsigned weights[LINUX_NODES];

	*p = policy_of_all(t, MPOL_DEFAULT, NULL);
	if (!t->rates)
		return alloc_format("weights by bandwidth: --bandwidths names no results of "
				    "args/matrix/bandwidth.args");
	find_readers(t, cpus, ncpus, readers);
	int n = find_rates(t, p, readers, rates);

	if (n < 0)
		return alloc_format("weights by bandwidth: '%s' does not have them for all nodes",
			t->rates_source);
	if (part > 0 && !shift(p, readers, part, rates))
		return alloc_format("weights by bandwidth, more of them near: all nodes are near");
	deal_weights(rates, (size_t)n, weights);
	for (int node = LINUX_NODES - 1; node >= 0; node--)
		if (policy_has(p->nodes, node))
			p->weights[node] = (unsigned char)weights[--n];
	if (are_equal(p))
		return alloc_format("weights by bandwidth: they are equal, as those of interleave");
	return NULL;
}

char *policy_weights(const struct policy *p)
{
	char *text = alloc_format("%s", "");

	for (int node = 0; node < LINUX_NODES; node++)
		if (p->weights[node])
			alloc_append(&text, ",", "%d=%u", node, (unsigned)p->weights[node]);
	return text;
}
