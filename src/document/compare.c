/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two result documents. */
#include "document/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/verdict.h"
#include "document/conditions.h"
#include "document/costs.h"

/* Facts that differ in every run although the machine did not change. */
static bool passing(const char *fact)
{
	static const char *const names[] = {"date", "load_average", "clock", "steal_during_run",
		"others_load_during_run", "throttled_during_run"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(fact, names[i]))
			return true;
	return false;
}

static void compare_machines(const struct costs *a, const struct costs *b, FILE *out)
{
	bool any = false;

	fprintf(out, "\n+ Machine\n");
	for (size_t i = 0; i < b->document.environment.count; i++) {
		const char *name = b->document.environment.list[i].name,
			   *before = document_fact(&a->document, name);

		if (passing(name) || !strcmp(before, b->document.environment.list[i].value))
			continue;
		fprintf(out, " - %s: was %s, is %s\n", name, before,
			b->document.environment.list[i].value);
		any = true;
	}
	if (!any)
		fprintf(out, " - nothing changed\n");
}

/* The documents of one side. */
struct side {
	struct words paths;
	struct costs *costs;
	struct conditions *conditions;
};

/* A cost that all documents have. */
struct row {
	const struct cost *like;
	double before, after; /* geometric means over the documents of each side */
	double variance;      /* of the logarithm of the cost in one document, pooled */
	double ratio, p_slower, p_faster;
};

struct rows {
	struct row *list;
	size_t count;
	double df; /* degrees of freedom of the variances; 0: a side has one document, and nothing
		      is judged */
};

/* The number of differences, and how many of them mean that other work was done. */
struct differences {
	size_t all, work;
	const char *first; /* name of the first difference in the work */
	FILE *out;         /* NULL: differences are only counted */
};

static void differ(
	struct differences *d, const struct condition_fact *f, const char *was, const char *is)
{
	if (f->work && !d->work++)
		d->first = f->name;
	if (d->all++ < COMPARE_LISTED && d->out)
		fprintf(d->out, " - %s: was %s, is %s%s\n", f->name, was, is,
			f->work ? "; not the same work" : "");
}

static void find_differences(
	struct differences *d, const struct conditions *was, const struct conditions *is)
{
	for (size_t i = 0; i < was->count; i++) {
		const struct condition_fact *f = &was->list[i],
					    *other = conditions_find(is, f->name, i);

		if (other ? strcmp(f->value, other->value) != 0 : f->argument)
			differ(d, f, f->value, other ? other->value : "not given");
	}
	for (size_t i = 0; i < is->count; i++)
		if (is->list[i].argument && !conditions_find(was, is->list[i].name, i))
			differ(d, &is->list[i], "not given", is->list[i].value);
}

static struct differences compare_conditions(
	const struct conditions *was, const struct conditions *is, FILE *out)
{
	struct differences d = {.out = out};

	fprintf(out, "+ Arguments\n");
	find_differences(&d, was, is);
	if (d.all > COMPARE_LISTED)
		fprintf(out, " - and %zu more\n", d.all - COMPARE_LISTED);
	if (!d.all)
		fprintf(out, " - nothing changed\n");
	return d;
}

/* All further documents of a side must describe the same work as the first one; 0, or -1 with a
 * message. */
static int check_side(const struct side *s, struct errors *e)
{
	int failed = 0;

	for (size_t i = 1; i < s->paths.count; i++) {
		struct differences d = {.out = NULL};

		find_differences(&d, &s->conditions[0], &s->conditions[i]);
		if (!d.work)
			continue;
		failed = error_add(e, STATUS_USAGE, NOWHERE,
			"'%s' and '%s' of one side did not do the same work: %s", s->paths.word[0],
			s->paths.word[i], d.first);
		error_hint(e, "the results of a side are repetitions of one run");
	}
	return failed;
}

/* In an operation with one thread, the total repeats that thread's cost. */
static bool counts_twice(const struct costs *r, size_t index)
{
	const struct cost *x = &r->list[index], *before = index ? x - 1 : NULL;

	return x->thread == ALL_THREADS && before && before->thread == 0 &&
	       !strcmp(before->run, x->run) && !strcmp(before->operation, x->operation);
}

/* The logarithms of one cost in all documents of a side; false: a document does not contain the
 * cost. */
static bool take_side(const struct side *s, const struct cost *like, struct log_figures *f)
{
	double *values = alloc_zeroed(s->paths.count, sizeof(*values));
	bool all = true;

	for (size_t i = 0; i < s->paths.count; i++) {
		const struct cost *x = costs_find(&s->costs[i], like);

		values[i] = x ? x->cost.value : NAN;
		all &= values[i] > 0;
	}
	if (all)
		*f = verdict_logs(values, s->paths.count);
	free(values);
	return all;
}

