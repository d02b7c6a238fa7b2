/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors and threads of a run: as asked for, and as found in each placement. */
#include <stdlib.h>
#include <string.h>

#include "analysis/overheads.h"
#include "analysis/proven.h"
#include "result/parts.h"

struct document_pages *result_pages(
	struct document *d, const struct mem_found *found, size_t *count)
{
	struct document_pages *list;
	size_t n = 0;

	for (int i = 0; i < MEM_MAX_NODES; i++)
		n += found->on_node[i] > 0;
	list = document_list(d, n, sizeof(*list));
	*count = 0;
	for (int i = 0; i < MEM_MAX_NODES; i++)
		if (found->on_node[i])
			list[(*count)++] = (struct document_pages){i, (int64_t)found->on_node[i]};
	return list;
}

static struct document_placement placement(
	struct document *d, const struct plan_vector *v, const struct placement *found)
{
	const struct placement_thp thp = placement_thp(v, found);
	struct document_placement p = {
		.nodes_shown_by = mem_proof_names[found->pages.proof],
		.pages_absent = (int64_t)found->pages.absent,
		.base_page_bytes = (int64_t)mem_base_page(),
		.kernel_page_bytes = (int64_t)found->sizes.kernel_page_bytes,
		.transparent_huge_bytes = (int64_t)thp.bytes,
		.transparent_page_bytes = (int64_t)thp.page_bytes,
		.sizes_shown_by = thp.shown_by,
		.touched_by_cpu = found->touched_by,
		.touching_threads = found->touchers,
		.touched_in_turn = found->touchers > 1 && v->policy == MEM_INTERLEAVE,
		.pages_moved = (int64_t)found->moved,
		.map_ns = (int64_t)found->map_ns,
		.touch_ns = (int64_t)found->touch_ns,
		.broken = placement_broken(v, found),
		.copy_ns = (int64_t)found->copy_ns,
		.has_free_huge = v->placement == PLACEMENT_LOCAL_FRAG || plan_far_blocks(v),
		.free_huge = {v->home, (int64_t)found->promise.local,
			(int64_t)found->promise.remote, (int64_t)found->promise.rest},
		.has_moved_back = found->bring_ns > 0,
		.moved_back = {(int64_t)found->brought, (int64_t)found->bring_ns},
		.has_page_tables = v->tables >= 0,
		.page_tables = {(int64_t)found->tables.needed, (int64_t)found->tables.there,
			(int64_t)found->tables.elsewhere, found->tables.only_node},
		.has_page_cache = backing_is_file(&v->backed),
		.page_cache = {(int64_t)found->resident.pages, (int64_t)found->left.pages,
			(int64_t)found->minor_faults, (int64_t)found->major_faults,
			found->resident.shown_by},
	};

	p.pages_on_node = result_pages(d, &found->pages, &p.nodes);
	return p;
}

static struct document_step *steps(struct document *d, const struct plan_vector *v)
{
	struct document_step *list = document_list(d, (size_t)v->nsteps, sizeof(*list));

	for (int i = 0; i < v->nsteps; i++)
		list[i] = (struct document_step){action_names[v->steps[i].action], v->steps[i].cpu};
	return list;
}

static struct document_vector vector(struct document *d, const struct prepared *r, int index)
{
	const struct plan_vector *v = &r->plan->vectors[index];
	struct document_vector to = {
		.asked_node = v->asked,
		.elements = (int64_t)v->elements,
		.bytes = (int64_t)v->bytes,
		.type = element_names[v->type],
		.asked_pages = pages_names[v->pages],
		.init = init_names[v->init],
		.init_thread = v->toucher,
		.found = placement(d, v, prepare_found(r, 0, index)),
		.nagain = r->made - 1,
		.touch_order = v->order != TOUCH_ANY ? touch_order_names[v->order] : NULL,
		.has_placement = v->placement != PLACEMENT_BY_NODE,
		.placement = {placement_names[v->placement], v->placed_for},
		.has_part = v->division != 0,
		.part = {v->whole, v->part, v->parts, division_names[v->division]},
		.memory = v->memory,
		.weights_by = v->weights_by,
		.backing = v->backed.kind ? backing_names[v->backed.kind] : NULL,
		.file = v->backed.path,
		.cache = backing_is_file(&v->backed) ? cache_names[v->backed.cache] : NULL,
		.tables_node = v->tables,
		.target_node = v->target,
		.has_state = v->state != NULL,
		.state = v->state,
		.steps = steps(d, v),
		.nsteps = (size_t)v->nsteps,
	};

	to.found_again = document_list(d, to.nagain, sizeof(*to.found_again));
	for (size_t i = 1; i < r->made; i++)
		to.found_again[i - 1] = placement(d, v, prepare_found(r, i, index));
	document_finish_vector(d, &to);
	return to;
}

