/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what was asked of a vector and found in each placement. */
#include <stdlib.h>

#include "document/parts.h"

int document_by_node(const void *a, const void *b)
{
	const struct document_pages *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

struct document_pages *document_pages(struct document *d, json_t *o, size_t *n)
{
	const char *node;
	json_t *count;
	size_t i = 0;

	*n = json_object_size(o);
	struct document_pages *list = document_list(d, *n, sizeof(*list));

	json_object_foreach (o, node, count)
		list[i++] = (struct document_pages){atoi(node), json_integer_value(count)};
	qsort(list, *n, sizeof(*list), document_by_node);
	return list;
}

static void read_moves(struct document_placement *p, const json_t *o)
{
	const json_t *free = json_object_get(o, "free_huge"),
		     *back = json_object_get(o, "moved_back"),
		     *tables = json_object_get(o, "page_tables");

	p->has_free_huge = json_is_object(free);
	p->free_huge.node = (int)document_whole(free, "node");
	p->free_huge.local_bytes = document_whole(free, "local_bytes");
	p->free_huge.remote_bytes = document_whole(free, "remote_bytes");
	p->free_huge.none_bytes = document_whole(free, "none_bytes");
	p->has_moved_back = json_is_object(back);
	p->moved_back.bytes = document_whole(back, "bytes");
	p->moved_back.ns = document_whole(back, "ns");
	p->has_page_tables = json_is_object(tables);
	p->page_tables.needed = document_whole(tables, "needed");
	p->page_tables.more_on_node = document_whole(tables, "more_on_node");
	p->page_tables.more_elsewhere = document_whole(tables, "more_elsewhere");
	p->page_tables.only_node_with_memory = document_flag(tables, "only_node_with_memory");
}

static void read_placement(struct document *d, struct document_placement *p, const json_t *o)
{
	*p = (struct document_placement){
		.nodes_shown_by = document_text(o, "nodes_shown_by"),
		.sizes_shown_by = document_text(o, "sizes_shown_by"),
		.pages_absent = document_whole(o, "pages_absent"),
		.base_page_bytes = document_whole(o, "base_page_bytes"),
		.kernel_page_bytes = document_whole(o, "kernel_page_bytes"),
		.transparent_huge_bytes = document_whole(o, "transparent_huge_bytes"),
		.transparent_page_bytes = document_whole(o, "transparent_page_bytes"),
		.map_ns = document_whole(o, "map_ns"),
		.touch_ns = document_whole(o, "touch_ns"),
		.copy_ns = document_whole(o, "copy_ns"),
		.touched_by_cpu = (int)document_whole(o, "touched_by_cpu"),
		.touching_threads = (int)document_whole(o, "touching_threads"),
		.touched_in_turn = document_flag(o, "touched_in_turn"),
	};
	p->pages_on_node = document_pages(d, json_object_get(o, "pages_on_node"), &p->nodes);
	read_moves(p, o);
}

static void read_steps(struct document *d, struct document_vector *v, const json_t *steps)
{
	v->nsteps = json_array_size(steps);
	v->steps = document_list(d, v->nsteps, sizeof(*v->steps));
	for (size_t i = 0; i < v->nsteps; i++) {
		const json_t *o = json_array_get(steps, i);

		v->steps[i] = (struct document_step){
			document_text_or_empty(o, "action"), (int)document_whole(o, "cpu")};
	}
}

static int node_or_none(const json_t *o, const char *key)
{
	return json_object_get(o, key) ? (int)document_whole(o, key) : -1;
}

void document_read_found(struct document *d, struct document_vector *v, const json_t *o)
{
	const json_t *placement = json_object_get(o, "placement"),
		     *part = json_object_get(o, "part"), *again = json_object_get(o, "found_again");

	v->touch_order = document_text(o, "touch_order");
	v->memory = document_text(o, "memory");
	v->weights_by = document_text(o, "weights_by");
	v->has_placement = json_is_object(placement);
	v->placement.name = document_text_or_empty(placement, "name");
	v->placement.thread = (int)document_whole(placement, "thread");
	v->has_part = json_is_object(part);
	v->part.of_vector = (int)document_whole(part, "of_vector");
	v->part.number = (int)document_whole(part, "number");
	v->part.parts = (int)document_whole(part, "parts");
	v->part.by = document_text_or_empty(part, "by");
	v->tables_node = node_or_none(o, "tables_node");
	v->target_node = node_or_none(o, "target_node");
	read_steps(d, v, json_object_get(json_object_get(o, "state"), "steps"));
	read_placement(d, &v->found, json_object_get(o, "found"));
	v->nagain = json_array_size(again);
	v->found_again = document_list(d, v->nagain, sizeof(*v->found_again));
	for (size_t i = 0; i < v->nagain; i++)
		read_placement(d, &v->found_again[i], json_array_get(again, i));
}
