/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One row for each figure of each thread, of all runs and operations. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quantity.h"
#include "base/text.h"
#include "document/figure.h"
#include "report/cells.h"
#include "report/fields.h"

/* What the rows of one thread of an operation have in common; thread may be ALL_THREADS. */
struct subject {
	const struct document *document;
	const bool *sizes;
	size_t run;
	size_t op;
	int thread;
};

static const struct document_run *run_of(const struct subject *s)
{
	return &s->document->runs[s->run];
}

static const struct document_operation *op_of(const struct subject *s)
{
	return &run_of(s)->operations.list[s->op];
}

static void number(double value, const char *end, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "%.12g", value);
	fputs(end, out);
}

static void thread_fields(const struct subject *s, FILE *out)
{
	const struct document_thread *t = &run_of(s)->threads[s->thread];

	fprintf(out, "%s,%d,", op_of(s)->jobs[s->thread].kernel, s->thread);
	if (t->cpu == -1)
		fputs(",,", out);
	else
		fprintf(out, "%d,%d,", t->node, t->cpu);
	fields_vectors(run_of(s), 0, (size_t)s->thread, out);
}

static void held(const struct subject *s, FILE *out)
{
	char all[256];

	text_print_csv(s->thread >= 0 ? op_of(s)->jobs[s->thread].held
				      : report_held_words(op_of(s), all, sizeof(all)),
		out);
}

/* A figure that does not exist has no row. mark: word and why; NULL: it is no time of the samples,
 * as counts and the kernels' own figures. */
static void print_summary_row(const struct subject *s, const char *figure, const char *unit,
	struct amount a, const struct document_mark *mark, FILE *out)
{
	const struct document *d = s->document;

	if (!isfinite(a.value))
		return;
	fields_host(d, out);
	fprintf(out, "%s,%zu,", document_fact(d, "date"), s->run);
	fields_sweep(d, s->sizes, s->run, out);
	fprintf(out, "%zu,", s->op);
	text_print_csv(op_of(s)->name, out);
	fputc(',', out);
	if (s->thread >= 0)
		thread_fields(s, out);
	else
		fputs(",,,,,,,,,", out);
	fprintf(out, "%s,%s,", figure, unit);
	number(a.value, ",", out);
	number(a.low, ",", out);
	number(a.high, ",", out);
	fprintf(out, "%s,", mark && mark->there ? mark->word : "");
	text_print_csv(mark && mark->there ? mark->why : "", out);
	fputc(',', out);
	text_print_csv(d->trust.conditions ? d->trust.conditions : "", out);
	fputc(',', out);
	held(s, out);
	fputc('\n', out);
}

static void trusted(const struct subject *s, const char *figure, const char *unit, struct amount a,
	struct trust t, FILE *out)
{
	char *why = trust_why(&t);
	const struct document_mark mark = {true, trust_words[t.word], why};

	print_summary_row(s, figure, unit, a, &mark, out);
	free(why);
}

/* A time, with the mark that its interval and its samples give. */
static void timed(const struct subject *s, const char *figure, const char *unit, struct amount a,
	const struct document_operation *o, FILE *out)
{
	const struct trust_samples of = document_trust_samples(run_of(s), o, s->thread);

	trusted(s, figure, unit, a, trust_of(&of, a), out);
}

static const char *unit_of(const struct subject *s, enum quantity q)
{
	return quantities[q].unit ? quantities[q].unit : report_cost_unit(&run_of(s)->method);
}

static struct amount quantity(const struct subject *s, enum quantity q)
{
	const struct document_row r = document_row(op_of(s), s->thread);

	switch (q) {
	case QUANTITY_COST:
		return amount_times(r.cost, report_cost_scale(&run_of(s)->method));
	case QUANTITY_BUSY:
		return r.busy;
	case QUANTITY_NS_PER_UNIT:
		return r.ns_per_unit;
	case QUANTITY_RATE:
		return r.units_per_s;
	case QUANTITY_BANDWIDTH:
		return amount_times(r.bytes_per_s, 1e-9);
	case QUANTITY_TRAFFIC:
		return amount_times(r.traffic, 1e-9);
	case QUANTITY_WHOLE_TIME:
		return r.whole_time;
	default: /* QUANTITY_CLOCK_RATE */
		return (struct amount){
			s->thread < 0 ? NAN : op_of(s)->jobs[s->thread].clock.median_hz * 1e-9, NAN,
			NAN};
	}
}

static void costs(const struct subject *s, FILE *out)
{
	if (s->thread >= 0)
		print_summary_row(s, "first", unit_of(s, QUANTITY_COST),
			amount_times(op_of(s)->jobs[s->thread].figures.first,
				report_cost_scale(&run_of(s)->method)),
			NULL, out);
	for (enum quantity q = 0; q < QUANTITIES; q++)
		if (quantities[q].every && quantities[q].timed)
			timed(s, quantities[q].name, unit_of(s, q), quantity(s, q), op_of(s), out);
		else if (quantities[q].every)
			print_summary_row(
				s, quantities[q].name, unit_of(s, q), quantity(s, q), NULL, out);
}

