/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the weights of a language model go, and how many threads read them: of tables of tokens a
 * second by threads and placement. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "findings/weak.h"

struct answer {
	const struct document *from;
	struct rates rates; /* a curve for each placement, without weak runs */
	struct weak_runs weak;
	size_t best, threads;
	struct amount most;
	int node; /* the only one that all placements are memory of; -1: there are several */
};

/* Where all placements are the same memory, the best of them is only the luckiest one. */
static long curve_that_counts(const struct answer *a)
{
	const struct rates *c = &a->rates;
	const char *first =
		a->node < 0 ? NULL : document_value(findings_run(a->from), c->other_axis);

	for (size_t i = 0; first && i < c->others->count; i++)
		if (!strcmp(c->others->list[i], first) && rates_highest(c, i) >= 0)
			return (long)i;
	return rates_best(c);
}

static bool find_answer(const struct document *d, const struct document_table *t, struct answer *a)
{
	*a = (struct answer){.from = d, .node = findings_node_of_all(d)};
	if (t->id != QUANTITY_FIGURE || strcmp(t->quantity, "tokens_per_s") ||
		!rates_find(d, t, &a->rates) || !rates_are_placements(d, &a->rates) ||
		rates_best(&a->rates) < 0)
		return false;
	/* of a single placement that is left nobody knows whether it is the best */
	weak_find(&a->weak, d, &a->rates, a->node < 0 ? 2 : 1);
	a->best = (size_t)curve_that_counts(a);
	a->threads = (size_t)rates_highest(&a->rates, a->best);
	a->most = rates_at(&a->rates, a->best, a->threads);
	return true;
}

static void add_placement(struct finding *f, const struct answer *a, size_t curve)
{
	finding_text(f, "placement", "%s %s", a->rates.other_axis, a->rates.others->list[curve]);
}

static void add_threads(struct finding *f, const char *name, const struct answer *a, long threads)
{
	finding_text(f, name, "%s", a->rates.threads->list[threads]);
}

/* Of other placements their highest figures that may be as high. */
static void add_tied_placements(struct finding *f, const struct answer *a)
{
	struct finding_list *list = NULL;

	for (size_t i = 0; i < a->rates.others->count; i++) {
		const long own = rates_highest(&a->rates, i);

		if (i == a->best || own < 0 ||
			!(rates_at(&a->rates, i, (size_t)own).high >= a->most.low))
			continue;
		list = list ? list : finding_add_list(f, "tied");
		struct finding *one = findings_add(list, FINDING_TIED);

		add_placement(one, a, i);
		add_threads(one, "threads", a, own);
	}
}

/* Has the best placement a figure with every number of threads? */
static bool all_measured(const struct answer *a)
{
	for (size_t i = 0; i < a->rates.threads->count; i++)
		if (isnan(rates_at(&a->rates, a->best, i).value))
			return false;
	return true;
}

/* The number of threads that may be as quick, and comes nearest; -1: none may. */
static long tied_threads(const struct answer *a)
{
	long tied = -1;

	for (size_t i = 0; i < a->rates.threads->count; i++)
		if (i != a->threads && rates_at(&a->rates, a->best, i).high >= a->most.low &&
			(tied < 0 || rates_at(&a->rates, a->best, i).value >
					     rates_at(&a->rates, a->best, (size_t)tied).value))
			tied = (long)i;
	return tied;
}

/* Fewer threads that may be as quick, and those that nearly are. */
static void add_fewer(struct finding *f, const struct answer *a)
{
	const long tied = tied_threads(a);
	const long fewest = rates_fewest(&a->rates, a->best, SUFFICIENT * a->most.value);

	finding_figure(f, "part", (struct amount){100 * SUFFICIENT, NAN, NAN}, "%");
	if (tied >= 0)
		add_threads(f, "near", a, tied);
	if (fewest >= 0 && (size_t)fewest != a->threads)
		add_threads(f, "fewest", a, fewest);
	else if (tied < 0 && isfinite(a->most.low) && all_measured(a) &&
		 rates_fewest(&a->rates, a->best, 0) != (long)a->threads)
		finding_text(f, "alone", "yes");
}

