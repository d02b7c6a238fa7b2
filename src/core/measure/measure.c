/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the runs of an experiment, in order or interleaved.
 *
 * experiment.c reads all runs of a file, messages.c gathers what is wrong with them, guess.c says
 * how long they will take. measure.c places the vectors of a run, again and again until there
 * are placements enough, and series.c takes the samples of each: warm_up.c until costs
 * have settled, calibrate.c how many rounds a sample has, workers.c the threads with what calls.c
 * has them call, start_line.c one instant, window.c the timed code. disturbed.c, beside.c, stolen.c
 * and plausible.c say which samples count; estimate.c makes cost and interval of those.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "measure/experiment.h"
#include "measure/series.h"
#include "measure/stack.h"
#include "memory/cgroup.h"
#include "plan/alone.h"
#include "statistics/random.h"
#include "placement/kept.h"
#include "placement/team.h"

/* Further placements than the least are taken within this time of an operation, where no file asks
 * for them: three placements of ten samples took as long. */
#define FURTHER_NS UINT64_C(10000000000)

static bool op_is_late(const struct run *t, int op)
{
	const struct request *q = &t->request;
	uint64_t limit = q->time_limit_ns,
		 spent = t->samples.ops[op].spent_ns + t->placing_ns / (uint64_t)t->plan.nops;

	if (!(q->target_error > 0) && limit > FURTHER_NS)
		limit = FURTHER_NS;
	return spent >= limit;
}

/* Are the intervals over placements not narrow enough? All operations of a run get the same
 * placements: they are compared within each. With targetError it also says why each has ended. */
static bool needs_placement(const struct experiment *x, struct run *t)
{
	const struct request *q = &t->request;
	experiment_error *error = x->error;
	bool more = false;

	if (t->prepared.made < q->placements)
		return true;
	for (int op = 0; q->enough > 0 && error && op < t->plan.nops; op++) {
		struct op_result *o = &t->samples.ops[op];

		o->error = error(&t->samples, op);
		if (q->target_error > 0)
			o->ended = o->error <= q->enough ? ENDED_TARGET : ENDED_TIME;
		more |= o->error > q->enough && !op_is_late(t, op);
	}
	return more && t->prepared.made < q->placements_most;
}

/* After needs_placement() of each. */
static bool any_needs_placement(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && !x->runs[i].complete)
			return true;
	return false;
}

static bool any_has_placements(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && x->runs[i].request.placements_most > 1)
			return true;
	return false;
}

struct measurement {
	struct experiment *experiment;
	const volatile sig_atomic_t *stop;
	experiment_progress *progress;
	void *arg;
	struct series *series; /* of all runs, in order */
	size_t nseries;
	double done_s, all_s; /* as guessed */
	uint64_t random;      /* state of the generator of orders */
	uint64_t stacks;      /* the same of the threads' places on their stacks */
	bool *used;           /* by all runs, when they are interleaved; else by one and its load */
	struct kept kept;     /* vectors of earlier placements */
	struct mem_rights rights;
	struct quota_groups quotas;
};

static void init_solos(struct run *t)
{
	t->solo_plans = alloc_zeroed((size_t)t->plan.nthreads, sizeof(*t->solo_plans));
	t->solos = alloc_zeroed((size_t)t->plan.nthreads, sizeof(*t->solos));
	for (int k = 0; k < t->plan.nthreads; k++) {
		plan_alone(&t->plan, k, &t->solo_plans[k]);
		samples_init(&t->solos[k], &t->solo_plans[k], &t->prepared);
	}
}

