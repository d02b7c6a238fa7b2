/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares two result documents.
 *
 * sides.c reads each side with its conditions.c and costs.c; repetitions.c says what keeps results
 * of a side from being repetitions, history.c adds earlier results of equal builds. ratios.c judges
 * costs and tails.c distributions; rerun.c prints the commands that would settle what is open.
 */
#include "compare/compare.h"

#include <string.h>

#include "base/text.h"
#include "compare/rerun.h"
#include "compare/tails.h"
#include "compare/history.h"
#include "compare/ratios.h"
#include "compare/sides.h"
#include "compare/repetitions.h"

static void compare_machines(const struct costs *a, const struct costs *b, FILE *out)
{
	bool any = false;

	fprintf(out, "\n+ Machine\n");
	for (size_t i = 0; i < b->document.environment.count; i++) {
		const char *name = b->document.environment.facts[i].name,
			   *before = document_fact(&a->document, name);

		if (repetitions_fact_varies(name) ||
			!strcmp(before, b->document.environment.facts[i].value))
			continue;
		fprintf(out, " - %s: was %s, is %s\n", name, before,
			b->document.environment.facts[i].value);
		any = true;
	}
	if (!any)
		fprintf(out, " - nothing changed\n");
}

static struct differences compare_conditions(
	const struct conditions *was, const struct conditions *is, FILE *out)
{
	struct differences d = {.out = out};

	fprintf(out, "+ Arguments\n");
	side_differences(&d, was, is);
	if (d.all > COMPARE_LISTED)
		fprintf(out, " - and %zu more\n", d.all - COMPARE_LISTED);
	if (!d.all)
		fprintf(out, " - nothing changed\n");
	return d;
}

/* Names each simulated machine, so that its ratios are not mistaken for those of hardware. */
static void name_simulated(const struct side *s, FILE *out)
{
	for (size_t k = 0; k < s->paths.count; k++) {
		const struct costs *r = &s->costs[k];

		for (size_t i = 0; i < r->document.environment.count; i++)
			if (!strcmp(r->document.environment.facts[i].name, "simulated") &&
				strcmp(r->document.environment.facts[i].value, "no"))
				fprintf(out,
					"simulated machine: %s: %s; its times are no "
					"measurement\n",
					r->document.path, r->document.environment.facts[i].value);
	}
}

/* Were all results of one side measured before all of the other one? Dates are of ISO 8601, in
 * UTC. */
static bool one_after_the_other(const struct side *first, const struct side *second)
{
	for (size_t i = 0; i < first->paths.count; i++)
		for (size_t k = 0; k < second->paths.count; k++)
			if (strcmp(document_fact(&first->costs[i].document, "date"),
				    document_fact(&second->costs[k].document, "date")) >= 0)
				return false;
	return true;
}

static void name_order(const struct side *a, const struct side *b, FILE *out)
{
	if (one_after_the_other(a, b) || one_after_the_other(b, a))
		fprintf(out, "one side was measured after the other: a change of the machine "
			     "meanwhile counts as a change; measure the sides in turn\n");
}

static int refuse_modes(const struct costs *a, const struct costs *b, struct errors *e)
{
	return error_add(e, STATUS_USAGE,
		(struct place){
			a->document.method.per_unit ? a->document.path : b->document.path, 0},
		"was measured with mode: time, '%s' was not: costs of a unit and of a "
		"piece of work have no ratio",
		a->document.method.per_unit ? b->document.path : a->document.path);
}

/* All documents have costs of the same kind, or there is nothing to compare. */
static int check_modes(const struct side *a, const struct side *b, struct errors *e)
{
	const struct side *const sides[] = {a, b};

	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < sides[k]->paths.count; i++)
			if (sides[k]->costs[i].document.method.per_unit !=
				a->costs[0].document.method.per_unit)
				return refuse_modes(&a->costs[0], &sides[k]->costs[i], e);
	return 0;
}