static void take_rows(const struct side *a, const struct side *b, struct rows *rows)
{
	const struct costs *first = &a->costs[0];
	size_t n = a->paths.count + b->paths.count;

	for (size_t i = 0; i < first->count; i++) {
		struct log_figures before, after;

		if (counts_twice(first, i) || !take_side(a, &first->list[i], &before) ||
			!take_side(b, &first->list[i], &after))
			continue;
		rows->list = alloc_grow(rows->list, rows->count, sizeof(*rows->list));
		rows->list[rows->count++] = (struct row){.like = &first->list[i],
			.before = exp(before.mean),
			.after = exp(after.mean),
			.ratio = exp(after.mean - before.mean),
			.variance = n > 2 ? (before.squares + after.squares) / (double)(n - 2) : 0};
	}
	if (a->paths.count > 1 && b->paths.count > 1)
		rows->df = (double)(n - 2);
}

static void moderate(struct rows *rows)
{
	double *variances = alloc_zeroed(rows->count + 1, sizeof(*variances));

	for (size_t i = 0; i < rows->count; i++)
		variances[i] = rows->list[i].variance;
	rows->df = verdict_moderate(variances, rows->count, rows->df);
	for (size_t i = 0; i < rows->count; i++)
		rows->list[i].variance = variances[i];
	free(variances);
}

/* Tests both directions, each at half of the error rate. */
static void judge_rows(const struct side *a, const struct side *b, struct rows *rows,
	double tolerance, bool *slower, bool *faster)
{
	double each = 1.0 / (double)a->paths.count + 1.0 / (double)b->paths.count;
	double *up = alloc_zeroed(rows->count + 1, sizeof(*up)),
	       *down = alloc_zeroed(rows->count + 1, sizeof(*down));

	if (rows->count >= VERDICT_MODERATE)
		moderate(rows);
	for (size_t i = 0; i < rows->count; i++) {
		double se = sqrt(rows->list[i].variance * each);

		up[i] = verdict_above(log(rows->list[i].ratio), log1p(tolerance), se, rows->df);
		down[i] = verdict_above(-log(rows->list[i].ratio), log1p(tolerance), se, rows->df);
	}
	verdict_holm(up, rows->count, COMPARE_ERRORS / 2, slower);
	verdict_holm(down, rows->count, COMPARE_ERRORS / 2, faster);
	free(up);
	free(down);
}

static const char *word_for(const struct rows *rows, const struct row *r, bool slower, bool faster)
{
	if (rows->df > 0)
		return slower ? "SLOWER" : faster ? "faster" : "";
	return fabs(log(r->ratio)) > log1p(COMPARE_LOOK_AT) ? "differs" : "";
}

static void print_row(const struct row *r, double scale, const char *word, FILE *out)
{
	char thread[16] = "total";

	if (r->like->thread != ALL_THREADS)
		snprintf(thread, sizeof(thread), "%d", r->like->thread);
	fprintf(out, "%-24s %-20s %6s %14.9f %14.9f %8.3f%s%s\n", r->like->run, r->like->operation,
		thread, r->before * scale, r->after * scale, r->ratio, *word ? "  " : "", word);
}

/* Names each simulated machine, so that its ratios are not mistaken for those of hardware. */
static void name_simulated(const struct side *s, FILE *out)
{
	for (size_t k = 0; k < s->paths.count; k++) {
		const struct costs *r = &s->costs[k];

		for (size_t i = 0; i < r->document.environment.count; i++)
			if (!strcmp(r->document.environment.list[i].name, "simulated") &&
				strcmp(r->document.environment.list[i].value, "no"))
				fprintf(out,
					"simulated machine: %s: %s; its times are no "
					"measurement\n",
					r->document.path, r->document.environment.list[i].value);
	}
}

static size_t count_missing(const struct costs *from, const struct costs *in)
{
	size_t missing = 0;

	for (size_t i = 0; i < from->count; i++)
		missing += !costs_find(in, &from->list[i]);
	return missing;
}

static void sum_up(const struct verdicts *v, bool judged, double tolerance, FILE *out)
{
	if (judged)
		fprintf(out,
			"\n%zu compared, %zu slower and %zu faster by more than %.3g %%, %zu in "
			"one "
			"file only; if nothing changed, at most %g in 100 such comparisons call "
			"any cost slower or faster\n",
			v->compared, v->slower, v->faster, tolerance * 100, v->only_one,
			COMPARE_ERRORS * 100);
	else
		fprintf(out,
			"\n%zu compared, not judged: one result a side does not show how much runs "
			"differ; %zu differ by more than %g %%, %zu in one file only\n",
			v->compared, v->differing, COMPARE_LOOK_AT * 100, v->only_one);
}

