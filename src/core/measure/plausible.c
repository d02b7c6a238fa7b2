/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what no core can do: of a kernel whose loop the compiler removed, or in a time of which too
 * much is said to be lost. */
#include "measure/plausible.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "measure/calls.h"

/* Bytes in a cycle between a core and its first cache: today's widest cores load two vectors of 64
 * bytes and store one. No operation is smaller than a byte, so the limit also holds for units that
 * access no memory. */
#define BYTES_PER_CYCLE 320.0

/* 6.2 GHz are sold. */
#define MOST_HZ 6.25e9

/* Where the clock differs by no more before and after the sample, it did not rise above both by
 * more than MARGIN in between: a core that is alone for a while rises, and a processor in software
 * may do a unit quicker than an addition of the chains. */
#define STEADY 1.1
#define MARGIN 1.5

/* The highest that it is likely to have been. A thread that slept before both may have been at work
 * with twice their rate, so that a sample is doubted by this, and never refused. */
static double clock_hz(const struct thread_sample *t)
{
	const double high = fmax(t->before.hz, t->after.hz), low = fmin(t->before.hz, t->after.hz);

	return high < STEADY * low ? fmin(MARGIN * high, MOST_HZ) : MOST_HZ;
}

static double cycles(const struct kernel *k, const struct worker *w, double units)
{
	const struct work work = k->work ? k->work(w->args) : k->per_unit;
	const double each = fmax(1, fmax(work.bytes, work.loads + work.stores));
	/* a core that guesses the next address still loads it after the one before */
	const double most = k->per_cycle                                    ? k->per_cycle
			    : k->accesses.latency && k->accesses.latency(w) ? 1
									    : INFINITY;

	return fmax(units * each / BYTES_PER_CYCLE, units / most);
}

const char *plausible_rate(const struct kernel *k, const struct worker *w,
	const struct thread_sample *t, char *why, size_t n)
{
	const uint64_t ns = t->end_ns - t->begin_ns;

	if (k->nothing || !t->units ||
		(ns && cycles(k, w, (double)t->units) <= MOST_HZ * 1e-9 * (double)ns))
		return NULL;
	snprintf(why, n,
		"it says that it did %" PRIu64 " %s%s in %" PRIu64
		" ns, which no core can; did the compiler remove the loop?",
		t->units, k->unit, t->units == 1 ? "" : "s", ns);
	return why;
}

/* A trial may be of a single unit. */
int plausible_all(struct workers *c, struct errors *e)
{
	for (int i = 0; !c->trial && i < c->plan->nthreads; i++)
		c->complaints[i] = plausible_rate(c->op->jobs[i].kernel, &c->list[i],
			&c->threads[i], c->reasons[i], sizeof(c->reasons[i]));
	return calls_told(c, e);
}

unsigned plausible_loss(const struct workers *c, const struct sample *s, int i)
{
	const struct kernel *k = c->op->jobs[i].kernel;
	struct thread_sample *t = &s->threads[i];
	const double lost_s = sample_lost_s(s, i), whole_s = sample_busy(s, i), hz = clock_hz(t);
	const double least = cycles(k, &c->list[i], (double)t->units);

	/* what is too much in the whole time is not the loss's fault */
	if (k->nothing || lost_s <= 0 || (whole_s - lost_s) * hz >= least || whole_s * hz < least)
		return 0;
	t->off_ns = t->delayed_ns = -1;
	return DISTURBED_STOLEN;
}
