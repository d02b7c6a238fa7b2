/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads kinds of memory, memory attributes and memory-side caches from hwloc. */
#include "topology/tiers.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* What memory-only nodes without a name differ by from those of the CPUs, at least, to be given
 * one: high-bandwidth memory has three times the bandwidth and more of DRAM, and memory behind
 * another bus half of it or less. */
#define UNLIKE 2

/* hwloc's names of one kind of memory, from 2.3 to 2.13; others are kept as they are. */
static const struct {
	const char *of_hwloc, *name;
} names[] = {
	{"MCDRAM", "HBM"},
	{"CXL-DRAM", "CXL"},
	{"CXL-NVM", "CXL"},
	{"GPUMemory", TOPO_GPU},
};

static char *name_of(hwloc_obj_t node)
{
	const char *found =
		node->subtype ? node->subtype : hwloc_obj_get_info_by_name(node, "DAXType");

	if (!found || !*found)
		return NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(found, names[i].of_hwloc))
			found = names[i].name;
	return alloc_string(found, strlen(found));
}

static uint64_t cache_before(hwloc_obj_t node)
{
	uint64_t bytes = 0;

	for (hwloc_obj_t o = node->parent; o && o->type == HWLOC_OBJ_MEMCACHE; o = o->parent)
		bytes += o->attr->cache.size;
	return bytes;
}

/* A node as hwloc asks for it. */
struct end {
	hwloc_obj_t target;
	int cpu; /* one of its CPUs; -1: it has none */
};

static struct end *find_ends(const struct topo *t, hwloc_topology_t hwloc)
{
	struct end *ends = alloc_zeroed((size_t)t->nnodes + 1, sizeof(*ends));

	for (int i = 0; i < t->nnodes; i++)
		ends[i] = (struct end){
			hwloc_get_numanode_obj_by_os_index(hwloc, (unsigned)t->nodes[i].node), -1};
	for (int i = t->ncpus - 1; i >= 0; i--) {
		const struct topo_node *home = topo_node(t, t->cpus[i].node);

		if (home)
			ends[home - t->nodes].cpu = t->cpus[i].cpu;
	}
	return ends;
}

/* The attribute of the memory of a node for the CPUs of another; 0: not known. */
static uint64_t value(
	hwloc_topology_t hwloc, hwloc_memattr_id_t id, const struct end *from, const struct end *to)
{
	struct hwloc_location where = {.type = HWLOC_LOCATION_TYPE_CPUSET};
	hwloc_uint64_t found = 0;

	if (!to->target || from->cpu < 0)
		return 0;
	where.location.cpuset = hwloc_bitmap_alloc();
	hwloc_bitmap_only(where.location.cpuset, (unsigned)from->cpu);
	if (hwloc_memattr_get_value(hwloc, id, to->target, &where, 0, &found))
		found = 0;
	hwloc_bitmap_free(where.location.cpuset);
	return found;
}

/* Of most machines none is known, and all pairs of many nodes would be asked. */
static bool is_known(hwloc_topology_t hwloc, hwloc_memattr_id_t id)
{
	unsigned n = 0;

	return !hwloc_memattr_get_targets(hwloc, id, NULL, 0, &n, NULL, NULL) && n;
}

/* The matrix of an attribute, or of `reading` where the machine has it for reads only; NULL: it has
 * neither. */
static uint64_t *matrix(const struct topo *t, hwloc_topology_t hwloc, hwloc_memattr_id_t id,
	hwloc_memattr_id_t reading)
{
	const size_t n = is_known(hwloc, id) || is_known(hwloc, reading) ? (size_t)t->nnodes : 0;
	uint64_t *values = alloc_zeroed(n * n + 1, sizeof(*values));
	struct end *ends = find_ends(t, hwloc);
	bool any = false;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			uint64_t *v = &values[i * n + k];

			*v = value(hwloc, id, &ends[i], &ends[k]);
			if (!*v)
				*v = value(hwloc, reading, &ends[i], &ends[k]);
			any |= *v > 0;
		}
	free(ends);
	if (any)
		return values;
	free(values);
	return NULL;
}

