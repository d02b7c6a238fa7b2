/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes how an experiment was sampled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/sentences/sentences.h"

/* With more operations, the disturbed samples are shown as a sum. */
#define FEW_OPERATIONS 8

struct tally {
	const char *operation;
	struct document_tally sum;
};

static int by_operation(const void *a, const void *b)
{
	return strcmp(((const struct tally *)a)->operation, ((const struct tally *)b)->operation);
}

/* The samples of an operation in all runs. */
static struct document_tally sum_of(const struct document *d, const char *operation)
{
	struct document_tally sum = {0};

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++) {
			const struct document_operation *o = &d->runs[i].operations.list[k];

			if (strcmp(o->name, operation))
				continue;
			sum.taken += o->samples.taken;
			sum.disturbed += o->samples.disturbed;
			sum.preempted += o->samples.preempted;
			sum.moved += o->samples.moved;
			sum.blocked += o->samples.blocked;
			sum.page_faults += o->samples.page_faults;
			sum.taken_away += o->samples.taken_away;
			sum.throttled += o->samples.throttled;
			sum.busy_sibling += o->samples.busy_sibling;
		}
	return sum;
}

static void reasons(const struct document_tally *t, FILE *out)
{
	const struct {
		const char *name;
		int64_t n;
	} list[] = {{"preempted", t->preempted}, {"moved", t->moved}, {"blocked", t->blocked},
		{"page faults", t->page_faults}, {"taken away", t->taken_away},
		{"CPU quota", t->throttled}, {"busy sibling", t->busy_sibling}};
	const char *before = " (";

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		if (list[i].n <= 0)
			continue;
		fprintf(out, "%s%s %lld", before, list[i].name, (long long)list[i].n);
		before = ", ";
	}
	fputs(*before == ',' ? ")" : "", out);
}

static void each_disturbed(const struct tally *list, size_t n, FILE *out)
{
	const char *before = "Disturbed samples: ";

	for (size_t i = 0; i < n; i++) {
		if (list[i].sum.disturbed <= 0)
			continue;
		html(out, "%-s<span class=disturbed>%s %lld of %lld</span>", before,
			list[i].operation, (long long)list[i].sum.disturbed,
			(long long)list[i].sum.taken);
		reasons(&list[i].sum, out);
		before = ", ";
	}
	fputs(".", out);
}

static void disturbed(const struct tally *list, size_t n, FILE *out)
{
	long long all = 0, taken = 0;
	size_t operations = 0;

	for (size_t i = 0; i < n; i++) {
		all += list[i].sum.disturbed;
		taken += list[i].sum.taken;
		operations += list[i].sum.disturbed > 0;
	}
	if (!operations)
		fputs("No sample was disturbed.", out);
	else if (operations > FEW_OPERATIONS)
		fprintf(out,
			"<span class=disturbed>Disturbed samples: %lld of %lld</span>, in %zu of "
			"%zu operations.",
			all, taken, operations, n);
	else
		each_disturbed(list, n, out);
}

/* The widest spread of the placements, which is printed and whose cost is named. */
struct widest {
	const struct document_run *run;
	const struct document_operation *operation;
	size_t thread;
	double spread;
};

static struct widest widest_of(const struct document *d)
{
	struct widest w = {.spread = NAN};

	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++) {
			const struct document_operation *o = &d->runs[i].operations.list[k];

			for (size_t t = 0; t < o->njobs; t++) {
				double spread = o->jobs[t].figures.spread;

				if (isfinite(spread) && !(spread <= w.spread))
					w = (struct widest){&d->runs[i], o, t, spread};
			}
		}
	return w;
}

/* Placements that are rarely much slower break every interval over them. */
static void spread(const struct document *d, FILE *out)
{
	struct widest w = widest_of(d);

	if (!w.run)
		return;
	html(out,
		"Costs of one thread in different placements differ by up to %.2f %% (%s, thread "
		"%zu%s%s). ",
		w.spread * 100, w.operation->name, w.thread, *w.run->label ? ", run " : "",
		w.run->label);
}

/* ---- the method, which a sweep can change from run to run */

typedef char *method_part(const struct document_method *m); /* to be freed */

static char *iterations(const struct document_method *m)
{
	return alloc_format("%lld", (long long)m->iterations);
}

static char *warmup(const struct document_method *m)
{
	return m->settled ? alloc_format("as much") : alloc_format("%lld", (long long)m->warmup);
}

static char *placements(const struct document_method *m)
{
	return alloc_format("%lld", (long long)m->placements);
}

static char *statistic(const struct document_method *m)
{
	return alloc_format("%s", m->statistic ? m->statistic : "");
}

static char *confidence(const struct document_method *m)
{
	return isfinite(m->confidence) ? alloc_format("%.12g", m->confidence * 100)
				       : alloc_format("n/a");
}

/* What the measured runs have, each value once: "mean or min". Is it "1" alone? */
static bool of_runs(const struct document *d, method_part *part, FILE *out)
{
	struct words seen = {0};

	for (size_t i = 0; i < d->nruns; i++) {
		char *text = d->runs[i].skipped ? NULL : part(&d->runs[i].method);
		size_t k = 0;

		while (text && k < seen.count && strcmp(seen.word[k], text) != 0)
			k++;
		if (text && k == seen.count) {
			html(out, "%s%s", k ? " or " : "", text);
			words_add(&seen, text, strlen(text));
		}
		free(text);
	}
	const bool one = seen.count == 1 && !strcmp(seen.word[0], "1");

	words_free(&seen);
	return one;
}

static void method(const struct document *d, FILE *out)
{
	bool warms_up = false, settles = false, again = false;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_method *m = &d->runs[i].method;

		warms_up |= !d->runs[i].skipped && (m->warmup > 0 || m->settled);
		settles |= !d->runs[i].skipped && m->settled;
		again |= !d->runs[i].skipped && m->placements > 1;
	}
	fputs("<p>", out);
	const bool one = of_runs(d, iterations, out);

	fprintf(out, " sample%s of each operation", text_s(one));
	if (warms_up) {
		fputs(" after ", out);
		of_runs(d, warmup, out);
		html(out, " warm-up%s", settles ? " as costs need to settle" : "");
	}
	if (again) {
		fputs(", in each of ", out);
		of_runs(d, placements, out);
		fputs(" placements", out);
	}
	fputs("; cost is their ", out);
	of_runs(d, statistic, out);
	html(out, " in %s, ± ", d->method.cost ? d->method.cost : "seconds");
	of_runs(d, confidence, out);
	fputs(again ? " % confidence over placements. " : " % confidence, of this placement only. ",
		out);
}

void page_samples(const struct document *d, FILE *out)
{
	struct name_list operations = grids_operations(d);
	struct tally *list = alloc_zeroed(operations.count + 1, sizeof(*list));

	for (size_t i = 0; i < operations.count; i++)
		list[i] = (struct tally){operations.list[i], sum_of(d, operations.list[i])};
	qsort(list, operations.count, sizeof(*list), by_operation);
	method(d, out);
	spread(d, out);
	disturbed(list, operations.count, out);
	fputs("</p>\n", out);
	free(list);
	name_list_free(&operations);
}
