/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the runs of an experiment, in order or interleaved. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "measure/experiment.h"
#include "base/random.h"
#include "placement/team.h"

struct measurement {
	struct experiment *experiment;
	const volatile sig_atomic_t *stop;
	experiment_progress *progress;
	void *arg;
	struct bout *bouts; /* of all runs, in order */
	size_t nbouts;
	size_t done, all; /* samples */
	uint64_t random;  /* state of the generator */
};

static void init_solos(struct trial *t)
{
	t->solo_plans = alloc_zeroed((size_t)t->plan.nthreads, sizeof(*t->solo_plans));
	t->solos = alloc_zeroed((size_t)t->plan.nthreads, sizeof(*t->solos));
	for (int k = 0; k < t->plan.nthreads; k++) {
		plan_alone(&t->plan, k, &t->solo_plans[k]);
		run_init(&t->solos[k], &t->solo_plans[k], &t->prepared);
	}
}

static int place(struct trial *t, const volatile sig_atomic_t *stop, struct errors *e)
{
	if (prepare(&t->prepared, &t->plan, stop, e))
		return -1;
	run_init(&t->run, &t->plan, &t->prepared);
	if (t->request.solo)
		init_solos(t);
	return 0;
}

static void add_bouts(struct measurement *m, struct run *r)
{
	for (int op = 0; op < r->plan->nops; op++) {
		m->bouts = alloc_grow(m->bouts, m->nbouts, sizeof(*m->bouts));
		m->bouts[m->nbouts++] = (struct bout){r, op, NULL, 0};
	}
}

static void add_trial(struct measurement *m, struct trial *t)
{
	add_bouts(m, &t->run);
	for (int k = 0; t->solos && k < t->plan.nthreads; k++)
		add_bouts(m, &t->solos[k]);
}

static int sample(struct measurement *m, struct bout *b, struct errors *e)
{
	if (m->progress)
		m->progress(m->arg, b->run->plan->ops[b->op].label, m->done, m->all);
	m->done++;
	return bout_sample(b, m->stop, e);
}

static void interrupt(struct measurement *m, struct bout *b)
{
	m->experiment->interrupted = true;
	b->run->ops[b->op].ended = ENDED_INTERRUPTED;
}

/* From the first sample of a bout to its last. */
static int sample_through(struct measurement *m, struct bout *b, struct errors *e)
{
	int failed = bout_open(b, b->run, b->op, e);

	while (!failed && !bout_done(b)) {
		if (*m->stop) {
			interrupt(m, b);
			break;
		}
		failed = sample(m, b, e);
	}
	if (!failed && !m->experiment->interrupted)
		failed = bout_count(b, m->stop, e);
	return failed | bout_close(b, e);
}

static int in_order(struct measurement *m, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < m->nbouts && !failed && !m->experiment->interrupted; i++)
		failed = sample_through(m, &m->bouts[i], e);
	return failed;
}

/* One sample of every bout that wants more, in an order of its own each time. A bout is closed, and
 * so verified, right after its last sample: after that others may overwrite its vectors. */
static int one_round(struct measurement *m, size_t *order, size_t *left, struct errors *e)
{
	size_t still = 0;
	int failed = 0;

	random_shuffle(&m->random, order, *left);
	for (size_t i = 0; i < *left && !failed; i++) {
		struct bout *b = &m->bouts[order[i]];

		if (*m->stop)
			interrupt(m, b);
		else
			failed = sample(m, b, e);
		bool done = failed || m->experiment->interrupted || bout_done(b);
		if (done && !failed && !m->experiment->interrupted)
			failed = bout_count(b, m->stop, e);
		if (done)
			failed |= bout_close(b, e);
		else
			order[still++] = order[i];
	}
	*left = still;
	return failed;
}

static int interleaved(struct measurement *m, struct errors *e)
{
	size_t *order = alloc_zeroed(m->nbouts + 1, sizeof(*order)), left = m->nbouts;
	int failed = 0;

	for (size_t i = 0; i < m->nbouts && !failed; i++) {
		order[i] = i;
		failed = bout_open(&m->bouts[i], m->bouts[i].run, m->bouts[i].op, e);
	}
	while (left && !failed)
		failed = one_round(m, order, &left, e);
	for (size_t i = 0; i < m->nbouts; i++)
		failed |= bout_close(&m->bouts[i], e);
	free(order);
	return failed;
}

