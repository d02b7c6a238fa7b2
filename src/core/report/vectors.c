/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vectors of a run in the text report: what was asked for and what the kernel gave. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "input/values.h"
#include "memory/tables.h"
#include "plan/plan.h"
#include "report/cells.h"

static const char *size(int64_t bytes, char *buffer, size_t n)
{
	return text_size((uint64_t)bytes, buffer, n);
}

static const char *s_of(int64_t n)
{
	return text_s((unsigned long long)n);
}

static int64_t all_pages(const struct document_placement *p)
{
	int64_t pages = p->pages_absent;

	for (size_t i = 0; i < p->nodes; i++)
		pages += p->pages_on_node[i].pages;
	return pages;
}

static void pages_found(const struct document_placement *p, FILE *out)
{
	const char *separator = "found: ";

	for (size_t i = 0; i < p->nodes; i++) {
		const int64_t pages = p->pages_on_node[i].pages;

		fprintf(out, "%snode %d: %" PRId64 " page%s", separator, p->pages_on_node[i].node,
			pages, s_of(pages));
		separator = ", ";
	}
	if (!all_pages(p))
		fprintf(out, "%son unknown nodes, pages", separator);
	if (p->pages_absent)
		fprintf(out, "%s%" PRId64 " page%s absent", separator, p->pages_absent,
			s_of(p->pages_absent));
}

/* Huge pages of another than the usual size are proven by touching them. */
static bool is_mthp(const struct document_placement *p)
{
	return p->transparent_huge_bytes && p->sizes_shown_by &&
	       !strcmp(p->sizes_shown_by, "touch");
}

/* Sizes of the pages. */
static void sizes_found(
	const struct document_vector *v, const struct document_placement *p, FILE *out)
{
	const bool in_part =
		p->has_free_huge ||
		(v->asked_pages && !strcmp(v->asked_pages, pages_names[PAGES_THP_BASE]));
	char page[32], huge[32];

	fprintf(out, " of %s", size(p->base_page_bytes, page, sizeof(page)));
	if (p->kernel_page_bytes > p->base_page_bytes)
		fprintf(out, ", in pages of %s", size(p->kernel_page_bytes, huge, sizeof(huge)));
	else if (p->transparent_huge_bytes)
		fprintf(out, ", %s in transparent huge pages",
			size(p->transparent_huge_bytes, huge, sizeof(huge)));
	if (is_mthp(p))
		fprintf(out, " of %s", size(p->transparent_page_bytes, huge, sizeof(huge)));
	if (in_part && all_pages(p))
		fprintf(out, ", %.3g %% of it",
			100.0 * (double)p->transparent_huge_bytes /
				(double)(all_pages(p) * p->base_page_bytes));
}

/* What showed both. */
static void shown_by(const struct document_placement *p, FILE *out)
{
	const char *nodes = p->nodes_shown_by, *sizes = p->sizes_shown_by;

	if (nodes || sizes)
		fprintf(out, " (shown by %s%s%s)", nodes ? nodes : "", nodes && sizes ? ", " : "",
			sizes ? sizes : "");
}

static bool alike(const struct document_placement *a, const struct document_placement *b)
{
	bool same = a->nodes == b->nodes && a->pages_absent == b->pages_absent &&
		    a->kernel_page_bytes == b->kernel_page_bytes &&
		    a->transparent_huge_bytes == b->transparent_huge_bytes &&
		    is_mthp(a) == is_mthp(b);

	for (size_t i = 0; same && i < a->nodes; i++)
		same = a->pages_on_node[i].node == b->pages_on_node[i].node &&
		       a->pages_on_node[i].pages == b->pages_on_node[i].pages;
	return same;
}

/* Placements that differ from the first one. */
static void found_again(const struct document_vector *v, FILE *out)
{
	for (size_t i = 0; i < v->nagain; i++) {
		if (alike(&v->found_again[i], &v->found))
			continue;
		fprintf(out, "; placement %zu ", i + 2);
		pages_found(&v->found_again[i], out);
		sizes_found(v, &v->found_again[i], out);
	}
}

