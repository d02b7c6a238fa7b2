/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes an operation's samples, and knows when there are enough. */
#include "measure/run.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "measure/estimate.h"
#include "measure/sample.h"
#include "placement/state.h"

/* A sample in which a thread was moved is taken again, so many times in a row, before the run gives
 * up: one move is an accident, this many are somebody else's policy. */
#define MAX_REPEATS 5

double stint_cost(const struct sample *s, int thread)
{
	if (s->window_ns)
		return stint_unit(s, thread);
	return (double)(s->stints[thread].end_ns - s->start_ns) * 1e-9;
}

double stint_busy(const struct sample *s, int thread)
{
	return (double)(s->stints[thread].end_ns - s->stints[thread].begin_ns) * 1e-9;
}

double stint_units(const struct sample *s, int thread)
{
	return (double)s->stints[thread].units;
}

double stint_calls(const struct sample *s, int thread)
{
	return (double)s->stints[thread].calls;
}

double stint_unit(const struct sample *s, int thread)
{
	double units = stint_units(s, thread);

	return units > 0 ? stint_busy(s, thread) / units : NAN;
}

void run_init(struct run *r, const struct plan *p, const struct prepared *prepared)
{
	*r = (struct run){p, prepared, alloc_zeroed((size_t)p->nops, sizeof(*r->ops))};
	for (int i = 0; i < p->nops; i++)
		r->ops[i] = (struct op_result){.ended = ENDED_NOT_RUN, .error = NAN};
}

void run_free(struct run *r)
{
	for (int i = 0; r->ops && i < r->plan->nops; i++) {
		for (size_t k = 0; k < r->ops[i].count; k++)
			free(r->ops[i].samples[k].stints);
		for (size_t k = 0; k < r->ops[i].ncounted; k++) {
			free(r->ops[i].counted[k].stints);
			free(r->ops[i].counted[k].counts);
		}
		free(r->ops[i].samples);
		free(r->ops[i].counted);
		free(r->ops[i].chose);
	}
	free(r->ops);
	*r = (struct run){0};
}

bool run_has_samples(const struct run *r)
{
	for (int i = 0; r->ops && i < r->plan->nops; i++)
		if (r->ops[i].count > r->plan->request->warmup)
			return true;
	return false;
}

static struct op_result *result_of(const struct bout *b)
{
	return &b->run->ops[b->op];
}

static void ask_what_was_chosen(struct bout *b)
{
	const struct plan *p = b->run->plan;
	struct op_result *result = result_of(b);

	result->chose = alloc_zeroed((size_t)p->nthreads, sizeof(*result->chose));
	for (int i = 0; i < p->nthreads; i++) {
		const struct kernel *k = p->ops[b->op].jobs[i].kernel;

		if (k->chose)
			k->chose(&b->crew->workers[i], result->chose[i], RUN_CHOSE);
	}
}

int bout_open(struct bout *b, struct run *r, int op, struct errors *e)
{
	*b = (struct bout){r, op, alloc_lines(1, sizeof(*b->crew)), clock_ns()};
	if (crew_init(b->crew, r->plan, &r->plan->ops[op], e))
		return -1;
	ask_what_was_chosen(b);
	return 0;
}

static int moved_too_often(const struct plan *p, const struct plan_op *op, struct errors *e)
{
	if (p->request->verify == VERIFY_WARN) {
		error_warn(e,
			"%s: threads were moved off their CPUs in %d samples in a row; such "
			"samples are marked and counted",
			op->label, MAX_REPEATS + 1);
		return 0;
	}
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"%s: threads were moved off their CPUs in %d samples in a row", op->label,
		MAX_REPEATS + 1);
	return error_hint(e, "some other program binds threads (numad, cgroup rules, a scheduler's "
			     "prolog); stop it, or verify: warn");
}

/* The thread with the fewest calls in the window; less than `enough` of them, or -1. */
static int short_of_calls(const struct bout *b, const struct sample *s, uint64_t enough)
{
	int fewest = -1;

	for (int i = 0; s->window_ns && i < b->run->plan->nthreads; i++)
		if (s->stints[i].calls < enough) {
			enough = s->stints[i].calls;
			fewest = i;
		}
	return fewest;
}

/* The least that a call does; only a round grows with the vectors. */
static const char *portion(const struct kernel *k)
{
	return k->step ? "step" : "round";
}

static int window_too_short(const struct bout *b, int thread, struct errors *e)
{
	const struct request *q = b->run->plan->request;
	const struct plan_job *job = &b->crew->op->jobs[thread];

	error_add(e, STATUS_FAILED, q->mode.at,
		"mode: %s is too short: thread %d finished no %s of %s in it", q->mode.word[0],
		thread, portion(job->kernel), job->name);
	return error_hint(
		e, job->kernel->step ? "a longer time" : "a longer time, or smaller vectors");
}

/* What an unfinished call cost is in no figure; of so many calls it is little. */
#define ENOUGH_CALLS 10

