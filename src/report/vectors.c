/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vectors of a run in the text report: what was asked for and what the kernel gave. */
#include <inttypes.h>
#include <string.h>

#include "analysis/overheads.h"
#include "base/text.h"
#include "report/report.h"

static void pages_found(const struct placement *found, FILE *out)
{
	const char *separator = "found: ";

	for (int node = 0; node < MEM_MAX_NODES; node++)
		if (found->pages.on_node[node]) {
			fprintf(out, "%snode %d: %zu page%s", separator, node,
				found->pages.on_node[node], text_s(found->pages.on_node[node]));
			separator = ", ";
		}
	if (!found->pages.pages)
		fprintf(out, "%son unknown nodes, pages", separator);
	if (found->pages.absent)
		fprintf(out, "%s%zu page%s absent", separator, found->pages.absent,
			text_s(found->pages.absent));
}

static bool is_by_blocks(const struct plan_vector *v)
{
	return v->placement == PLACEMENT_LOCAL_FRAG || plan_far_blocks(v);
}

/* Sizes of the pages. */
static void sizes_found(const struct plan_vector *v, const struct placement *found, FILE *out)
{
	struct placement_thp thp = placement_thp(v, found);
	char page[32], huge[32];

	fprintf(out, " of %s", text_size(mem_base_page(), page, sizeof(page)));
	if (found->sizes.kernel_page_bytes > mem_base_page())
		fprintf(out, ", in pages of %s",
			text_size(found->sizes.kernel_page_bytes, huge, sizeof(huge)));
	else if (thp.bytes)
		fprintf(out, ", %s in transparent huge pages",
			text_size(thp.bytes, huge, sizeof(huge)));
	if (found->mthp_bytes)
		fprintf(out, " of %s", text_size(thp.page_bytes, huge, sizeof(huge)));
	if ((mem_is_half_thp(v->pages) || is_by_blocks(v)) && found->pages.pages)
		fprintf(out, ", %.3g %% of it",
			100.0 * (double)thp.bytes / (double)(found->pages.pages * mem_base_page()));
}

/* What showed both. */
static void shown_by(const struct plan_vector *v, const struct placement *found, FILE *out)
{
	const char *nodes = mem_proof_names[found->pages.proof];
	const char *sizes = placement_thp(v, found).shown_by;

	if (nodes || sizes)
		fprintf(out, " (shown by %s%s%s)", nodes ? nodes : "", nodes && sizes ? ", " : "",
			sizes ? sizes : "");
}

static const char *others(const struct plan_vector *v, const struct placement *found)
{
	if (found->touchers < 2)
		return "";
	return v->policy == MEM_INTERLEAVE ? " and others, in turn" : " and others of its node";
}

static bool alike(const struct placement *a, const struct placement *b)
{
	return !memcmp(&a->pages.on_node, &b->pages.on_node, sizeof(a->pages.on_node)) &&
	       a->pages.absent == b->pages.absent &&
	       a->sizes.kernel_page_bytes == b->sizes.kernel_page_bytes &&
	       a->sizes.huge_bytes == b->sizes.huge_bytes && a->mthp_bytes == b->mthp_bytes;
}

/* Placements that differ from the first one. */
static void found_again(const struct prepared *r, int vector, FILE *out)
{
	for (size_t i = 1; i < r->made; i++) {
		const struct placement *found = prepare_found(r, i, vector);

		if (alike(found, prepare_found(r, 0, vector)))
			continue;
		fprintf(out, "; placement %zu ", i + 1);
		pages_found(found, out);
		sizes_found(&r->plan->vectors[vector], found, out);
	}
}

/* What was free before it was touched. */
static void promised(const struct plan_vector *v, const struct promise *made, FILE *out)
{
	char local[32], remote[32], rest[32];

	if (!is_by_blocks(v))
		return;
	fprintf(out, "; free huge blocks: %s on node %d",
		text_size(made->local, local, sizeof(local)), v->home);
	if (plan_far_blocks(v))
		fprintf(out, ", %s elsewhere", text_size(made->remote, remote, sizeof(remote)));
	fprintf(out, ", none for %s", text_size(made->rest, rest, sizeof(rest)));
}

static void brought(const struct placement *found, FILE *out)
{
	char size[32];

	if (found->bring_ns)
		fprintf(out, "; %s moved back in %.3f ms",
			text_size(found->brought, size, sizeof(size)),
			(double)found->bring_ns * 1e-6);
}

static void tables_found(const struct plan_vector *v, const struct mem_tables *found, FILE *out)
{
	if (v->tables < 0)
		return;
	fprintf(out, "; %zu page table%s on node %d", found->needed, text_s(found->needed),
		v->tables);
	if (found->only_node)
		fprintf(out, ", the only one with memory");
	else
		fprintf(out, ": %lld more there than before, %lld more elsewhere%s",
			(long long)found->there, (long long)found->elsewhere,
			found->needed < MEM_TABLES_SHOWN ? " (too few to be shown)" : "");
}

