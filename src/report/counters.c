/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters in the text report: what was counted, and how. */
#include <math.h>
#include <stdlib.h>

#include "analysis/counters.h"
#include "report/report.h"

#define WIDTH 26

/* The mean of a few samples need not be a whole number. */
static const char *count(double value, char *buffer, size_t n)
{
	snprintf(buffer, n, value < 1000 ? "%.4g" : "%.0f", value);
	return buffer;
}

static void figure(FILE *out, const struct counted_metric *m, struct counter_figure f)
{
	char text[64], number[32];

	if (!isfinite(f.value))
		snprintf(text, sizeof(text), "n/a");
	else if (counter_kind(m) == METRIC_PERCENT)
		snprintf(text, sizeof(text), "%.3f %%", f.value);
	else if (counter_kind(m) == METRIC_RATIO)
		snprintf(text, sizeof(text), "%.4f", f.value);
	else if (isfinite(f.per_unit))
		snprintf(text, sizeof(text), "%s (%.4g)", count(f.value, number, sizeof(number)),
			f.per_unit);
	else
		snprintf(text, sizeof(text), "%s", count(f.value, number, sizeof(number)));
	fprintf(out, " %*s", WIDTH, text);
}

static void operation(const struct samples *r, int op, FILE *out)
{
	const struct counting *c = r->plan->counting;
	char thread[32];

	fprintf(out, "%-24s", r->plan->ops[op].label);
	for (int t = 0; t < r->plan->nthreads; t++) {
		snprintf(thread, sizeof(thread), "Thread %d", t);
		fprintf(out, " %*s", WIDTH, thread);
	}
	fprintf(out, "\n");
	for (size_t i = 0; i < c->nmetrics; i++) {
		fprintf(out, "  %-22s", c->metrics[i].name);
		for (int t = 0; t < r->plan->nthreads; t++)
			figure(out, &c->metrics[i], derive_counter(r, op, t, &c->metrics[i]));
		fprintf(out, "\n");
	}
	fprintf(out, "\n");
}

void report_counters(const struct samples *r, FILE *out)
{
	if (!r->plan->counting)
		return;
	fprintf(out,
		"          --Counters-- (means of %d samples of their own in each of %zu pass%s; "
		"in brackets for each unit)\n\n",
		COUNTED_SAMPLES, r->plan->counting->npasses,
		r->plan->counting->npasses == 1 ? "" : "es");
	for (int op = 0; op < r->plan->nops; op++)
		operation(r, op, out);
}

static void metric(const struct counted_metric *m, FILE *out)
{
	const char *missing = counter_missing(m), *help = counter_help(m);

	fprintf(out, " - %s%s%s", m->name, *help ? ", " : "", help);
	if (missing)
		fprintf(out, ": n/a: %s\n", missing);
	else
		fprintf(out, " = %s%s\n", m->formula.text,
			m->pass < 0 ? ", from several passes" : "");
}

/* Prints only events that a figure uses. The other events are the reasons for missing figures. */
static void event(const struct counted_event *e, FILE *out)
{
	char *remark = counter_remark(e);

	if (*e->native || *remark)
		fprintf(out, "   %s%s%s%s%s\n", e->name, *e->native ? " is " : "", e->native,
			*remark ? ": " : "", remark);
	free(remark);
}

void report_counting(const struct counting *c, FILE *out)
{
	fprintf(out, "+ Counted\n");
	for (size_t i = 0; i < c->nmetrics; i++)
		metric(&c->metrics[i], out);
	for (size_t i = 0; i < c->nevents; i++)
		if (counting_uses(c, i))
			event(&c->events[i], out);
	fprintf(out, "\n");
}
