/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors and threads of a document: what was asked for and what was found. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "document/parts.h"
#include "document/rows.h"
#include "input/values.h"
#include "plan/plan.h"

static const char *const proofs_of_nodes[] = {"move_pages", "numa_maps", "one node", NULL};
static const char *const proofs_of_sizes[] = {"pagemap", "smaps", "touch", NULL};

#define OF struct document_placement
static const struct field free_rows[] = {
	INT("node", free_huge.node, FROM_0, "of its threads"),
	WHOLE("local_bytes", free_huge.local_bytes, MUST | FROM_0, NULL),
	WHOLE("remote_bytes", free_huge.remote_bytes, MUST | FROM_0, NULL),
	WHOLE("none_bytes", free_huge.none_bytes, MUST | FROM_0, NULL),
};
static const struct fields free_fields = FIELDS(NULL, free_rows);

static const struct field moved_rows[] = {
	WHOLE("bytes", moved_back.bytes, MUST | FROM_0, NULL),
	WHOLE("ns", moved_back.ns, MUST | FROM_1, NULL),
};
static const struct fields moved_fields = FIELDS(NULL, moved_rows);

static const struct field page_table_rows[] = {
	WHOLE("needed", page_tables.needed, MUST | FROM_1, NULL),
	WHOLE("more_on_node", page_tables.more_on_node, MUST, NULL),
	WHOLE("more_elsewhere", page_tables.more_elsewhere, MUST, NULL),
	FLAG("only_node_with_memory", page_tables.only_node_with_memory, MUST,
		"this is the proof, not the counts"),
};
static const struct fields page_table_fields = FIELDS(NULL, page_table_rows);

static const struct field page_cache_rows[] = {
	WHOLE("resident_before", page_cache.resident_before, MUST | FROM_0,
		"base pages in memory before it was mapped"),
	WHOLE("left", page_cache.left, MUST | FROM_0,
		"base pages that stayed when they were dropped"),
	TEXT("shown_by", page_cache.shown_by, NULLED, "mincore or cachestat; null: not asked"),
	WHOLE("minor_faults", page_cache.minor_faults, MUST | FROM_0, "while it was touched"),
	WHOLE("major_faults", page_cache.major_faults, MUST | FROM_0, NULL),
};
static const struct fields page_cache_fields = FIELDS(NULL, page_cache_rows);

static const struct field placement_rows[] = {
	MAP("pages_on_node", pages_on_node, nodes, pages_fields, MUST, "base pages by node"),
	CHOICE("nodes_shown_by", nodes_shown_by, NULLED, proofs_of_nodes,
		"move_pages: the kernel, asked for each page; numa_maps: its counts of the "
		"vector's pages on each node; one node: no other node has memory; null: nothing "
		"shows them, and verify: warn accepts that"),
	WHOLE("pages_absent", pages_absent, MUST, NULL),
	WHOLE("base_page_bytes", base_page_bytes, MUST, NULL),
	WHOLE("kernel_page_bytes", kernel_page_bytes, MUST, NULL),
	WHOLE("transparent_huge_bytes", transparent_huge_bytes, MUST, NULL),
	WHOLE("transparent_page_bytes", transparent_page_bytes, FROM_0,
		"size of these transparent huge pages; 0: there are none"),
	CHOICE("sizes_shown_by", sizes_shown_by, NULLED, proofs_of_sizes,
		"what showed the sizes of the pages: the scan of /proc/self/pagemap, "
		"/proc/self/smaps, touch (one write made all base pages of a transparent huge "
		"page present), or nothing (kernel_page_bytes is then 0)"),
	INT("touched_by_cpu", touched_by_cpu, MUST, NULL),
	INT("touching_threads", touching_threads, MUST | FROM_1, NULL),
	FLAG("touched_in_turn", touched_in_turn, LEFT_OUT,
		"by these threads; absent: by one, or by those of its node"),
	WHOLE("pages_moved_during_run", pages_moved, MUST, NULL),
	WHOLE("map_ns", map_ns, FROM_0,
		"mmap(), memory policy and page size, with the checks before them"),
	WHOLE("touch_ns", touch_ns, FROM_0,
		"the first write to every page, of the slowest of the threads that did it"),
	FLAG("broken", broken, LEFT_OUT,
		"nodes or sizes of pages are not as asked for, and verify: warn let it pass"),
	WHOLE("copy_ns", copy_ns, LEFT_OUT | FROM_1,
		"of a further copy (nodePerVector: replicate): copying the first one, by one "
		"thread"),
	PART("free_huge", has_free_huge, free_fields, LEFT_OUT,
		"of local_frag, rhp_frag and rhp_frag_profiler: what of the vector had free huge "
		"blocks before it was touched: on the node of its threads, on others (not of "
		"local_frag), and what had none"),
	PART("moved_back", has_moved_back, moved_fields, LEFT_OUT,
		"of rhp_frag_profiler that moves back: what was moved to the node of its threads "
		"after it was touched; places and sizes of pages are those after that"),
	PART("page_tables", has_page_tables, page_table_fields, LEFT_OUT,
		"with tables_node: its page tables (needed), and by how many the nodes' counts of "
		"all processes grew while it was touched: on that node, and on the others "
		"together"),
	PART("page_cache", has_page_cache, page_cache_fields, LEFT_OUT,
		"with file: its pages in memory"),
};
static const struct fields placement_fields =
	FIELDS("placement", placement_rows, .words = "as the kernel says after the first touch");
