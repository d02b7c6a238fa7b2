/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratios of a run in the text report: speedups, slowdowns, overheads. */
#include <math.h>
#include <string.h>

#include "analysis/pooling.h"
#include "document/figure.h"
#include "report/cells.h"

/* The cost that is the base of a ratio, printed beside the ratio. */
static void base_cost(const struct document_method *m, double cost, FILE *out)
{
	report_cell(out, 0, 9, cost * report_cost_scale(m));
	fprintf(out, " %s", report_cost_unit(m));
}

/* As wide as "Thread 0: ", or one blank. */
static int padding(const char *name)
{
	return strlen(name) < 9 ? 9 - (int)strlen(name) : 1;
}

/* who: whose cost is its base; kinds have the place of theirs. */
static void speedup_row(const struct document_run *r, const struct document_speedup *s, int who,
	struct amount ratio, const struct document_mark *mark, FILE *out)
{
	const struct document_operation *base =
		s->base >= 0 && (size_t)s->base < r->operations.count ? &r->operations.list[s->base]
								      : NULL;

	report_cell(out, 9, 3, ratio.value);
	report_half(out, 6, ratio);
	if (base)
		fprintf(out, "   base %s:", base->name);
	if (base)
		base_cost(&r->method, document_row(base, who).cost.value, out);
	if (mark)
		report_mark(mark, out);
	fprintf(out, "\n");
}

static bool family_shares(const struct document_method *m, enum family family)
{
	for (size_t i = 0; i < m->nfamilies; i++)
		if (!strcmp(m->families[i].name, family_names[family]))
			return m->families[i].shared;
	return false;
}

/* For the heading of ratios of threads and of all together. */
static const char *shared(const struct document_method *m, enum family threads, enum family all)
{
	if (family_shares(m, threads) != family_shares(m, all))
		return family_shares(m, all)
			       ? ", with shared variances but for threads"
			       : ", with shared variances but for all threads together";
	return family_shares(m, threads) ? ", with shared variances" : "";
}

static void named_row(const struct document_run *r, const struct document_speedup *s,
	const char *name, int who, struct amount ratio, const struct document_mark *mark, FILE *out)
{
	fprintf(out, "%-24s | %s:%*s", "", name, padding(name), "");
	speedup_row(r, s, who, ratio, mark, out);
}

static void speedups(const struct document_run *r, FILE *out)
{
	if (!r->nspeedups)
		return;
	fprintf(out, "%*s-Speedups- (ratios of costs; intervals %s%s)\n\n",
		report_label_width(r) + 10, "",
		r->placements > 1 ? "over placements" : "on a logarithmic scale",
		shared(&r->method, FAMILY_SPEEDUP, FAMILY_SPEEDUP_OF_ALL));
	for (size_t i = 0; i < r->nspeedups; i++) {
		const struct document_speedup *s = &r->speedups[i];

		for (size_t t = 0; t < s->threads.count; t++) {
			fprintf(out, "%-24s | Thread %zu: ", t == 0 ? s->name : "", t);
			speedup_row(r, s, (int)t, s->threads.list[t].amount,
				&s->threads.list[t].mark, out);
		}
		for (size_t k = 0; k < s->nkinds; k++)
			named_row(r, s, s->kinds[k].kind, THREADS_OF_KIND((int)k),
				s->kinds[k].value.amount, NULL, out);
		named_row(r, s, "Total", ALL_THREADS, s->total.amount, &s->total.mark, out);
		fprintf(out, "\n");
	}
}

static void overhead_row(
	struct amount overhead, const char *kind, const struct document_mark *mark, FILE *out)
{
	fprintf(out, "%-24s | overhead%s%s:", "", kind ? " of " : "", kind ? kind : "");
	report_cell(out, 9, 2, overhead.value);
	fprintf(out, " %% +-");
	report_cell(out, 0, 2, (overhead.high - overhead.low) / 2);
	if (mark)
		report_mark(mark, out);
	fputc('\n', out);
}

static void overheads(const struct document_solo *s, FILE *out)
{
	for (size_t i = 0; i < s->kinds.count; i++)
		overhead_row(s->kinds.list[i].value, s->kinds.list[i].name, NULL, out);
	if (!s->kinds.count)
		overhead_row(s->overhead_percent.amount, NULL, &s->overhead_percent.mark, out);
}

/* The operation of a thread alone; NULL: it was not reached. */
static const struct document_operation *alone(
	const struct document_run *r, size_t op, size_t thread)
{
	if (thread >= r->nalone || op >= r->alone[thread].count)
		return NULL;
	return r->alone[thread].list[op].njobs ? &r->alone[thread].list[op] : NULL;
}

/* With solo: the cost of each thread alone, and its slowdown when the others run too. */
static void solos(const struct document_run *r, FILE *out)
{
	if (!r->has_solo)
		return;
	fprintf(out, "%*s-Alone and together- (overhead: thesis, eq. 4.1%s)\n\n",
		report_label_width(r) + 10, "",
		shared(&r->method, FAMILY_SLOWDOWN, FAMILY_OVERHEAD));
	for (size_t op = 0; op < r->nsolos; op++) {
		const struct document_solo *s = &r->solos[op];

		for (size_t k = 0; k < s->slowdowns.count; k++) {
			const struct document_operation *o = alone(r, op, k);
			const struct amount slowdown = s->slowdowns.list[k].amount;

			fprintf(out, "%-24s | Thread %zu: ", k ? "" : s->operation, k);
			fprintf(out, " alone");
			base_cost(&r->method, o ? document_row(o, 0).cost.value : NAN, out);
			fprintf(out, ", slowdown");
			report_cell(out, 0, 3, slowdown.value);
			report_half(out, 0, slowdown);
			if (o && document_trust_samples(r, o, 0).again)
				fputs(" (alone: DISTURBED, MEASURE AGAIN)", out);
			report_mark(&s->slowdowns.list[k].mark, out);
			fputc('\n', out);
		}
		overheads(s, out);
		fprintf(out, "\n");
	}
}

static void gain_row(const struct document_method *m, const struct document_gain *g, FILE *out)
{
	report_cell(out, 9, 3, g->speedup.amount.value);
	report_half(out, 6, g->speedup.amount);
	fprintf(out, "   base:");
	base_cost(m, g->base_s, out);
	if (isfinite(g->hypothetical))
		fprintf(out, "   hypothetical t/(t+delay): %.3f", g->hypothetical);
	report_mark(&g->speedup.mark, out);
	fprintf(out, "\n");
}

/* Speedups against the baseline of the sweep, with the thesis's hypothetical value if the runs
 * differ in a delay. */
static void gains(const struct document_run *r, FILE *out)
{
	if (!r->baseline || !strcmp(r->baseline, r->label))
		return;
	fprintf(out, "%*s-Speedups against the run %s-\n\n", report_label_width(r) + 10, "",
		r->baseline);
	for (size_t op = 0; op < r->ngains; op++) {
		const struct document_baseline *b = &r->gains[op];

		for (size_t k = 0; k < b->nthreads; k++) {
			fprintf(out, "%-24s | Thread %zu: ", k ? "" : b->operation, k);
			gain_row(&r->method, &b->threads[k], out);
		}
		fprintf(out, "\n");
	}
}

void report_ratios(const struct document_run *r, FILE *out)
{
	speedups(r, out);
	solos(r, out);
	gains(r, out);
}
