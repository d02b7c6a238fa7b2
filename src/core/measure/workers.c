/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes samples. Apart from the kernels, only this code runs inside the measured time. */
#include "measure/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "contract/event_times.h"
#include "counters/counters.h"
#include "measure/calls.h"
#include "measure/disturbed.h"
#include "measure/plausible.h"
#include "measure/stack.h"
#include "measure/turns.h"
#include "placement/team.h"
#include "system/watch.h"

/* Of the file: its copies and slices have a group in common. */
static int first_vector(const struct workers *c, int thread)
{
	const struct plan_thread *t = &c->plan->threads[thread];

	return t->nvectors ? c->plan->vectors[t->vector_ids[0]].whole : -1;
}

/* The first thread of the group of thread i. */
static int first_of(const struct workers *c, int i)
{
	for (int k = 0; k < i; k++)
		if (c->op->jobs[k].kernel == c->op->jobs[i].kernel &&
			first_vector(c, k) == first_vector(c, i))
			return k;
	return i;
}

static void share(void *arg, int i)
{
	struct workers *c = arg;
	const struct kernel *k = c->op->jobs[i].kernel;

	if (k->share && first_of(c, i) == i)
		c->complaints[i] = k->share(&c->list[i]);
}

/* Calls share() where it is due and gives all workers the result. Complaints are in c->complaints.
 * 0, or -1 with a message: the threads cannot run. */
static int shared_state_make(struct workers *c, struct errors *e)
{
	bool any = false;

	for (int i = 0; i < c->plan->nthreads; i++)
		any = any || c->op->jobs[i].kernel->share;
	if (!any)
		return 0;
	if (team_run(c->plan->topo, c->cpus, c->plan->nthreads, share, c, e) < 0)
		return -1;
	for (int i = 0; i < c->plan->nthreads; i++)
		c->list[i].shared = c->list[first_of(c, i)].shared;
	return 0;
}

/* Calls unshare(). Call it when all threads have been torn down. */
static void shared_state_free(struct workers *c)
{
	for (int i = 0; i < c->plan->nthreads; i++) {
		const struct kernel *k = c->op->jobs[i].kernel;

		if (k->unshare && first_of(c, i) == i)
			k->unshare(&c->list[i]);
	}
}

/* Threads that wait for one another would wait for ever for a thread that left its kernel.
 * Therefore the process ends here, before anything is written. */
static void end_process(const struct workers *c, int i)
{
	fprintf(stderr, "thread %d, %s: %s\n", i, c->op->jobs[i].name, c->reasons[i]);
	_exit(STATUS_FAILED);
}

static struct counters *make_counters(const struct counting_pass *pass)
{
	char unused[256]; /* the counters could be opened when the run was planned; a count that
			     fails now is NAN */

	return counters_make(pass->names, pass->n, pass->in_system, unused, sizeof(unused));
}

static void read_counters(struct workers *c, int thread, struct counters *counters)
{
	double *counts = &c->counts[(size_t)thread * c->pass->n];

	for (size_t i = 0; i < c->pass->n; i++)
		counts[i] = NAN;
	if (counters)
		counters_stop(counters, counts);
	counters_free(counters);
}

/* Beside the sample, not in it. A counted sample has no times. */
static struct clock_rate take_rate(const struct workers *c)
{
	return c->plan->request->clock_rate && !c->pass && !c->trial ? clock_rate_take()
								     : CLOCK_RATE_NONE;
}

/* A thread that leaves the line later than this had no CPU: others leave within a microsecond. */
#define LATE_NS 2000

/* A sleeping thread wakes so long before its instant, and finds the time to read the figures. */
#define AWAKE_NS 50000

static uint64_t sleep_until(uint64_t instant, struct watch *w, int delays)
{
	clock_sleep_until(instant - AWAKE_NS);
	return start_line_watch(instant, w, delays);
}

/* The system's figures are read inside the margin before the start, so that reading them neither
 * delays the start nor is part of the sample. A thread that begins late, or wakes late from its
 * sleep, has lost that time, and reads them anew. */
