/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the figures of a document can be trusted. */
#include "document/quality.h"

#include <string.h>

#include "analysis/derive.h"
#include "document/figure.h"
#include "input/registry.h"

static struct amount bandwidth_of(const struct document_run *r, const struct document_operation *o)
{
	const struct amount rate = document_figure(r, o, ALL_THREADS, DOCUMENT_BYTES_PER_S).amount;

	return o->njobs && o->jobs[0].kernel &&
			       trust_measures_bandwidth(registry_find(o->jobs[0].kernel)) &&
			       isfinite(rate.value)
		       ? rate
		       : AMOUNT_NONE;
}

static void add_figures(
	struct quality *q, const struct document_run *r, const struct document_operation *o)
{
	const struct trust_samples all = document_trust_samples(r, o, ALL_THREADS);
	const struct amount rate = bandwidth_of(r, o);

	for (size_t k = 0; k < o->njobs; k++) {
		const struct trust_samples own = document_trust_samples(r, o, (int)k);

		quality_add(q, &own, document_figure(r, o, (int)k, DOCUMENT_COST).amount,
			o->njobs == 1 ? rate : AMOUNT_NONE);
	}
	if (o->njobs > 1 && isfinite(rate.value))
		quality_add(
			q, &all, document_figure(r, o, ALL_THREADS, DOCUMENT_COST).amount, rate);
	quality_add_samples(q, &all);
}

void document_quality_add(struct quality *q, const struct document_run *r, const char *operation)
{
	for (size_t i = 0; i < r->operations.count; i++)
		if (!operation || !strcmp(operation, r->operations.list[i].name))
			add_figures(q, r, &r->operations.list[i]);
	for (size_t i = 0; i < r->nvectors; i++)
		if (document_is_misplaced(&r->vectors[i]))
			q->misplaced++;
		else
			q->unproven += !r->vectors[i].npages;
	q->vectors += r->nvectors;
}

struct quality document_quality_begin(const struct document *d)
{
	struct quality q = QUALITY_NONE;

	quality_add_facts(&q, &d->environment);
	q.simulated = document_simulated(d);
	q.quick = d->quick;
	q.interrupted = d->interrupted;
	return q;
}

struct quality document_quality_of(const struct document *d)
{
	struct quality q = document_quality_begin(d);

	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			document_quality_add(&q, &d->runs[i], NULL);
	quality_judge(&q);
	return q;
}

enum trust_word document_word_of_figures(const struct document *d, enum trust_word word)
{
	struct quality q = document_quality_begin(d);

	q.figures[word]++;
	quality_judge_each(&q);
	return q.word;
}