/* Tells what begins; b NULL: vectors are touched. */
static void tell_progress(const struct measurement *m, size_t run, const struct series *b)
{
	const struct experiment *x = m->experiment;
	const struct request *q = &x->runs[run].request;
	struct experiment_step step = {.run = run,
		.runs = x->nruns,
		.label = x->runs[run].label,
		.samples = q->iterations + (q->warmup == WARMUP_SETTLED ? 1 : q->warmup),
		.done_s = m->done_s,
		.all_s = m->all_s};

	if (!m->progress)
		return;
	if (b) {
		step.what = b->workers ? STEP_SAMPLING : STEP_PREPARING;
		step.op = b->samples->plan->ops[b->op].label;
		step.preparing = b->workers ? NULL : series_preparing(b);
		step.sample = b->workers ? b->samples->ops[b->op].count - b->first : 0;
		step.warming = b->workers && b->warming;
	}
	m->progress(m->arg, &step);
}

static int bring(const struct measurement *m, struct run *t, struct errors *e)
{
	return t->judgement.moves_back ? prepare_bring(&t->prepared, m->stop, e) : 0;
}

static int judge_placement(const struct measurement *m, struct run *t, struct errors *e)
{
	const struct experiment *x = m->experiment;

	return plan_profiled(&t->plan) ? x->judge(x, (size_t)(t - x->runs), &t->judgement, e) : 0;
}

static void give_back(struct run *t, struct errors *e)
{
	rivals_release(t->rivals, e);
	prepare_release(&t->prepared);
	leave_end(&t->prepared.leave, e);
}

/* Further placements add to the samples of the first one. */
static int place_run(struct measurement *m, struct run *t, struct errors *e)
{
	uint64_t begin = clock_ns();

	tell_progress(m, (size_t)(t - m->experiment->runs), NULL);
	m->done_s += guess_placement_s(&t->plan);
	if (judge_placement(m, t, e) || leave_begin(&t->prepared.leave, &t->plan, m->stop, e))
		return -1;
	if (prepare(&t->prepared, &t->plan, &m->rights, m->stop, e) || bring(m, t, e) ||
		rivals_place(&t->rivals, &t->backgrounds, &m->rights, m->stop, e)) {
		give_back(t, e);
		return -1;
	}
	t->placing_ns += clock_ns() - begin;
	if (t->request.placements > 1)
		t->prepared.stacks[t->prepared.made - 1] = stack_offset(&m->stacks);
	if (t->samples.ops)
		return 0;
	samples_init(&t->samples, &t->plan, &t->prepared);
	t->samples.beside = t->backgrounds.count ? &t->backgrounds : NULL;
	if (t->request.solo)
		init_solos(t);
	return 0;
}

static void add_series(struct measurement *m, struct run *t, struct samples *r)
{
	for (int op = 0; op < r->plan->nops; op++) {
		m->series = alloc_grow(m->series, m->nseries, sizeof(*m->series));
		m->series[m->nseries++] = (struct series){.samples = r,
			.op = op,
			.run = (size_t)(t - m->experiment->runs),
			.guess_s = guess_sample_s(r->plan, op),
			.lost = &t->errors,
			.quotas = &m->quotas,
			.rivals = t->rivals,
			.alone = r != &t->samples,
			.used = m->used};
	}
}

static void add_run(struct measurement *m, struct run *t)
{
	if (!t->request.interleave) {
		free(m->used);
		m->used = t->backgrounds.count ? run_cpus(t) : NULL;
	}
	add_series(m, t, &t->samples);
	for (int k = 0; t->solos && k < t->plan.nthreads; k++)
		add_series(m, t, &t->solos[k]);
}

static int sample(struct measurement *m, struct series *b, struct errors *e)
{
	tell_progress(m, b->run, b);
	m->done_s += b->guess_s;
	return series_sample(b, m->stop, e);
}

static void interrupt(struct measurement *m, struct series *b)
{
	m->experiment->interrupted = true;
	b->samples->ops[b->op].ended = ENDED_INTERRUPTED;
}

