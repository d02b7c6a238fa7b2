/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios of costs, and verdicts about them. */
#include "compare/ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "statistics/stats.h"
#include "base/text.h"

/* A larger slowdown needs no test. */
#define FOUND_MOST 2.0

/* In an operation with one thread, the total repeats that thread's cost. */
static bool counts_twice(const struct costs *r, size_t index)
{
	const struct cost *x = &r->list[index], *before = index ? x - 1 : NULL;

	return x->thread == ALL_THREADS && before && before->thread == 0 &&
	       !strcmp(before->run, x->run) && !strcmp(before->operation, x->operation);
}

/* The logarithms of one cost in all documents of a side, or in all rounds of these; false: a
 * document does not contain the cost. */
static bool take_side(const struct side *s, const struct cost *like, bool by_rounds,
	struct log_figures *f, bool *disturbed)
{
	double *values = NULL;
	size_t n = 0;
	bool all = true;

	for (size_t i = 0; i < s->paths.count; i++) {
		const struct cost *x = costs_find(&s->costs[i], like);
		const size_t rounds = x && by_rounds ? x->nrounds : 1;

		for (size_t k = 0; k < rounds; k++) {
			values = alloc_grow(values, n, sizeof(*values));
			values[n] = x ? by_rounds ? x->rounds[k] : x->cost.value : NAN;
			all &= values[n] > 0 && isfinite(values[n]);
			n++;
		}
		all &= rounds > 0;
		*disturbed |= x && x->disturbed;
	}
	if (all)
		*f = verdict_logs(values, n);
	free(values);
	return all;
}

/* With so many results on each side, what changes from one to the next is known from them. */
#define RESULTS 3

static bool is_by_rounds(
	const struct side *before, const struct side *after, const struct side *history)
{
	return before->costs[0].document.nprograms && after->costs[0].document.nprograms &&
	       !history && (before->paths.count < RESULTS || after->paths.count < RESULTS);
}

/* Of the history no cost is disturbed or missing. */
static void take_costs(struct ratios *r, const struct side *before, const struct side *after,
	const struct side *history)
{
	bool undisturbed = false;

	const struct costs *first = &before->costs[0];

	for (size_t i = 0; i < first->count; i++) {
		struct ratio x = {.like = &first->list[i]};

		if (counts_twice(first, i) ||
			!take_side(before, x.like, r->by_rounds, &x.verdict.before, &x.disturbed) ||
			!take_side(after, x.like, r->by_rounds, &x.verdict.after, &x.disturbed))
			continue;
		if (history)
			take_side(history, x.like, false, &x.verdict.history, &undisturbed);
		r->list = alloc_grow(r->list, r->count, sizeof(*r->list));
		r->list[r->count++] = x;
	}
}

/* Holm's procedure is over the costs that are judged. */
static void judge_ratios(struct ratios *r, double tolerance)
{
	struct verdict *list = alloc_zeroed(r->count + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < r->count; i++)
		if (!r->list[i].disturbed)
			list[count++] = r->list[i].verdict;
	r->needed = verdict_runs(list, count);
	r->judged = verdict_judge(list, count, tolerance, COMPARE_ERRORS);
	r->listed = !r->judged && verdict_list(list, count, tolerance, COMPARE_ERRORS);
	count = 0;
	for (size_t i = 0; i < r->count; i++) {
		struct verdict *v = &r->list[i].verdict;

		if (!r->list[i].disturbed)
			*v = list[count++];
		else
			v->ratio = (struct amount){exp(v->after.mean - v->before.mean), NAN, NAN};
	}
	free(list);
}

static bool has_same_cost(const struct costs *c, const struct cost *like)
{
	const struct cost *x = costs_find(c, like);

	return x && x->cost.value > 0;
}

/* All documents, those of one side after those of the other. */
static const struct costs *document_at(
	const struct side *before, const struct side *after, size_t index)
{
	return index < before->paths.count ? &before->costs[index]
					   : &after->costs[index - before->paths.count];
}

