/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row for each figure of each thread, of all runs and operations. */
#include <math.h>
#include <stdlib.h>

#include "analysis/counters.h"
#include "analysis/kernel_figures.h"
#include "analysis/quality.h"
#include "analysis/settling.h"
#include "plan/held.h"
#include "report/fields.h"

/* What the rows of one thread of an operation have in common; thread may be ALL_THREADS. */
struct subject {
	const struct report *report;
	size_t run;
	int op, thread;
	const char *conditions; /* of the whole file */
};

/* The mark of a figure that is a time of the samples; counts and the kernels' own figures have
 * none.
 */
static void mark(const struct trust *t, FILE *out)
{
	char *why = t ? trust_why(t) : NULL;

	fprintf(out, "%s,", t ? trust_words[t->word] : "");
	text_print_csv(why ? why : "", out);
	free(why);
}

static void number(double value, const char *end, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "%.12g", value);
	fputs(end, out);
}

static void thread_fields(const struct subject *s, FILE *out)
{
	const struct samples *r = &s->report->experiment->runs[s->run].samples;
	const struct plan_job *job = &r->plan->ops[s->op].jobs[s->thread];
	const struct plan_thread *t = &r->plan->threads[s->thread];

	fprintf(out, "%s,%d,", job->name, s->thread);
	if (t->cpu == UNBOUND)
		fputs(",,", out);
	else
		fprintf(out, "%d,%d,", t->node, t->cpu);
	fields_vectors(r, 0, s->thread, out);
}

static void held(const struct subject *s, FILE *out)
{
	const struct plan *p = &s->report->experiment->runs[s->run].plan;
	const struct plan_op *op = &p->ops[s->op];
	char all[256];

	text_print_csv(
		s->thread >= 0 ? op->jobs[s->thread].held : held_together(p, op, all, sizeof(all)),
		out);
}

/* A figure that does not exist has no row. */
static void row(const struct subject *s, const char *figure, const char *unit, struct amount a,
	const struct trust *t, FILE *out)
{
	const struct environment *env = s->report->environment;
	const struct experiment *x = s->report->experiment;

	if (!isfinite(a.value))
		return;
	fields_host(env, out);
	fprintf(out, "%s,%zu,", environment_get(env, "date"), s->run);
	fields_sweep(&x->sweep, s->run, out);
	fprintf(out, "%d,", s->op);
	text_print_csv(x->runs[s->run].plan.ops[s->op].label, out);
	fputc(',', out);
	if (s->thread >= 0)
		thread_fields(s, out);
	else
		fputs(",,,,,,,,,", out);
	fprintf(out, "%s,%s,", figure, unit);
	number(a.value, ",", out);
	number(a.low, ",", out);
	number(a.high, ",", out);
	mark(t, out);
	fputc(',', out);
	text_print_csv(s->conditions, out);
	fputc(',', out);
	held(s, out);
	fputc('\n', out);
}

static void figure(const struct subject *s, enum quantity q, FILE *out)
{
	const struct experiment *x = s->report->experiment;
	struct trust t;
	const bool marked = quantity_trust(x, s->run, s->op, s->thread, q, &t);

	row(s, quantities[q].name, quantity_unit(x, q), quantity_of(x, s->run, s->op, s->thread, q),
		marked ? &t : NULL, out);
}

static void costs(const struct subject *s, FILE *out)
{
	const struct experiment *x = s->report->experiment;
	const struct run *t = &x->runs[s->run];

	if (s->thread >= 0)
		row(s, "first", quantity_unit(x, QUANTITY_COST),
			amount_times(settling_first(&t->samples, s->op, s->thread),
				derive_cost_scale(&t->request)),
			NULL, out);
	for (enum quantity q = 0; q < QUANTITIES; q++)
		if (quantities[q].every)
			figure(s, q, out);
}

/* With solo and baseline. Of all threads there is no slowdown, of one no overhead. */
static void ratios(const struct subject *s, FILE *out)
{
	const struct experiment *x = s->report->experiment;
	const struct run *t = &x->runs[s->run];

	if (t->solos && s->thread >= 0) {
		const struct amount alone = derive_cost(&t->solos[s->thread], s->op, 0);
		const struct trust own = trust_measured(&t->solos[s->thread], s->op, 0, alone);

		row(s, "cost_alone", quantity_unit(x, QUANTITY_COST),
			amount_times(alone, derive_cost_scale(t->plan.request)), &own, out);
	}
	if (t->solos)
		figure(s, s->thread >= 0 ? QUANTITY_SLOWDOWN : QUANTITY_OVERHEAD, out);
	figure(s, QUANTITY_SPEEDUP, out);
}

static void counts(const struct subject *s, FILE *out)
{
	static const char *const units[] = {"per unit", "", "%"}; /* of a metric's kind */
	const struct experiment *x = s->report->experiment;
	const struct counting *c = x->counting;

	for (size_t i = 0; c && i < c->nmetrics; i++)
		row(s, c->metrics[i].name, units[counter_kind(&c->metrics[i])],
			derive_counter_amount(
				&x->runs[s->run].samples, s->op, s->thread, &c->metrics[i]),
			NULL, out);
}

static void own_figures(const struct subject *s, FILE *out)
{
	const struct run *t = &s->report->experiment->runs[s->run];
	struct kernel_figures l;

	kernel_figures_of_op(&l, &t->plan, s->op);
	for (size_t i = 0; i < l.count; i++)
		row(s, l.list[i]->name, l.list[i]->unit,
			kernel_figure_of(&t->samples, s->op, s->thread, l.list[i]->name), NULL,
			out);
	kernel_figures_free(&l);
}

#define AFTER_SWEEP                                                        \
	"operation_index,operation,kernel,thread,node,cpu," FIELDS_VECTORS \
	"figure,unit,value,low,high,mark,why,conditions,held_by"

int report_summary(const struct report *r, FILE *out)
{
	const struct experiment *x = r->experiment;
	const struct quality q = quality_of(x, r->environment);
	char *conditions = quality_conditions(&q);

	fputs("host,date,run,", out);
	fields_sweep_head(&x->sweep, "host,date,run," AFTER_SWEEP, out);
	fputs(AFTER_SWEEP "\n", out);
	for (size_t run = 0; run < x->nruns; run++) {
		const struct run *t = &x->runs[run];

		for (int op = 0; !t->skipped && t->samples.ops && op < t->plan.nops; op++)
			for (int who = ALL_THREADS; who < t->plan.nthreads; who++) {
				struct subject s = {r, run, op, who, conditions};

				costs(&s, out);
				ratios(&s, out);
				counts(&s, out);
				own_figures(&s, out);
			}
	}
	free(conditions);
	return 0;
}