/* Why there is nothing to compare. */
static int refuse_empty(const struct side *a, const struct side *b, struct errors *e)
{
	bool any = false;

	for (size_t i = 0; i < a->costs[0].count; i++)
		any |= costs_find(&b->costs[0], &a->costs[0].list[i]) != NULL;
	error_add(e, STATUS_USAGE, NOWHERE,
		any ? "no cost is known in both '%s' and '%s'"
		    : "'%s' and '%s' have no run, operation and thread in common",
		a->paths.word[0], b->paths.word[0]);
	return error_hint(e, any ? "measure again when nothing else runs"
				 : "measure the same argument file for both sides");
}

/* One result on a side is a look at the differences. Whoever gives more asks for a verdict, and a
 * script must not take its absence for a good one. */
static int check_verdict(const struct ratios *r, const struct side *a, const struct side *b,
	double tolerance, struct errors *e)
{
	size_t judged = r->count - r->disturbed - r->unjudged;

	if (!r->count)
		return refuse_empty(a, b, e);
	if (r->slower)
		return error_add(e, STATUS_FAILED, NOWHERE,
			"%zu of %zu cost%s became slower by more than %.3g %%", r->slower, judged,
			text_s(judged), tolerance * 100);
	if (r->judged)
		return 0;
	if (r->by_rounds) {
		error_add(e, STATUS_USAGE, NOWHERE, "a side has fewer than %zu rounds", r->needed);
		return error_hint(e, "affinity-map --runs 3 or more, or --try with more --budget");
	}
	if (a->paths.count < 2 || b->paths.count < 2)
		return 0;
	if (!judged) {
		error_add(e, STATUS_FAILED, NOWHERE, "every cost was disturbed in some result");
		return error_hint(e, "measure again when nothing else runs; --force judges "
				     "disturbed costs too");
	}
	error_add(e, STATUS_USAGE, NOWHERE, "%zu results a side are too few to judge %zu cost%s",
		a->paths.count < b->paths.count ? a->paths.count : b->paths.count, judged,
		judged == 1 ? "" : "s");
	return error_hint(e, "compare %zu or more results a side", r->needed);
}

static int judge_sides(const struct comparison *c, const struct side *a, const struct side *b,
	const struct side *history, FILE *out, struct errors *e)
{
	struct ratios r;

	ratios_judge(&r, a, b, history, c->tolerance, c->force);
	ratios_print(&r, &a->costs[0].document, c->tolerance, out);
	if (a->paths.count == 1 && b->paths.count == 1)
		compare_tails(&a->costs[0].document, &b->costs[0].document, out);
	if (r.judged)
		name_order(a, b, out);
	else if (!a->costs[0].document.nprograms)
		rerun_print(&r, a, b, out);
	int failed = check_verdict(&r, a, b, c->tolerance, e);
	ratios_free(&r);
	return failed;
}

static int check_work(const struct comparison *c, const struct side *a, const struct side *b,
	FILE *out, struct errors *e)
{
	name_simulated(a, out);
	name_simulated(b, out);
	struct differences d = compare_conditions(&a->conditions[0], &b->conditions[0], out);
	compare_machines(&a->costs[0], &b->costs[0], out);
	repetitions_print(a, b, out);
	if (!d.work || c->force)
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE, "'%s' and '%s' did not do the same work: %s%s",
		a->paths.word[0], b->paths.word[0], d.first, d.work > 1 ? ", and more" : "");
	return error_hint(e, "--force compares them anyway");
}

static int check_sides(const struct comparison *c, const struct side *a, const struct side *b,
	FILE *out, struct errors *e)
{
	int failed = check_modes(a, b, e);

	if (failed)
		return failed;
	failed = side_check(a, c->force, e);
	failed |= side_check(b, c->force, e);
	return failed ? failed : check_work(c, a, b, out, e);
}

int compare_files(const struct comparison *c, FILE *out, struct errors *e)
{
	struct side before, after, history = {0};
	int failed = side_read(&before, c->before, e);
	failed |= side_read(&after, c->after, e);

	if (!failed)
		failed = check_sides(c, &before, &after, out, e);
	if (!failed && c->history)
		failed = history_read(&history, c->history, &before, &after, out, e);
	if (!failed)
		failed = judge_sides(c, &before, &after, c->history ? &history : NULL, out, e);
	side_free(&before);
	side_free(&after);
	side_free(&history);
	return failed;
}