#undef OF

#define OF struct document_step
static const struct field step_rows[] = {
	CHOICE("action", action, MUST | EMPTY, action_names, NULL),
	INT("cpu", cpu, MUST, NULL),
};
static const struct fields step_fields = FIELDS(NULL, step_rows);
#undef OF

static const char *const states[] = {"M", "E", "S", "O", "F", "I", NULL};

#define OF struct document_vector
static const struct field name_rows[] = {
	CHOICE("name", placement.name, MUST | EMPTY, &placement_names[1], NULL),
	INT("thread", placement.thread, MUST | FROM_0, NULL),
};
static const struct fields name_fields = FIELDS(NULL, name_rows);

static const struct field part_rows[] = {
	INT("of_vector", part.of_vector, MUST | FROM_0,
		"the vector of the file, which is the first of its parts"),
	CHOICE("by", part.by, MUST | EMPTY, &division_names[1], NULL),
	INT("number", part.number, MUST | FROM_0, "from 0"),
	INT("parts", part.parts, MUST | FROM_1, NULL),
};
static const struct fields part_fields = FIELDS(NULL, part_rows);

static const struct field state_rows[] = {
	CHOICE("asked", state, MUST, states, NULL),
	LIST("steps", steps, nsteps, step_fields, MUST, NULL),
};
static const struct fields state_fields = FIELDS(NULL, state_rows);

static const struct field vector_rows[] = {
	TEXT("asked_node", asked_node, MUST,
		"a node, interleave:LIST, weighted:NODE=WEIGHT,..., preferred:N, local, "
		"replicate:NODE or slices:NODE"),
	WHOLE("elements", elements, MUST | FROM_1, NULL),
	WHOLE("bytes", bytes, MUST | FROM_1, NULL),
	CHOICE("type", type, MUST, element_names, NULL),
	CHOICE("asked_pages", asked_pages, MUST, pages_names, NULL),
	CHOICE("init", init, MUST, init_names, NULL),
	INT("init_thread", init_thread, MUST,
		"the thread that touches first; -1: none in particular"),
	RECORD("found", found, placement_fields, MUST, "in the first placement"),
	LIST("found_again", found_again, nagain, placement_fields, 0, "in the further placements"),
	CHOICE("touch_order", touch_order, LEFT_OUT, &touch_order_names[1],
		"one thread touched it from its beginning, or from its end; absent: in no order"),
	PART("placement", has_placement, name_fields, LEFT_OUT,
		"the name in nodePerVector that nodes and pages come from, and the thread by "
		"whose node; absent: the file gives them"),
	PART("part", has_part, part_fields, LEFT_OUT,
		"nodePerVector: replicate and slices; absent: the vector is whole"),
	TEXT("memory", memory, LEFT_OUT,
		"kinds of memory of these nodes, divided by commas: HBM, DRAM, NVM, CXL, GPU; "
		"absent: not known"),
	TEXT("weights_by", weights_by, LEFT_OUT,
		"of weighted:measured: the file of --bandwidths, the bandwidths of the nodes, and "
		"the nodes of the CPUs; absent: the weights are the file's own"),
	CHOICE("backing", backing, LEFT_OUT, &backing_names[1],
		"what gives it its pages: a memfd, a file without a name in a folder, a user's "
		"file, mapped read-only; absent: anonymous memory"),
	TEXT("file", file, LEFT_OUT, "path of the file or folder"),
	CHOICE("cache", cache, LEFT_OUT, cache_names,
		"pages of the file: as they lay, dropped and read in, or dropped before every "
		"sample"),
	INT("tables_node", tables_node, LEFT_OUT | NULLED | FROM_0,
		"the node that was asked for its page tables (tablesPerVector); absent: none"),
	INT("target_node", target_node, LEFT_OUT | NULLED | FROM_0,
		"the node to which kernels that move pages move it; absent: none"),
	PART("state", has_state, state_fields, LEFT_OUT,
		"the coherence state of its lines that was asked for, and what was done for it "
		"before every sample; absent: none was"),
};
#undef OF

