/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counters in the text report: what was counted, and how. */
#include <math.h>
#include <string.h>

#include "report/cells.h"

#define WIDTH 26

/* The mean of a few samples need not be a whole number. */
static const char *format_count(double value, char *buffer, size_t n)
{
	snprintf(buffer, n, value < 1000 ? "%.4g" : "%.0f", value);
	return buffer;
}

static void print_counter(FILE *out, const char *kind, const struct document_counter *f)
{
	char text[64], number[32];

	if (!isfinite(f->value))
		snprintf(text, sizeof(text), "n/a");
	else if (!strcmp(kind, "percent"))
		snprintf(text, sizeof(text), "%.3f %%", f->value);
	else if (!strcmp(kind, "ratio"))
		snprintf(text, sizeof(text), "%.4f", f->value);
	else if (isfinite(f->per_unit))
		snprintf(text, sizeof(text), "%s (%.4g)",
			format_count(f->value, number, sizeof(number)), f->per_unit);
	else
		snprintf(text, sizeof(text), "%s", format_count(f->value, number, sizeof(number)));
	fprintf(out, " %*s", WIDTH, text);
}

static struct document_counter find_counter(const struct document_job *j, const char *metric)
{
	for (size_t i = 0; i < j->ncounters; i++)
		if (!strcmp(j->counters[i].metric, metric))
			return j->counters[i];
	return (struct document_counter){metric, NAN, NAN, NAN, NAN};
}

static void operation(
	const struct document_counting *c, const struct document_operation *o, FILE *out)
{
	char thread[32];

	fprintf(out, "%-24s", o->name);
	for (size_t t = 0; t < o->njobs; t++) {
		snprintf(thread, sizeof(thread), "Thread %zu", t);
		fprintf(out, " %*s", WIDTH, thread);
	}
	fprintf(out, "\n");
	for (size_t i = 0; i < c->nmetrics; i++) {
		fprintf(out, "  %-22s", c->metrics[i].name);
		for (size_t t = 0; t < o->njobs; t++) {
			const struct document_counter f =
				find_counter(&o->jobs[t], c->metrics[i].name);

			print_counter(out, c->metrics[i].kind, &f);
		}
		fprintf(out, "\n");
	}
	fprintf(out, "\n");
}

void report_counters(const struct document *d, const struct document_run *r, FILE *out)
{
	const struct document_counting *c = &d->counting;

	if (!d->has_counting)
		return;
	fprintf(out,
		"          --Counters-- (means of %d samples of their own in each of %zu pass%s; "
		"in brackets for each unit)\n\n",
		c->samples_per_pass, c->npasses, c->npasses == 1 ? "" : "es");
	for (size_t op = 0; op < r->operations.count; op++)
		operation(c, &r->operations.list[op], out);
}

static void metric(const struct document_metric *m, FILE *out)
{
	fprintf(out, " - %s%s%s", m->name, *m->help ? ", " : "", m->help);
	if (m->missing)
		fprintf(out, ": n/a: %s\n", m->missing);
	else
		fprintf(out, " = %s%s\n", m->formula, m->pass < 0 ? ", from several passes" : "");
}

/* Is it in a pass before this one? */
static bool is_known(const struct document_counting *c, size_t passes, const char *event)
{
	for (size_t i = 0; i < passes; i++)
		for (size_t k = 0; k < c->passes[i].nevents; k++)
			if (!strcmp(c->passes[i].events[k].event, event))
				return true;
	return false;
}

static void events(const struct document_counting *c, size_t pass, FILE *out)
{
	for (size_t i = 0; i < c->passes[pass].nevents; i++) {
		const struct document_event *e = &c->passes[pass].events[i];

		if ((*e->native || *e->remark) && !is_known(c, pass, e->event))
			fprintf(out, "   %s%s%s%s%s\n", e->event, *e->native ? " is " : "",
				e->native, *e->remark ? ": " : "", e->remark);
	}
}

void report_counting(const struct document_counting *c, FILE *out)
{
	fprintf(out, "+ Counted\n");
	for (size_t i = 0; i < c->nmetrics; i++)
		metric(&c->metrics[i], out);
	for (size_t i = 0; i < c->npasses; i++)
		events(c, i, out);
	fprintf(out, "\n");
}