/* What was free before it was touched, and what came back later. */
static void promised(const struct document_vector *v, FILE *out)
{
	const struct document_placement *p = &v->found;
	const bool near = v->has_placement &&
			  !strcmp(v->placement.name, placement_names[PLACEMENT_LOCAL_FRAG]);
	char text[32];

	if (p->has_free_huge) {
		fprintf(out, "; free huge blocks: %s on node %d",
			size(p->free_huge.local_bytes, text, sizeof(text)), p->free_huge.node);
		if (!near)
			fprintf(out, ", %s elsewhere",
				size(p->free_huge.remote_bytes, text, sizeof(text)));
		fprintf(out, ", none for %s", size(p->free_huge.none_bytes, text, sizeof(text)));
	}
	if (p->has_moved_back)
		fprintf(out, "; %s moved back in %.3f ms",
			size(p->moved_back.bytes, text, sizeof(text)),
			(double)p->moved_back.ns * 1e-6);
}

static void tables_found(const struct document_vector *v, FILE *out)
{
	const struct document_placement *p = &v->found;

	if (!p->has_page_tables)
		return;
	fprintf(out, "; %" PRId64 " page table%s on node %d", p->page_tables.needed,
		s_of(p->page_tables.needed), v->tables_node);
	if (p->page_tables.only_node_with_memory)
		fprintf(out, ", the only one with memory");
	else
		fprintf(out, ": %" PRId64 " more there than before, %" PRId64 " more elsewhere%s",
			p->page_tables.more_on_node, p->page_tables.more_elsewhere,
			p->page_tables.needed < MEM_TABLES_SHOWN ? " (too few to be shown)" : "");
}

static void backing(const struct document_vector *v, FILE *out)
{
	const struct document_placement *p = &v->found;

	if (v->backing)
		fprintf(out, "; %s%s%s", v->backing, v->file ? " " : "", v->file ? v->file : "");
	if (!v->cache || !p->has_page_cache)
		return;
	fprintf(out, ", %s", v->cache);
	if (!strcmp(v->cache, cache_names[CACHE_COLD]))
		fprintf(out, ": not in memory before each sample, its nodes are those after it");
	else if (p->page_cache.shown_by)
		fprintf(out, ": %" PRId64 " page%s in memory before (%s)",
			p->page_cache.resident_before, s_of(p->page_cache.resident_before),
			p->page_cache.shown_by);
	if (strcmp(v->cache, cache_names[CACHE_COLD]))
		fprintf(out, ", %" PRId64 " minor and %" PRId64 " major faults while touched",
			p->page_cache.minor_faults, p->page_cache.major_faults);
}

/* What a copy took, and its rate: the price of copies. */
static void print_copy_price(const struct document_vector *v, FILE *out)
{
	const int64_t ns = v->found.copy_ns;

	if (v->has_part && !strcmp(v->part.by, division_names[DIVISION_SLICES]))
		fprintf(out, "; slice %d of %d of vector %d", v->part.number + 1, v->part.parts,
			v->part.of_vector);
	else if (v->has_part && v->part.parts == 1)
		fprintf(out, "; the only copy: all its threads are next to this node");
	else if (v->has_part)
		fprintf(out, "; copy %d of %d of vector %d", v->part.number + 1, v->part.parts,
			v->part.of_vector);
	if (ns)
		fprintf(out, ", made by one thread in %.3f ms, %.3f GB/s", (double)ns * 1e-6,
			(double)v->bytes / (double)ns);
}

static void touching(const struct document_vector *v, bool again, FILE *out)
{
	const struct document_placement *p = &v->found;

	if (v->cache && !strcmp(v->cache, cache_names[CACHE_COLD])) {
		fprintf(out, "; mapping took %.3f ms", (double)p->map_ns * 1e-6);
		return;
	}
	fprintf(out, "; touched by CPU %d%s", p->touched_by_cpu,
		p->touching_threads < 2 ? ""
		: p->touched_in_turn    ? " and others, in turn"
					: " and others of its node");
	fprintf(out, "; mapping took %.3f ms, touching %.3f ms%s", (double)p->map_ns * 1e-6,
		(double)p->touch_ns * 1e-6, again ? " the first time" : "");
}