/* Takes all samples of a series, from the first to the last. */
static int sample_through(struct measurement *m, struct series *b, struct errors *e)
{
	tell_progress(m, b->run, b);
	int failed = series_open(b, b->samples, b->op, m->stop, e);

	while (!failed && !series_done(b)) {
		if (*m->stop) {
			interrupt(m, b);
			break;
		}
		failed = sample(m, b, e);
	}
	if (!failed && !m->experiment->interrupted)
		failed = series_count(b, m->stop, e);
	failed |= series_close(b, e);
	return failed || b->lost->failures ? -1 : 0;
}

static int in_order(struct measurement *m, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < m->nseries && !failed && !m->experiment->interrupted; i++)
		failed = sample_through(m, &m->series[i], e);
	return failed;
}

/* Takes one sample of every series that needs more, each time in a new random order. A series is
 * closed, and so verified, right after its last sample, because other series may overwrite its
 * vectors afterwards. */
static void one_round(struct measurement *m, size_t *order, size_t *left)
{
	size_t still = 0;

	random_shuffle(&m->random, order, *left);
	for (size_t i = 0; i < *left; i++) {
		struct series *b = &m->series[order[i]];

		m->experiment->interrupted = *m->stop;
		if (m->experiment->interrupted)
			return;
		if (b->lost->failures) /* another operation of its run failed */
			continue;
		int failed = sample(m, b, b->lost);
		if (!failed && !series_done(b)) {
			order[still++] = order[i];
			continue;
		}
		if (!failed)
			failed = series_count(b, m->stop, b->lost);
		if (!failed)
			series_close(b, b->lost);
	}
	*left = still;
}

/* A run that fails leaves the others their turns. */
static void interleaved(struct measurement *m, struct errors *e)
{
	size_t *order = alloc_zeroed(m->nseries + 1, sizeof(*order)), left = 0;

	for (size_t i = 0; i < m->nseries; i++) {
		struct series *b = &m->series[i];

		tell_progress(m, b->run, b);
		if (!b->lost->failures && !series_open(b, b->samples, b->op, m->stop, b->lost))
			order[left++] = i;
	}
	while (left && !m->experiment->interrupted)
		one_round(m, order, &left);
	if (m->experiment->interrupted)
		error_warn(e, "interrupted: the results of interleaved kernels are not verified");
	for (size_t i = 0; i < m->nseries; i++) {
		if (m->series[i].workers && m->experiment->interrupted)
			interrupt(m, &m->series[i]);
		series_abandon(&m->series[i]);
	}
	free(order);
}

/* Gives the vectors back. 0, or -1 when the run lost them before: their pages had moved. Vectors
 * that are held would take what the next placement is to find in large blocks. */
static int finish_run(struct measurement *m, struct run *t)
{
	if (!m->experiment->interrupted && !t->errors.failures && t->samples.ops && !t->complete)
		t->complete = !needs_placement(m->experiment, t);
	rivals_release(t->rivals, &t->errors);
	if (!t->complete && !t->plan.nleaves)
		kept_take(&m->kept, &t->prepared);
	else
		prepare_release(&t->prepared);
	leave_end(&t->prepared.leave, &t->errors);
	return t->errors.failures ? -1 : 0;
}

/* A run of a sweep that could not be placed after all, or lost its placement while it was measured,
 * is treated like a run that could not be planned: a warning reports it. One that could not be
 * measured is a failure; hours of the others are worth more than an early end. */
static bool is_left_out(const struct experiment *x, struct run *t, struct errors *e)
{
	const enum status status = errors_status(&t->errors);

	if (x->nruns < 2 || (status != STATUS_PLACEMENT && status != STATUS_FAILED))
		return false;
	t->lost = status == STATUS_FAILED;
	experiment_drop(t);
	const char *why = error_plain(errors_failure(&t->errors));

	if (t->lost)
		error_add(e, STATUS_FAILED, NOWHERE, "run %s is lost: %s", t->label, why);
	else
		error_warn(e, "run %s is skipped: %s", t->label, why);
	error_hint_of(e, &t->errors);
	return true;
}

/* Decides what happens to a run's messages. A run that fails without a message was stopped on
 * request. */
