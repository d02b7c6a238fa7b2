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

static void print_mix_row(const struct samples *r, int op, int thread,
	const struct counted_metric *const *of, const struct counted_metric *all, FILE *out)
{
	fprintf(out, "%s,%d,counted", r->plan->ops[op].jobs[thread].name, thread);
	field(derive_counter(r, op, thread, all).value, "%.0f", out);
	for (int type = 0; type < MAPPING_TYPES; type++)
		field(of[type] ? counted_mix_share(derive_counter(r, op, thread, of[type]).value)
			       : NAN,
			"%.4f", out);
	fputc('\n', out);
}

int report_mix(const struct result_of *m, const struct document *d, FILE *out)
{
	const struct samples *s = &m->experiment->runs[0].samples;
	const struct counting *c = m->experiment->counting;
	const struct counted_metric *of[MAPPING_TYPES];

	(void)d;
	fputs("kernel,thread,method,instructions", out);
	for (int type = 0; type < MAPPING_TYPES; type++) {
		free(counted_mix_find(c, (enum mapping_type)type, true, &of[type]));
		fprintf(out, ",%s", mapping_types[type]);
	}
	fputc('\n', out);
	for (int op = 0; s->ops && op < s->plan->nops; op++)
		for (int thread = 0; thread < s->plan->nthreads; thread++)
			print_mix_row(
				s, op, thread, of, find_counted_metric(c, "instructions"), out);
	return 0;
}
