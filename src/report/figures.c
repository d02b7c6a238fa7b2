/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures that kernels have of their own, in the text report. */
#include <math.h>

#include "analysis/kernel_figures.h"
#include "base/numbers.h"
#include "report/report.h"

#define WIDTH 20

static void cell(FILE *out, struct amount a)
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

static void head(const struct plan *p, int op, bool all, FILE *out)
{
	char thread[32];

	fprintf(out, " - %-22s", p->ops[op].label);
	for (int t = 0; t < p->nthreads; t++) {
		snprintf(thread, sizeof(thread), "Thread %d", t);
		fprintf(out, " %*s", WIDTH, thread);
	}
	fprintf(out, all ? " %*s\n" : "\n", WIDTH, "all");
}

/* A thread's figure with the other threads, or alone. */
static struct amount figure_of(const struct run *t, bool alone, int op, int k, const char *name)
{
	return alone ? kernel_figure_of(&t->solos[k], op, 0, name)
		     : kernel_figure_of(&t->samples, op, k, name);
}

static void operation(const struct run *t, bool alone, int op, FILE *out)
{
	const bool all = t->plan.nthreads > 1 && !alone;
	struct kernel_figures l;

	kernel_figures_of_op(&l, &t->plan, op);
	if (l.count)
		head(&t->plan, op, all, out);
	for (size_t i = 0; i < l.count; i++) {
		const struct kernel_figure *f = l.list[i];
		int used = fprintf(out, "   %s%s%s%s", f->name, *f->unit ? " (" : "", f->unit,
			*f->unit ? ")" : "");

		fprintf(out, "%*s", used < 25 ? 25 - used : 0, "");
		for (int k = 0; k < t->plan.nthreads; k++)
			cell(out, figure_of(t, alone, op, k, f->name));
		if (all)
			cell(out, kernel_figure_of(&t->samples, op, ALL_THREADS, f->name));
		fprintf(out, "\n");
	}
	kernel_figures_free(&l);
}

static void block(const struct run *t, bool alone, FILE *out)
{
	fprintf(out, "+ Figures of the kernels, of a sample%s\n",
		alone ? " of each thread alone" : "");
	for (int op = 0; op < t->plan.nops; op++)
		operation(t, alone, op, out);
	fprintf(out, "\n");
}

void report_figures(const struct run *t, FILE *out)
{
	bool any = false;

	for (int op = 0; op < t->plan.nops; op++)
		any |= plan_figures(&t->plan.ops[op], t->plan.nthreads) > 0;
	if (!any)
		return;
	block(t, false, out);
	if (t->solos)
		block(t, true, out);
}