static void take_thread_sample(struct workers *c, int i)
{
	const struct plan_job *job = &c->op->jobs[i];
	struct worker w = c->list[i]; /* on this thread's own stack, hence on its node */
	struct watch before, after;
	struct thread_sample s;
	/* opened and closed for each sample: counters belong to a thread, and OpenMP decides which
	 * thread becomes thread i of the next team */
	struct counters *counters = c->pass ? make_counters(c->pass) : NULL;

	w.events = c->timing ? c->events[i] : NULL;
	if (w.events)
		events_begin(w.events);
	watch_take_migrations(&before);
	int delays = watch_open();
	s.before = take_rate(c);
	uint64_t start = start_line_arrive(&c->start_line);
	const uint64_t instant = start + job->common.sleep_ns;

	s.left_ns = instant > start ? start_line_leave(start)
				    : start_line_watch(start, &before, delays);
	s.begin_ns = instant > start ? sleep_until(instant, &before, delays) : s.left_ns;
	s.late_ns = 0;
	if (s.begin_ns - instant > LATE_NS) {
		watch_take(&before, delays);
		s.begin_ns = clock_ns();
		s.late_ns = (int64_t)(s.begin_ns - instant);
	}
	if (counters)
		counters_start(counters);
	if (w.events)
		events_start(w.events);
	if (c->flag)
		window_by_flag(c->flag, &c->batches[i], job->kernel, &w, &s);
	else if (c->window_ns)
		window_by_clock(start + c->window_ns, c->window_ns, c->turns && c->turns[i],
			&c->batches[i], job->kernel, &w, &s);
	else
		window_work(job, &w, &s);
	if (w.events)
		events_end(w.events);
	if (c->pass)
		read_counters(c, i, counters);
	watch_take(&after, delays);
	watch_take_migrations(&after);
	if (delays >= 0)
		close(delays);
	disturbed_note(&s, &before, &after);
	s.after = CLOCK_RATE_NONE;
	c->threads[i] = s;
}

/* A thread reaches the finish also when its kernel faulted, because the others wait there. Its rate
 * is taken behind it, when no thread works any more whom that could disturb. */
static void measure_here(void *arg, int i)
{
	struct workers *c = arg;

	if (!calls_guarded(c, i, take_thread_sample) && plan_job_together(&c->op->jobs[i]) &&
		c->plan->nthreads > 1)
		end_process(c, i);
	start_line_finish(&c->start_line);
	c->threads[i].after = take_rate(c);
}

static void measure_thread(void *arg, int i)
{
	stack_call(((const struct workers *)arg)->stack, measure_here, arg, i);
}

static void make_workers(struct workers *c, const struct prepared *r)
{
	for (int i = 0; i < c->plan->nthreads; i++) {
		c->list[i] = prepare_worker(r, c->plan, c->op, i);
		c->cpus[i] = c->plan->threads[i].cpu;
	}
}

static int usable_cpus(const struct topo *t)
{
	int n = 0;

	for (int i = 0; i < t->ncpus; i++)
		n += t->cpus[i].allowed;
	return n;
}

/* Threads share CPUs only where the file asks for it. */
static void find_turns(struct workers *c)
{
	const int n = c->plan->nthreads;

	if (!c->plan->request->oversubscribe)
		return;
	c->usable = usable_cpus(c->plan->topo);
	c->turns = alloc_zeroed((size_t)n, sizeof(*c->turns));
	for (int i = 0; i < n; i++)
		c->turns[i] = turns_taken(c->cpus, n, c->usable, i);
}

static bool any_faults(const struct plan_op *op, int nthreads)
{
	for (int i = 0; i < nthreads; i++)
		if (op->jobs[i].kernel->system.faults)
			return true;
	return false;
}

