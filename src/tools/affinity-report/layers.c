/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What it takes that threads meet after each layer, in sentences: of tables of tokens a second by
 * threads and layers, beside those of the shares of waiting and of meeting. */
#include <math.h>
#include <string.h>

#include "affinity-report/answer.h"
#include "affinity-report/grids.h"
#include "affinity-report/weak.h"

/* figures of the kernels */
static const char waiting[] = "waiting", meeting[] = "meeting";

/* The table of a share of the same runs; NULL: none. */
static const struct document_table *share_beside(
	const struct document *d, const struct document_table *t, const char *figure)
{
	for (size_t i = 0; i < d->ntables; i++)
		if (d->tables[i].id == QUANTITY_FIGURE && !strcmp(d->tables[i].quantity, figure) &&
			grids_alike(&d->tables[i], t) && d->tables[i].rows.count == t->rows.count &&
			d->tables[i].columns.count == t->columns.count)
			return &d->tables[i];
	return NULL;
}

struct layers {
	struct rates rates; /* a curve for each number of layers */
	struct rates waiting, meeting;
};

static bool find(const struct document *d, const struct document_table *t, struct layers *l)
{
	const struct document_table *waits = share_beside(d, t, waiting);
	const struct document_table *meets = share_beside(d, t, meeting);

	if (!waits || !meets || !rates_find(d, t, &l->rates) || !*l->rates.other_axis)
		return false;
	l->waiting = l->meeting = l->rates;
	l->waiting.table = waits;
	l->meeting.table = meets;
	return true;
}

static bool meets(const struct layers *l, size_t curve, size_t i)
{
	return isfinite(rates_at(&l->waiting, curve, i).value) &&
	       isfinite(rates_at(&l->meeting, curve, i).value);
}

/* "3.1 % (2.9 .. 3.4)": a share is not outside of 0 to 100, as its interval may be. */
static void share(FILE *out, struct amount a)
{
	fprintf(out, "<strong>%.3g&nbsp;%%</strong>", a.value);
	if (isfinite(a.low) && isfinite(a.high))
		fprintf(out, " (%.3g .. %.3g)", fmax(a.low, 0), fmin(a.high, 100));
}

static void say_highest(const struct layers *l, size_t curve, size_t i, FILE *out)
{
	html(out, "%s %s: ", l->rates.other_axis, l->rates.others->list[curve]);
	answer_rate(&l->rates, rates_at(&l->rates, curve, i), out);
	html(out, " at most, with %s thread%s", RATES_THREADS(&l->rates, i));
}

static bool is_alone(const struct layers *l, size_t i)
{
	return !strcmp(l->rates.threads->list[i], "1");
}

static void say_shares(const struct layers *l, size_t curve, size_t i, FILE *out)
{
	fputs(", of whose time waiting for the slowest takes ", out);
	share(out, rates_at(&l->waiting, curve, i));
	fputs(" and meeting ", out);
	share(out, rates_at(&l->meeting, curve, i));
}

/* Other numbers of threads that may be as quick. */
static void say_tied(const struct layers *l, size_t curve, size_t best, FILE *out)
{
	const double low = rates_at(&l->rates, curve, best).low;
	bool any = false;

	for (size_t i = 0; i < l->rates.threads->count; i++) {
		if (i == best || !(rates_at(&l->rates, curve, i).high >= low))
			continue;
		html(out, "%s%s", any ? ", " : " (not told from ", l->rates.threads->list[i]);
		any = true;
	}
	fputs(any ? ")" : "", out);
}

/* The last number of threads that meet; -1: none do. */
static long most_that_meet(const struct layers *l, size_t curve)
{
	long most = -1;

	for (size_t i = 0; i < l->rates.threads->count; i++)
		if (!is_alone(l, i) && meets(l, curve, i) &&
			isfinite(rates_at(&l->rates, curve, i).value))
			most = (long)i;
	return most;
}

/* Of a number of layers the threads with the highest rate, and what meeting takes there; of one
 * thread, which meets nobody, beside it what several do. */
static void say_curve(const struct layers *l, size_t curve, FILE *out)
{
	const size_t i = (size_t)rates_highest(&l->rates, curve);
	const long several = most_that_meet(l, curve);

	say_highest(l, curve, i, out);
	say_tied(l, curve, i, out);
	if (!meets(l, curve, i))
		return;
	if (!is_alone(l, i)) {
		say_shares(l, curve, i, out);
		return;
	}
	fputs(", which waits for nobody", out);
	if (several < 0)
		return;
	fputs(", and ", out);
	answer_rate(&l->rates, rates_at(&l->rates, curve, (size_t)several), out);
	html(out, " with %s thread%s", RATES_THREADS(&l->rates, several));
	say_shares(l, curve, (size_t)several, out);
}

static void say_all(const struct layers *l, FILE *out)
{
	size_t told = 0;
	bool certain = true;

	for (size_t i = 0; i < l->rates.others->count; i++) {
		const long highest = rates_highest(&l->rates, i);

		if (highest < 0)
			continue;
		fputs(told++ ? "; " : "", out);
		say_curve(l, i, out);
		certain &= isfinite(rates_at(&l->rates, i, (size_t)highest).low);
	}
	fputs(certain ? "."
		      : ". The figures have no intervals: more samples tell how certain they are.",
		out);
}

/* The rates are told by page_how_many(). */
void page_layers(const struct document *d, const struct document_table *t, FILE *out)
{
	struct layers l;

	for (size_t i = 0; find(d, t, &l) && i < l.rates.others->count; i++) {
		const long highest = rates_highest(&l.rates, i);

		if (highest < 0 || !meets(&l, i, (size_t)highest) || is_alone(&l, (size_t)highest))
			continue;
		html(out, "<li>%s %s, %s thread%s", l.rates.other_axis, l.rates.others->list[i],
			RATES_THREADS(&l.rates, highest));
		say_shares(&l, i, (size_t)highest, out);
		fputs(".</li>\n", out);
	}
}

void answer_layers(const struct stored_document *from, FILE *out)
{
	const struct document *d = &from->document;

	for (size_t i = 0; i < d->ntables; i++) {
		struct layers l;
		struct weak_runs weak;

		if (!find(d, &d->tables[i], &l) || rates_best(&l.rates) < 0)
			continue;
		weak_find(&weak, d, &l.rates, 1);
		fputs("<li>", out);
		answer_subject(d, weak.whole.table, out);
		fputs(": ", out);
		say_all(&l, out);
		weak_say(&weak, &l.rates, -1, out);
		answer_source(from, out);
		weak_say_word(&weak, out);
		fputs(")</li>\n", out);
		weak_free(&weak);
	}
}