static struct verdicts print(
	const struct side *a, const struct side *b, double tolerance, FILE *out)
{
	struct rows rows = {0};
	const bool per_unit = a->costs[0].document.method.per_unit;
	struct verdicts v = {.only_one = count_missing(&a->costs[0], &b->costs[0]) +
					 count_missing(&b->costs[0], &a->costs[0])};

	take_rows(a, b, &rows);
	bool *slower = alloc_zeroed(rows.count + 1, sizeof(*slower)),
	     *faster = alloc_zeroed(rows.count + 1, sizeof(*faster));
	if (rows.df > 0)
		judge_rows(a, b, &rows, tolerance, slower, faster);
	fprintf(out, "\n%-24s %-20s %6s %14s %14s %8s\n", "run", "operation", "thread",
		per_unit ? "before(ns)" : "before(s)", per_unit ? "after(ns)" : "after(s)",
		"ratio");
	for (size_t i = 0; i < rows.count; i++) {
		const char *word = word_for(&rows, &rows.list[i], slower[i], faster[i]);

		print_row(&rows.list[i], per_unit ? 1e9 : 1, word, out);
		v.compared++;
		v.slower += slower[i];
		v.faster += faster[i];
		v.differing += !strcmp(word, "differs");
	}
	sum_up(&v, rows.df > 0, tolerance, out);
	free(slower);
	free(faster);
	free(rows.list);
	return v;
}

static int read_side(struct side *s, const char *paths, struct errors *e)
{
	int failed = 0;

	*s = (struct side){0};
	words_split(&s->paths, paths, ",");
	if (!s->paths.count)
		return error_add(e, STATUS_USAGE, NOWHERE, "--compare: '%s' names no file", paths);
	s->costs = alloc_zeroed(s->paths.count, sizeof(*s->costs));
	s->conditions = alloc_zeroed(s->paths.count, sizeof(*s->conditions));
	for (size_t i = 0; i < s->paths.count; i++) {
		if (costs_read(&s->costs[i], s->paths.word[i], e))
			failed = -1;
		else
			conditions_read(&s->conditions[i], &s->costs[i].document);
	}
	return failed;
}

static void free_side(struct side *s)
{
	for (size_t i = 0; i < s->paths.count; i++) {
		costs_free(&s->costs[i]);
		conditions_free(&s->conditions[i]);
	}
	free(s->costs);
	free(s->conditions);
	words_free(&s->paths);
}

static int check_modes(const struct side *a, const struct side *b, struct errors *e)
{
	const struct costs *first = &a->costs[0], *other = &b->costs[0];

	if (first->document.method.per_unit == other->document.method.per_unit)
		return 0;
	return error_add(e, STATUS_USAGE,
		(struct place){first->document.method.per_unit ? first->document.path
							       : other->document.path,
			0},
		"was measured with mode: time, '%s' was not: costs of a unit and of a "
		"piece of work have no ratio",
		first->document.method.per_unit ? other->document.path : first->document.path);
}

static int judge(const struct side *a, const struct side *b, double tolerance, bool force,
	FILE *out, struct errors *e)
{
	name_simulated(a, out);
	name_simulated(b, out);
	struct differences d = compare_conditions(&a->conditions[0], &b->conditions[0], out);
	compare_machines(&a->costs[0], &b->costs[0], out);
	if (d.work && !force) {
		error_add(e, STATUS_USAGE, NOWHERE, "'%s' and '%s' did not do the same work: %s%s",
			a->paths.word[0], b->paths.word[0], d.first,
			d.work > 1 ? ", and more" : "");
		return error_hint(e, "--force compares them anyway");
	}
	struct verdicts v = print(a, b, tolerance, out);
	if (v.slower)
		return error_add(e, STATUS_FAILED, NOWHERE,
			"%zu of %zu costs became slower by more than %.3g %%", v.slower, v.compared,
			tolerance * 100);
	if (!v.compared)
		return error_add(e, STATUS_USAGE, NOWHERE,
			"'%s' and '%s' have no run, operation and thread in common",
			a->paths.word[0], b->paths.word[0]);
	return 0;
}

int compare_files(
	const char *a, const char *b, double tolerance, bool force, FILE *out, struct errors *e)
{
	struct side before, after;
	int failed = read_side(&before, a, e);
	failed |= read_side(&after, b, e);

	if (!failed)
		failed = check_modes(&before, &after, e);
	if (!failed && !force) {
		failed = check_side(&before, e);
		failed |= check_side(&after, e);
	}
	if (!failed)
		failed = judge(&before, &after, tolerance, force, out, e);
	free_side(&before);
	free_side(&after);
	return failed;
}
