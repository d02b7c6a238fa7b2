/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predictions for people, and as CSV. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "forecast/forecast.h"

static void print_forecast_head(const struct forecast *f, FILE *out)
{
	char mark[FORECAST_MARK];

	forecast_mark(f, mark);
	fprintf(out, "PREDICTED, not measured: %s\n", f->args);
	if (*mark)
		fprintf(out, "the profile is %s\n", mark);
	fprintf(out, "profile: %zu operation%s of", f->learned, text_s(f->learned));
	for (size_t i = 0; i < f->profile->count; i++)
		fprintf(out, "%s %s", i ? "," : "", f->profile->word[i]);
	fprintf(out, "\n");
}

static void rules(const struct forecast *f, FILE *out)
{
	for (size_t i = 0; i < f->nrules; i++) {
		const struct forecast_rule *r = &f->rules[i];

		fprintf(out,
			"%s: %zu run%s left out, off by %.1f %% on average by the model of queues, "
			"by %.1f %% if each thread costs what it costs alone%s\n",
			r->of, r->runs, text_s(r->runs), 100 * r->queues, 100 * r->alone,
			r->as_alone ? ", which is predicted" : "");
	}
}

static void parameters(const struct forecast *f, FILE *out)
{
	fprintf(out, "\nparameters of the model:\n");
	for (size_t i = 0; i < f->nparameters; i++) {
		const struct forecast_parameter *p = &f->parameters[i];

		fprintf(out, "  %s = %.4g", p->name, p->value);
		if (isfinite(p->error))
			fprintf(out, " (standard error %.1f %%)", 100 * p->error);
		else if (p->assumed)
			fprintf(out, ", assumed");
		fprintf(out, "\n");
	}
}

static void print_thread_cost(
	const struct forecast *f, const struct forecast_thread *t, size_t i, FILE *out)
{
	fprintf(out, "    thread %zu, %s: node %d, ", i, t->kernel, t->node);
	if (t->memory == FORECAST_NO_MEMORY)
		fprintf(out, "no memory: ");
	else if (t->memory < 0)
		fprintf(out, "memory on several nodes: ");
	else
		fprintf(out, "memory on node %d: ", t->memory);
	fprintf(out, "%.6g s", t->cost.value);
	if (isnan(t->cost.low))
		fprintf(out, ", no interval\n");
	else
		fprintf(out, ", %g %%: %.6g .. %.6g\n", 100 * f->confidence, t->cost.low,
			t->cost.high);
}

static void one_run(const struct forecast *f, const struct forecast_run *r, FILE *out)
{
	fprintf(out, "\n%s%spredicted cost of a %s:\n", r->label, *r->label ? ": " : "", r->per);
	if (r->skipped)
		fprintf(out, "  not here: %s\n", r->skipped);
	for (size_t i = 0; i < r->count; i++) {
		const struct forecast_operation *o = &r->operations[i];

		fprintf(out, "  %s%s\n", o->name,
			o->assumed    ? ": how its threads slow each other down is assumed"
			: o->as_alone ? ": each thread as alone, the model of queues is no better "
					"here"
				      : "");
		if (o->refused)
			fprintf(out, "    not predicted: %s\n", o->refused);
		for (size_t k = 0; k < o->count && !o->refused; k++)
			print_thread_cost(f, &o->threads[k], k, out);
	}
}

static char *written(const struct forecast *f, void (*write)(const struct forecast *, FILE *))
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	write(f, out);
	return buffer_text(&text, out);
}

static void write_text(const struct forecast *f, FILE *out)
{
	print_forecast_head(f, out);
	rules(f, out);
	for (size_t i = 0; i < f->nruns; i++)
		one_run(f, &f->runs[i], out);
	parameters(f, out);
}

char *forecast_text(const struct forecast *f)
{
	return written(f, write_text);
}

static void print_bound(double value, FILE *out)
{
	if (isnan(value))
		fprintf(out, ",");
	else
		fprintf(out, ",%.9g", value);
}

static void csv_rows(const struct forecast *f, const struct forecast_run *r,
	const struct forecast_operation *o, FILE *out)
{
	char mark[FORECAST_MARK];

	forecast_mark(f, mark);
	if (o->assumed)
		strcat(strcat(mark, *mark ? ", " : ""), "interaction assumed");
	for (size_t n = 0; n < o->count && !o->refused; n++) {
		const struct forecast_thread *t = &o->threads[n];

		fprintf(out, "predicted,");
		text_print_csv(r->label, out);
		fputc(',', out);
		text_print_csv(o->name, out);
		fprintf(out, ",%zu,%s,%d,", n, t->kernel, t->node);
		if (t->memory >= 0)
			fprintf(out, "%d", t->memory);
		fprintf(out, ",%s", r->per);
		print_bound(t->cost.value, out);
		print_bound(t->cost.low, out);
		print_bound(t->cost.high, out);
		fputc(',', out);
		text_print_csv(mark, out);
		fputc('\n', out);
	}
}

static void write_csv(const struct forecast *f, FILE *out)
{
	fprintf(out, "source,run,operation,thread,kernel,node,memory_node,per,predicted_s,low_s,"
		     "high_s,mark\n");
	for (size_t i = 0; i < f->nruns; i++)
		for (size_t k = 0; k < f->runs[i].count; k++)
			csv_rows(f, &f->runs[i], &f->runs[i].operations[k], out);
}

char *forecast_csv(const struct forecast *f)
{
	return written(f, write_csv);
}
