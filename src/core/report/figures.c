/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures that kernels have of their own, in the text report. */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "report/cells.h"

#define WIDTH 20

static void print_figure_cell(FILE *out, struct amount a)
{
	char text[64];

	if (!isfinite(a.value))
		snprintf(text, sizeof(text), "-");
	else if (isfinite(a.low) && a.high > a.low)
		snprintf(text, sizeof(text), "%.*f +-%.*f", numbers_decimals(a), a.value,
			numbers_decimals(a), numbers_half(a, numbers_decimals(a)));
	else
		snprintf(text, sizeof(text), "%.8g", a.value);
	fprintf(out, " %*s", WIDTH, text);
}

static void print_figures_head(
	const struct document_operation *o, size_t threads, bool all, FILE *out)
{
	char thread[32];

	fprintf(out, " - %-22s", o->name);
	for (size_t t = 0; t < threads; t++) {
		snprintf(thread, sizeof(thread), "Thread %zu", t);
		fprintf(out, " %*s", WIDTH, thread);
	}
	fprintf(out, all ? " %*s\n" : "\n", WIDTH, "all");
}

static struct amount find_own_figure(const struct document_own *own, const char *name)
{
	for (size_t i = 0; i < own->count; i++)
		if (!strcmp(own->list[i].name, name))
			return own->list[i].value;
	return AMOUNT_NONE;
}

/* A thread's work with the other threads, or alone. */
static const struct document_job *job_of(
	const struct document_run *r, bool alone, size_t op, size_t thread)
{
	if (!alone)
		return &r->operations.list[op].jobs[thread];
	return thread < r->nalone && op < r->alone[thread].count && r->alone[thread].list[op].njobs
		       ? r->alone[thread].list[op].jobs
		       : NULL;
}

static void operation(const struct document_run *r, bool alone, size_t op, FILE *out)
{
	const struct document_operation *o = &r->operations.list[op];
	const bool all = o->njobs > 1 && !alone;

	if (o->own.count)
		print_figures_head(o, o->njobs, all, out);
	for (size_t i = 0; i < o->own.count; i++) {
		const char *name = o->own.list[i].name, *unit = o->own.list[i].unit;
		int used = fprintf(
			out, "   %s%s%s%s", name, *unit ? " (" : "", unit, *unit ? ")" : "");

		fprintf(out, "%*s", used < 25 ? 25 - used : 0, "");
		for (size_t k = 0; k < o->njobs; k++) {
			const struct document_job *j = job_of(r, alone, op, k);

			print_figure_cell(out, j ? find_own_figure(&j->own, name) : AMOUNT_NONE);
		}
		if (all)
			print_figure_cell(out, o->own.list[i].value);
		fprintf(out, "\n");
	}
}

static void block(const struct document_run *r, bool alone, FILE *out)
{
	fprintf(out, "+ Figures of the kernels, of a sample%s\n",
		alone ? " of each thread alone" : "");
	for (size_t op = 0; op < r->operations.count; op++)
		operation(r, alone, op, out);
	fprintf(out, "\n");
}

void report_figures(const struct document_run *r, FILE *out)
{
	bool any = false;

	for (size_t op = 0; op < r->operations.count; op++)
		any |= r->operations.list[op].own.count > 0;
	if (!any)
		return;
	block(r, false, out);
	if (r->has_solo)
		block(r, true, out);
}