static void left(const struct left *l, FILE *out)
{
	char huge[32], all[32], most[32];

	fprintf(out, "%s were left (%" PRIu64 " block%s broken), of %s free; at most %s meanwhile",
		text_size(l->huge, huge, sizeof(huge)), l->broken, text_s(l->broken),
		text_size(l->all, all, sizeof(all)), text_size(l->most, most, sizeof(most)));
}

void report_leaves(const struct samples *r, FILE *out)
{
	const struct leave *l = &r->prepared->leave;
	const struct plan *p = r->plan;
	char size[32];

	for (int i = 0; i < p->nleaves; i++) {
		fprintf(out, "%s - Node %-4d  asked: %s in blocks of a huge page; ",
			i ? "" : "+ Fragmented nodes\n", p->leaves[i].node,
			text_size(p->leaves[i].bytes, size, sizeof(size)));
		for (size_t k = 0; k < r->prepared->made; k++) {
			if (k)
				fprintf(out, "; placement %zu: ", k + 1);
			left(leave_left(l, k, i), out);
		}
		fprintf(out, "\n");
	}
}

static void percent(const char *name, struct amount a, FILE *out)
{
	fprintf(out, "%s %.3g %%", name, a.value);
	if (isfinite(a.low) && isfinite(a.high))
		fprintf(out, " (%.3g to %.3g)", a.low, a.high);
}

void report_profiler(const struct experiment *x, size_t run, FILE *out)
{
	const struct judgement *j = &x->runs[run].judgement;

	if (!plan_profiled(&x->runs[run].plan))
		return;
	fprintf(out, " - Profiler   by run %s: far huge pages ", x->runs[j->by].label);
	percent("gain", j->gain, out);
	percent(", cost", j->cost, out);
	fprintf(out, " by %s: %s\n", j->of_stalls ? "stalls" : "time",
		j->moves_back ? "moved back" : "kept");
}

/* What a copy took, and its rate: the price of copies. */
static void part(const struct plan_vector *v, const struct placement *found, FILE *out)
{
	if (v->division == DIVISION_SLICES)
		fprintf(out, "; slice %d of %d of vector %d", v->part + 1, v->parts, v->whole);
	else if (v->division && v->parts == 1)
		fprintf(out, "; the only copy: all its threads are next to this node");
	else if (v->division)
		fprintf(out, "; copy %d of %d of vector %d", v->part + 1, v->parts, v->whole);
	if (found->copy_ns)
		fprintf(out, ", made by one thread in %.3f ms, %.3f GB/s",
			(double)found->copy_ns * 1e-6, (double)v->bytes / (double)found->copy_ns);
}

void report_vectors(const struct samples *r, FILE *out)
{
	const struct plan *p = r->plan;
	char size[32];

	fprintf(out, "+ Vectors data\n");
	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		const struct placement *found = prepare_found(r->prepared, 0, i);

		fprintf(out, " - Vector %-4d  node: %-4s  size: %-12llu  %-6s %10s  ", i, v->asked,
			(unsigned long long)v->elements, element_names[v->type],
			text_size(v->bytes, size, sizeof(size)));
		pages_found(found, out);
		sizes_found(v, found, out);
		shown_by(v, found, out);
		fprintf(out, "; touched by CPU %d%s", found->touched_by, others(v, found));
		fprintf(out, "; mapping took %.3f ms, touching %.3f ms%s",
			(double)found->map_ns * 1e-6, (double)found->touch_ns * 1e-6,
			r->prepared->made > 1 ? " the first time" : "");
		found_again(r->prepared, i, out);
		if (v->order != TOUCH_ANY)
			fprintf(out, "; touched %s", touch_order_names[v->order]);
		if (v->placement != PLACEMENT_BY_NODE)
			fprintf(out, "; %s of thread %d", placement_names[v->placement],
				v->placed_for);
		part(v, found, out);
		promised(v, &found->promise, out);
		brought(found, out);
		tables_found(v, &found->tables, out);
		if (v->memory)
			fprintf(out, "; kind of memory: %s", v->memory);
		if (v->weights_by)
			fprintf(out, "; weights by %s", v->weights_by);
		if (v->target >= 0)
			fprintf(out, "; target: node %d", v->target);
		if (v->state)
			fprintf(out, "; before each sample state %s", v->state);
		for (int k = 0; k < v->nsteps; k++)
			fprintf(out, "%s %s by CPU %d", k ? "," : ":",
				action_names[v->steps[k].action], v->steps[k].cpu);
		fprintf(out, "\n");
	}
}

void report_physical(const struct run *t, FILE *out)
{
	const struct physical *f = &t->prepared.physical;

	if (!t->request.physical_ranges)
		return;
	if (f->error) {
		fprintf(out, " - Physical ranges: not known\n");
		return;
	}
	fprintf(out,
		" - Physical ranges: %zu%s; the longest hold of all pages: 32 of them %.4g %%, "
		"64 %.4g %%, 128 %.4g %%, 256 %.4g %%\n",
		f->frames.count, t->prepared.made > 1 ? " in the last placement" : "",
		100 * overheads_coverage(t, 32), 100 * overheads_coverage(t, 64),
		100 * overheads_coverage(t, 128), 100 * overheads_coverage(t, 256));
}
