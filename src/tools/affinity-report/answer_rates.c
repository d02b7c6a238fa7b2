/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the weights of a language model go, and how many threads read them: of tables of tokens a
 * second by threads and placement. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "affinity-report/answer.h"
#include "affinity-report/rates.h"
#include "affinity-report/weak.h"

struct answer {
	const struct stored_document *from;
	struct rates rates; /* a curve for each placement, without weak runs */
	struct weak_runs weak;
	size_t best, threads;
	struct amount most;
};

/* Where all placements are the same memory, the best of them is only the luckiest one. */
static long curve_that_counts(const struct document *d, const struct rates *c)
{
	const char *first =
		page_node_of_all(d) < 0 ? NULL : document_value(answer_run(d), c->other_axis);

	for (size_t i = 0; first && i < c->others->count; i++)
		if (!strcmp(c->others->list[i], first) && rates_highest(c, i) >= 0)
			return (long)i;
	return rates_best(c);
}

static bool find_answer(
	const struct stored_document *from, const struct document_table *t, struct answer *a)
{
	const struct document *d = &from->document;

	*a = (struct answer){.from = from};
	if (t->id != QUANTITY_FIGURE || strcmp(t->quantity, "tokens_per_s") ||
		!rates_find(d, t, &a->rates) || !rates_are_placements(d, &a->rates) ||
		rates_best(&a->rates) < 0)
		return false;
	/* of a single placement that is left nobody knows whether it is the best */
	weak_find(&a->weak, d, &a->rates, page_node_of_all(d) < 0 ? 2 : 1);
	a->best = (size_t)curve_that_counts(d, &a->rates);
	a->threads = (size_t)rates_highest(&a->rates, a->best);
	a->most = rates_at(&a->rates, a->best, a->threads);
	return true;
}

static void say_placement(const struct answer *a, size_t curve, FILE *out)
{
	html(out, "%s %s", a->rates.other_axis, a->rates.others->list[curve]);
}

/* Of other placements their highest figures that may be as high. */
static void say_tied_placements(const struct answer *a, FILE *out)
{
	const char *between = " Their intervals do not tell it from ";

	for (size_t i = 0; i < a->rates.others->count; i++) {
		const long own = rates_highest(&a->rates, i);

		if (i == a->best || own < 0 ||
			!(rates_at(&a->rates, i, (size_t)own).high >= a->most.low))
			continue;
		fputs(between, out);
		say_placement(a, i, out);
		html(out, " with %s thread%s", RATES_THREADS(&a->rates, own));
		between = ", ";
	}
	if (!strcmp(between, ", "))
		fputs(".", out);
}

/* Has the best placement a figure with every number of threads? */
static bool all_measured(const struct answer *a)
{
	for (size_t i = 0; i < a->rates.threads->count; i++)
		if (isnan(rates_at(&a->rates, a->best, i).value))
			return false;
	return true;
}

/* Fewer threads that may be as quick, and those that nearly are. */
static void say_threads(const struct answer *a, FILE *out)
{
	long tied = -1;
	const long fewest = rates_fewest(&a->rates, a->best, SUFFICIENT * a->most.value);

	for (size_t i = 0; i < a->rates.threads->count; i++)
		if (i != a->threads && rates_at(&a->rates, a->best, i).high >= a->most.low &&
			(tied < 0 || rates_at(&a->rates, a->best, i).value >
					     rates_at(&a->rates, a->best, (size_t)tied).value))
			tied = (long)i;
	if (tied >= 0)
		html(out, " There %s thread%s may be as quick: the intervals do not tell.",
			RATES_THREADS(&a->rates, tied));
	if (fewest >= 0 && (size_t)fewest != a->threads)
		html(out, " %s thread%s reach%s %.0f&nbsp;%% of it.",
			RATES_THREADS(&a->rates, fewest),
			strcmp(a->rates.threads->list[fewest], "1") ? "" : "es", 100 * SUFFICIENT);
	else if (tied < 0 && isfinite(a->most.low) && all_measured(a) &&
		 rates_fewest(&a->rates, a->best, 0) != (long)a->threads)
		fprintf(out, " No smaller number reaches %.0f&nbsp;%% of it.", 100 * SUFFICIENT);
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
static void say_baseline(const struct answer *a, FILE *out)
{
	const struct document_run *run = baseline_of(&a->from->document);
	const char *base = run ? document_value(run, a->rates.other_axis) : NULL;

	for (size_t i = 0; base && i < a->rates.others->count; i++) {
		const long own = rates_highest(&a->rates, i);

		if (i == a->best || own < 0 || strcmp(a->rates.others->list[i], base))
			continue;
		fputs(" With ", out);
		say_placement(a, i, out);
		page_asked_node(run, out);
		fputs(" it is ", out);
		answer_rate(&a->rates, rates_at(&a->rates, i, (size_t)own), out);
		html(out, " at most, with %s thread%s.", RATES_THREADS(&a->rates, own));
	}
}

/* ---- what was not measured, and could be the best */

const char *answer_reason(const char *text)
{
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		const size_t digits = strspn(colon + 1, "0123456789");

		if (digits && !strncmp(colon + 1 + digits, ": ", 2))
			return colon + 1 + digits + 2;
	}
	return text;
}

