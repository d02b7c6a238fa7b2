/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes an operation's samples and decides when there are enough. */
#include "measure/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "measure/calibrate.h"
#include "measure/estimate.h"
#include "measure/moves.h"
#include "measure/too_short.h"
#include "measure/warm_up.h"
#include "measure/workers.h"
#include "placement/state.h"
#include "placement/touch.h"

static bool any_uses_vector(const struct plan *p, int vector)
{
	for (int i = 0; i < p->nthreads; i++)
		if (plan_uses(&p->threads[i], vector))
			return true;
	return false;
}

/* Where the pages were when they were last proven: [vectors of the run], to be freed. NULL: no
 * kernel of the operation can move pages. */
static struct op_places *places_before(const struct prepared *r, const struct workers *c)
{
	if (!plan_may_move(c->op, c->plan->nthreads))
		return NULL;
	struct op_places *places = alloc_zeroed((size_t)r->plan->nvectors, sizeof(*places));

	for (int i = 0; i < r->plan->nvectors; i++)
		if (any_uses_vector(c->plan, i))
			places[i].before = r->last[i].pages;
	return places;
}

/* Asks again, in the threads of the operation, and fills in `after`. What the kernel does not tell
 * is left out: whether it has to tell was judged before. */
static void places_after(
	struct op_places *places, const struct prepared *r, const struct workers *c)
{
	for (int i = 0; places && i < r->plan->nvectors; i++) {
		struct errors ignored = {0};
		struct touched now = {0};

		if (places[i].before.pages && !touch_find(r->plan, &r->mems[i], c->cpus,
						      c->plan->nthreads, r->rights, &now, &ignored))
			places[i].after = now.pages;
		errors_free(&ignored);
	}
}

/* A sample in which a thread was moved is taken again at most this many times in a row; then the
 * run gives up. One move is an accident; this many are the policy of another program. */
#define MAX_REPEATS 5

static struct op_result *result_of(const struct series *b)
{
	return &b->samples->ops[b->op];
}

/* Adds what a placement chose to the choices of the earlier ones, unless it is among them. */
static void note_choice(char *all, const char *chose)
{
	size_t used = strlen(all);

	if (*chose && !strstr(all, chose))
		snprintf(all + used, RUN_CHOSE - used, "%s%s", used ? "; " : "", chose);
}

static void ask_what_was_chosen(struct series *b)
{
	const struct plan *p = b->samples->plan;
	struct op_result *result = result_of(b);

	if (!result->chose)
		result->chose = alloc_zeroed((size_t)p->nthreads, sizeof(*result->chose));
	for (int i = 0; i < p->nthreads; i++) {
		const struct kernel *k = p->ops[b->op].jobs[i].kernel;
		char chose[RUN_CHOSE] = "";

		if (k->chose)
			k->chose(&b->workers->list[i], chose, sizeof(chose));
		note_choice(result->chose[i], chose);
	}
}

static void note_proofs(struct series *b)
{
	const struct plan *p = b->samples->plan;
	struct op_result *result = result_of(b);

	if (!result->proofs)
		result->proofs = alloc_zeroed((size_t)p->nthreads, sizeof(*result->proofs));
	for (int i = 0; i < p->nthreads; i++) {
		const struct op_proof *now = &b->workers->proofs[i];

		if (!*result->proofs[i].text || now->verdict >= result->proofs[i].verdict)
			result->proofs[i] = *now;
	}
}

int series_open(struct series *b, struct samples *r, int op, const volatile sig_atomic_t *stop,
	struct errors *e)
{
	if (moves_check(r->prepared, r->plan, &r->plan->ops[op], e))
		return -1;
	*b = (struct series){.samples = r,
		.lost = b->lost,
		.quotas = b->quotas,
		.used = b->used,
		.run = b->run,
		.rivals = b->rivals,
		.alone = b->alone,
		.guess_s = b->guess_s,
		.op = op,
		.placement = r->prepared->made - 1,
		.first = r->ops[op].count,
		.warm = r->plan->request->warmup,
		.warming = r->plan->request->warmup == WARMUP_SETTLED,
		.workers = alloc_lines(1, sizeof(*b->workers)),
		.begin_ns = clock_ns()};
	page_moves_take(&b->moves);
	rivals_run(b->rivals, !b->alone);
	if (workers_init(b->workers, r->prepared, r->plan, &r->plan->ops[op], b->quotas, e))
		return -1;
	if (result_of(b)->longer_ns)
		b->workers->window_ns = result_of(b)->longer_ns;
	result_of(b)->fill_ns += workers_fill_ns(b->workers);
	ask_what_was_chosen(b);
	b->places = places_before(r->prepared, b->workers);
	/* before the trials, which make the look at a few short samples a longer one */
	beside_begin(&result_of(b)->beside, r->plan, b->used);
	struct sample first;
	int failed = calibrate(b->workers, stop, &first, e);
	warm_up_keep(b, first);
	if (!failed && !b->alone)
		failed = rivals_dial(b->rivals, b->workers, stop, e);
	result_of(b)->spent_ns += clock_ns() - b->begin_ns;
	return failed;
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

/* A stop during a sample does not spoil it: the sample is complete when the driver checks for the
 * stop. A thread that finished no call may only have been off its CPU all the time, so the sample
 * is taken again, and then in a longer time. */
static int take_sample(
	struct series *b, const volatile sig_atomic_t *stop, struct sample *s, struct errors *e)
{
	int idle = -1;

