/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stated time in which a thread finishes no round, or few. */
#include "measure/too_short.h"

#include "measure/workers.h"

/* Of the operation: further placements begin with the longer time. */
static uint64_t *longer_of(const struct series *b)
{
	return &b->samples->ops[b->op].longer_ns;
}

/* The thread with the fewest calls in the window, if fewer than `enough`; otherwise -1. */
static int short_of_calls(const struct series *b, const struct sample *s, uint64_t enough)
{
	int fewest = -1;

	for (int i = 0; s->window_ns && i < b->samples->plan->nthreads; i++)
		if (s->threads[i].calls < enough) {
			enough = s->threads[i].calls;
			fewest = i;
		}
	return fewest;
}

int too_short_for(const struct series *b, const struct sample *s)
{
	return short_of_calls(b, s, 1);
}

/* The smallest amount of work of a call. Only a round grows with the vectors. */
static const char *portion(const struct kernel *k)
{
	return k->step ? "step" : "round";
}

/* One preemption is an accident; a machine so busy that it has all these needs a longer time. */
#define OFF_REPEATS 3

/* Was the last call longer than the time only since others had the CPU? */
static bool was_off_its_cpu(const struct workers *c, int thread)
{
	const struct thread_sample *t = &c->threads[thread];
	const uint64_t lost = (t->delayed_ns > 0 ? (uint64_t)t->delayed_ns : 0) +
			      (t->stolen_ns > 0 ? (uint64_t)t->stolen_ns : 0);

	return c->batches[thread].last_ns < c->window_ns + lost;
}

/* From the next sample on, the window holds a call as long as the last one of this thread. */
static void lengthen(const struct series *b, int thread)
{
	/* a quarter more, since the next round may take longer; twice, where the round was short */
	const uint64_t call = b->workers->batches[thread].last_ns, needed = call + call / 4;
	const uint64_t twice = 2 * b->workers->window_ns;

	b->workers->window_ns = needed > twice ? needed : twice;
	*longer_of(b) = b->workers->window_ns;
}

/* A stated time is at least one round: a round of a vector of some hundred MiB takes longer than
 * what is ample for a small one of the same sweep. All threads work until its end. */
void too_short_lengthen(const struct series *b, int thread, int repeats, struct errors *e)
{
	const struct request *q = b->samples->plan->request;
	const struct plan_job *job = &b->workers->op->jobs[thread];
	const bool warned = *longer_of(b) > 0;

	if (repeats < (was_off_its_cpu(b->workers, thread) ? OFF_REPEATS : 1))
		return;
	lengthen(b, thread);
	if (warned)
		return;
	error_warn(e,
		"mode: %s is too short: thread %d finished no %s of %s in it; the samples of %s "
		"take %.3g s",
		q->mode.word[0], thread, portion(job->kernel), job->name, b->workers->op->label,
		(double)b->workers->window_ns * 1e-9);
	error_hint(e, job->kernel->step ? "a longer time" : "a longer time, or smaller vectors");
}

int too_short_refuse(const struct series *b, int thread, struct errors *e)
{
	const struct request *q = b->samples->plan->request;
	const struct plan_job *job = &b->workers->op->jobs[thread];

	error_add(e, STATUS_FAILED, q->mode.at,
		"mode: %s is too short: thread %d finished no %s of %s in %.3g s", q->mode.word[0],
		thread, portion(job->kernel), job->name, (double)b->workers->window_ns * 1e-9);
	return error_hint(e, "the thread had no CPU for most of the time; measure again when "
			     "nothing else runs");
}

/* The time of the call that the deadline cuts off is not counted. With at least 10 calls that loss
 * is negligible. */
#define ENOUGH_CALLS 10

void too_short_warn(const struct series *b, const struct sample *s, struct errors *e)
{
	const struct request *q = b->samples->plan->request;
	int thread = short_of_calls(b, s, ENOUGH_CALLS);

	if (thread < 0 || (s->warmup && !b->warming) || *longer_of(b))
		return;
	const struct plan_job *job = &b->workers->op->jobs[thread];

	error_warn(e, "mode: %s holds fewer than %d %ss of %s: use a longer time", q->mode.word[0],
		ENOUGH_CALLS, portion(job->kernel), job->name);
}