/* Why no run has this placement and number of threads, without file and line; NULL: not known. */
static const char *reason_of(const struct answer *a, size_t curve, size_t threads)
{
	const struct document *d = &a->from->document;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];
		const char *there = document_value(r, a->rates.other_axis);
		const char *n = document_value(r, a->rates.threads_axis);

		if (!r->skipped || !there || !n || strcmp(there, a->rates.others->list[curve]) ||
			strcmp(n, a->rates.threads->list[threads]))
			continue;
		return answer_reason(r->skipped);
	}
	return NULL;
}

/* "placement replicate with 8, 16 threads was not measured: ..." */
static void say_missing(const struct answer *a, size_t curve, FILE *out)
{
	const size_t n = a->rates.threads->count;
	size_t missing = 0, any = 0;

	for (size_t i = 0; i < n; i++)
		if (isnan(rates_at(&a->weak.whole, curve, i).value)) {
			missing++;
			any = i;
		}
	if (!missing)
		return;
	fputs(" Not measured: ", out);
	say_placement(a, curve, out);
	for (size_t i = 0, told = 0; missing < n && i < n; i++)
		if (isnan(rates_at(&a->weak.whole, curve, i).value))
			html(out, "%s%s", told++ ? ", " : " with ", a->rates.threads->list[i]);
	if (missing < n)
		fputs(missing == 1 && !strcmp(a->rates.threads->list[any], "1") ? " thread"
										: " threads",
			out);
	const char *reason = reason_of(a, curve, any);

	if (reason)
		html(out, " (%s)", reason);
	fputs(".", out);
}

/* Where all is the same memory, the other placements are nothing that is missing. */
static void say_all_missing(const struct answer *a, bool one_node, FILE *out)
{
	for (size_t i = 0; i < a->rates.others->count; i++)
		if (!one_node || i == a->best)
			say_missing(a, i, out);
}

static void say(const struct answer *a, FILE *out)
{
	const int node = page_node_of_all(&a->from->document);

	fputs("<li>", out);
	answer_subject(&a->from->document, a->rates.table, out);
	fputs(": ", out);
	if (node >= 0)
		fprintf(out,
			"all placements are memory of node %d, so that placement is no question "
			"here: ",
			node);
	html(out, "%s<strong>", a->weak.answered && a->weak.count ? "of what is not weak, " : "");
	if (node < 0) {
		say_placement(a, a->best, out);
		fputs(", ", out);
	}
	html(out, "%s thread%s</strong>, ", RATES_THREADS(&a->rates, a->threads));
	answer_rate(&a->rates, a->most, out);
	fputs(".", out);
	if (!isfinite(a->most.low))
		fputs(" The figures have no intervals: more samples tell how certain it is.", out);
	if (node < 0)
		say_tied_placements(a, out);
	say_threads(a, out);
	if (node < 0)
		say_baseline(a, out);
	say_all_missing(a, node >= 0, out);
	weak_say(&a->weak, &a->rates, (long)a->best, out);
	answer_source(a->from, out);
	weak_say_word(&a->weak, out);
	fputs(")</li>\n", out);
}

void answer_rates(const struct stored_document *from, FILE *out)
{
	for (size_t i = 0; i < from->document.ntables; i++) {
		struct answer a;

		if (find_answer(from, &from->document.tables[i], &a))
			say(&a, out);
		weak_free(&a.weak);
	}
}