int workers_init(struct workers *c, const struct prepared *r, const struct plan *p,
	const struct plan_op *op, const struct quota_groups *quotas, struct errors *e)
{
	size_t n = (size_t)p->nthreads;

	*c = (struct workers){.plan = p,
		.op = op,
		.stack = r->stacks[r->made - 1],
		.placement = (int)r->made,
		.quotas = quotas,
		.nfigures = plan_figures(op, p->nthreads),
		.moves = plan_moves_measured(op, p->nthreads) || any_faults(op, p->nthreads)};
	c->told = alloc_zeroed(n * c->nfigures + 1, sizeof(*c->told));
	c->threads = alloc_lines(n, sizeof(*c->threads));
	c->window_ns = p->request->window_ns;
	if (c->window_ns && p->request->stopped_by == STOPPED_BY_FLAG)
		c->flag = alloc_lines(1, sizeof(*c->flag));
	c->batches = alloc_lines(n, sizeof(*c->batches));
	for (size_t i = 0; i < n; i++)
		c->batches[i].times = 1;
	c->list = alloc_zeroed(n, sizeof(*c->list));
	c->cpus = alloc_zeroed(n, sizeof(*c->cpus));
	c->complaints = alloc_zeroed(n, sizeof(*c->complaints));
	c->reasons = alloc_zeroed(n, sizeof(*c->reasons));
	c->proofs = alloc_zeroed(n, sizeof(*c->proofs));
	c->set_up = alloc_zeroed(n, sizeof(*c->set_up));
	c->events = alloc_zeroed(n, sizeof(*c->events));
	make_workers(c, r);
	find_turns(c);
	watch_cpu_clock();
	stolen_init(&c->stolen, p->topo->ncpu_index);
	start_line_init(&c->start_line, p->nthreads);
	if (shared_state_make(c, e) || calls_told(c, e))
		return -1;
	if (team_run(p->topo, c->cpus, p->nthreads, calls_set_up, c, e) < 0 || calls_told(c, e))
		return -1;
	if (calls_chooses(c) && team_run(p->topo, c->cpus, p->nthreads, calls_choose, c, e) < 0)
		return -1;
	return calls_told(c, e);
}

uint64_t workers_fill_ns(const struct workers *c)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (int i = 0; i < c->plan->nthreads; i++) {
		first = c->set_up[i].begin_ns < first ? c->set_up[i].begin_ns : first;
		last = c->set_up[i].end_ns > last ? c->set_up[i].end_ns : last;
	}
	return last - first;
}

/* A thread that is not bound has no CPU whose stolen time could be read. */
static void take_stolen(struct workers *c)
{
	stolen_after(&c->stolen);
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->cpus[i] != UNBOUND)
			c->threads[i].stolen_ns = stolen_of(&c->stolen, c->cpus[i]);
}

static void take_counts(const struct workers *c, struct sample *s)
{
	size_t n = c->pass ? (size_t)c->plan->nthreads * c->pass->n : 0;

	s->pass = c->pass;
	if (!n)
		return;
	if (!s->counts)
		s->counts = alloc_zeroed(n, sizeof(*s->counts));
	memcpy(s->counts, c->counts, n * sizeof(*s->counts));
}

/* A kernel tells of all its calls, but the time ends with the last call that counts. */
static void make_rates(const struct workers *c, struct sample *s, int i)
{
	const struct kernel_figure *figures = c->op->jobs[i].kernel->figures;
	const struct thread_sample *t = &s->threads[i];
	const double time = sample_busy(s, i) - sample_lost_s(s, i);
	const double counted = t->worked ? (double)t->units / (double)t->worked : 1;

	for (size_t k = 0; figures && figures[k].name; k++)
		if (figures[k].each_second)
			s->told[(size_t)i * c->nfigures + k] *= time > 0 ? counted / time : NAN;
}

static void take_told(const struct workers *c, struct sample *s)
{
	size_t n = (size_t)c->plan->nthreads * c->nfigures;

	if (!n)
		return;
	if (!s->told)
		s->told = alloc_zeroed(n, sizeof(*s->told));
	memcpy(s->told, c->told, n * sizeof(*s->told));
	for (int i = 0; i < c->plan->nthreads; i++)
		make_rates(c, s, i);
}

/* Not beside a thread whose rate is still being taken. */
static int hear(struct workers *c, struct errors *e)
{
	if (!calls_tells(c))
		return 0;
	if (team_run(c->plan->topo, c->cpus, c->plan->nthreads, calls_tell, c, e) < 0)
		return -1;
	return calls_told(c, e);
}

void workers_count(struct workers *c, const struct counting_pass *pass)
{
	free(c->counts);
	c->counts = NULL;
	c->pass = pass;
	if (pass)
		c->counts = alloc_zeroed((size_t)c->plan->nthreads * pass->n, sizeof(*c->counts));
}

static bool any_arranges(const struct workers *c)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->op->jobs[i].kernel->migration.arrange)
			return true;
	return false;
}

int workers_arrange(struct workers *c, struct errors *e)
{
	if (!any_arranges(c))
		return 0;
	if (team_run(c->plan->topo, c->cpus, c->plan->nthreads, calls_arrange, c, e) < 0)
		return -1;
	c->failed = calls_told(c, e);
	return c->failed ? -1 : 0;
}

