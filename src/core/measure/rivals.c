/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads of a load, and the dials that set their pauses. */
#include "measure/rivals.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "measure/dial.h"
#include "placement/prepare.h"
#include "placement/team.h"

/* What a thread had done at the end of a round. */
struct mark {
	uint64_t units, ns;
};

struct line_of_rivals;

struct member {
	_Alignas(ALLOC_LINES) struct line_of_rivals *line;
	pthread_t thread;
	struct worker worker;
	void *args; /* its own: it changes the pause between rounds */
	int cpu, refused;
	const char *complaint;
	atomic_uint turn; /* odd: the mark is being written */
	_Atomic uint64_t units, ns;
	atomic_int moved; /* ends of rounds on another CPU */
	struct mark begin;
};

struct line_of_rivals {
	struct rivals *rivals;
	const struct background *background;
	struct prepared prepared;
	struct dial dial;
	_Atomic uint64_t pause;
	struct member *members; /* [plan.nthreads] of the plan; NULL: not started */
};

struct rivals {
	struct line_of_rivals *lines;
	size_t count;
	pthread_mutex_t lock;
	pthread_cond_t wake, told;
	atomic_bool on, over;
	int waiting, started; /* threads; all */
};

static const struct plan_job *job_of(const struct member *m)
{
	return m->line->background->plan.ops[0].jobs;
}

static void set_mark(struct member *m, uint64_t units)
{
	atomic_fetch_add(&m->turn, 1);
	atomic_store(&m->units, units);
	atomic_store(&m->ns, clock_ns());
	atomic_fetch_add(&m->turn, 1);
}

static struct mark get_mark(struct member *m)
{
	struct mark mark;
	unsigned turn;

	do {
		turn = atomic_load(&m->turn);
		mark = (struct mark){atomic_load(&m->units), atomic_load(&m->ns)};
	} while (turn & 1 || turn != atomic_load(&m->turn));
	return mark;
}

static void set_pause(struct member *m)
{
	*(uint64_t *)((char *)m->args + m->line->background->pause) = atomic_load(&m->line->pause);
}

/* Those that were started. */
static int count_members(const struct line_of_rivals *line)
{
	return line->members ? line->background->plan.nthreads : 0;
}

/* Rounds until the load is to wait. */
static void move_lines(struct member *m)
{
	const struct kernel *k = job_of(m)->kernel;
	uint64_t units = 0;

	set_mark(m, 0);
	while (atomic_load(&m->line->rivals->on)) {
		set_pause(m);
		units += k->run(&m->worker, 1);
		set_mark(m, units);
		if (sched_getcpu() != m->cpu)
			atomic_fetch_add(&m->moved, 1);
	}
}

static void begin_thread(struct member *m)
{
	const struct kernel *k = job_of(m)->kernel;

	team_block_signals();
	m->refused = topo_bind(m->line->background->plan.topo, m->cpu) ? errno : 0;
	if (!m->refused && k->setup)
		m->complaint = k->setup(&m->worker);
}

static void *work(void *arg)
{
	struct member *m = arg;
	struct rivals *l = m->line->rivals;

	begin_thread(m);
	pthread_mutex_lock(&l->lock);
	while (!atomic_load(&l->over)) {
		if (!atomic_load(&l->on)) {
			l->waiting++;
			pthread_cond_broadcast(&l->told);
			pthread_cond_wait(&l->wake, &l->lock);
			l->waiting--;
			continue;
		}
		pthread_mutex_unlock(&l->lock);
		move_lines(m);
		pthread_mutex_lock(&l->lock);
	}
	pthread_mutex_unlock(&l->lock);
	if (job_of(m)->kernel->teardown)
		job_of(m)->kernel->teardown(&m->worker);
	return NULL;
}

/* ---- placements */

static struct rivals *make(const struct backgrounds *b)
{
	struct rivals *l = alloc_zeroed(1, sizeof(*l));

	l->lines = alloc_zeroed(b->count, sizeof(*l->lines));
	l->count = b->count;
	for (size_t i = 0; i < b->count; i++)
		l->lines[i] = (struct line_of_rivals){.rivals = l, .background = &b->list[i]};
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->wake, NULL);
	pthread_cond_init(&l->told, NULL);
	return l;
}

