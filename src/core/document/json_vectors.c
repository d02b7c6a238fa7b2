/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the vectors of a run into the JSON document. */
#include "document/json_vectors.h"

#include <stdio.h>

#include "analysis/overheads.h"
#include "document/value.h"

json_t *json_pages_by_node(const struct mem_found *found)
{
	json_t *o = json_object();
	char node[16];

	for (int i = 0; i < MEM_MAX_NODES; i++)
		if (found->on_node[i]) {
			snprintf(node, sizeof(node), "%d", i);
			json_object_set_new(o, node, json_integer((json_int_t)found->on_node[i]));
		}
	return o;
}

static json_t *state(const struct plan_vector *v)
{
	json_t *steps = json_array();

	for (int i = 0; i < v->nsteps; i++)
		json_array_append_new(
			steps, json_pack("{s:s, s:i}", "action", action_names[v->steps[i].action],
				       "cpu", v->steps[i].cpu));
	return json_pack("{s:o, s:o}", "asked", value_string(v->state), "steps", steps);
}

static json_t *placement(const struct plan_vector *v, const struct placement *found)
{
	struct placement_thp thp = placement_thp(v, found);
	json_t *o = json_pack("{s:o, s:s?, s:I, s:I, s:I, s:I, s:I, s:s?, s:i, s:i, s:I, s:I, s:I}",
		"pages_on_node", json_pages_by_node(&found->pages), "nodes_shown_by",
		mem_proof_names[found->pages.proof], "pages_absent",
		(json_int_t)found->pages.absent, "base_page_bytes", (json_int_t)mem_base_page(),
		"kernel_page_bytes", (json_int_t)found->sizes.kernel_page_bytes,
		"transparent_huge_bytes", (json_int_t)thp.bytes, "transparent_page_bytes",
		(json_int_t)thp.page_bytes, "sizes_shown_by", thp.shown_by, "touched_by_cpu",
		found->touched_by, "touching_threads", found->touchers, "pages_moved_during_run",
		(json_int_t)found->moved, "map_ns", (json_int_t)found->map_ns, "touch_ns",
		(json_int_t)found->touch_ns);

	if (placement_broken(v, found))
		json_object_set_new(o, "broken", json_true());
	if (found->copy_ns)
		json_object_set_new(o, "copy_ns", json_integer((json_int_t)found->copy_ns));
	if (found->touchers > 1 && v->policy == MEM_INTERLEAVE)
		json_object_set_new(o, "touched_in_turn", json_true());
	if (v->placement == PLACEMENT_LOCAL_FRAG || plan_far_blocks(v))
		json_object_set_new(o, "free_huge",
			json_pack("{s:i, s:I, s:I, s:I}", "node", v->home, "local_bytes",
				(json_int_t)found->promise.local, "remote_bytes",
				(json_int_t)found->promise.remote, "none_bytes",
				(json_int_t)found->promise.rest));
	if (found->bring_ns)
		json_object_set_new(o, "moved_back",
			json_pack("{s:I, s:I}", "bytes", (json_int_t)found->brought, "ns",
				(json_int_t)found->bring_ns));
	if (v->tables >= 0)
		json_object_set_new(o, "page_tables",
			json_pack("{s:I, s:I, s:I, s:b}", "needed",
				(json_int_t)found->tables.needed, "more_on_node",
				(json_int_t)found->tables.there, "more_elsewhere",
				(json_int_t)found->tables.elsewhere, "only_node_with_memory",
				found->tables.only_node));
	return o;
}

