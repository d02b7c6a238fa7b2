/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts figures by their marks, and adds what holds for all of them. */
#include "analysis/quality.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "analysis/proven.h"
#include "base/alloc.h"
#include "base/text.h"
#include "system/conditions.h"

static bool is_measured(struct amount a)
{
	return isfinite(a.value) && a.value > 0;
}

static void add_weak(struct quality *q, const struct trust *t)
{
	q->weak.without_interval += isnan(t->interval);
	q->weak.widest = fmax(q->weak.widest, t->interval);
	q->weak.unsettled |= t->of.unsettled;
	q->weak.missed |= t->of.missed;
	q->weak.misplaced |= t->of.misplaced > 0;
}

void quality_add(struct quality *q, const struct trust_samples *of, struct amount figure,
	struct amount beside)
{
	if (!is_measured(figure))
		return;
	struct trust t = trust_of(of, figure);

	if (is_measured(beside)) {
		const struct trust other = trust_of(of, beside);

		t = trust_worse(&t, &other);
	}
	q->figures[t.word]++;
	q->narrowest = fmin(q->narrowest, t.interval);
	q->widest = fmax(q->widest, t.interval);
	if (t.word == TRUST_WEAK)
		add_weak(q, &t);
	else
		q->within = fmax(q->within, t.interval);
}

void quality_add_samples(struct quality *q, const struct trust_samples *of)
{
	struct trust_samples own = *of;

	own.misplaced = own.unproven = 0;
	own.unsettled = own.missed = false;
	q->taken += of->taken;
	q->disturbed += of->disturbed;
	if (trust_word_of_samples(&own) != TRUST_WEAK)
		return;
	q->weak.taken += of->taken;
	q->weak.disturbed += of->disturbed;
}

static size_t count_doubts(const struct quality *q)
{
	return q->figures[TRUST_FIRM] + q->figures[TRUST_FAIR] + q->figures[TRUST_WEAK];
}

static bool is_fair(const struct quality *q)
{
	return !(q->others > condition_others.fair) && !(q->steal > condition_steal.fair);
}

/* of what is not recorded nothing bad is known; that is not firm */
static bool is_firm(const struct quality *q)
{
	return q->others <= condition_others.firm && !(q->steal > condition_steal.firm);
}

void quality_judge(struct quality *q)
{
	const size_t weak = q->figures[TRUST_WEAK];
	const bool sound = !q->simulated && !q->quick && !q->interrupted && !q->throttled &&
			   count_doubts(q) && 2 * weak <= count_doubts(q) && is_fair(q);

	q->word = !sound                                                    ? TRUST_WEAK
		  : is_firm(q) && q->figures[TRUST_FIRM] == count_doubts(q) ? TRUST_FIRM
									    : TRUST_FAIR;
}

void quality_judge_each(struct quality *q)
{
	quality_judge(q);
	if (q->figures[TRUST_WEAK])
		q->word = TRUST_WEAK;
}

/* ---- the reasons */

static void add_word(char **text, bool holds, const char *reason)
{
	if (holds)
		alloc_append(text, TRUST_AND, "%s", reason);
}

char *quality_conditions(const struct quality *q)
{
	char *text = alloc_format("%s", "");

	add_word(&text, q->simulated, "a simulated machine");
	add_word(&text, q->quick, "a quick trial");
	add_word(&text, q->interrupted, "interrupted");
	if (q->others > condition_others.fair)
		alloc_append(
			&text, TRUST_AND, "other programs used %.0f %% of the CPUs", q->others);
	if (q->steal > condition_steal.fair)
		alloc_append(&text, TRUST_AND, "the hypervisor took %.0f %% of the CPUs", q->steal);
	add_word(&text, q->throttled, "a CPU quota stopped threads");
	return text;
}

