/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "report.h"
#include "text.h"

/* A column that has no figure says so. */
static void cell(FILE *out, int width, int digits, double value)
{
	if (isfinite(value))
		fprintf(out, " %*.*f", width, digits, value);
	else
		fprintf(out, " %*s", width, "n/a");
}

static void pages_found(const struct placement *found, FILE *out)
{
	const char *separator = "found: ";

	for (int node = 0; node < MEM_MAX_NODES; node++)
		if (found->pages.on_node[node]) {
			fprintf(out, "%snode %d: %zu pages", separator, node,
				found->pages.on_node[node]);
			separator = ", ";
		}
	if (found->pages.absent)
		fprintf(out, "%s%zu pages absent", separator, found->pages.absent);
}

static void vectors_block(const struct report *r, FILE *out)
{
	const struct plan *p = r->run->plan;
	char size[32], page[32], huge[32];

	fprintf(out, "+ Vectors data\n");
	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];
		const struct placement *found = &r->run->prepared->placements[i];

		fprintf(out, " - Vector %-4d  node: %-4s  size: %-12llu  %-6s %10s  ", i, v->asked,
			(unsigned long long)v->elements, element_names[v->type],
			text_size(v->bytes, size, sizeof(size)));
		pages_found(found, out);
		fprintf(out, " of %s", text_size(mem_base_page(), page, sizeof(page)));
		if (found->sizes.kernel_page_bytes > mem_base_page())
			fprintf(out, ", in pages of %s",
				text_size(found->sizes.kernel_page_bytes, huge, sizeof(huge)));
		else if (found->sizes.huge_bytes)
			fprintf(out, ", %s in transparent huge pages",
				text_size(found->sizes.huge_bytes, huge, sizeof(huge)));
		fprintf(out, "; touched by CPU %d%s\n", found->touched_by,
			found->touchers > 1 ? " and others of its node" : "");
	}
}

static void threads_block(const struct plan *p, FILE *out)
{
	fprintf(out, "\n+ Threads data\n");
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_thread *t = &p->threads[i];

		fprintf(out, " - Thread %-4d  node: %-4d  vector:", i, t->node);
		for (int k = 0; k < t->nvectors; k++)
			fprintf(out, "%s%d", k ? "," : " ", t->vector_ids[k]);
		fprintf(out, "%s%*s CPU %d, core %d%s\n", t->nvectors ? "" : " -",
			t->nvectors > 4 ? 0 : 8 - 2 * t->nvectors, "", t->cpu, t->core,
			t->shares_core ? ", shares its core" : "");
	}
}

static void operations_block(const struct plan *p, FILE *out)
{
	fprintf(out, "\n+ Operation data\n - Operations to be performed: ");
	for (int i = 0; i < p->nops; i++)
		fprintf(out, "%s, ", p->ops[i].label);
	fprintf(out, "\n - type of summary: %s\n", summary_names[p->request->summary]);
	fprintf(out,
		" - cost of a thread: %s of %llu samples, from the common start to the thread's "
		"end; "
		"%llu warm-up samples discarded\n",
		statistic_names[p->request->statistic], (unsigned long long)p->request->iterations,
		(unsigned long long)p->request->warmup);
}

static void figures_row(const struct report *r, int op, int thread, FILE *out)
{
	struct figures f;

	if (derive_thread(r->run, op, thread, &f)) {
		fprintf(out, "%18s not measured\n", "");
		return;
	}
	fprintf(out, " %18.9f", f.value);
	cell(out, 12, 9, isfinite(f.low) ? (f.high - f.low) / 2 : NAN);
	cell(out, 14, 9, f.cost.min);
	cell(out, 14, 9, f.cost.max);
	cell(out, 14, 9, f.busy);
	cell(out, 10, 3, f.ns_per_unit);
	if (isfinite(f.bytes_per_s)) {
		cell(out, 10, 3, f.bytes_per_s * 1e-9);
		fprintf(out, " GB/s\n");
	} else {
		cell(out, 10, 3, f.units_per_s * 1e-6);
		fprintf(out, " M%s/s\n", r->run->plan->ops[op].jobs[thread].kernel->unit);
	}
}

/* The name stands beside the middle line of its block, as in Code A.6. */
static void result_block(const struct report *r, int op, int width, FILE *out)
{
	const struct plan *p = r->run->plan;
	int middle = p->nthreads / 2;

	for (int i = 0; i < p->nthreads; i++) {
		fprintf(out, "%-*s | Thread %d:%*s", width, i == middle ? p->ops[op].label : "", i,
			i > 999  ? 0
			: i > 99 ? 1
			: i > 9  ? 2
				 : 3,
			"");
		figures_row(r, op, i, out);
	}
	fprintf(out, "%-*s | Total:    ", width, "");
	cell(out, 20, 9, derive_total(r->run, op));
	fprintf(out, "\n\n");
}

