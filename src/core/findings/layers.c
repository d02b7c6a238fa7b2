/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What it takes that threads meet after each layer: of tables of tokens a second by threads and
 * layers, beside those of the shares of waiting and of meeting. */
#include <math.h>
#include <string.h>

#include "findings/weak.h"

/* figures of the kernels */
static const char waiting[] = "waiting", meeting[] = "meeting";

/* The table of a share of the same runs; NULL: none. */
static const struct document_table *share_beside(
	const struct document *d, const struct document_table *t, const char *figure)
{
	for (size_t i = 0; i < d->ntables; i++)
		if (d->tables[i].id == QUANTITY_FIGURE && !strcmp(d->tables[i].quantity, figure) &&
			document_alike(&d->tables[i], t) &&
			d->tables[i].rows.count == t->rows.count &&
			d->tables[i].columns.count == t->columns.count)
			return &d->tables[i];
	return NULL;
}

struct layers {
	struct rates rates; /* a curve for each number of layers */
	struct rates waiting, meeting;
};

static bool find_layers(const struct document *d, const struct document_table *t, struct layers *l)
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

static bool is_alone(const struct layers *l, size_t i)
{
	return !strcmp(l->rates.threads->list[i], "1");
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

/* ---- what is said */

/* A share is not outside of 0 to 100, as its interval may be. */
static void add_share(struct finding *f, const char *name, struct amount a)
{
	if (isfinite(a.low) && isfinite(a.high)) {
		a.low = fmax(a.low, 0);
		a.high = fmin(a.high, 100);
	}
	finding_figure(f, name, a, "%");
}

static void add_shares(struct finding *f, const struct layers *l, size_t curve, size_t i)
{
	add_share(f, waiting, rates_at(&l->waiting, curve, i));
	add_share(f, meeting, rates_at(&l->meeting, curve, i));
}

static void add_name(struct finding *f, const struct layers *l, size_t curve, size_t i)
{
	finding_text(f, "curve", "%s %s", l->rates.other_axis, l->rates.others->list[curve]);
	finding_text(f, "threads", "%s", l->rates.threads->list[i]);
}

/* Other numbers of threads that may be as quick. */
static void add_tied(struct finding *f, const struct layers *l, size_t curve, size_t best)
{
	const double low = rates_at(&l->rates, curve, best).low;
	struct finding_list *list = NULL;

	for (size_t i = 0; i < l->rates.threads->count; i++) {
		if (i == best || !(rates_at(&l->rates, curve, i).high >= low))
			continue;
		list = list ? list : finding_add_list(f, "tied");
		finding_text(
			findings_add(list, FINDING_NAME), "name", "%s", l->rates.threads->list[i]);
	}
}

/* Of a number of layers the threads with the highest rate, and what meeting takes there; of one
 * thread, which meets nobody, beside it what several do. */
static void add_curve(struct finding_list *to, const struct layers *l, size_t curve)
{
	const size_t i = (size_t)rates_highest(&l->rates, curve);
	const long several = most_that_meet(l, curve);
	struct finding *f = findings_add(to, FINDING_LAYER);

	add_name(f, l, curve, i);
	rates_add(f, "most", &l->rates, rates_at(&l->rates, curve, i));
	add_tied(f, l, curve, i);
	if (!meets(l, curve, i))
		return;
	if (!is_alone(l, i)) {
		add_shares(f, l, curve, i);
		return;
	}
	finding_text(f, "alone", "yes");
	if (several < 0)
		return;
	rates_add(f, "several", &l->rates, rates_at(&l->rates, curve, (size_t)several));
	finding_text(f, "several_threads", "%s", l->rates.threads->list[several]);
	add_shares(f, l, curve, (size_t)several);
}

static void add_all(struct finding *f, const struct layers *l)
{
	struct finding_list *list = finding_add_list(f, "curves");
	bool certain = true;

	for (size_t i = 0; i < l->rates.others->count; i++) {
		const long highest = rates_highest(&l->rates, i);

		if (highest < 0)
			continue;
		add_curve(list, l, i);
		certain &= isfinite(rates_at(&l->rates, i, (size_t)highest).low);
	}
	if (!certain)
		finding_text(f, "uncertain", "yes");
}

/* The rates are those of findings_how_many(). */
void findings_meetings(
	const struct document *d, const struct document_table *t, struct finding_list *to)
{
	struct layers l;

	for (size_t i = 0; find_layers(d, t, &l) && i < l.rates.others->count; i++) {
		const long highest = rates_highest(&l.rates, i);

		if (highest < 0 || !meets(&l, i, (size_t)highest) || is_alone(&l, (size_t)highest))
			continue;
		struct finding *f = findings_add(to, FINDING_MEETING);

		f->trust = document_quality_of(d).word;
		add_name(f, &l, i, (size_t)highest);
		add_shares(f, &l, i, (size_t)highest);
	}
}

void findings_layers(
	const struct document *d, const struct document_table *t, struct finding_list *to)
{
	struct layers l;
	struct weak_runs weak;

	if (!find_layers(d, t, &l) || rates_best(&l.rates) < 0)
		return;
	weak_find(&weak, d, &l.rates, 1);
	struct finding *f = findings_add(to, FINDING_LAYERS);

	findings_add_subject(f, d, weak.whole.table);
	add_all(f, &l);
	weak_add(f, &weak, &l.rates, -1);
	weak_free(&weak);
}
