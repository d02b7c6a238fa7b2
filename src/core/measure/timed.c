/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes over what threads timed in a sample. */
#include "measure/timed.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "contract/event_times.h"
#include "measure/workers.h"

static struct histogram pairs_of(const struct event_times *e)
{
	struct events_counts *c = alloc_zeroed(1, sizeof(*c));

	for (unsigned i = 0; i < EVENTS_PAIRS; i++)
		events_count(c, e->pairs[i]);
	const struct histogram h = histogram_of(c);

	free(c);
	return h;
}

/* A clock may advance by more than one tick at a time, whatever rate it is said to have. */
static double step_of(const struct event_times *e)
{
	double least = INFINITY;

	for (unsigned i = 1; i < EVENTS_PAIRS; i++) {
		const double d = fabs((double)e->pairs[i] - (double)e->pairs[i - 1]);

		least = d > 0 && d < least ? d : least;
	}
	return isinf(least) ? 0 : least;
}

struct timed_sample timed_take(const struct workers *c, size_t placement)
{
	const size_t n = (size_t)c->plan->nthreads;
	struct timed_sample s = {placement, alloc_zeroed(n, sizeof(*s.threads))};

	for (size_t i = 0; i < n; i++) {
		const struct event_times *e = c->events[i];

		if (e)
			s.threads[i] = (struct timed_thread){histogram_of(&e->kept),
				histogram_of(&e->apart), pairs_of(e), e->group, e->blocks,
				e->switched, e->looked, e->interrupts, e->interrupted, step_of(e),
				(double)e->ticks, (double)e->ns};
	}
	return s;
}

void timed_free(struct timed_sample *s, int nthreads)
{
	for (int i = 0; i < nthreads; i++) {
		histogram_free(&s->threads[i].kept);
		histogram_free(&s->threads[i].apart);
		histogram_free(&s->threads[i].pairs);
	}
	free(s->threads);
	*s = (struct timed_sample){0};
}