/* Where the pages are at the end; then the vectors are given back. */
static int finish(struct trial *t, struct errors *e)
{
	int failed = t->prepared.mems ? prepare_recheck(&t->prepared, e) : 0;

	prepare_release(&t->prepared);
	return failed;
}

/* What becomes of a run's messages. A run of a sweep that could not be placed after all, or lost
 * its placement while it was measured, is like one that could not be planned: told, and the others
 * go on. Failing without a message is what a stop asked for. */
static int settle(struct measurement *m, struct trial *t, int failed, struct errors *e)
{
	struct experiment *x = m->experiment;

	if (failed && x->ntrials > 1 && errors_status(&t->errors) == STATUS_PLACEMENT) {
		t->skipped = true;
		error_warn(e, "run %s is skipped: %s", t->label, t->errors.list[0].text);
		return 0;
	}
	for (size_t i = 0; i < t->errors.count; i++)
		error_copy(e, &t->errors.list[i]);
	x->interrupted |= failed && !t->errors.failures;
	return t->errors.failures ? -1 : 0;
}

static int measure_trial(struct measurement *m, struct trial *t)
{
	if (place(t, m->stop, &t->errors))
		return -1;
	m->nbouts = 0;
	add_trial(m, t);
	int failed = in_order(m, &t->errors);
	failed |= finish(t, &t->errors);
	return failed;
}

static int measure_in_order(struct measurement *m, struct errors *e)
{
	struct experiment *x = m->experiment;
	int failed = 0;

	for (size_t i = 0; i < x->ntrials && !failed && !x->interrupted; i++) {
		struct trial *t = &x->trials[i];

		if (!t->skipped)
			failed = settle(m, t, measure_trial(m, t), e);
	}
	return failed;
}

static int measure_interleaved(struct measurement *m, struct errors *e)
{
	struct experiment *x = m->experiment;
	int failed = 0;

	for (size_t i = 0; i < x->ntrials && !failed && !x->interrupted; i++) {
		struct trial *t = &x->trials[i];

		if (t->skipped)
			continue;
		failed = settle(m, t, place(t, m->stop, &t->errors), e);
		if (t->run.ops)
			add_trial(m, t);
	}
	if (!failed)
		failed = interleaved(m, e);
	for (size_t i = 0; i < x->ntrials; i++) {
		struct trial *t = &x->trials[i];

		if (!t->skipped)
			failed |= settle(m, t, finish(t, &t->errors), e);
	}
	return failed;
}

static size_t all_samples(const struct experiment *x)
{
	size_t all = 0;

	for (size_t i = 0; i < x->ntrials; i++) {
		const struct trial *t = &x->trials[i];
		size_t samples = t->request.warmup + t->request.iterations;

		if (!t->skipped)
			all += samples * (size_t)t->plan.nops *
			       (t->request.solo ? 1 + (size_t)t->plan.nthreads : 1);
	}
	return all;
}

static int check_threads(const struct experiment *x, struct errors *e)
{
	int most = 1;

	for (size_t i = 0; i < x->ntrials; i++) {
		const struct trial *t = &x->trials[i];
		int n = t->skipped ? 1 : prepare_threads(&t->plan);

		most = n > most ? n : most;
	}
	return team_check(most, e);
}

int experiment_measure(struct experiment *x, const volatile sig_atomic_t *stop,
	experiment_progress *progress, void *arg, struct errors *e)
{
	const struct request *q = experiment_request(x);
	struct measurement m = {x, stop, progress, arg, NULL, 0, 0, all_samples(x), 0};
	int failed = check_threads(x, e);

	if (failed)
		return failed;
	if (q->interleave) {
		if (!x->seed)
			x->seed = q->seed ? q->seed : random_seed();
		m.random = x->seed;
		failed = measure_interleaved(&m, e);
	} else {
		failed = measure_in_order(&m, e);
	}
	free(m.bouts);
	if (!failed && !x->interrupted && !experiment_has_samples(x))
		failed = error_add(
			e, STATUS_PLACEMENT, NOWHERE, "no run of the sweep could be placed");
	return failed;
}