/* Is it the first document with the cost, and not the cost of all documents? */
static bool is_missing(
	const struct side *before, const struct side *after, size_t index, const struct cost *like)
{
	size_t all = before->paths.count + after->paths.count;

	for (size_t i = 0; i < index; i++)
		if (has_same_cost(document_at(before, after, i), like))
			return false;
	for (size_t i = 0; i < all && !index; i++)
		if (!has_same_cost(document_at(before, after, i), like))
			return true;
	return index > 0;
}

/* Costs that some document has and another one lacks, each once. */
static size_t count_missing(const struct side *before, const struct side *after)
{
	size_t missing = 0;

	for (size_t k = 0; k < before->paths.count + after->paths.count; k++) {
		const struct costs *c = document_at(before, after, k);

		for (size_t i = 0; i < c->count; i++)
			missing += c->list[i].cost.value > 0 && !counts_twice(c, i) &&
				   is_missing(before, after, k, &c->list[i]);
	}
	return missing;
}

/* Must it be measured again? A disturbed cost has no verdict. */
static bool differs(const struct ratios *r, const struct ratio *x)
{
	if (r->listed && !x->disturbed)
		return x->verdict.slower || x->verdict.faster;
	return (!r->judged || x->unjudged) &&
	       fabs(log(x->verdict.ratio.value)) > log1p(COMPARE_LOOK_AT);
}

void ratios_judge(struct ratios *r, const struct side *before, const struct side *after,
	const struct side *history, double tolerance, bool force)
{
	*r = (struct ratios){.missing = count_missing(before, after),
		.two_files = before->paths.count + after->paths.count == 2,
		.by_rounds = is_by_rounds(before, after, history)};
	r->history = history ? history->paths.count : 0;
	take_costs(r, before, after, history);
	for (size_t i = 0; i < r->count; i++)
		r->list[i].disturbed &= !force;
	judge_ratios(r, tolerance);
	for (size_t i = 0; i < r->count; i++) {
		struct ratio *x = &r->list[i];

		x->unjudged = r->judged && !x->disturbed && isnan(x->verdict.found);
		x->differs = differs(r, x);
		if (r->listed)
			x->verdict.slower = x->verdict.faster = false;
		r->slower += x->verdict.slower;
		r->faster += x->verdict.faster;
		r->differing += x->differs;
		r->disturbed += x->disturbed;
		r->unjudged += x->unjudged;
	}
}

void ratios_free(struct ratios *r)
{
	free(r->list);
	*r = (struct ratios){0};
}

static const char *word_for(const struct ratio *x)
{
	if (x->verdict.slower)
		return "  SLOWER";
	if (x->verdict.faster)
		return "  faster";
	if (x->disturbed)
		return x->differs ? "  differs, disturbed" : "  disturbed";
	if (x->unjudged)
		return x->differs ? "  differs, too few runs" : "  too few runs";
	return x->differs ? "  differs" : "";
}

static void print_row(const struct ratio *x, bool judged, double scale, FILE *out)
{
	const struct verdict *v = &x->verdict;
	char thread[16] = "total";

	if (x->like->thread != ALL_THREADS)
		snprintf(thread, sizeof(thread), "%d", x->like->thread);
	fprintf(out, "%-24s %-20s %6s %14.9f %14.9f %8.3f", x->like->run, x->like->operation,
		thread, exp(v->before.mean) * scale, exp(v->after.mean) * scale, v->ratio.value);
	if (judged && !x->disturbed && isfinite(v->ratio.low))
		fprintf(out, " %8.3f %8.3f", v->ratio.low, v->ratio.high);
	else if (judged)
		fprintf(out, " %8s %8s", "", "");
	fprintf(out, "%s\n", word_for(x));
}

static void print_percent(double part, FILE *out)
{
	char percent[32];

	fprintf(out, "%s%s", part > FOUND_MOST ? "more than " : "",
		text_percent(fmin(part, FOUND_MOST), percent, sizeof(percent)));
}