static void asked(const struct document_vector *v, FILE *out)
{
	if (v->memory)
		fprintf(out, "; kind of memory: %s", v->memory);
	if (v->weights_by)
		fprintf(out, "; weights by %s", v->weights_by);
	if (v->target_node >= 0)
		fprintf(out, "; target: node %d", v->target_node);
	if (v->state)
		fprintf(out, "; before each sample state %s", v->state);
	for (size_t k = 0; k < v->nsteps; k++)
		fprintf(out, "%s %s by CPU %d", k ? "," : ":", v->steps[k].action, v->steps[k].cpu);
}

void report_vectors(const struct document_run *r, FILE *out)
{
	char text[32];

	fprintf(out, "+ Vectors data\n");
	for (size_t i = 0; i < r->nvectors; i++) {
		const struct document_vector *v = &r->vectors[i];

		fprintf(out, " - Vector %-4zu  node: %-4s  size: %-12" PRId64 "  %-6s %10s  ", i,
			v->asked_node, v->elements, v->type, size(v->bytes, text, sizeof(text)));
		pages_found(&v->found, out);
		sizes_found(v, &v->found, out);
		shown_by(&v->found, out);
		touching(v, r->placements > 1, out);
		found_again(v, out);
		if (v->touch_order)
			fprintf(out, "; touched %s", v->touch_order);
		if (v->has_placement)
			fprintf(out, "; %s of thread %d", v->placement.name, v->placement.thread);
		backing(v, out);
		print_copy_price(v, out);
		promised(v, out);
		tables_found(v, out);
		asked(v, out);
		fprintf(out, "\n");
	}
}

void report_leaves(const struct document_run *r, FILE *out)
{
	char huge[32], all[32], most[32];

	for (size_t i = 0; i < r->nleaves; i++) {
		const struct document_leave *l = &r->leaves[i];

		fprintf(out, "%s - Node %-4d  asked: %s in blocks of a huge page; ",
			i ? "" : "+ Fragmented nodes\n", l->node,
			size(l->asked_bytes, all, sizeof(all)));
		for (size_t k = 0; k < l->nleft; k++) {
			const struct document_left *left = &l->left[k];

			if (k)
				fprintf(out, "; placement %zu: ", k + 1);
			fprintf(out,
				"%s were left (%" PRId64
				" block%s broken), of %s free; at most %s meanwhile",
				size(left->huge_bytes, huge, sizeof(huge)), left->blocks_broken,
				s_of(left->blocks_broken), size(left->free_bytes, all, sizeof(all)),
				size(left->most_huge_bytes, most, sizeof(most)));
		}
		fprintf(out, "\n");
	}
}

static void print_percent_of_pages(const char *name, struct amount a, FILE *out)
{
	fprintf(out, "%s %.3g %%", name, a.value);
	if (isfinite(a.low) && isfinite(a.high))
		fprintf(out, " (%.3g to %.3g)", a.low, a.high);
}

void report_profiler(const struct document_run *r, FILE *out)
{
	if (!r->has_profiler)
		return;
	fprintf(out, " - Profiler   by run %s: far huge pages ", r->profiler.judged_by);
	print_percent_of_pages("gain", r->profiler.gain_percent, out);
	print_percent_of_pages(", cost", r->profiler.cost_percent, out);
	fprintf(out, " by %s: %s\n", !strcmp(r->profiler.cost_of, "stalls") ? "stalls" : "time",
		r->profiler.moves_back ? "moved back" : "kept");
}

void report_physical(const struct document_run *r, FILE *out)
{
	if (!r->has_physical)
		return;
	if (r->physical.ranges < 0) {
		fprintf(out, " - Physical ranges: not known\n");
		return;
	}
	fprintf(out,
		" - Physical ranges: %" PRId64
		"%s; the longest hold of all pages: 32 of them %.4g %%, 64 %.4g %%, 128 %.4g %%, "
		"256 %.4g %%\n",
		r->physical.ranges, r->placements > 1 ? " in the last placement" : "",
		r->physical.of_32, r->physical.of_64, r->physical.of_128, r->physical.of_256);
}