/* Of nodes with one each the node says it. */
static const char *last_cache(struct document *d, const struct topo *t, int cpu)
{
	const struct topo_cpu *of = cpu < 0 ? NULL : topo_cpu(t, cpu);
	char name[32];

	return of && topo_last_cache_above(t, of, name, sizeof(name)) ? document_copy(d, name)
								      : NULL;
}

static struct document_thread result_thread(struct document *d, const struct plan *p, int thread)
{
	const struct plan_thread *t = &p->threads[thread];
	struct document_thread to = {
		.node = t->node == UNBOUND ? -1 : t->node,
		.core = t->core == UNBOUND ? -1 : t->core,
		.cpu = t->cpu == UNBOUND ? -1 : t->cpu,
		.kind = topo_kind_name(p->topo, t->kind),
		.last_cache = last_cache(d, p->topo, t->cpu),
		.shares_core = t->shares_core,
		.takes_turns = t->takes_turns,
		.vectors = document_list(d, (size_t)t->nvectors, sizeof(*to.vectors)),
		.nvectors = (size_t)t->nvectors,
	};

	for (int k = 0; k < t->nvectors; k++)
		to.vectors[k] = (size_t)t->vector_ids[k];
	return to;
}

static struct document_leave leave(struct document *d, const struct prepared *r, int i)
{
	struct document_leave to = {r->plan->leaves[i].node, (int64_t)r->plan->leaves[i].bytes,
		document_list(d, r->made, sizeof(*to.left)), r->made};

	for (size_t k = 0; k < r->made; k++) {
		const struct left *l = leave_left(&r->leave, k, i);

		to.left[k] = (struct document_left){
			(int64_t)l->huge, (int64_t)l->all, (int64_t)l->broken, (int64_t)l->most};
	}
	return to;
}

static void physical(struct document_run *to, const struct run *t)
{
	const struct physical *f = &t->prepared.physical;
	uint64_t pages = 0;

	for (size_t i = 0; i < f->frames.count; i++)
		pages += f->frames.lengths[i];
	to->has_physical = true;
	to->physical.ranges = f->error ? -1 : (int64_t)f->frames.count;
	to->physical.pages = f->error ? -1 : (int64_t)pages;
	to->physical.of_32 = 100 * overheads_coverage(t, 32);
	to->physical.of_64 = 100 * overheads_coverage(t, 64);
	to->physical.of_128 = 100 * overheads_coverage(t, 128);
	to->physical.of_256 = 100 * overheads_coverage(t, 256);
}

/* The threads of a load look at their CPU at the end of each round. */
static struct document_load load(struct document *d, const struct run *t, size_t line)
{
	const struct background *b = &t->backgrounds.list[line];
	const struct prepared *r = rivals_prepared(t->rivals, line);
	struct document_load to = {.line = b->line->text, .wanted_bytes_per_s = b->wanted};

	if (!r)
		return to;
	to.nvectors = (size_t)b->plan.nvectors;
	to.vectors = document_list(d, to.nvectors, sizeof(*to.vectors));
	for (int i = 0; i < b->plan.nvectors; i++)
		to.vectors[i] = vector(d, r, i);
	to.nthreads = (size_t)b->plan.nthreads;
	to.threads = document_list(d, to.nthreads, sizeof(*to.threads));
	for (int i = 0; i < b->plan.nthreads; i++) {
		to.threads[i] = result_thread(d, &b->plan, i);
		to.threads[i].cpu_shown_by = "getcpu";
	}
	return to;
}

void result_places(struct document *d, struct document_run *to, const struct run *t)
{
	const struct plan *p = &t->plan;
	const struct prepared *r = &t->prepared;

	to->placements = (int64_t)r->made;
	to->nstack_offsets = r->made;
	to->stack_offsets = document_list(d, r->made, sizeof(*to->stack_offsets));
	for (size_t i = 0; i < r->made; i++)
		to->stack_offsets[i] = (int64_t)r->stacks[i];
	to->nvectors = (size_t)p->nvectors;
	to->vectors = document_list(d, to->nvectors, sizeof(*to->vectors));
	for (int i = 0; i < p->nvectors; i++)
		to->vectors[i] = vector(d, r, i);
	to->nthreads = (size_t)p->nthreads;
	to->threads = document_list(d, to->nthreads, sizeof(*to->threads));
	for (int i = 0; i < p->nthreads; i++) {
		to->threads[i] = result_thread(d, p, i);
		to->threads[i].cpu_shown_by = proven_cpu(&t->samples, i);
	}
	to->nloads = t->backgrounds.count;
	to->loads = to->nloads ? document_list(d, to->nloads, sizeof(*to->loads)) : NULL;
	for (size_t i = 0; i < to->nloads; i++)
		to->loads[i] = load(d, t, i);
	to->nleaves = (size_t)p->nleaves;
	to->leaves = to->nleaves ? document_list(d, to->nleaves, sizeof(*to->leaves)) : NULL;
	for (int i = 0; i < p->nleaves; i++)
		to->leaves[i] = leave(d, r, i);
	if (t->request.physical_ranges)
		physical(to, t);
}