/* The bandwidth of a node for the CPUs that have most of it. */
static uint64_t best_bandwidth(const struct topo *t, int node)
{
	uint64_t best = 0;

	for (int i = 0; t->bandwidths && i < t->nnodes; i++) {
		uint64_t v = t->bandwidths[i * t->nnodes + node];

		best = v > best ? v : best;
	}
	return best;
}

/* Names memory-only nodes of which hwloc says no kind, by what the attributes say. */
static void guess_names(struct topo *t)
{
	uint64_t usual = 0;

	for (int i = 0; i < t->nnodes; i++)
		if (t->nodes[i].cpus && best_bandwidth(t, i) > usual)
			usual = best_bandwidth(t, i);
	for (int i = 0; i < t->nnodes && usual; i++) {
		uint64_t own = best_bandwidth(t, i);
		struct topo_node *n = &t->nodes[i];
		const char *name = own >= UNLIKE * usual          ? "HBM"
				   : own && UNLIKE * own <= usual ? "slow"
								  : NULL;

		if (n->memory || n->cpus || !name)
			continue;
		n->memory = alloc_string(name, strlen(name));
		n->guessed = true;
	}
}

void topo_load_tiers(struct topo *t, struct hwloc_topology *hwloc)
{
	hwloc_obj_t root = hwloc_get_root_obj(hwloc);

	for (int i = 0; i < t->nnodes; i++) {
		struct topo_node *n = &t->nodes[i];
		hwloc_obj_t o = hwloc_get_numanode_obj_by_os_index(hwloc, (unsigned)n->node);

		n->memory = o ? name_of(o) : NULL;
		n->cache = o ? cache_before(o) : 0;
	}
	t->measured = hwloc_obj_get_info_by_name(root, "MemoryAttributesFrom") != NULL;
	t->bandwidths =
		matrix(t, hwloc, HWLOC_MEMATTR_ID_BANDWIDTH, HWLOC_MEMATTR_ID_READ_BANDWIDTH);
	t->latencies = matrix(t, hwloc, HWLOC_MEMATTR_ID_LATENCY, HWLOC_MEMATTR_ID_READ_LATENCY);
	guess_names(t);
}

void topo_free_tiers(struct topo *t)
{
	for (int i = 0; i < t->nnodes; i++)
		free(t->nodes[i].memory);
	free(t->bandwidths);
	free(t->latencies);
}

bool topo_is_target(const struct topo_node *n)
{
	return n->bytes && n->allowed && !(n->memory && !strcmp(n->memory, TOPO_GPU));
}

bool topo_has_memory(const struct topo_node *n, const char *kind)
{
	return n->bytes && n->allowed && n->memory && !strcmp(n->memory, kind);
}

const char *topo_memories(const struct topo *t, char *buffer, size_t n)
{
	size_t used = 0;

	*buffer = '\0';
	for (int i = 0; i < t->nnodes && used < n; i++) {
		const char *kind = t->nodes[i].memory;
		bool told = !kind || !topo_has_memory(&t->nodes[i], kind);

		for (int k = 0; k < i && !told; k++)
			told = topo_has_memory(&t->nodes[k], kind);
		if (!told)
			used += (size_t)snprintf(
				buffer + used, n - used, "%s%s", used ? ", " : "", kind);
	}
	return buffer;
}

int topo_best(const struct topo *t, const uint64_t *matrix, bool least, int from)
{
	const struct topo_node *initiator = topo_node(t, from);
	uint64_t best = 0;
	int found = -1;

	if (!matrix || !initiator)
		return -1;
	const uint64_t *row = &matrix[(initiator - t->nodes) * t->nnodes];
	for (int i = 0; i < t->nnodes; i++) {
		if (!row[i] || !topo_is_target(&t->nodes[i]) ||
			(found >= 0 && (least ? row[i] >= best : row[i] <= best)))
			continue;
		best = row[i];
		found = t->nodes[i].node;
	}
	return found;
}