int workers_sample(struct workers *c, struct sample *s, struct errors *e)
{
	int n = c->plan->nthreads;
	uint64_t first = UINT64_MAX, last = 0;
	struct quota before, after;

	quota_read(c->quotas, &before);
	stolen_before(&c->stolen);
	if (c->flag && window_flag_begin(c->flag, &c->start_line, c->window_ns, e))
		return -1;
	int strays = team_run(c->plan->topo, c->cpus, n, measure_thread, c, e);
	if (c->flag)
		window_flag_end(c->flag);
	if (strays < 0)
		return -1;
	c->failed = calls_told(c, e) || hear(c, e) || plausible_all(c, e);
	if (c->failed)
		return -1;
	take_stolen(c);
	quota_read(c->quotas, &after);
	if (!s->threads)
		s->threads = alloc_lines((size_t)n, sizeof(*s->threads));
	memcpy(s->threads, c->threads, (size_t)n * sizeof(*s->threads));
	s->start_ns = start_line_instant(&c->start_line);
	if (c->turns)
		turns_take_out(s, c->cpus, n, c->usable);
	s->disturbed = strays ? DISTURBED_MOVED : 0;
	for (int i = 0; i < n; i++)
		if (plan_waits(c->plan, c->op, i))
			s->threads[i].delayed_ns = s->threads[i].off_ns = -1;
	for (int i = 0; i < n; i++) {
		unsigned by;

		first = s->threads[i].left_ns < first ? s->threads[i].left_ns : first;
		last = s->threads[i].left_ns > last ? s->threads[i].left_ns : last;
		s->disturbed |= plausible_loss(c, s, i);
		by = disturbed_by(s, n, i, c->cpus[i], plan_job_together(&c->op->jobs[i]),
			c->plan->request->disturbed_above);
		if (plan_sleeps(c->plan, c->op, i))
			by &= ~(DISTURBED_BLOCKED | DISTURBED_PREEMPTED);
		s->disturbed |= by;
	}
	s->throttled_ns = after.throttled_ns - before.throttled_ns;
	s->disturbed |= disturbed_by_quota(&before, &after);
	/* a page that is moved is not mapped meanwhile, and the call waits for all CPUs */
	if (c->moves)
		s->disturbed &= ~(DISTURBED_BLOCKED | DISTURBED_FAULTED);
	s->skew_ns = last - first;
	s->window_ns = c->window_ns;
	take_counts(c, s);
	take_told(c, s);
	start_line_reset(&c->start_line, last - s->start_ns);
	return 0;
}

static bool any_reset(const struct workers *c)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->op->jobs[i].kernel->reset)
			return true;
	return false;
}

int workers_reset(struct workers *c, struct errors *e)
{
	if (!any_reset(c))
		return 0;
	if (team_run(c->plan->topo, c->cpus, c->plan->nthreads, calls_reset, c, e) < 0)
		return -1;
	c->failed = calls_told(c, e);
	return c->failed ? -1 : 0;
}

static int events_proven(const struct workers *c, struct errors *e)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (*c->proofs[i].text && c->proofs[i].verdict == EVENTS_CONTRADICTED)
			return error_add(e, STATUS_PLACEMENT, NOWHERE, "thread %d, %s: %s", i,
				c->op->jobs[i].name, c->proofs[i].text);
	return 0;
}

int workers_verify(struct workers *c, struct errors *e)
{
	if (c->failed)
		return 0;
	if (team_run(c->plan->topo, c->cpus, c->plan->nthreads, calls_verify, c, e) < 0)
		return -1;
	return calls_told(c, e) ? -1 : events_proven(c, e);
}

void workers_free(struct workers *c)
{
	struct errors ignored = {0};

	if (c->list) {
		team_run(c->plan->topo, c->cpus, c->plan->nthreads, calls_tear_down, c, &ignored);
		shared_state_free(c);
		start_line_free(&c->start_line);
	}
	errors_free(&ignored);
	for (int i = 0; c->events && i < c->plan->nthreads; i++)
		free(c->events[i]);
	free(c->events);
	free(c->set_up);
	free(c->list);
	free(c->cpus);
	free(c->turns);
	free(c->threads);
	free(c->batches);
	free(c->flag);
	free(c->counts);
	free(c->told);
	stolen_free(&c->stolen);
	free(c->complaints);
	free(c->reasons);
	free(c->proofs);
	*c = (struct workers){0};
}