static bool any_rate(const struct backgrounds *b)
{
	for (size_t i = 0; i < b->count; i++)
		if (b->list[i].wanted > 0)
			return true;
	return false;
}

static int start_member(struct line_of_rivals *line, int i, struct errors *e)
{
	const struct plan *p = &line->background->plan;
	struct member *m = &line->members[i];
	const size_t bytes = p->ops[0].jobs[i].kernel->args_size;

	m->line = line;
	m->cpu = p->threads[i].cpu;
	m->args = alloc_zeroed(1, bytes + 1);
	memcpy(m->args, p->ops[0].jobs[i].args, bytes);
	m->worker = prepare_worker(&line->prepared, p, &p->ops[0], i);
	m->worker.args = m->args;
	const int failed = pthread_create(&m->thread, NULL, work, m);

	if (failed) {
		m->line = NULL;
		error_add(e, STATUS_FAILED, line->background->line->at,
			"background: a thread cannot be made: %s", strerror(failed));
		return error_hint(e, "see ulimit -u, and pids.max of the control group");
	}
	line->rivals->started++;
	return 0;
}

static int hear(const struct line_of_rivals *line, struct errors *e)
{
	for (int i = 0; i < line->background->plan.nthreads; i++) {
		const struct member *m = &line->members[i];

		if (m->refused) {
			error_add(e, STATUS_PLACEMENT, line->background->line->at,
				"background: thread %d cannot be bound to CPU %d: %s", i, m->cpu,
				strerror(m->refused));
			return team_hint_unbound(e);
		}
		if (m->complaint)
			return error_add(e, STATUS_FAILED, line->background->line->at,
				"background: thread %d: %s", i, m->complaint);
	}
	return 0;
}

/* A round of a slow load is longer than a sample. */
static void await_all(struct rivals *l)
{
	pthread_mutex_lock(&l->lock);
	while (l->waiting < l->started)
		pthread_cond_wait(&l->told, &l->lock);
	pthread_mutex_unlock(&l->lock);
}

static int start(struct rivals *l, struct errors *e)
{
	int failed = 0;

	atomic_store(&l->over, false);
	l->waiting = l->started = 0;
	for (size_t i = 0; i < l->count; i++) {
		struct line_of_rivals *line = &l->lines[i];
		const int n = line->background->plan.nthreads;

		line->members = n ? alloc_lines((size_t)n, sizeof(*line->members)) : NULL;
		for (int k = 0; k < n && !failed; k++)
			failed = start_member(line, k, e);
	}
	await_all(l);
	for (size_t i = 0; i < l->count && !failed; i++)
		failed = hear(&l->lines[i], e);
	return failed;
}

int rivals_place(struct rivals **l, const struct backgrounds *b, struct mem_rights *rights,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	int failed = 0;

	if (!any_rate(b))
		return 0;
	if (!*l)
		*l = make(b);
	for (size_t i = 0; i < b->count && !failed; i++)
		if (b->list[i].wanted > 0)
			failed = prepare(
				&(*l)->lines[i].prepared, &b->list[i].plan, rights, stop, e);
	return failed ? -1 : start(*l, e);
}

static void end_line(struct line_of_rivals *line)
{
	for (int i = 0; i < count_members(line); i++) {
		struct member *m = &line->members[i];

		if (m->line)
			pthread_join(m->thread, NULL);
		free(m->args);
	}
	free(line->members);
	line->members = NULL;
}

int rivals_release(struct rivals *l, struct errors *e)
{
	int failed = 0;

	if (!l)
		return 0;
	rivals_run(l, false);
	pthread_mutex_lock(&l->lock);
	atomic_store(&l->over, true);
	pthread_cond_broadcast(&l->wake);
	pthread_mutex_unlock(&l->lock);
	for (size_t i = 0; i < l->count; i++) {
		struct line_of_rivals *line = &l->lines[i];

		end_line(line);
		if (!line->prepared.mems)
			continue;
		failed |= prepare_recheck(&line->prepared, line->prepared.plan, "background", e);
		prepare_release(&line->prepared);
	}
	return failed;
}

void rivals_free(struct rivals *l)
{
	struct errors ignored = {0};

	if (!l)
		return;
	rivals_release(l, &ignored);
	errors_free(&ignored);
	for (size_t i = 0; i < l->count; i++)
		prepare_free(&l->lines[i].prepared);
	pthread_mutex_destroy(&l->lock);
	pthread_cond_destroy(&l->wake);
	pthread_cond_destroy(&l->told);
	free(l->lines);
	free(l);
}

