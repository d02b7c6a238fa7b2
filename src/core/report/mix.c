/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counted instruction mix of each thread, in the form of a profile (mapping/profile.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/counted_mix.h"
#include "analysis/counters.h"
#include "report/report.h"

static const struct counted_metric *find_counted_metric(const struct counting *c, const char *name)
{
	for (size_t i = 0; c && i < c->nmetrics; i++)
		if (c->metrics[i].metric && !strcmp(c->metrics[i].name, name))
			return &c->metrics[i];
	return NULL;
}

/* Returns whether any type can be counted; if not, why[n]. */
static bool countable(const struct counting *c, char *why, size_t n)
{
	const char *hardware = counter_missing(find_counted_metric(c, "instructions"));
	const struct counted_metric *m;
	bool any = false;

	*why = '\0';
	for (int type = 0; type < MAPPING_TYPES; type++) {
		char *reason = counted_mix_find(c, (enum mapping_type)type, true, &m);

		any |= m != NULL;
		if (!*why && reason)
			snprintf(why, n, "%s", hardware ? hardware : reason);
		free(reason);
	}
	return any;
}

/* A profile has one row for a thread and a kernel. */
static int check_operations(const struct plan *p, struct errors *e)
{
	for (int op = 1; op < p->nops; op++)
		for (int other = 0; other < op; other++)
			for (int i = 0; i < p->nthreads; i++) {
				const struct plan_job *job = &p->ops[op].jobs[i];

				if (job->kernel != p->ops[other].jobs[i].kernel)
					continue;
				error_add(e, STATUS_USAGE, p->request->ops.at,
					"--mix: thread %d runs '%s' in '%s' and in '%s'", i,
					job->name, p->ops[other].label, p->ops[op].label);
				return error_hint(e,
					"measure one of them at a time: --set kernels=%s",
					p->ops[op].label);
			}
	return 0;
}

int report_mix_check(const struct experiment *x, struct errors *e)
{
	char why[256];

	if (!find_counted_metric(x->counting, "instructions")) {
		error_add(e, STATUS_USAGE, NOWHERE, "--mix needs counters: mix");
		return error_hint(e, "--set counters=mix counts the instructions of each thread");
	}
	if (x->nruns > 1) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"--mix writes the mixes of one run, and the sweep has %zu", x->nruns);
		return error_hint(e, "a profile has one row for each kernel and thread: measure "
				     "one value at a time");
	}
	if (check_operations(&x->runs[0].plan, e))
		return -1;
	if (countable(x->counting, why, sizeof(why)))
		return 0;
	error_add(e, STATUS_COUNTERS, NOWHERE, "--mix: no instruction mix can be counted here: %s",
		why);
	return error_hint(
		e, "scripts/mix has the mixes of the kernels' loops as built, without counters");
}

/* An empty field is not known. */
static void field(double value, const char *format, FILE *out)
{
	fputc(',', out);
	if (isfinite(value))
		fprintf(out, format, value);
}

/* What a job counted; NAN: nothing of that name. */
static double find_count(const struct document_job *j, const char *metric)
{
	for (size_t i = 0; metric && i < j->ncounters; i++)
		if (!strcmp(j->counters[i].metric, metric))
			return j->counters[i].value;
	return NAN;
}

/* The metric that gives the share of a type; NULL: none does. */
static const char *find_share(const struct document_counting *c, const char *type)
{
	for (size_t i = 0; i < c->nmetrics; i++)
		if (c->metrics[i].share_of && !strcmp(c->metrics[i].share_of, type))
			return c->metrics[i].name;
	return NULL;
}

static void print_mix_row(const struct document *d, const struct document_job *j, FILE *out)
{
	fprintf(out, "%s,%d,counted", j->kernel, j->thread);
	field(find_count(j, "instructions"), "%.0f", out);
	for (int type = 0; type < MAPPING_TYPES; type++)
		field(counted_mix_share(
			      find_count(j, find_share(&d->counting, mapping_types[type]))),
			"%.4f", out);
	fputc('\n', out);
}

void report_mix(const struct document *d, FILE *out)
{
	const struct document_operations *l = &d->runs->operations;

	fputs("kernel,thread,method,instructions", out);
	for (int type = 0; type < MAPPING_TYPES; type++)
		fprintf(out, ",%s", mapping_types[type]);
	fputc('\n', out);
	for (size_t op = 0; op < l->count; op++)
		for (size_t i = 0; i < l->list[op].njobs; i++)
			print_mix_row(d, &l->list[op].jobs[i], out);
}