static json_t *vector(const struct prepared *r, int index)
{
	const struct plan_vector *v = &r->plan->vectors[index];
	json_t *again = json_array();

	for (size_t i = 1; i < r->made; i++)
		json_array_append_new(again, placement(v, prepare_found(r, i, index)));
	json_t *o = json_pack("{s:o, s:I, s:I, s:s, s:s, s:s, s:i, s:o, s:o}", "asked_node",
		value_string(v->asked), "elements", (json_int_t)v->elements, "bytes",
		(json_int_t)v->bytes, "type", element_names[v->type], "asked_pages",
		pages_names[v->pages], "init", init_names[v->init], "init_thread", v->toucher,
		"found", placement(v, prepare_found(r, 0, index)), "found_again", again);

	if (v->order != TOUCH_ANY)
		json_object_set_new(o, "touch_order", value_string(touch_order_names[v->order]));
	if (v->placement != PLACEMENT_BY_NODE)
		json_object_set_new(o, "placement",
			json_pack("{s:s, s:i}", "name", placement_names[v->placement], "thread",
				v->placed_for));
	if (v->division)
		json_object_set_new(o, "part",
			json_pack("{s:i, s:s, s:i, s:i}", "of_vector", v->whole, "by",
				division_names[v->division], "number", v->part, "parts", v->parts));
	if (v->memory)
		json_object_set_new(o, "memory", value_string(v->memory));
	if (v->weights_by)
		json_object_set_new(o, "weights_by", value_string(v->weights_by));
	if (v->tables >= 0)
		json_object_set_new(o, "tables_node", json_integer(v->tables));
	if (v->target >= 0)
		json_object_set_new(o, "target_node", json_integer(v->target));
	if (v->state)
		json_object_set_new(o, "state", state(v));
	return o;
}

json_t *json_vectors(const struct prepared *r)
{
	json_t *list = json_array();

	for (int i = 0; i < r->plan->nvectors; i++)
		json_array_append_new(list, vector(r, i));
	return list;
}

static json_t *left(const struct left *l)
{
	return json_pack("{s:I, s:I, s:I, s:I}", "huge_bytes", (json_int_t)l->huge, "free_bytes",
		(json_int_t)l->all, "blocks_broken", (json_int_t)l->broken, "most_huge_bytes",
		(json_int_t)l->most);
}

json_t *json_leaves(const struct prepared *r)
{
	const struct plan *p = r->plan;
	json_t *list = p->nleaves ? json_array() : NULL;

	for (int i = 0; i < p->nleaves; i++) {
		json_t *each = json_array();

		for (size_t k = 0; k < r->made; k++)
			json_array_append_new(each, left(leave_left(&r->leave, k, i)));
		json_array_append_new(
			list, json_pack("{s:i, s:I, s:o}", "node", p->leaves[i].node, "asked_bytes",
				      (json_int_t)p->leaves[i].bytes, "left", each));
	}
	return list;
}

json_t *json_profiler(const struct experiment *x, size_t run)
{
	const struct judgement *j = &x->runs[run].judgement;

	return json_pack("{s:o, s:o, s:o, s:s, s:b}", "judged_by",
		value_string(x->runs[j->by].label), "gain_percent", value_amount(j->gain),
		"cost_percent", value_amount(j->cost), "cost_of", j->of_stalls ? "stalls" : "times",
		"moves_back", j->moves_back);
}

json_t *json_physical(const struct run *t)
{
	static const size_t largest[] = {32, 64, 128, 256};
	const struct physical *f = &t->prepared.physical;
	json_t *parts = json_object();
	uint64_t pages = 0;

	for (size_t i = 0; i < f->frames.count; i++)
		pages += f->frames.lengths[i];
	for (size_t i = 0; i < sizeof(largest) / sizeof(*largest); i++) {
		char name[24];

		snprintf(name, sizeof(name), "%zu", largest[i]);
		json_object_set_new(
			parts, name, value_number(100 * overheads_coverage(t, largest[i])));
	}
	return json_pack("{s:o, s:o, s:o}", "ranges",
		f->error ? json_null() : json_integer((json_int_t)f->frames.count), "pages",
		f->error ? json_null() : json_integer((json_int_t)pages), "coverage_percent",
		parts);
}