static void marked(
	const struct subject *s, enum quantity q, const struct document_marked *figure, FILE *out)
{
	print_summary_row(s, quantities[q].name, unit_of(s, q), figure->amount, &figure->mark, out);
}

/* With solo and baseline. Of all threads there is no slowdown, of one no overhead. */
static void print_ratio_rows(const struct subject *s, FILE *out)
{
	const struct document_run *r = run_of(s);
	const size_t thread = (size_t)s->thread;
	const struct document_operation *alone =
		s->thread >= 0 && thread < r->nalone && s->op < r->alone[thread].count
			? &r->alone[thread].list[s->op]
			: NULL;

	if (alone)
		timed(s, "cost_alone", unit_of(s, QUANTITY_COST),
			amount_times(document_row(alone, 0).cost, report_cost_scale(&r->method)),
			alone, out);
	if (s->op < r->nsolos && s->thread < 0)
		marked(s, QUANTITY_OVERHEAD, &r->solos[s->op].overhead_percent, out);
	else if (s->op < r->nsolos && thread < r->solos[s->op].slowdowns.count)
		marked(s, QUANTITY_SLOWDOWN, &r->solos[s->op].slowdowns.list[thread], out);
	if (s->op < r->ngains && s->thread < 0)
		marked(s, QUANTITY_SPEEDUP, &r->gains[s->op].total, out);
	else if (s->op < r->ngains && thread < r->gains[s->op].nthreads)
		marked(s, QUANTITY_SPEEDUP, &r->gains[s->op].threads[thread].speedup, out);
}

static void counts(const struct subject *s, FILE *out)
{
	static const struct {
		const char *kind, *unit;
	} kinds[] = {{"count", "per unit"}, {"ratio", ""}, {"percent", "%"}};
	const struct document_counting *c = &s->document->counting;
	const struct document_operation *o = op_of(s);
	const struct document_counter *list =
		s->thread < 0 ? o->counters : o->jobs[s->thread].counters;
	const size_t n = s->thread < 0 ? o->ncounters : o->jobs[s->thread].ncounters;

	for (size_t i = 0; i < n && i < c->nmetrics; i++) {
		const bool count = !strcmp(c->metrics[i].kind, "count");
		const char *unit = "";

		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
			if (!strcmp(kinds[k].kind, c->metrics[i].kind))
				unit = kinds[k].unit;
		print_summary_row(s, list[i].metric, unit,
			(struct amount){count ? list[i].per_unit : list[i].value, list[i].low,
				list[i].high},
			NULL, out);
	}
}

/* In the order of the operation, whose kernels a thread may run others of. */
static void own_figures(const struct subject *s, FILE *out)
{
	const struct document_own *all = &op_of(s)->own;
	const struct document_own *own = s->thread < 0 ? all : &op_of(s)->jobs[s->thread].own;

	for (size_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < own->count; k++)
			if (!strcmp(own->list[k].name, all->list[i].name))
				print_summary_row(s, own->list[k].name, own->list[k].unit,
					own->list[k].value, NULL, out);
}

static void tail(
	const struct subject *s, const struct tails *t, enum quantity q, struct amount a, FILE *out)
{
	struct trust_samples of = document_trust_samples(run_of(s), op_of(s), s->thread);

	of.lost = tails_lost(t);
	trusted(s, quantities[q].name, unit_of(s, q), a, trust_of(&of, a), out);
}

/* Those that are below what stamps can tell, or take more events, are no figures. */
static void tails(const struct subject *s, FILE *out)
{
	const struct tails *t = s->thread < 0 ? NULL : op_of(s)->jobs[s->thread].tails;

	if (!t)
		return;
	for (int i = 0; i < TAIL_PARTS; i++)
		tail(s, t, QUANTITY_P1 + i, tails_percentile(&t->kept, i), out);
	tail(s, t, QUANTITY_LONGEST, tails_longest(&t->kept, 0), out);
	tail(s, t, QUANTITY_SHARE_ABOVE, tails_above(&t->kept, 0), out);
	tail(s, t, QUANTITY_TIME_ABOVE, tails_time_above(&t->kept, 0), out);
}

#define AFTER_SWEEP                                                        \
	"operation_index,operation,kernel,thread,node,cpu," FIELDS_VECTORS \
	"figure,unit,value,low,high,mark,why,conditions,held_by"

void report_summary(const struct document *d, FILE *out)
{
	bool *sizes = fields_sizes(d);

	fputs("host,date,run,", out);
	fields_sweep_head(d, sizes, "host,date,run," AFTER_SWEEP, out);
	fputs(AFTER_SWEEP "\n", out);
	for (size_t run = 0; run < d->nruns; run++)
		for (size_t op = 0; op < d->runs[run].operations.count; op++) {
			const struct document_operation *o = &d->runs[run].operations.list[op];

			for (int who = ALL_THREADS; who < (int)o->njobs; who++) {
				struct subject s = {d, sizes, run, op, who};

				costs(&s, out);
				print_ratio_rows(&s, out);
				counts(&s, out);
				own_figures(&s, out);
				tails(&s, out);
			}
		}
	free(sizes);
}
