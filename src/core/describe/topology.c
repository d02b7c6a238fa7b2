/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine as JSON. */
#include <stdlib.h>

#include "base/alloc.h"
#include "describe/describe.h"
#include "document/value.h"
#include "memory/capacity.h"
#include "memory/mem.h"

static json_t *pools(int node)
{
	json_t *list = json_array();

	for (size_t i = 0; i < MEM_POOLS; i++) {
		size_t bytes = mem_pool_bytes[i];

		if (capacity_pool_exists(bytes))
			json_array_append_new(
				list, json_pack("{s:I, s:I, s:I}", "page_bytes", (json_int_t)bytes,
					      "pages", (json_int_t)capacity_pool_size(node, bytes),
					      "free", (json_int_t)capacity_pool_free(node, bytes)));
	}
	return list;
}

static json_t *cpus_of_node(const struct topo *t, int node)
{
	json_t *list = json_array();

	for (int i = 0; i < t->ncpus; i++)
		if (t->cpus[i].node == node)
			json_array_append_new(list, json_integer(t->cpus[i].cpu));
	return list;
}

static json_t *nodes_json(const struct topo *t)
{
	json_t *list = json_array();

	for (int i = 0; i < t->nnodes; i++) {
		const struct topo_node *n = &t->nodes[i];
		bool known = t->this_system && n->bytes;

		json_array_append_new(list,
			json_pack("{s:i, s:o, s:I, s:b, s:s?, s:b, s:I, s:o, s:o}", "node", n->node,
				"cpus", cpus_of_node(t, n->node), "memory_bytes",
				(json_int_t)n->bytes, "memory_allowed", n->allowed, "memory_kind",
				n->memory, "memory_kind_guessed", n->guessed,
				"memory_side_cache_bytes", (json_int_t)n->cache, "available_bytes",
				known ? json_integer((json_int_t)capacity_available(n->node))
				      : json_null(),
				"pools", known ? pools(n->node) : json_array()));
	}
	return list;
}

static json_t *cpus(const struct topo *t)
{
	json_t *list = json_array();

	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[i];

		json_array_append_new(
			list, json_pack("{s:i, s:i, s:i, s:o, s:o, s:s?, s:b}", "cpu", c->cpu,
				      "core", c->core, "hardware_thread", c->thread, "node",
				      c->node < 0 ? json_null() : json_integer(c->node), "package",
				      c->package < 0 ? json_null() : json_integer(c->package),
				      "kind", topo_kind_name(t, c->kind), "allowed", c->allowed));
	}
	return list;
}

static json_t *cpus_under(const struct topo *t, int level, int cache)
{
	json_t *list = json_array();

	for (int i = 0; i < t->ncpus; i++)
		if (t->cpus[i].caches[level] == cache)
			json_array_append_new(list, json_integer(t->cpus[i].cpu));
	return list;
}

/* The places of a level by their numbers, in the order of their CPUs. */
static json_t *level_places_json(const struct topo *t, const struct topo_level *l)
{
	int most = 0, *index;
	json_t *list = json_array();

	for (int i = 0; i < t->ncpus; i++)
		most = l->of[i] > most ? l->of[i] : most;
	index = alloc_zeroed((size_t)most + 1, sizeof(*index)); /* 1 + */
	for (int i = 0; i < t->ncpus; i++) {
		const int number = l->of[i];

		if (number < 0)
			continue;
		if (!index[number]) {
			json_array_append_new(
				list, json_pack("{s:i, s:[]}", "number", number, "cpus"));
			index[number] = (int)json_array_size(list);
		}
		json_array_append_new(
			json_object_get(json_array_get(list, (size_t)index[number] - 1), "cpus"),
			json_integer(t->cpus[i].cpu));
	}
	free(index);
	return list;
}

/* The outermost first, those in no order last. */
static json_t *levels(const struct topo *t)
{
	json_t *list = json_array();

	for (int i = 0; i < t->nlevels; i++) {
		const struct topo_level *l = &t->levels[i];

		json_array_append_new(list,
			json_pack("{s:s, s:s?, s:b, s:i, s:i, s:o}", "level", l->name, "same_as",
				l->same_as < 0 ? NULL : t->levels[l->same_as].name, "in_order",
				!l->aside, "cpus_without", l->missing, "cpus_not_known", l->hidden,
				"places", level_places_json(t, l)));
	}
	return list;
}

/* Those whose size is known. */
static json_t *caches(const struct topo *t)
{
	json_t *list = json_array();

	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_cache *c = &t->caches[level];

		for (int i = 0; i < c->count; i++)
			if (c->each[i].bytes)
				json_array_append_new(list,
					json_pack("{s:i, s:I, s:i, s:b, s:o}", "level", level,
						"bytes", (json_int_t)c->each[i].bytes, "line_bytes",
						(int)c->line, "line_assumed", c->line_assumed,
						"cpus", cpus_under(t, level, i)));
	}
	return list;
}

static json_t *kinds_json(const struct topo *t)
{
	json_t *list = json_array();

	for (int i = 0; i < t->nkinds; i++) {
		const struct topo_kind *k = &t->kinds[i];

		json_array_append_new(
			list, json_pack("{s:s, s:s?, s:o, s:o, s:i}", "name", k->name, "type",
				      k->type, "efficiency",
				      k->efficiency < 0 ? json_null() : json_integer(k->efficiency),
				      "highest_clock_hz",
				      k->max_hz > 0 ? json_real(k->max_hz) : json_null(), "cores",
				      k->cores));
	}
	return list;
}

/* Rows and columns in the order of the nodes; 0 is unknown. */
static json_t *matrix(const struct topo *t, const uint64_t *of)
{
	json_t *rows = json_array();

	for (int i = 0; i < t->nnodes; i++) {
		json_t *row = json_array();

		for (int k = 0; k < t->nnodes; k++) {
			uint64_t value = of[i * t->nnodes + k];

			json_array_append_new(
				row, value ? json_integer((json_int_t)value) : json_null());
		}
		json_array_append_new(rows, row);
	}
	return rows;
}

char *describe_topology(const struct topo *t)
{
	json_t *o = describe_begin("affinity --topology");

	json_object_update_new(
		o, json_pack("{s:o, s:b, s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:o}", "source",
			   value_string(t->source), "this_machine", t->this_system, "library",
			   topo_library(), "caches_from", topo_caches_from(t), "packages",
			   t->npackages, "cores", t->ncores, "nodes", nodes_json(t), "cpus",
			   cpus(t), "caches", caches(t), "kinds", kinds_json(t)));
	json_object_set_new(o, "levels", levels(t));
	json_object_set_new(o, "distances", t->distances ? matrix(t, t->distances) : json_null());
	json_object_set_new(
		o, "bandwidths_mib_per_s", t->bandwidths ? matrix(t, t->bandwidths) : json_null());
	json_object_set_new(
		o, "latencies_ns", t->latencies ? matrix(t, t->latencies) : json_null());
	json_object_set_new(o, "attributes_measured", json_boolean(t->measured));
	return describe_text(o);
}