	for (int repeats = 0; repeats <= MAX_REPEATS; repeats++) {
		if (workers_reset(b->workers, e) || workers_arrange(b->workers, e) ||
			state_set(b->samples->prepared, b->samples->plan, e))
			return -1;
		rivals_begin(b->rivals);
		if (workers_sample(b->workers, s, e))
			return -1;
		s->disturbed |=
			rivals_end(b->alone ? NULL : b->rivals, s->load) ? DISTURBED_MOVED : 0;
		idle = too_short_for(b, s);
		if (*stop && idle >= 0)
			sample_free(s);
		if ((!(s->disturbed & DISTURBED_MOVED) && idle < 0) || *stop)
			return 0;
		if (repeats < MAX_REPEATS && idle < 0)
			result_of(b)->repeated++;
		if (idle >= 0)
			too_short_lengthen(b, idle, repeats, e);
	}
	if (idle < 0)
		return moved_too_often(b->samples->plan, b->workers->op, e);
	sample_free(s);
	return too_short_refuse(b, idle, e);
}

/* An interval that is watched until it is narrow must not begin with too few samples (Chow and
 * Robbins, Annals of Mathematical Statistics 36, 1965, for what such stopping does to coverage). */
#define WATCHED_FROM 10

/* With several placements, further ones make the interval narrow (measure.c). */
static bool is_watched(const struct request *q)
{
	return q->target_error > 0 && q->placements_most == 1;
}

static uint64_t least_samples(const struct request *q)
{
	return is_watched(q) && q->iterations < WATCHED_FROM ? WATCHED_FROM : q->iterations;
}

int series_sample(struct series *b, const volatile sig_atomic_t *stop, struct errors *e)
{
	struct op_result *result = result_of(b);

	result->samples = alloc_grow(result->samples, result->count, sizeof(*result->samples));
	struct sample *s = &result->samples[result->count];
	*s = (struct sample){
		.warmup = b->warming || result->count - b->first < b->warm,
		.placement = b->placement,
	};
	uint64_t begin = clock_ns();
	int failed = take_sample(b, stop, s, e);
	b->sampled_ns += clock_ns() - begin;
	if (s->threads) {
		result->count++;
		too_short_warn(b, s, e);
		beside_look(&result->beside, result, false);
		if (b->warming)
			warm_up_ask(b, least_samples(b->samples->plan->request));
	}
	return failed;
}

/* The widest of the threads' relative errors in this placement; NAN when a thread has none. */
static double widest_error(const struct series *b)
{
	double widest = 0;

	for (int i = 0; i < b->samples->plan->nthreads; i++) {
		struct estimate x;

		if (estimate_placement(b->samples->plan->request, result_of(b), b->first, i,
			    sample_round_cost, &x))
			return NAN;
		double error = estimate_error(&x);
		if (!(error <= widest))
			widest = error;
	}
	return widest;
}

/* Computing statistics over all samples after every sample would make long runs quadratic. It is
 * enough to compute them each time the number of samples has grown by a twentieth. */
static bool time_to_look(size_t samples)
{
	return samples % (samples / 20 + 1) == 0;
}

/* The result of several placements is that of the worst one. */
static bool end(struct op_result *result, enum ended why, double error)
{
	bool worst = !result->placements || why > result->ended;

	result->ended = worst ? why : result->ended;
	if (!result->placements || isnan(error) || error > result->error)
		result->error = error;
	result->placements++;
	return true;
}

bool series_done(struct series *b)
{
	const struct request *q = b->samples->plan->request;
	struct op_result *result = result_of(b);
	size_t taken = result->count - b->first;
	size_t samples = !b->warming && taken > b->warm ? taken - b->warm : 0;
	uint64_t limit_ns = q->time_limit_ns / q->placements;
	bool late = clock_ns() - b->begin_ns >= limit_ns;

	if (q->quick && samples && samples < q->iterations && b->sampled_ns >= limit_ns)
		return end(result, ENDED_TIME, widest_error(b));
	if (samples < least_samples(q))
		return false;
	if (is_watched(q) && !late && !time_to_look(samples))
		return false;
	double error = widest_error(b);
	if (!is_watched(q))
		return end(result, ENDED_COUNT, error);
	if (error <= q->target_error)
		return end(result, ENDED_TARGET, error);
	return late && end(result, ENDED_TIME, error);
}

static int count_once(struct series *b, const volatile sig_atomic_t *stop, struct errors *e)
{
	struct op_result *result = result_of(b);

	result->counted = alloc_grow(result->counted, result->ncounted, sizeof(*result->counted));
	struct sample *s = &result->counted[result->ncounted];
	*s = (struct sample){.placement = b->placement};
	int failed = take_sample(b, stop, s, e);
	if (s->threads)
		result->ncounted++;
	return failed;
}

/* The driver needs a pair of stamps that takes less than most events. A hypervisor that takes over
 * each reading of the clock needs about a microsecond; the slowest clock known here 0.1. */
#define SLOWEST_PAIR_NS 500

static int check_stamps(const struct series *b, const struct timed_sample *s, struct errors *e)
{
	for (int i = 0; i < b->samples->plan->nthreads; i++) {
		const struct timed_thread *t = &s->threads[i];
		const double ns =
			t->group ? histogram_at(&t->pairs, EVENTS_PAIRS / 2).high * t->ns / t->ticks
				 : 0;

		if (ns < SLOWEST_PAIR_NS)
			continue;
		error_add(e, STATUS_FAILED, NOWHERE,
			"%s: distribution: reading the processor's clock twice takes %.0f ns, "
			"longer than most events",
			b->workers->op->label, ns);
		return error_hint(e, "a hypervisor takes the reading over; measure on the machine "
				     "itself, or without distribution");
	}
	return 0;
}

static int time_once(struct series *b, const volatile sig_atomic_t *stop, struct errors *e)
{
	struct op_result *result = result_of(b);
	struct sample s = {.placement = b->placement};
	int failed = take_sample(b, stop, &s, e);

	if (!failed && s.threads) {
		result->timed = alloc_grow(result->timed, result->ntimed, sizeof(*result->timed));
		result->timed[result->ntimed] = timed_take(b->workers, b->placement);
		failed = check_stamps(b, &result->timed[result->ntimed++], e);
	}
	sample_free(&s);
	return failed;
}

static int time_events(struct series *b, const volatile sig_atomic_t *stop, struct errors *e)
{
	const struct plan *p = b->samples->plan;
	int failed = 0;

	if (!plan_has_events(p, b->workers->op))
		return 0;
	b->workers->timing = true;
	for (uint64_t i = 0; i < plan_event_samples(p) && !failed && !*stop; i++)
		failed = time_once(b, stop, e);
	b->workers->timing = false;
	return failed;
}

int series_count(struct series *b, const volatile sig_atomic_t *stop, struct errors *e)
{
	const struct counting *counting = b->samples->plan->counting;
	int failed = time_events(b, stop, e);

	if (failed)
		return failed;
	if (b->placement + 1 >= b->samples->plan->request->placements)
		beside_look(&result_of(b)->beside, result_of(b), true);
	if (b->placement + 1 != b->samples->plan->request->placements)
		return 0;
	for (size_t p = 0; counting && p < counting->npasses && !failed; p++) {
		workers_count(b->workers, &counting->passes[p]);
		for (int i = 0; i < COUNTED_SAMPLES && !failed && !*stop; i++)
			failed = count_once(b, stop, e);
	}
	workers_count(b->workers, NULL);
	return failed;
}

/* After a failure, which has its message already, pages still go back as far as they can. */
static void reset_last(struct series *b)
{
	struct errors ignored = {0};

	workers_reset(b->workers, b->workers->failed ? &ignored : b->lost);
	errors_free(&ignored);
}

static void tear_down(struct series *b)
{
	rivals_run(b->rivals, false);
	beside_end(&result_of(b)->beside, result_of(b),
		b->placement + 1 >= b->samples->plan->request->placements);
	workers_free(b->workers);
	free(b->workers);
	free(b->places);
	b->workers = NULL;
	b->places = NULL;
}

/* Before verify() touches pages and reset() moves them back. */
static void note_places(struct series *b)
{
	struct op_result *result = result_of(b);

	places_after(b->places, b->samples->prepared, b->workers);
	free(result->places);
	result->places = b->places;
	b->places = NULL;
}

/* Only the counters of the machine show pages that left and came back. */
static void prove_again(struct series *b)
{
	const struct plan *p = b->samples->plan;

	prepare_recheck(b->samples->prepared, p, p->ops[b->op].label, b->lost);
	if (b->samples->prepared->plan->nvectors)
		page_moves_since(&b->moves, &result_of(b)->moves);
}

int series_close(struct series *b, struct errors *e)
{
	int failed = 0;

	if (b->workers && result_of(b)->count) {
		note_places(b);
		failed = workers_verify(b->workers, e);
		note_proofs(b);
	}
	series_abandon(b);
	return failed;
}

void series_abandon(struct series *b)
{
	if (!b->workers)
		return;
	warm_up_cut(b);
	result_of(b)->spent_ns += b->sampled_ns;
	if (result_of(b)->count) {
		reset_last(b);
		prove_again(b);
	}
	tear_down(b);
}

const char *series_preparing(const struct series *b)
{
	const struct plan *p = b->samples->plan;

	for (int i = 0; i < p->nthreads; i++)
		if (p->ops[b->op].jobs[i].kernel->preparing)
			return p->ops[b->op].jobs[i].kernel->preparing;
	return NULL;
}
