/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the samples of a thread in an operation, and the marks of rows. */
#include <math.h>

#include "analysis/derive.h"
#include "analysis/loads.h"
#include "analysis/proven.h"
#include "analysis/quantity.h"
#include "analysis/settling.h"
#include "analysis/tails.h"
#include "analysis/trust.h"
#include "analysis/undisturbed.h"

static bool thread_uses_vector(const struct plan *p, int thread, int vector)
{
	if (thread < 0)
		return true;
	for (int i = 0; i < p->threads[thread].nvectors; i++)
		if (p->threads[thread].vector_ids[i] == vector)
			return true;
	return false;
}

struct trust_samples trust_samples_of(const struct samples *r, int op, int thread)
{
	struct unsettled u;
	struct tally t;

	derive_tally(r, op, &t);
	struct trust_samples of = {.taken = (int64_t)t.samples,
		.disturbed = (int64_t)t.disturbed,
		.unsettled = settling_of(r, op, &u),
		.missed = loads_any_missed(r, op),
		.again = undisturbed_again(r, op)};

	for (int v = 0; v < r->plan->nvectors; v++) {
		const enum proven_pages pages = thread_uses_vector(r->plan, thread, v)
							? proven_vector(r, v)
							: PROVEN_IN_PLACE;

		of.misplaced += pages == PROVEN_ELSEWHERE;
		of.unproven += pages == PROVEN_UNKNOWN;
	}
	return of;
}

struct trust trust_measured(const struct samples *r, int op, int thread, struct amount figure)
{
	const struct trust_samples of = trust_samples_of(r, op, thread);

	return trust_of(&of, figure);
}

bool trust_measures_bandwidth(const struct kernel *k)
{
	return k && (k->measures == ATTRIBUTE_READ_BANDWIDTH ||
			    k->measures == ATTRIBUTE_WRITE_BANDWIDTH);
}

struct amount trust_bandwidth(const struct samples *r, int op)
{
	struct totals all;

	return trust_measures_bandwidth(r->plan->ops[op].jobs[0].kernel) &&
			       !derive_totals(r, op, ALL_THREADS, &all) &&
			       isfinite(all.bytes_per_s.value)
		       ? all.bytes_per_s
		       : AMOUNT_NONE;
}

int trust_of_row(const struct samples *r, int op, int thread, struct trust *t)
{
	const struct amount cost = derive_cost(r, op, thread);
	const bool all = thread == ALL_THREADS || (thread == 0 && r->plan->nthreads == 1);
	const struct amount bandwidth = all ? trust_bandwidth(r, op) : AMOUNT_NONE;

	if (isnan(cost.value))
		return -1;
	*t = trust_measured(r, op, thread, cost);
	if (isnan(bandwidth.value))
		return 0;
	const struct trust other = trust_measured(r, op, thread, bandwidth);

	*t = trust_worse(t, &other);
	return 0;
}

/* A ratio of a figure with itself is exact. */
static const struct trust itself = {.word = TRUST_FIRM};

static void add_doubt(
	struct trust *t, const struct samples *r, int op, int thread, struct amount figure)
{
	const struct trust other = trust_measured(r, op, thread, figure);

	*t = trust_worse(t, &other);
}

struct trust trust_of_speedup(const struct samples *r, int speedup, int thread, struct amount ratio)
{
	const struct plan_speedup *s = &r->plan->speedups[speedup];
	struct trust t = trust_measured(r, s->over, thread, ratio);

	add_doubt(&t, r, s->under, thread, ratio);
	return s->over == s->under ? itself : t;
}

struct amount quantity_judged(enum quantity q, struct amount a)
{
	return q == QUANTITY_OVERHEAD ? (struct amount){100 - a.value, 100 - a.high, 100 - a.low}
				      : a;
}

static bool has_lost_blocks(const struct samples *r, int op, int who)
{
	struct tails s;
	const bool lost = !tails_of(r, op, who, &s) && tails_lost(&s);

	tails_free(&s);
	return lost;
}

bool quantity_trust(const struct experiment *x, size_t run, int op, int thread, enum quantity q,
	struct trust *t)
{
	const struct run *r = &x->runs[run];
	const struct amount a =
		quantities[q].timed ? quantity_of(x, run, op, thread, q) : AMOUNT_NONE;
	const int who = q == QUANTITY_OVERHEAD ? ALL_THREADS : thread;
	const struct amount judged = quantity_judged(q, a);
	const long base = derive_baseline_index(x, run);

	if (!isfinite(a.value))
		return false;
	struct trust_samples of = trust_samples_of(&r->samples, op, who);

	if (quantities[q].needs & NEEDS_DISTRIBUTION)
		of.lost = has_lost_blocks(&r->samples, op, who);
	*t = trust_of(&of, judged);
	if (quantities[q].needs & NEEDS_BASELINE && base == (long)run)
		*t = itself;
	else if (quantities[q].needs & NEEDS_BASELINE)
		add_doubt(t, &x->runs[base].samples, op, who, judged);
	for (int k = 0; quantities[q].needs & NEEDS_SOLO && k < r->plan.nthreads; k++)
		if (who < 0 || who == k)
			add_doubt(t, &r->solos[k], op, 0, judged);
	return true;
}
