/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures that kernels have of their own, in the text report. */
#include <math.h>

#include "analysis/kernel_figures.h"
#include "report/report.h"

#define WIDTH 20

static void cell(FILE *out, struct amount a)
{
	char text[64];

	if (!isfinite(a.value))
		snprintf(text, sizeof(text), "-");
	else if (isfinite(a.low) && a.high > a.low)
		snprintf(text, sizeof(text), "%.8g +-%.2g", a.value, (a.high - a.low) / 2);
	else
		snprintf(text, sizeof(text), "%.8g", a.value);
	fprintf(out, " %*s", WIDTH, text);
}

static void head(const struct plan *p, int op, FILE *out)
{
	char thread[32];

	fprintf(out, " - %-22s", p->ops[op].label);
	for (int t = 0; t < p->nthreads; t++) {
		snprintf(thread, sizeof(thread), "Thread %d", t);
		fprintf(out, " %*s", WIDTH, thread);
	}
	fprintf(out, p->nthreads > 1 ? " %*s\n" : "\n", WIDTH, "all");
}

static void operation(const struct samples *r, int op, FILE *out)
{
	struct kernel_figures l;

	kernel_figures_of_op(&l, r->plan, op);
	if (l.count)
		head(r->plan, op, out);
	for (size_t i = 0; i < l.count; i++) {
		const struct kernel_figure *f = l.list[i];
		int used = fprintf(out, "   %s%s%s%s", f->name, *f->unit ? " (" : "", f->unit,
			*f->unit ? ")" : "");

		fprintf(out, "%*s", used < 25 ? 25 - used : 0, "");
		for (int t = 0; t < r->plan->nthreads; t++)
			cell(out, kernel_figure_of(r, op, t, f->name));
		if (r->plan->nthreads > 1)
			cell(out, kernel_figure_of(r, op, ALL_THREADS, f->name));
		fprintf(out, "\n");
	}
	kernel_figures_free(&l);
}

void report_figures(const struct samples *r, FILE *out)
{
	bool any = false;

	for (int op = 0; op < r->plan->nops; op++)
		any |= plan_figures(&r->plan->ops[op], r->plan->nthreads) > 0;
	if (!any)
		return;
	fprintf(out, "+ Figures of the kernels, of a sample\n");
	for (int op = 0; op < r->plan->nops; op++)
		operation(r, op, out);
	fprintf(out, "\n");
}
