/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls the functions of kernels that are not measured, each in its thread. */
#include "measure/calls.h"

#include <math.h>
#include <sys/prctl.h>

#include "base/clock.h"
#include "contract/event_times.h"
#include "measure/fault.h"

static const struct kernel *kernel_of(const struct workers *c, int i)
{
	return c->op->jobs[i].kernel;
}

bool calls_guarded(struct workers *c, int i, void (*step)(struct workers *, int))
{
	struct fault fault;

	fault_arm(&fault);
	if (sigsetjmp(fault.at, 0) == 0) {
		step(c, i);
		fault_disarm();
		return true;
	}
	fault_disarm();
	c->complaints[i] = fault_text(&fault, &c->list[i], c->plan->threads[i].vector_ids,
		c->reasons[i], sizeof(c->reasons[i]));
	return false;
}

/* Any odd number with bits all over: a draw from small seeds begins with small numbers. */
#define SEED UINT64_C(0x9e3779b97f4a7c15)

/* In its thread, so that it lies near it, and touched before the first sample. */
static void make_events(struct workers *c, int i)
{
	const uint64_t group = plan_event_group(c->plan, c->op, i);

	if (!group)
		return;
	c->events[i] = alloc_lines(1, sizeof(**c->events));
	c->events[i]->group = group;
	c->events[i]->together = plan_job_together(&c->op->jobs[i]);
	c->events[i]->sleeps = plan_sleeps(c->plan, c->op, i);
	/* other events in each thread and placement, and the same when it is measured again */
	c->events[i]->random = SEED * (uint64_t)(c->placement * c->plan->nthreads + i + 1);
	events_init(c->events[i]);
	events_begin(c->events[i]);
}

static void call_setup(struct workers *c, int i)
{
	c->complaints[i] = kernel_of(c, i)->setup(&c->list[i]);
}

void calls_set_up(void *arg, int i)
{
	struct workers *c = arg;

	/* A sleeping thread must wake when it is due, not up to 50 us later (the default slack). */
	prctl(PR_SET_TIMERSLACK, 1UL);
	c->set_up[i].begin_ns = clock_ns();
	if (kernel_of(c, i)->setup)
		calls_guarded(c, i, call_setup);
	c->set_up[i].end_ns = clock_ns();
	make_events(c, i);
}

static void call_choose(struct workers *c, int i)
{
	kernel_of(c, i)->choose(&c->list[i]);
}

void calls_choose(void *arg, int i)
{
	struct workers *c = arg;

	if (kernel_of(c, i)->choose)
		calls_guarded(c, i, call_choose);
}

bool calls_chooses(const struct workers *c)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (kernel_of(c, i)->choose)
			return true;
	return false;
}

static void call_reset(struct workers *c, int i)
{
	c->complaints[i] =
		kernel_of(c, i)->reset(&c->list[i], c->reasons[i], sizeof(c->reasons[i]));
}

void calls_reset(void *arg, int i)
{
	struct workers *c = arg;

	if (kernel_of(c, i)->reset)
		calls_guarded(c, i, call_reset);
}

static void call_arrange(struct workers *c, int i)
{
	c->complaints[i] = kernel_of(c, i)->migration.arrange(
		&c->list[i], c->reasons[i], sizeof(c->reasons[i]));
}

void calls_arrange(void *arg, int i)
{
	struct workers *c = arg;

	if (kernel_of(c, i)->migration.arrange)
		calls_guarded(c, i, call_arrange);
}

static double *figures_of(const struct workers *c, int i)
{
	return &c->told[(size_t)i * c->nfigures];
}

static void call_tell(struct workers *c, int i)
{
	kernel_of(c, i)->tell(&c->list[i], figures_of(c, i));
}

/* Of a sample that is one call of run() (kernel.h). */
static void call_done(struct workers *c, int i)
{
	c->threads[i].units = c->threads[i].worked = kernel_of(c, i)->done(&c->list[i]);
}

static void call_took(struct workers *c, int i)
{
	struct thread_sample *t = &c->threads[i];

	t->end_ns = t->begin_ns + kernel_of(c, i)->system.took(&c->list[i]);
}

void calls_tell(void *arg, int i)
{
	struct workers *c = arg;

	for (size_t k = 0; k < c->nfigures; k++)
		figures_of(c, i)[k] = NAN;
	if (kernel_of(c, i)->tell)
		calls_guarded(c, i, call_tell);
	if (kernel_of(c, i)->done)
		calls_guarded(c, i, call_done);
	if (kernel_of(c, i)->system.took)
		calls_guarded(c, i, call_took);
}

bool calls_tells(const struct workers *c)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (kernel_of(c, i)->tell || kernel_of(c, i)->done || kernel_of(c, i)->system.took)
			return true;
	return false;
}

/* Does a thread with another kernel use this vector too? The contents of the vector then depend on
 * which thread stored last. */
static bool mixed(const struct workers *c, int thread, int vector)
{
	const struct plan *p = c->plan;

	for (int i = 0; i < p->nthreads; i++)
		if (kernel_of(c, i) != kernel_of(c, thread) && plan_uses(&p->threads[i], vector))
			return true;
	return false;
}

static void call_verify(struct workers *c, int i)
{
	c->complaints[i] =
		kernel_of(c, i)->verify(&c->list[i], c->reasons[i], sizeof(c->reasons[i]));
}

static void call_prove(struct workers *c, int i)
{
	struct op_proof *p = &c->proofs[i];

	p->verdict = kernel_of(c, i)->system.prove(&c->list[i], p->text, sizeof(p->text));
}

void calls_verify(void *arg, int i)
{
	struct workers *c = arg;
	const struct plan_thread *t = &c->plan->threads[i];

	if (kernel_of(c, i)->system.prove)
		calls_guarded(c, i, call_prove);
	for (int v = 0; v < t->nvectors; v++)
		if (mixed(c, i, t->vector_ids[v]))
			return;
	if (kernel_of(c, i)->verify)
		calls_guarded(c, i, call_verify);
}

void calls_tear_down(void *arg, int i)
{
	struct workers *c = arg;

	if (kernel_of(c, i)->teardown)
		kernel_of(c, i)->teardown(&c->list[i]);
}

int calls_told(const struct workers *c, struct errors *e)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->complaints[i])
			return error_add(e, STATUS_FAILED, NOWHERE, "thread %d, %s: %s", i,
				c->op->jobs[i].name, c->complaints[i]);
	return 0;
}
