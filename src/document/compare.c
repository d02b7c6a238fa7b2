/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two result documents. */
#include "document/compare.h"

#include <math.h>
#include <string.h>

#include "analysis/derive.h"

/* These facts differ from run to run on one and the same machine. */
static bool passing(const char *fact)
{
	static const char *const names[] = {"date", "load_average", "clock", "steal_during_run",
		"others_load_during_run", "throttled_during_run"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(fact, names[i]))
			return true;
	return false;
}

static void compare_machines(const struct document *a, const struct document *b, FILE *out)
{
	bool any = false;

	fprintf(out, "\n+ Machine\n");
	for (size_t i = 0; i < b->environment.count; i++) {
		const struct document_pair *now = &b->environment.list[i];
		const char *before = document_fact(a, now->name);

		if (passing(now->name) || !strcmp(before, now->value))
			continue;
		fprintf(out, " - %s: was %s, is %s\n", now->name, before, now->value);
		any = true;
	}
	if (!any)
		fprintf(out, " - nothing changed\n");
}

/* An interval that contains 1 is noise. */
static const char *judge(struct amount ratio, double tolerance, struct verdicts *v)
{
	v->compared++;
	if (!isfinite(ratio.low)) {
		v->unknown++;
		return "no interval";
	}
	if (ratio.low > 1 + tolerance) {
		v->slower++;
		return "SLOWER";
	}
	if (ratio.high < 1 - tolerance) {
		v->faster++;
		return "faster";
	}
	return "";
}

/* The place of a cost in a document: of one thread, or of all (ALL_THREADS). */
struct at {
	const char *run, *operation;
	int thread;
};

static const struct amount *cost_of(const struct document_operation *o, int thread)
{
	if (thread == ALL_THREADS)
		return &o->total;
	return thread < (int)o->njobs ? &o->jobs[thread].figures.cost : NULL;
}

/* The first of that place; NULL: the document has no such cost. */
static const struct amount *find(const struct document *d, const struct at *at)
{
	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		for (size_t k = 0; !strcmp(r->label, at->run) && k < r->operations.count; k++) {
			const struct document_operation *o = &r->operations.list[k];
			const struct amount *cost = cost_of(o, at->thread);

			if (cost && !strcmp(o->name, at->operation))
				return cost;
		}
	}
	return NULL;
}

static void print_row(const struct at *at, struct amount a, struct amount b, double scale,
	double tolerance, struct verdicts *v, FILE *out)
{
	struct amount ratio = amount_ratio(b, a);
	char thread[16] = "total";

	if (at->thread != ALL_THREADS)
		snprintf(thread, sizeof(thread), "%d", at->thread);
	fprintf(out, "%-24s %-20s %6s %14.9f %14.9f %8.3f", at->run, at->operation, thread,
		a.value * scale, b.value * scale, ratio.value);
	if (isfinite(ratio.low))
		fprintf(out, " %8.3f .. %-8.3f", ratio.low, ratio.high);
	else
		fprintf(out, " %20s", "");
	fprintf(out, " %s\n", judge(ratio, tolerance, v));
}

struct comparison {
	const struct document *other;
	double scale, tolerance;
	struct verdicts *v;
	FILE *out;
};

typedef void each_cost(const struct comparison *c, const struct at *at, struct amount cost);

/* Every thread's cost in every operation of every run, and after the threads that of all. */
static void for_each_cost(const struct document *d, each_cost *each, const struct comparison *c)
{
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++) {
			const struct document_operation *o = &d->runs[i].operations.list[k];
			struct at at = {d->runs[i].label, o->name, 0};

			for (; at.thread < (int)o->njobs; at.thread++)
				each(c, &at, *cost_of(o, at.thread));
			at.thread = ALL_THREADS;
			each(c, &at, o->total);
		}
}

static void compare_cost(const struct comparison *c, const struct at *at, struct amount cost)
{
	const struct amount *other = find(c->other, at);

	if (other && isfinite(cost.value) && isfinite(other->value))
		print_row(at, cost, *other, c->scale, c->tolerance, c->v, c->out);
}

static void count_missing(const struct comparison *c, const struct at *at, struct amount cost)
{
	(void)cost;
	c->v->only_one += !find(c->other, at);
}

/* The times of a simulated machine must not be taken for a measurement. */
static void name_simulated(const struct document *d, FILE *out)
{
	const char *simulated = document_fact(d, "simulated");

	if (strcmp(simulated, "no") && strcmp(simulated, NOT_RECORDED))
		fprintf(out, "simulated machine: %s: %s; its times are no measurement\n", d->path,
			simulated);
}

struct verdicts compare(
	const struct document *a, const struct document *b, double tolerance, FILE *out)
{
	struct verdicts v = {0};
	bool per_unit = a->method.per_unit;
	struct comparison in_b = {b, per_unit ? 1e9 : 1, tolerance, &v, out};
	struct comparison in_a = {a, per_unit ? 1e9 : 1, tolerance, &v, out};

	name_simulated(a, out);
	name_simulated(b, out);
	fprintf(out, "%-24s %-20s %6s %14s %14s %8s %20s\n", "run", "operation", "thread",
		per_unit ? "before(ns)" : "before(s)", per_unit ? "after(ns)" : "after(s)", "ratio",
		"interval");
	for_each_cost(a, compare_cost, &in_b);
	for_each_cost(a, count_missing, &in_b);
	for_each_cost(b, count_missing, &in_a);
	compare_machines(a, b, out);
	fprintf(out,
		"\n%zu compared, %zu slower and %zu faster beyond noise and %.3g %%, %zu without "
		"interval, "
		"%zu in one file only\n",
		v.compared, v.slower, v.faster, tolerance * 100, v.unknown, v.only_one);
	return v;
}

int compare_files(const char *a, const char *b, double tolerance, FILE *out, struct errors *e)
{
	struct document before, after;
	int failed = document_read(&before, a, e);

	if (document_read(&after, b, e))
		failed = -1;
	if (!failed && before.method.per_unit != after.method.per_unit) {
		const char *timed = before.method.per_unit ? a : b;

		failed = error_add(e, STATUS_USAGE, (struct place){timed, 0},
			"was measured with mode: time, '%s' was not: costs of a unit and of a "
			"piece of work have no ratio",
			before.method.per_unit ? b : a);
	}
	if (!failed) {
		struct verdicts v = compare(&before, &after, tolerance, out);

		if (v.slower)
			failed = error_add(e, STATUS_FAILED, NOWHERE,
				"%zu of %zu costs became slower beyond noise and %.3g %%", v.slower,
				v.compared, tolerance * 100);
		else if (!v.compared)
			failed = error_add(e, STATUS_USAGE, NOWHERE,
				"'%s' and '%s' have no run, operation and thread in common", a, b);
	}
	document_free(&before);
	document_free(&after);
	return failed;
}