static int settle(struct measurement *m, struct run *t, int failed, struct errors *e)
{
	struct experiment *x = m->experiment;

	if (failed && is_left_out(x, t, e))
		return 0;
	for (size_t i = 0; i < t->errors.count; i++)
		error_copy(e, &t->errors.list[i]);
	x->interrupted |= failed && !t->errors.failures;
	return t->errors.failures ? -1 : 0;
}

static int measure_placement(struct measurement *m, struct run *t)
{
	if (place_run(m, t, &t->errors))
		return -1;
	m->nseries = 0;
	add_run(m, t);
	int failed = in_order(m, &t->errors);
	failed |= finish_run(m, t);
	return failed;
}

static int measure_run(struct measurement *m, struct run *t)
{
	int failed = 0;

	while (!failed && !m->experiment->interrupted && !t->complete)
		failed = measure_placement(m, t);
	kept_release(&m->kept);
	return failed;
}

static int measure_in_order(struct measurement *m, struct errors *e)
{
	struct experiment *x = m->experiment;
	int failed = 0;

	for (size_t i = 0; i < x->nruns && !failed && !x->interrupted; i++) {
		struct run *t = &x->runs[i];

		if (!t->skipped)
			failed = settle(m, t, measure_run(m, t), e);
	}
	return failed;
}

/* The next placement of all runs that need one more. */
static int placement_of_all(struct measurement *m, struct errors *e)
{
	struct experiment *x = m->experiment;
	int failed = 0;

	m->nseries = 0;
	for (size_t i = 0; i < x->nruns && !failed && !x->interrupted; i++) {
		struct run *t = &x->runs[i];

		if (t->skipped || t->complete)
			continue;
		failed = settle(m, t, place_run(m, t, &t->errors), e);
		if (!t->skipped && t->prepared.mems)
			add_run(m, t);
	}
	if (!failed)
		interleaved(m, e);
	for (size_t i = 0; i < x->nruns; i++) {
		struct run *t = &x->runs[i];

		if (!t->skipped)
			failed |= settle(m, t, finish_run(m, t), e);
	}
	return failed;
}

static int measure_interleaved(struct measurement *m, struct errors *e)
{
	int failed = 0;

	while (!failed && !m->experiment->interrupted && any_needs_placement(m->experiment))
		failed = placement_of_all(m, e);
	kept_release(&m->kept);
	return failed;
}

static int check_threads(const struct experiment *x, struct errors *e)
{
	int most = 1;

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];
		int n = t->skipped ? 1 : prepare_threads(&t->plan);

		most = n > most ? n : most;
	}
	return team_check(most, e);
}

/* Every run is skipped, and so has a failure that says why. */
static int none_placed(const struct experiment *x, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, NOWHERE, "no run of the sweep could be placed");
	return error_hint(e, "the first of them: %s", errors_failure(&x->runs[0].errors));
}

int experiment_measure(struct experiment *x, const volatile sig_atomic_t *stop,
	experiment_progress *progress, void *arg, struct errors *e)
{
	const struct request *q = experiment_request(x);
	struct measurement m = {.experiment = x,
		.stop = stop,
		.progress = progress,
		.arg = arg,
		.all_s = experiment_guess_s(x)};
	int failed = check_threads(x, e);

	if (failed)
		return failed;
	if (!x->seed && (q->interleave || any_has_placements(x)))
		x->seed = x->file.seed ? x->file.seed : random_seed();
	quota_open(CGROUP_SELF, &m.quotas);
	m.random = x->seed;
	m.stacks = x->seed;
	m.used = q->interleave ? experiment_cpus(x) : NULL;
	failed = q->interleave ? measure_interleaved(&m, e) : measure_in_order(&m, e);
	free(m.series);
	free(m.used);
	quota_close(&m.quotas);
	if (x->interrupted)
		experiment_cut_short(x);
	if (failed || x->interrupted || experiment_has_samples(x))
		return failed;
	return e->failures ? -1 : none_placed(x, e);
}