char *quality_reasons(const struct quality *q)
{
	char *text = alloc_format("%s", "");

	add_word(&text, q->weak.without_interval, "figures without an interval");
	if (q->weak.widest > 1000)
		alloc_append(&text, TRUST_AND, "intervals of more than 1000 %%");
	else if (q->weak.widest > TRUST_FAIR_INTERVAL)
		alloc_append(&text, TRUST_AND, "intervals of up to %.0f %%", q->weak.widest);
	if (q->weak.disturbed)
		alloc_append(&text, TRUST_AND, "disturbed samples: %lld of %lld",
			(long long)q->weak.disturbed, (long long)q->weak.taken);
	add_word(&text, q->weak.unsettled, "costs that have not settled");
	add_word(&text, q->weak.missed, "costs beside another load than the stated one");
	add_word(&text, q->weak.misplaced, "pages that are not where they were asked for");
	return text;
}

/* "94 of 96 costs within 4.8 %, 2 weak: marked (...)" */
static char *counts_text(const struct quality *q)
{
	const size_t all = count_doubts(q), weak = q->figures[TRUST_WEAK];
	const double within = ceil(q->within * 10 - 1e-6) / 10; /* they are, but for rounding */

	if (!weak)
		return alloc_format("%zu cost%s within %.1f %%", all, text_s(all), within);
	char *reasons = quality_reasons(q);
	char *text = alloc_format("%zu of %zu costs within %.1f %%, %zu weak: marked (%s)",
		all - weak, all, within, weak, reasons);

	free(reasons);
	return text;
}

/* Of figures that are all weak the reasons alone, otherwise with their number. */
static char *weak_text(const struct quality *q)
{
	const size_t all = count_doubts(q), weak = q->figures[TRUST_WEAK];
	char *text = quality_conditions(q), *reasons = quality_reasons(q);

	if (weak == all)
		add_word(&text, *reasons, reasons);
	else if (weak)
		alloc_append(&text, TRUST_AND, "%zu of %zu costs weak%s%s%s", weak, all,
			*reasons ? " (" : "", reasons, *reasons ? ")" : "");
	free(reasons);
	return text;
}

char *quality_text(const struct quality *q)
{
	char *details = q->word == TRUST_WEAK ? weak_text(q) : counts_text(q);
	char *text =
		q->word == TRUST_WEAK
			? alloc_format("not for conclusions%s%s", *details ? ": " : "", details)
			: alloc_format("%s, %s", q->word == TRUST_FIRM ? "quiet" : "fairly quiet",
				  details);

	free(details);
	return text;
}

/* ---- facts of the environment */

void quality_add_facts(struct quality *q, const struct environment *env)
{
	q->others = environment_number(env, "others_load_during_run");
	q->steal = environment_number(env, "steal_during_run");
	q->throttled = environment_number(env, "throttled_during_run") > 0; /* seconds */
}

/* ---- of an experiment */

static void add_operation(struct quality *q, const struct run *r, int op)
{
	const struct samples *s = &r->samples;
	const struct trust_samples all = trust_samples_of(s, op, ALL_THREADS);
	const struct amount bandwidth = trust_bandwidth(s, op);
	const bool single = r->plan.nthreads == 1;

	for (int k = 0; k < r->plan.nthreads; k++) {
		const struct trust_samples own = trust_samples_of(s, op, k);

		quality_add(q, &own, derive_cost(s, op, k), single ? bandwidth : AMOUNT_NONE);
	}
	if (!single && isfinite(bandwidth.value))
		quality_add(q, &all, derive_cost(s, op, ALL_THREADS), bandwidth);
	quality_add_samples(q, &all);
}

static void add_vector(struct quality *q, const struct run *r, int vector)
{
	const enum proven_pages pages = proven_vector(&r->samples, vector);

	q->vectors++;
	q->misplaced += pages == PROVEN_ELSEWHERE;
	q->unproven += pages == PROVEN_UNKNOWN;
}

struct quality quality_of(const struct experiment *x, const struct environment *env)
{
	struct quality q = QUALITY_NONE;

	quality_add_facts(&q, env);
	q.simulated = environment_simulated(env) != NULL;
	q.interrupted = x->interrupted;
	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *r = &x->runs[i];

		if (r->skipped || !r->samples.ops)
			continue;
		q.quick |= r->request.quick;
		for (int op = 0; op < r->plan.nops; op++)
			add_operation(&q, r, op);
		for (int v = 0; v < r->plan.nvectors; v++)
			add_vector(&q, r, v);
	}
	quality_judge(&q);
	return q;
}
