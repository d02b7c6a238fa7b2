/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratios of a run in the text report: speedups, slowdowns, overheads. */
#include <math.h>
#include <string.h>

#include "analysis/undisturbed.h"
#include "report/cells.h"

/* The cost that is the base of a ratio, printed beside the ratio. */
static void base_cost(const struct request *q, double cost, FILE *out)
{
	report_cell(out, 0, 9, cost * derive_cost_scale(q));
	fprintf(out, " %s", derive_cost_unit(q));
}

/* As wide as "Thread 0: ", or one blank. */
static int padding(const char *name)
{
	return strlen(name) < 9 ? 9 - (int)strlen(name) : 1;
}

static void speedup_row(
	const struct samples *r, int speedup, int thread, const char *name, FILE *out)
{
	const struct plan_speedup *s = &r->plan->speedups[speedup];
	double base_s;
	struct amount ratio = derive_speedup(r, speedup, thread, &base_s);

	if (name)
		fprintf(out, "%-24s | %s:%*s", "", name, padding(name), "");
	else
		fprintf(out, "%-24s | Thread %d: ", thread == 0 ? s->label : "", thread);
	report_cell(out, 9, 3, ratio.value);
	fprintf(out, " +-");
	report_cell(out, 6, 3, (ratio.high - ratio.low) / 2);
	fprintf(out, "   base %s:", r->plan->ops[s->under].label);
	base_cost(r->plan->request, base_s, out);
	fprintf(out, "\n");
}

static bool share(const struct samples *r, enum family family)
{
	return r->sharing && r->sharing->families[family].kin.prior.figures;
}

/* For the heading of ratios of threads and of all together. */
static const char *shared(const struct samples *r, enum family threads, enum family all)
{
	if (share(r, threads) != share(r, all))
		return share(r, all) ? ", with shared variances but for threads"
				     : ", with shared variances but for all threads together";
	return share(r, threads) ? ", with shared variances" : "";
}

static void kind_speedups(const struct samples *r, int speedup, FILE *out)
{
	for (int kind = 0; kind < r->plan->topo->nkinds; kind++)
		if (derive_keeps_apart(r->plan, kind))
			speedup_row(r, speedup, THREADS_OF_KIND(kind),
				topo_kind_name(r->plan->topo, kind), out);
}

static void speedups(const struct samples *r, FILE *out)
{
	if (!r->plan->nspeedups)
		return;
	fprintf(out, "%*s-Speedups- (ratios of costs; intervals %s%s)\n\n",
		report_label_width(r->plan) + 10, "",
		r->prepared->made > 1 ? "over placements" : "on a logarithmic scale",
		shared(r, FAMILY_SPEEDUP, FAMILY_SPEEDUP_OF_ALL));
	for (int i = 0; i < r->plan->nspeedups; i++) {
		for (int t = 0; t < r->plan->nthreads; t++)
			speedup_row(r, i, t, NULL, out);
		kind_speedups(r, i, out);
		speedup_row(r, i, ALL_THREADS, "Total", out);
		fprintf(out, "\n");
	}
}

static void overhead_row(const struct run *t, int op, const char *kind, int who, FILE *out)
{
	struct amount overhead = derive_overhead(t, op, who);

	fprintf(out, "%-24s | overhead%s%s:", "", kind ? " of " : "", kind ? kind : "");
	report_cell(out, 9, 2, overhead.value);
	fprintf(out, " %% +-");
	report_cell(out, 0, 2, (overhead.high - overhead.low) / 2);
	fprintf(out, "\n");
}

static void overheads(const struct run *t, int op, FILE *out)
{
	const struct topo *topo = t->plan.topo;

	for (int kind = 0; kind < topo->nkinds; kind++)
		if (derive_keeps_apart(&t->plan, kind))
			overhead_row(t, op, topo_kind_name(topo, kind), THREADS_OF_KIND(kind), out);
	if (!plan_mixes_kinds(&t->plan))
		overhead_row(t, op, NULL, ALL_THREADS, out);
}

/* With solo: the cost of each thread alone, and its slowdown when the others run too. */
static void solos(const struct run *t, FILE *out)
{
	if (!t->solos)
		return;
	fprintf(out, "%*s-Alone and together- (overhead: thesis, eq. 4.1%s)\n\n",
		report_label_width(&t->plan) + 10, "",
		shared(&t->samples, FAMILY_SLOWDOWN, FAMILY_OVERHEAD));
	for (int op = 0; op < t->plan.nops; op++) {
		for (int k = 0; k < t->plan.nthreads; k++) {
			struct amount slowdown = derive_slowdown(t, op, k);

			fprintf(out, "%-24s | Thread %d: ", k ? "" : t->plan.ops[op].label, k);
			fprintf(out, " alone");
			base_cost(&t->request, derive_cost(&t->solos[k], op, 0).value, out);
			fprintf(out, ", slowdown");
			report_cell(out, 0, 3, slowdown.value);
			fprintf(out, " +-");
			report_cell(out, 0, 3, (slowdown.high - slowdown.low) / 2);
			fprintf(out, "%s\n",
				undisturbed_again(&t->solos[k], op)
					? " (alone: DISTURBED, MEASURE AGAIN)"
					: "");
		}
		overheads(t, op, out);
		fprintf(out, "\n");
	}
}

/* Speedups against the baseline of the sweep, with the thesis's hypothetical value if the runs
 * differ in a delay. */
static void gains(const struct experiment *x, size_t run, FILE *out)
{
	const struct plan *p = &x->runs[run].plan;
	long base = derive_baseline_index(x, run);

	if (base < 0 || (size_t)base == run)
		return;
	fprintf(out, "%*s-Speedups against the run %s-\n\n", report_label_width(p) + 10, "",
		x->runs[base].label);
	for (int op = 0; op < p->nops; op++) {
		for (int k = 0; k < p->nthreads; k++) {
			double base_s, hypothetical = derive_hypothetical(x, run, op, k);
			struct amount gain = derive_gain(x, run, op, k, &base_s);

			fprintf(out, "%-24s | Thread %d: ", k ? "" : p->ops[op].label, k);
			report_cell(out, 9, 3, gain.value);
			fprintf(out, " +-");
			report_cell(out, 6, 3, (gain.high - gain.low) / 2);
			fprintf(out, "   base:");
			base_cost(p->request, base_s, out);
			if (isfinite(hypothetical))
				fprintf(out, "   hypothetical t/(t+delay): %.3f", hypothetical);
			fprintf(out, "\n");
		}
		fprintf(out, "\n");
	}
}

void report_ratios(const struct experiment *x, size_t run, FILE *out)
{
	speedups(&x->runs[run].samples, out);
	solos(&x->runs[run], out);
	gains(x, run, out);
}
