/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ratios of percentiles, and differences of shares. */
#include "compare/tails.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/intervals.h"
#include "statistics/percentile.h"
#include "statistics/stats.h"

/* What each placement has by itself: a percentile, in ns, or the share above a time. To be freed.
 */
static double *each(const struct tails *t, int part, double confidence)
{
	double *values = alloc_zeroed(t->nclusters + 1, sizeof(*values));

	for (size_t i = 0; i < t->nclusters; i++) {
		const struct histogram *h = &t->clusters[i];

		if (!h->n)
			values[i] = NAN;
		else if (part < TAIL_PARTS)
			values[i] = tails_ns(
				t, percentile_of(h, 1, h, tail_names[part].part, confidence)
					   .value.value);
		else
			values[i] = 1 - histogram_up_to(h, (t->above + t->pair) / t->tick) /
						(double)h->n;
	}
	return values;
}

/* Of figures that placements have by themselves; else of the figures of all, whose intervals are
 * over placements too. */
static struct amount ratio_of(
	const struct tails *before, const struct tails *after, int part, double confidence)
{
	struct amount a = after->kept.figures[part].ns, b = before->kept.figures[part].ns, exact;
	double *was = each(before, part, confidence), *is = each(after, part, confidence);
	const struct amount ratio = amount_ratio(a, b);

	if (before->nclusters == after->nclusters && before->nclusters > 1 &&
		!stats_paired_ratio(is, was, before->nclusters, confidence, &exact))
		exact = amount_times(exact, ratio.value / exact.value);
	else
		exact = ratio;
	free(was);
	free(is);
	return isnan(ratio.value) ? AMOUNT_NONE : exact;
}

static struct amount share_of(
	const struct tails *before, const struct tails *after, double confidence)
{
	const size_t n = before->nclusters;
	double *was = each(before, TAIL_PARTS, confidence);
	double *is = each(after, TAIL_PARTS, confidence);
	const double value = after->kept.above.value - before->kept.above.value;
	struct amount a = amount_difference(after->kept.above, before->kept.above);
	struct stats s;

	for (size_t i = 0; n == after->nclusters && i < n; i++)
		is[i] -= was[i];
	if (n == after->nclusters && n > 1 && !stats_of(is, n, confidence, &s))
		a = (struct amount){value, value - s.ci_mean, value + s.ci_mean};
	free(was);
	free(is);
	return a;
}

static void print_ratio_cell(struct amount a, int decimals, FILE *out)
{
	char text[64] = "-";

	if (isfinite(a.value) && isfinite(a.low))
		snprintf(text, sizeof(text), "%.*f [%.*f %.*f]", decimals, a.value, decimals, a.low,
			decimals, a.high);
	else if (isfinite(a.value))
		snprintf(text, sizeof(text), "%.*f", decimals, a.value);
	fprintf(out, " %20s", text);
}

static void compare_threads(const struct document_run *r, const struct document_operation *o,
	size_t thread, const struct tails *before, const struct tails *after, FILE *out)
{
	const double confidence = r->method.confidence;

	fprintf(out, " - %s%s%s, thread %zu\n  ", r->label, *r->label ? ": " : "", o->name, thread);
	for (int i = 0; i < TAIL_PARTS; i++)
		print_ratio_cell(ratio_of(before, after, i, confidence), 3, out);
	if (before->above == after->above)
		print_ratio_cell(amount_times(share_of(before, after, confidence), 100), 4, out);
	fputc('\n', out);
}

static void print_tails_head(FILE *out)
{
	fprintf(out, "\n+ Percentiles of single events, after / before\n  ");
	for (int i = 0; i < TAIL_PARTS; i++)
		fprintf(out, " %20s", tail_names[i].name);
	fprintf(out, " %20s\n", "share_above, less, %");
}

void compare_tails(const struct document *before, const struct document *after, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < after->nruns; i++) {
		const struct document_run *is = &after->runs[i],
					  *was = document_measured(before, is->label);

		for (size_t op = 0; was && op < is->operations.count; op++) {
			const struct document_operation *o = &is->operations.list[op],
							*b = document_operation(was, o->name);

			for (size_t k = 0; b && k < o->njobs && k < b->njobs; k++) {
				if (!o->jobs[k].tails || !b->jobs[k].tails)
					continue;
				if (!any)
					print_tails_head(out);
				any = true;
				compare_threads(is, o, k, b->jobs[k].tails, o->jobs[k].tails, out);
			}
		}
	}
}
