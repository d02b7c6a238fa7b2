/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the machine once, through hwloc and system.c, into the tables of query.c.
 *
 * machine.c reads hwloc once, with kinds.c, caches.c, tiers.c and memattrs.c for their parts and
 * system.c for what hwloc lacks; topo.c puts all into plain tables. query.c, levels.c,
 * level_names.c and pairs.c answer from the tables.
 */
#include "topology/topo.h"

#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/capacity.h"
#include "topology/caches.h"
#include "topology/kinds.h"
#include "topology/levels.h"
#include "topology/machine.h"
#include "topology/system.h"
#include "topology/tiers.h"

struct topo_handle {
	hwloc_topology_t hwloc;
	hwloc_bitmap_t mask; /* what the loading thread was allowed to run on */
};

static int by_number(const void *a, const void *b)
{
	const struct topo_node *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

static bool has_node(const struct topo *t, int node)
{
	for (int i = 0; i < t->nnodes; i++)
		if (t->nodes[i].node == node)
			return true;
	return false;
}

static void add_node(struct topo *t, int node, uint64_t bytes, bool allowed)
{
	t->nodes = alloc_grow(t->nodes, (size_t)t->nnodes, sizeof(*t->nodes));
	t->nodes[t->nnodes++] =
		(struct topo_node){.node = node, .bytes = bytes, .allowed = allowed && bytes > 0};
}

/* hwloc leaves out nodes with CPUs and no memory, but a file may ask for threads on them; and
 * before 2.10 all but one of the nodes with the same CPUs, whose memory is as good as that one's.
 */
static void add_hidden_nodes(struct topo *t, const bool *mems)
{
	bool there[LINUX_NODES];

	topo_system_nodes(there);
	for (int i = 0; i < LINUX_NODES; i++)
		if (there[i] && !has_node(t, i))
			add_node(t, i, capacity_total(i), mems[i]);
}

static void load_nodes(struct topo *t, hwloc_topology_t hwloc)
{
	hwloc_const_nodeset_t set = hwloc_topology_get_allowed_nodeset(hwloc);
	bool mems[LINUX_NODES];
	hwloc_obj_t o = NULL;

	if (t->this_system)
		topo_system_mems(mems);
	while ((o = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_NUMANODE, o))) {
		bool allowed = hwloc_bitmap_isset(set, o->os_index);

		if (t->this_system && o->os_index < LINUX_NODES)
			allowed = allowed && mems[o->os_index];
		/* on this machine the kernel knows better: memory may come only as it is used */
		uint64_t bytes = t->this_system ? capacity_total((int)o->os_index)
						: o->attr->numanode.local_memory;
		add_node(t, (int)o->os_index, bytes, allowed);
	}
	if (t->this_system)
		add_hidden_nodes(t, mems);
	for (int i = 0; t->this_system && i < t->nnodes; i++)
		t->nodes[i].kernel_weight = topo_system_weight(t->nodes[i].node);
	if (t->nnodes)
		qsort(t->nodes, (size_t)t->nnodes, sizeof(*t->nodes), by_number);
}

struct sized_node {
	hwloc_obj_t node;
	int cpus;
};

static int by_size(const void *a, const void *b)
{
	const struct sized_node *x = a, *y = b;

	if (x->cpus != y->cpus)
		return x->cpus < y->cpus ? -1 : 1;
	return (x->node->os_index > y->node->os_index) - (x->node->os_index < y->node->os_index);
}

/* Smallest nodes first; the first node to claim a CPU keeps it. If two nodes have the same CPUs
 * (fast and slow memory), the second one is memory-only, and so is a node that spans several
 * others. */
static void homes_by_size(hwloc_topology_t hwloc, int *home)
{
	struct sized_node *nodes = NULL;
	hwloc_obj_t o = NULL;
	size_t n = 0;

	while ((o = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_NUMANODE, o))) {
		nodes = alloc_grow(nodes, n, sizeof(*nodes));
		nodes[n++] = (struct sized_node){o, hwloc_bitmap_weight(o->cpuset)};
	}
	if (n)
		qsort(nodes, n, sizeof(*nodes), by_size);
	for (size_t i = 0; i < n; i++) {
		int cpu = hwloc_bitmap_first(nodes[i].node->cpuset);

		for (; cpu >= 0; cpu = hwloc_bitmap_next(nodes[i].node->cpuset, cpu))
			if (home[cpu] < 0)
				home[cpu] = (int)nodes[i].node->os_index;
	}
	free(nodes);
}

