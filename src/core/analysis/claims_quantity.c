/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which quantities claims can be about. */
#include <stdlib.h>
#include <string.h>

#include "analysis/claims.h"
#include "base/alloc.h"
#include "counters/counting.h"

static bool is_claimable(const struct quantity_row *row)
{
	return row->claimable;
}

static int hint_quantities(struct errors *e)
{
	return view_hint_quantities("a claim compares two runs by ", is_claimable, e);
}

/* The metric with its reason not to be counted. */
static const struct counted_metric *uncounted(struct claims *c, const struct metric *m)
{
	for (size_t i = 0; i < c->nuncounted; i++)
		if (c->uncounted[i]->metric == m)
			return c->uncounted[i];
	c->uncounted = alloc_grow(c->uncounted, c->nuncounted, sizeof(*c->uncounted));
	struct counted_metric *u = c->uncounted[c->nuncounted++] = alloc_zeroed(1, sizeof(*u));

	*u = (struct counted_metric){.metric = m,
		.name = alloc_string(m->name, strlen(m->name)),
		.why = alloc_format(
			"--set counters=%s counts it, where the processor can", m->group),
		.pass = -1};
	return u;
}

static const struct metric *find_metric(struct claims *c, const char *name)
{
	struct errors none = {0};

	if (!c->table.nmetrics)
		events_read(&c->table, events_text, "events.txt", &none);
	errors_free(&none);
	for (size_t i = 0; i < c->table.nmetrics; i++)
		if (!strcmp(c->table.metrics[i].name, name))
			return &c->table.metrics[i];
	return NULL;
}

/* NULL: it is counted. */
static const struct counted_metric *lacking(
	struct claims *c, const struct experiment *x, const char *name)
{
	const struct counted_metric *m = counting_find(x->counting, name);

	if (!m)
		return uncounted(c, find_metric(c, name));
	return counter_missing(m) ? m : NULL;
}

/* A file can claim what only few machines count, and be measured without `counters` on the others:
 * its claims then say how they would be asked. */
int claims_quantity(struct claims *c, struct claim_side *s, const char *word,
	const struct experiment *x, struct errors *e)
{
	const struct metric *m = counting_find(x->counting, word) ? NULL : find_metric(c, word);

	if (m) {
		s->what.quantity = QUANTITY_COUNTER;
		s->what.counter = s->lacks = uncounted(c, m);
		return 0;
	}
	if (view_read_quantity(&s->what, word, x, e))
		return hint_quantities(e);
	s->lacks = s->what.counter && counter_missing(s->what.counter) ? s->what.counter : NULL;
	for (const char *const *needed = quantities[s->what.quantity].metrics; *needed && !s->lacks;
		needed++)
		s->lacks = lacking(c, x, *needed);
	return 0;
}

int claims_check_quantity(const struct claim_side *s, const struct experiment *x, struct errors *e)
{
	const struct view *v = &s->what;

	/* a quantity without its counts is no mistake, but one without its baseline is */
	const bool without =
		s->lacks && (x->file.baseline.count || !*quantities[v->quantity].metrics);

	if (quantities[v->quantity].claimable)
		return without ? 0 : view_check_quantity(v, x, e);
	error_add(e, STATUS_USAGE, v->at, "claim: %s cannot be claimed", view_name(v));
	return hint_quantities(e);
}