static void warn_of_few_calls(const struct bout *b, const struct sample *s, struct errors *e)
{
	const struct request *q = b->run->plan->request;
	int thread = short_of_calls(b, s, ENOUGH_CALLS);

	if (thread < 0 || s->warmup)
		return;
	const struct plan_job *job = &b->crew->op->jobs[thread];

	error_warn(e,
		"mode: %s holds fewer than %d %ss of %s; the one that it cuts off is not "
		"counted, and a longer time would give a better figure",
		q->mode.word[0], ENOUGH_CALLS, portion(job->kernel), job->name);
}

/* A sample of which nothing is left. */
static void drop(struct sample *s)
{
	free(s->stints);
	free(s->counts);
	s->stints = NULL;
	s->counts = NULL;
}

/* A stop that comes during a sample spoils nothing: the sample is complete when it is looked at.
 * A thread that finished no call may only have been kept off its CPU all the while: once more. */
static int take_sample(
	struct bout *b, const volatile sig_atomic_t *stop, struct sample *s, struct errors *e)
{
	int idle = -1;

	for (int repeats = 0; repeats <= MAX_REPEATS; repeats++) {
		if (state_set(b->run->prepared, b->run->plan, e) || crew_sample(b->crew, s, e))
			return -1;
		idle = short_of_calls(b, s, 1);
		if (*stop && idle >= 0)
			drop(s);
		if ((!(s->disturbed & DISTURBED_MOVED) && idle < 0) || *stop)
			return 0;
		if (repeats < MAX_REPEATS && idle < 0)
			result_of(b)->repeated++;
	}
	if (idle < 0)
		return moved_too_often(b->run->plan, b->crew->op, e);
	drop(s);
	return window_too_short(b, idle, e);
}

int bout_sample(struct bout *b, const volatile sig_atomic_t *stop, struct errors *e)
{
	struct op_result *result = result_of(b);

	result->samples = alloc_grow(result->samples, result->count, sizeof(*result->samples));
	struct sample *s = &result->samples[result->count];
	*s = (struct sample){.warmup = result->count < b->run->plan->request->warmup};
	int failed = take_sample(b, stop, s, e);
	if (s->stints) {
		result->count++;
		warn_of_few_calls(b, s, e);
	}
	return failed;
}

/* The widest of the threads' relative errors; NAN when one has none. */
static double widest_error(const struct bout *b)
{
	double widest = 0;

	for (int i = 0; i < b->run->plan->nthreads; i++) {
		struct estimate x;

		if (estimate(b->run->plan->request, result_of(b), i, stint_cost, &x))
			return NAN;
		double error = estimate_error(&x);
		if (!(error <= widest))
			widest = error;
	}
	return widest;
}

/* Statistics over all samples after every sample would make long runs quadratic: after every
 * twentieth of them is often enough. */
static bool time_to_look(size_t samples)
{
	return samples % (samples / 20 + 1) == 0;
}

bool bout_done(struct bout *b)
{
	const struct request *q = b->run->plan->request;
	struct op_result *result = result_of(b);
	size_t samples = result->count > q->warmup ? result->count - q->warmup : 0;
	bool late = clock_ns() - b->begin_ns >= q->time_limit_ns;

	if (samples < q->iterations)
		return false;
	if (q->target_error > 0 && !late && !time_to_look(samples))
		return false;
	result->error = widest_error(b);
	if (!(q->target_error > 0))
		result->ended = ENDED_COUNT;
	else if (result->error <= q->target_error)
		result->ended = ENDED_TARGET;
	else if (late)
		result->ended = ENDED_TIME;
	else
		return false;
	return true;
}

static int count_once(struct bout *b, const volatile sig_atomic_t *stop, struct errors *e)
{
	struct op_result *result = result_of(b);

	result->counted = alloc_grow(result->counted, result->ncounted, sizeof(*result->counted));
	struct sample *s = &result->counted[result->ncounted];
	*s = (struct sample){0};
	int failed = take_sample(b, stop, s, e);
	if (s->stints)
		result->ncounted++;
	return failed;
}

int bout_count(struct bout *b, const volatile sig_atomic_t *stop, struct errors *e)
{
	const struct counting *counting = b->run->plan->counting;
	int failed = 0;

	for (size_t p = 0; counting && p < counting->npasses && !failed; p++) {
		crew_count(b->crew, &counting->passes[p]);
		for (int i = 0; i < COUNTED_SAMPLES && !failed && !*stop; i++)
			failed = count_once(b, stop, e);
	}
	crew_count(b->crew, NULL);
	return failed;
}

int bout_close(struct bout *b, struct errors *e)
{
	int failed = 0;

	if (!b->crew)
		return 0;
	if (result_of(b)->count)
		failed = crew_verify(b->crew, e);
	crew_free(b->crew);
	free(b->crew);
	b->crew = NULL;
	return failed;
}