/* The run that others are compared with; NULL: the file names none. */
static const struct document_run *baseline_of(const struct document *d)
{
	const char *label = NULL;

	for (size_t i = 0; !label && i < d->nruns; i++)
		label = d->runs[i].skipped ? NULL : d->runs[i].baseline;
	const struct document_run *base = document_measured(d, label);

	return base && base->nvectors ? base : NULL;
}

/* What all on one node reaches: the baseline of the files that ask. */
static void add_baseline(struct finding *f, const struct answer *a)
{
	const struct document_run *run = baseline_of(a->from);
	const char *base = run ? document_value(run, a->rates.other_axis) : NULL;

	for (size_t i = 0; base && i < a->rates.others->count; i++) {
		const long own = rates_highest(&a->rates, i);

		if (i == a->best || own < 0 || strcmp(a->rates.others->list[i], base))
			continue;
		char *node = run->vectors[0].asked_node ? findings_node(run->vectors[0].asked_node)
							: NULL;

		finding_text(f, "base", "%s %s%s%s%s", a->rates.other_axis, base, node ? " (" : "",
			node ? node : "", node ? ")" : "");
		rates_add(f, "base_most", &a->rates, rates_at(&a->rates, i, (size_t)own));
		add_threads(f, "base_threads", a, own);
		free(node);
	}
}

/* ---- what was not measured, and could be the best */

/* Why no run has this placement and number of threads; NULL: not known. */
static const char *reason_of(const struct answer *a, size_t curve, size_t threads)
{
	for (size_t i = 0; i < a->from->nruns; i++) {
		const struct document_run *r = &a->from->runs[i];
		const char *there = document_value(r, a->rates.other_axis);
		const char *n = document_value(r, a->rates.threads_axis);

		if (r->skipped && there && n && !strcmp(there, a->rates.others->list[curve]) &&
			!strcmp(n, a->rates.threads->list[threads]))
			return findings_reason(r->skipped);
	}
	return NULL;
}

/* "placement replicate with 8, 16 threads": why it was not measured */
static struct finding_list *add_missing(
	struct finding *to, struct finding_list *list, const struct answer *a, size_t curve)
{
	const size_t n = a->rates.threads->count;
	bool *missing = alloc_zeroed(n + 1, sizeof(*missing));
	size_t count = 0, any = 0;

	for (size_t i = 0; i < n; i++) {
		missing[i] = isnan(rates_at(&a->weak.whole, curve, i).value);
		count += missing[i];
		any = missing[i] ? i : any;
	}
	if (count) {
		list = list ? list : finding_add_list(to, "missing");
		struct finding *f = findings_add(list, FINDING_MISSING);
		const char *reason = reason_of(a, curve, any);

		add_placement(f, a, curve);
		if (count < n)
			findings_add_threads(f, a->rates.threads, missing);
		finding_text(f, "reason", reason ? "%s" : NULL, reason);
	}
	free(missing);
	return list;
}

static void add_best(struct finding *f, const struct answer *a)
{
	if (a->node >= 0)
		finding_text(f, "node", "%d", a->node);
	else
		add_placement(f, a, a->best);
	if (a->weak.answered && a->weak.count)
		finding_text(f, "rest", "yes");
	add_threads(f, "threads", a, (long)a->threads);
	rates_add(f, "most", &a->rates, a->most);
	if (!isfinite(a->most.low))
		finding_text(f, "uncertain", "yes");
}

void findings_weights(
	const struct document *d, const struct document_table *t, struct finding_list *to)
{
	struct finding_list *missing = NULL;
	struct answer a;

	if (find_answer(d, t, &a)) {
		struct finding *f = findings_add(to, FINDING_WEIGHTS);

		findings_add_subject(f, d, a.rates.table);
		add_best(f, &a);
		if (a.node < 0)
			add_tied_placements(f, &a);
		add_fewer(f, &a);
		if (a.node < 0)
			add_baseline(f, &a);
		/* where all is the same memory, the other placements are nothing that is missing */
		for (size_t i = 0; i < a.rates.others->count; i++)
			if (a.node < 0 || i == a.best)
				missing = add_missing(f, missing, &a, i);
		weak_add(f, &a.weak, &a.rates, (long)a.best);
	}
	weak_free(&a.weak);
}