const struct prepared *rivals_prepared(const struct rivals *l, size_t line)
{
	return l && l->lines[line].prepared.made ? &l->lines[line].prepared : NULL;
}

/* ---- samples */

/* A load ends no round for longer only at less than 64 kB/s, or without its CPU. */
#define ROUND_MOST_NS 1000000000

/* Until all of them have begun: a trial is to meet the whole load. Or have ended a round. */
static void await_marks(struct rivals *l, uint64_t since, uint64_t until)
{
	for (size_t i = 0; i < l->count; i++)
		for (int k = 0; k < count_members(&l->lines[i]); k++)
			while (get_mark(&l->lines[i].members[k]).ns < since && clock_ns() < until)
				sched_yield();
}

void rivals_run(struct rivals *l, bool on)
{
	if (!l || on == atomic_load(&l->on))
		return;
	const uint64_t now = clock_ns();

	pthread_mutex_lock(&l->lock);
	atomic_store(&l->on, on);
	pthread_cond_broadcast(&l->wake);
	pthread_mutex_unlock(&l->lock);
	if (on)
		await_marks(l, now, UINT64_MAX);
	else
		await_all(l);
}

void rivals_begin(struct rivals *l)
{
	for (size_t i = 0; l && i < l->count; i++)
		for (int k = 0; k < count_members(&l->lines[i]); k++) {
			struct member *m = &l->lines[i].members[k];

			m->begin = get_mark(m);
			atomic_store(&m->moved, 0);
		}
}

/* Of a thread that ended no round there is no rate. */
static double rate_of(struct member *m)
{
	const struct mark end = get_mark(m);
	const double bytes = plan_work(job_of(m)).bytes;

	return end.ns > m->begin.ns ? bytes * (double)(end.units - m->begin.units) * 1e9 /
					      (double)(end.ns - m->begin.ns)
				    : 0;
}

bool rivals_end(struct rivals *l, double rates[BACKGROUNDS_MOST])
{
	const uint64_t now = clock_ns();
	bool moved = false;

	for (size_t i = 0; i < BACKGROUNDS_MOST; i++)
		rates[i] = 0;
	if (l && atomic_load(&l->on))
		await_marks(l, now, now + ROUND_MOST_NS);
	for (size_t i = 0; l && i < l->count; i++)
		for (int k = 0; k < count_members(&l->lines[i]); k++) {
			rates[i] += rate_of(&l->lines[i].members[k]);
			moved |= atomic_load(&l->lines[i].members[k].moved) > 0;
		}
	return moved;
}

/* ---- dials */

/* In less a thread ends too few rounds of 64 KiB for a rate. */
#define TRIAL_NS 20000000

static int try_once(
	struct rivals *l, struct workers *c, struct sample *s, double *rates, struct errors *e)
{
	const uint64_t begin = clock_ns();
	int failed = 0;

	rivals_begin(l);
	do
		failed = workers_reset(c, e) || workers_arrange(c, e) || workers_sample(c, s, e);
	while (!failed && clock_ns() - begin < TRIAL_NS);
	rivals_end(l, rates);
	return failed ? -1 : 0;
}

static bool turn(struct line_of_rivals *line, double rate, bool *done)
{
	*done = *done || !line->members || !dial_tell(&line->dial, rate);
	atomic_store(&line->pause, line->dial.pause);
	return !*done;
}

int rivals_dial(
	struct rivals *l, struct workers *c, const volatile sig_atomic_t *stop, struct errors *e)
{
	double rates[BACKGROUNDS_MOST];
	bool done[BACKGROUNDS_MOST] = {false}, more = l;
	struct sample s = {0};
	int failed = 0;

	for (size_t i = 0; l && i < l->count; i++) {
		dial_begin(&l->lines[i].dial, l->lines[i].background->wanted);
		atomic_store(&l->lines[i].pause, 0);
	}
	c->trial = true;
	while (more && !failed && !*stop) {
		failed = try_once(l, c, &s, rates, e);
		more = false;
		for (size_t i = 0; i < l->count && !failed; i++)
			more |= turn(&l->lines[i], rates[i], &done[i]);
	}
	c->trial = false;
	sample_free(&s);
	return failed;
}