static int *find_homes(const struct topo *t, hwloc_topology_t hwloc)
{
	int *home = alloc_zeroed((size_t)t->ncpu_index, sizeof(*home));

	for (int i = 0; i < t->ncpu_index; i++)
		home[i] = -1;
	/* hwloc also gives a memory-only node the CPUs near it; the system says to which node they
	 * belong. */
	if (!t->this_system || !topo_system_homes(home, t->ncpu_index))
		homes_by_size(hwloc, home);
	return home;
}

/* If hwloc knows no cores, each hardware thread counts as a core. */
static void load_cpus(struct topo *t, struct topo_handle *h)
{
	hwloc_const_cpuset_t set = hwloc_topology_get_allowed_cpuset(h->hwloc);
	int *home = find_homes(t, h->hwloc), thread = 0;
	hwloc_obj_t pu = NULL, last = NULL;

	while ((pu = hwloc_get_next_obj_by_type(h->hwloc, HWLOC_OBJ_PU, pu))) {
		hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(h->hwloc, HWLOC_OBJ_CORE, pu);
		hwloc_obj_t pack = hwloc_get_ancestor_obj_by_type(h->hwloc, HWLOC_OBJ_PACKAGE, pu);
		int cpu = (int)pu->os_index;

		if (!core || core != last) {
			t->ncores++;
			thread = 0;
		}
		last = core;
		t->cpus = alloc_grow(t->cpus, (size_t)t->ncpus, sizeof(*t->cpus));
		t->cpu_index[cpu] = t->ncpus;
		t->cpus[t->ncpus++] = (struct topo_cpu){
			.cpu = cpu,
			.core = t->ncores - 1,
			.thread = thread++,
			.node = home[cpu],
			.package = pack ? (int)pack->logical_index : -1,
			.allowed = hwloc_bitmap_isset(set, (unsigned)cpu) &&
				   (!t->this_system || hwloc_bitmap_isset(h->mask, (unsigned)cpu)),
		};
	}
	free(home);
	t->npackages = hwloc_get_nbobjs_by_type(h->hwloc, HWLOC_OBJ_PACKAGE);
	if (t->npackages < 0)
		t->npackages = 0;
}

/* Asked only where there are CPUs that the process may not use now. */
static void find_nameable(struct topo *t)
{
	bool *granted = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*granted)), all = true;

	for (int i = 0; i < t->ncpus; i++)
		all &= t->cpus[i].allowed;
	if (t->this_system && !all && topo_system_cpuset(granted, t->ncpu_index))
		for (int i = 0; i < t->ncpus; i++)
			t->cpus[i].nameable = !t->cpus[i].allowed && granted[t->cpus[i].cpu];
	free(granted);
}

static void count_cpus(struct topo *t)
{
	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_node *home = topo_node(t, t->cpus[i].node);

		if (!home)
			continue;
		t->nodes[home - t->nodes].cpus++;
		t->nodes[home - t->nodes].allowed_cpus += t->cpus[i].allowed;
	}
}

/* Pairs missing in the matrix (nodes without memory) stay 0: topo_distance() has a default. */
static void copy_distances(struct topo *t, const struct hwloc_distances_s *d)
{
	size_t n = (size_t)t->nnodes;

	t->distances = alloc_zeroed(n * n, sizeof(*t->distances));
	for (unsigned i = 0; i < d->nbobjs; i++) {
		const struct topo_node *from = topo_node(t, (int)d->objs[i]->os_index);

		for (unsigned j = 0; from && j < d->nbobjs; j++) {
			const struct topo_node *to = topo_node(t, (int)d->objs[j]->os_index);

			if (to)
				t->distances[(size_t)(from - t->nodes) * n +
					     (size_t)(to - t->nodes)] =
					d->values[(size_t)i * d->nbobjs + j];
		}
	}
}