static int label_width(const struct plan *p)
{
	int width = 14;

	for (int i = 0; i < p->nops; i++)
		width = (int)strlen(p->ops[i].label) > width ? (int)strlen(p->ops[i].label) : width;
	return width;
}

static void results(const struct report *r, FILE *out)
{
	int width = label_width(r->run->plan);
	double confidence = r->run->plan->request->confidence * 100;

	fprintf(out, "\n%*s-Results-\n\n", width + 10, "");
	fprintf(out, "%*s %18s %6s%4.0f %% %14s %14s %14s %10s %10s\n", width + 14, "",
		"Time_Cost(s)", "+-", confidence, "min(s)", "max(s)", "busy(s)", "ns/unit", "rate");
	for (int i = 0; i < r->run->plan->nops; i++)
		result_block(r, i, width, out);
}

static void speedups(const struct report *r, FILE *out)
{
	const struct plan *p = r->run->plan;
	double base, ratio;

	if (!p->nspeedups)
		return;
	fprintf(out, "%*s-Speedups-\n\n", label_width(p) + 10, "");
	for (int i = 0; i < p->nspeedups; i++) {
		for (int t = 0; t < p->nthreads; t++) {
			ratio = derive_speedup(r->run, i, t, &base);
			fprintf(out, "%-24s | Thread %d:", t ? "" : p->speedups[i].label, t);
			cell(out, 10, 3, ratio);
			fprintf(out, "   base %s:", p->ops[p->speedups[i].under].label);
			cell(out, 0, 9, base);
			fprintf(out, " s\n");
		}
		ratio = derive_speedup(r->run, i, -1, &base);
		fprintf(out, "%-24s | Total:   ", "");
		cell(out, 10, 3, ratio);
		fprintf(out, "   base %s:", p->ops[p->speedups[i].under].label);
		cell(out, 0, 9, base);
		fprintf(out, " s\n\n");
	}
}

static void samples_block(const struct report *r, FILE *out)
{
	const struct plan *p = r->run->plan;
	struct tally t;

	fprintf(out, "+ Samples\n");
	for (int i = 0; i < p->nops; i++) {
		derive_tally(r->run, i, &t);
		fprintf(out, " - %s: %zu taken, %zu disturbed", p->ops[i].label, t.samples,
			t.disturbed);
		if (t.disturbed)
			fprintf(out, " (preempted %zu, moved %zu, blocked %zu, page faults %zu)",
				t.preempted, t.moved, t.blocked, t.faulted);
		if (t.repeated)
			fprintf(out, ", %d taken again after a move", t.repeated);
		fprintf(out, "; start skew");
		cell(out, 0, 0, t.skew_median_ns);
		fprintf(out, " ns median,");
		cell(out, 0, 0, t.skew_max_ns);
		fprintf(out, " ns worst\n");
	}
}

static void warnings_block(const struct report *r, FILE *out)
{
	fprintf(out, "\n+ Warnings\n");
	if (r->run->interrupted)
		fprintf(out,
			" - interrupted: what follows the last finished sample was not measured\n");
	if (!r->warnings->count && !r->run->interrupted)
		fprintf(out, " - none\n");
	for (size_t i = 0; i < r->warnings->count; i++) {
		fprintf(out, " - %s\n", r->warnings->list[i].text);
		if (r->warnings->list[i].hint)
			fprintf(out, "   hint: %s\n", r->warnings->list[i].hint);
	}
}

static void machine_block(const struct report *r, FILE *out)
{
	fprintf(out, "\n+ Machine\n");
	for (size_t i = 0; i < r->environment->count; i++)
		fprintf(out, " - %s: %s\n", r->environment->facts[i].name,
			r->environment->facts[i].value);
	fprintf(out, " - arguments: %s\n", r->args->path);
	for (size_t i = r->args->from_file; i < r->args->count; i++)
		fprintf(out, " - --set: %s=%s\n", r->args->entries[i].key,
			r->args->entries[i].value);
	fprintf(out, " - elapsed: %.3f s\n", r->elapsed_s);
}

void report_text(const struct report *r, FILE *out)
{
	fprintf(out, "          --Execution data--\n");
	vectors_block(r, out);
	threads_block(r->run->plan, out);
	operations_block(r->run->plan, out);
	results(r, out);
	speedups(r, out);
	samples_block(r, out);
	warnings_block(r, out);
	machine_block(r, out);
}