static int by_node(const void *a, const void *b)
{
	const struct document_pages *x = a, *y = b;

	return (x->node > y->node) - (x->node < y->node);
}

/* Adds a node's pages; of several placements, the most count. */
static void add_pages(struct document_vector *v, const struct document_pages *p)
{
	size_t i = 0;

	while (i < v->npages && v->pages[i].node != p->node)
		i++;
	v->npages += i == v->npages;
	v->pages[i].node = p->node;
	if (p->pages > v->pages[i].pages)
		v->pages[i].pages = p->pages;
}

/* Of a part the division stands before the node: "slices:2". */
static int only_node(const struct document_vector *v)
{
	const char *asked = v->asked_node;
	uint64_t node;

	if (!asked)
		return -1;
	if (v->has_part)
		asked = strrchr(asked, ':') ? strrchr(asked, ':') + 1 : asked;
	return !text_count(asked, &node) && node <= INT32_MAX ? (int)node : -1;
}

/* The placement i: the first one, or one of the others. */
static const struct document_placement *found(const struct document_vector *v, size_t i)
{
	return i ? &v->found_again[i - 1] : &v->found;
}

void document_finish_vector(struct document *d, struct document_vector *v)
{
	size_t most = 0;

	v->only_node = only_node(v);
	for (size_t i = 0; i <= v->nagain; i++) {
		const struct document_placement *p = found(v, i);

		most += p->nodes;
		v->pages_absent += p->pages_absent;
		v->pages_moved += p->pages_moved;
		v->broken |= p->broken;
	}
	v->pages = document_list(d, most, sizeof(*v->pages));
	for (size_t i = 0; i <= v->nagain; i++)
		for (size_t k = 0; k < found(v, i)->nodes; k++)
			add_pages(v, &found(v, i)->pages_on_node[k]);
	qsort(v->pages, v->npages, sizeof(*v->pages), by_node);
}

static int vector_finish(struct fields_reading *r, void *item)
{
	document_finish_vector(r->document, item);
	return 0;
}

#define OF struct document_vector
const struct fields vector_fields = FIELDS("vector", vector_rows, .finish = vector_finish);
#undef OF

static const char *const proofs_of_cpus[] = {"sched_getaffinity", "getcpu", NULL};

#define OF struct document_thread
static const struct field thread_rows[] = {
	INT("node", node, MUST | NULLED,
		"null: the thread is not bound, as core and cpu; or its core is part of no node"),
	INT("core", core, MUST | NULLED, NULL),
	INT("cpu", cpu, MUST | NULLED, NULL),
	TEXT("kind", kind, NULLED,
		"of its core: performance, middle, efficiency; null: cores are alike, their kinds "
		"are not known, or the thread is not bound"),
	TEXT("last_cache", last_cache, LEFT_OUT,
		"the last-level cache of its CPU, where nodes have several: L3 2"),
	FLAG("shares_core", shares_core, MUST, NULL),
	FLAG("takes_turns", takes_turns, LEFT_OUT, "another thread runs on the same CPU"),
	LIST("vectors", vectors, nvectors, index_fields, MUST, NULL),
	CHOICE("cpu_shown_by", cpu_shown_by, NULLED, proofs_of_cpus,
		"what shows that the thread was on it in every sample: sched_getaffinity, the "
		"kernel's mask of the thread had this CPU alone before each; getcpu, it was there "
		"at the beginning and the end of each; null: nothing, or the thread is not bound"),
};
const struct fields thread_fields = FIELDS("thread", thread_rows);
#undef OF

#define OF struct document_left
static const struct field left_rows[] = {
	WHOLE("huge_bytes", huge_bytes, MUST | FROM_0,
		"free in such blocks before the vectors were placed"),
	WHOLE("free_bytes", free_bytes, MUST | FROM_0, NULL),
	WHOLE("blocks_broken", blocks_broken, MUST | FROM_0, NULL),
	WHOLE("most_huge_bytes", most_huge_bytes, MUST | FROM_0,
		"the most that was free in such blocks until the vectors were given back"),
};
static const struct fields left_fields = FIELDS(NULL, left_rows);
#undef OF

#define OF struct document_leave
static const struct field leave_rows[] = {
	INT("node", node, MUST | FROM_0, NULL),
	WHOLE("asked_bytes", asked_bytes, MUST | FROM_0,
		"to be left in blocks of a huge page and more"),
	LIST("left", left, nleft, left_fields, MUST, "what was reached, by placement"),
};
const struct fields leave_fields = FIELDS(NULL, leave_rows);
#undef OF