/* hwloc has no distances of nodes that it leaves out, the kernel has. */
static bool load_kernel_distances(struct topo *t, hwloc_topology_t hwloc)
{
	const size_t n = (size_t)t->nnodes;
	bool known =
		t->this_system && hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_NUMANODE) < t->nnodes;
	uint64_t *all = alloc_zeroed(n * n + 1, sizeof(*all));

	for (size_t i = 0; i < n && known; i++)
		known = !topo_system_distances(t->nodes[i].node, all + i * n, t->nnodes);
	if (known)
		t->distances = all;
	else
		free(all);
	return known;
}

/* The firmware's matrix takes precedence over others that an XML file may contain. */
static void load_distances(struct topo *t, hwloc_topology_t hwloc)
{
	struct hwloc_distances_s *d = NULL;
	unsigned n = 1;

	if (load_kernel_distances(t, hwloc))
		return;
	if (hwloc_distances_get_by_name(hwloc, "NUMALatency", &n, &d, 0) || !n) {
		n = 1;
		if (hwloc_distances_get_by_type(hwloc, HWLOC_OBJ_NUMANODE, &n, &d,
			    HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0))
			return;
	}
	if (!n || !d)
		return;
	copy_distances(t, d);
	hwloc_distances_release(hwloc, d);
}

static void load_tables(struct topo *t, struct topo_handle *h)
{
	t->ncpu_index = hwloc_bitmap_last(hwloc_topology_get_complete_cpuset(h->hwloc)) + 1;
	t->cpu_index = alloc_zeroed((size_t)t->ncpu_index, sizeof(*t->cpu_index));
	for (int i = 0; i < t->ncpu_index; i++)
		t->cpu_index[i] = -1;
	if (hwloc_get_cpubind(h->hwloc, h->mask, HWLOC_CPUBIND_THREAD))
		hwloc_bitmap_copy(h->mask, hwloc_topology_get_allowed_cpuset(h->hwloc));
	load_nodes(t, h->hwloc);
	load_cpus(t, h);
	find_nameable(t);
	count_cpus(t);
	topo_load_kinds(t, h->hwloc);
	topo_load_caches(t, h->hwloc);
	topo_load_levels(t, h->hwloc);
	load_distances(t, h->hwloc);
	topo_load_tiers(t, h->hwloc);
}

int topo_load(struct topo *t, struct errors *e)
{
	hwloc_topology_t hwloc;
	struct topo_handle *h;

	*t = (struct topo){0};
	if (topo_system_check(e))
		return -1;
	if (topo_read_machine(t, &hwloc, e))
		return -1;
	h = alloc_zeroed(1, sizeof(*h));
	h->hwloc = hwloc;
	h->mask = hwloc_bitmap_alloc();
	t->handle = h;
	load_tables(t, h);
	return 0;
}

void topo_free(struct topo *t)
{
	if (t->handle) {
		hwloc_bitmap_free(t->handle->mask);
		hwloc_topology_destroy(t->handle->hwloc);
	}
	free(t->handle);
	topo_free_kinds(t);
	topo_free_levels(t);
	topo_free_tiers(t);
	free(t->cpus);
	free(t->cpu_index);
	free(t->nodes);
	topo_free_measured(t);
	free(t->distances);
	free(t->source);
	topo_free_caches(t);
	*t = (struct topo){0};
}

int topo_bind(const struct topo *t, int cpu)
{
	hwloc_bitmap_t one;
	int failed, error;

	/* hwloc does nothing and reports success when the topology is not this machine. */
	if (!t->this_system) {
		errno = ENOSYS;
		return -1;
	}
	if (cpu < 0)
		return hwloc_set_cpubind(t->handle->hwloc, t->handle->mask, HWLOC_CPUBIND_THREAD);
	if (!topo_cpu(t, cpu)) {
		errno = EINVAL;
		return -1;
	}
	one = hwloc_bitmap_alloc();
	hwloc_bitmap_only(one, (unsigned)cpu);
	failed = hwloc_set_cpubind(t->handle->hwloc, one, HWLOC_CPUBIND_THREAD);
	error = errno;
	hwloc_bitmap_free(one);
	errno = error;
	return failed ? -1 : 0;
}

bool topo_offline(const struct topo *t, int cpu)
{
	hwloc_const_bitmap_t complete = hwloc_topology_get_complete_cpuset(t->handle->hwloc);

	if (cpu < 0 || topo_cpu(t, cpu))
		return false;
	return hwloc_bitmap_isset(complete, (unsigned)cpu) ||
	       (t->this_system && topo_system_offline(cpu));
}
