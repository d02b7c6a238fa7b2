/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges what happened to a thread during a sample. */
#include "measure/disturbed.h"

#include <math.h>

/* What a counter says by two readings of which each may have failed (-1). */
static int64_t counted_between(int64_t before, int64_t after)
{
	return before < 0 || after < 0 ? -1 : after - before;
}

/* Reading the clock and the counters takes less. */
#define READING_NS 20000.0

/* Of a time without a CPU what fell into the time until end_ns. From there until read_ns the thread
 * worked on units that are not counted, each for as long as a counted one, and had no CPU for the
 * rest. */
static int64_t until_end(const struct thread_sample *t, int64_t delay, uint64_t read_ns)
{
	const double behind = (double)(read_ns - t->end_ns);
	const double working = (double)(read_ns - t->begin_ns) - (double)delay;
	const double uncounted = t->worked ? (double)(t->worked - t->units) / (double)t->worked : 0;
	const double waited = behind - READING_NS - fmax(working, 0) * uncounted;

	return delay > 0 ? (int64_t)fmax((double)delay - fmax(waited, 0), 0) : delay;
}

/* Between two readings. Their clocks are read within a microsecond of each other. */
static int64_t off_cpu(const struct watch *before, const struct watch *after)
{
	const int64_t cpu = counted_between(before->cpu_ns, after->cpu_ns);
	const int64_t wall = (int64_t)(after->wall_ns - before->wall_ns);

	return cpu < 0 ? -1 : cpu < wall ? wall - cpu : 0;
}

void disturbed_note(struct thread_sample *t, const struct watch *before, const struct watch *after)
{
	const uint64_t read_ns = after->wall_ns;

	t->cpu_before = before->cpu;
	t->cpu_after = after->cpu;
	t->preempted = (int)(after->preempted - before->preempted);
	t->blocked = (int)(after->blocked - before->blocked);
	t->faults = (int)(after->faults - before->faults);
	t->migrations = (int)counted_between(before->migrations, after->migrations);
	t->delayed_ns =
		until_end(t, counted_between(before->delayed_ns, after->delayed_ns), read_ns);
	t->off_ns = until_end(t, off_cpu(before, after), read_ns);
	t->stolen_ns = 0;
}

/* Uses the number of preemptions where the operating system's kernel does not report for how long
 * something else ran. */
static bool preempted(const struct sample *s, int thread, double above)
{
	double lost = sample_lost(s, thread);

	return isnan(lost) ? s->threads[thread].preempted > 0 : lost > above;
}

/* A loss that is known to this part of a thread's time is known well enough: the figures of a quiet
 * machine differ by as much from sample to sample. */
#define UNSURE 0.01

static bool unsure(const struct sample *s, int n, int thread, bool together)
{
	return sample_unsure_s(s, n, thread, together) >
	       UNSURE * (sample_busy(s, thread) - sample_lost_s(s, thread));
}

static bool chain_stopped(const struct thread_sample *t)
{
	return t->before.lost_ns > DISTURBED_CHAIN_NS || t->after.lost_ns > DISTURBED_CHAIN_NS;
}

/* moved: the thread was on the wrong CPU before or after, or left its CPU in between. */
unsigned disturbed_by(
	const struct sample *s, int n, int thread, int cpu, bool together, double above)
{
	const struct thread_sample *t = &s->threads[thread];
	unsigned flags = 0;

	if (cpu >= 0 && (t->cpu_before != cpu || t->cpu_after != cpu || t->migrations > 0))
		flags |= DISTURBED_MOVED;
	if (preempted(s, thread, above))
		flags |= DISTURBED_PREEMPTED;
	if (t->blocked > 0)
		flags |= DISTURBED_BLOCKED;
	if (t->faults > 0)
		flags |= DISTURBED_FAULTED;
	if (chain_stopped(t) || unsure(s, n, thread, together))
		flags |= DISTURBED_STOLEN;
	return flags;
}

unsigned disturbed_by_quota(const struct quota *before, const struct quota *after)
{
	bool stopped =
		after->throttled_ns > before->throttled_ns || after->periods > before->periods;

	return stopped ? DISTURBED_THROTTLED : 0;
}
