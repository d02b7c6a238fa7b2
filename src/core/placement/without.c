/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places vectors by first touch alone, where the kernel accepts no memory policy. */
#include <errno.h>
#include <string.h>

#include "memory/check.h"
#include "placement/team.h"
#include "placement/touch.h"

static bool on_node(const struct topo *t, int cpu, int node)
{
	const struct topo_cpu *c = topo_cpu(t, cpu);

	return c && c->node == node;
}

static bool all_on_node(const struct topo *t, const struct touchers *who, int node)
{
	for (int i = 0; i < who->n; i++)
		if (!on_node(t, who->cpus[i], node))
			return false;
	return true;
}

static int cpu_of(const struct topo *t, int node)
{
	for (int i = 0; i < t->ncpus; i++)
		if (t->cpus[i].allowed && t->cpus[i].node == node)
			return t->cpus[i].cpu;
	return -1;
}

/* The same text for all vectors, so that it is in the list once. */
static void warn_of_no_policy(int error, const char *instead, struct errors *e)
{
	if (error == ENOSYS)
		error_warn(e, "the kernel has no memory policies; %s", instead);
	else
		error_warn(e, "memory policies are forbidden here; %s", instead);
	error_hint(e, "in a container: docker run or podman run --cap-add SYS_NICE gives the right "
		      "to them");
}

static int nobody_there(const struct plan *p, int vector, int node, const struct mem_rights *rights,
	struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, p->request->node_per_vector.at,
		"vector %d, asked for node %s: the kernel refuses memory policies (mbind: %s), and "
		"no thread of this process may run on node %d to touch it first",
		vector, p->vectors[vector].asked, strerror(rights->policies), node);
	return error_hint(e,
		rights->policies == ENOSYS
			? "this kernel was built without NUMA: use nodePerVector: local"
			: "give a container the right to them: docker run or podman run --cap-add "
			  "SYS_NICE");
}

static int refuse_order(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	error_add(e, STATUS_PLACEMENT, p->request->order_per_vector.at,
		"vector %d: without memory policies its pages are interleaved by threads that "
		"touch them in turn, not %s",
		vector, touch_order_names[v->order]);
	return error_hint(e, "initOrderPerVector: any; or give a container the right to policies: "
			     "docker run or podman run --cap-add SYS_NICE");
}

/* One thread on each node; they touch page by page in turn, as the policy would give pages. */
static int interleave(const struct plan *p, int vector, const struct mem_rights *rights,
	struct touchers *who, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	int n = 0;

	if (v->order != TOUCH_ANY)
		return refuse_order(p, vector, e);
	for (int node = 0; node < MEM_MAX_NODES; node++) {
		int cpu = v->nodes[node] ? cpu_of(p->topo, node) : -1;

		if (!v->nodes[node])
			continue;
		if (cpu < 0)
			return nobody_there(p, vector, node, rights, e);
		who->cpus[n++] = cpu;
	}
	who->n = n;
	who->turn = mem_touch_bytes(v->pages, v->bytes);
	return team_check(n, e);
}

/* One of a set will do. */
static int first_node(const struct plan_vector *v)
{
	int node = 0;

	while (v->node < 0 && !v->nodes[node])
		node++;
	return v->node < 0 ? node : v->node;
}

int touch_without_policy(const struct plan *p, int vector, const struct mem_rights *rights,
	struct touchers *who, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	int failed = 0;

	/* the default does what the request asks for */
	if (v->policy == MEM_LOCAL || mem_only_node(rights) >= 0) {
		warn_of_no_policy(rights->policies, "left to the kernel's default", e);
		return 0;
	}
	if (v->policy == MEM_INTERLEAVE) {
		failed = interleave(p, vector, rights, who, e);
	} else if (!all_on_node(p->topo, who, first_node(v))) {
		who->cpus[0] = cpu_of(p->topo, first_node(v));
		who->n = 1;
		if (who->cpus[0] < 0)
			failed = nobody_there(p, vector, first_node(v), rights, e);
	}
	if (!failed)
		warn_of_no_policy(rights->policies,
			"a thread of each vector's node touches it first, whatever initPerVector "
			"says",
			e);
	return failed;
}