/* How small a slowdown these runs could show: without it "none is slower" says little. */
static void print_found(const struct ratios *r, FILE *out)
{
	double *found = alloc_zeroed(r->count + 1, sizeof(*found));
	struct stats s;
	size_t n = 0;

	for (size_t i = 0; i < r->count; i++)
		if (!r->list[i].disturbed && !r->list[i].unjudged)
			found[n++] = r->list[i].verdict.found;
	if (!stats_of(found, n, VERDICT_CONFIDENCE, &s)) {
		fprintf(out, "smallest slowdown found with %g %% power: ", VERDICT_POWER * 100);
		print_percent(s.median, out);
		fprintf(out, " (median cost), ");
		print_percent(s.max, out);
		fprintf(out, " (all)\n");
	}
	free(found);
}

/* Why nothing is judged. */
static void print_reason(const struct ratios *r, double tolerance, FILE *out)
{
	size_t before = r->count ? r->list[0].verdict.before.n : 0,
	       after = r->count ? r->list[0].verdict.after.n : 0;
	size_t runs = before < after ? before : after, costs = r->count - r->disturbed;

	fputs("not judged: ", out);
	if (r->by_rounds && runs < RESULTS)
		fprintf(out, "%zu round%s a side, it takes %zu", runs, text_s(runs), r->needed);
	else if (runs < 2 && r->listed)
		fputs("one result a side may be slow as a whole", out);
	else if (runs < 2)
		fputs("the change from run to run is unknown", out);
	else if (!costs)
		fputs("all are disturbed", out);
	else
		fprintf(out, "%zu %s a side are too few for %zu cost%s%s, it takes %zu", runs,
			r->by_rounds ? "rounds" : "results", costs, costs == 1 ? "" : "s",
			costs < VERDICT_MODERATE ? "" : " that vary so much", r->needed);
	if (r->history && !r->listed)
		fprintf(out, "; to list costs, a history takes %zu results",
			verdict_history(costs));
	if (r->listed)
		fprintf(out, "; %zu differ%s by more than %.3g %% beyond the change in the history",
			r->differing, r->differing == 1 ? "s" : "", tolerance * 100);
	else
		fprintf(out, "; %zu differ%s by more than %g %%", r->differing,
			r->differing == 1 ? "s" : "", COMPARE_LOOK_AT * 100);
}

static void sum_up(const struct ratios *r, double tolerance, FILE *out)
{
	fprintf(out, "\n%zu compared, ", r->count);
	if (r->judged)
		fprintf(out, "%zu slower and %zu faster by more than %.3g %%", r->slower, r->faster,
			tolerance * 100);
	else
		print_reason(r, tolerance, out);
	if (r->disturbed)
		fprintf(out, ", %zu disturbed", r->disturbed);
	if (r->unjudged)
		fprintf(out, ", %zu with too few runs to be judged", r->unjudged);
	fprintf(out, ", %zu %s\n", r->missing,
		r->two_files ? "in one file only" : "not in all files");
	if (r->judged)
		fprintf(out,
			"false alarms: at most %g in 100 comparisons in which nothing changed\n",
			COMPARE_ERRORS * 100);
	if (r->judged && r->history)
		fprintf(out,
			"the change from run to run is that within the sides and of %zu earlier "
			"result%s\n",
			r->history, r->history == 1 ? "" : "s");
}

void ratios_print(const struct ratios *r, const struct document *d, double tolerance, FILE *out)
{
	const char *unit = d->figure ? "" : d->method.per_unit ? "(ns)" : "(s)";
	char before[16], after[16];

	snprintf(before, sizeof(before), "before%s", unit);
	snprintf(after, sizeof(after), "after%s", unit);
	if (d->figure)
		fprintf(out, "\ncosts are %s of --figure '%s'\n",
			d->larger ? "1 / the figures" : "the figures", d->figure);
	fprintf(out, "\n%-24s %-20s %6s %14s %14s %8s%s\n", "run", "operation", "thread", before,
		after, "ratio", r->judged ? "      low     high" : "");
	for (size_t i = 0; i < r->count; i++)
		print_row(&r->list[i], r->judged, d->method.per_unit ? 1e9 : 1, out);
	sum_up(r, tolerance, out);
	if (r->judged)
		print_found(r, out);
}
