/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the cost of reading the clock, and waits until a given time. */
#include "base/clock.h"

#include <stdlib.h>

#include "contract/wait.h"

#define SECOND_NS 1000000000u

/* Odd, so that the median is one of them; enough that a few interrupted batches do not change it.
 */
#define BATCHES 101
/* Long compared with a reading, short compared with a timer tick. A clock that is read by a system
 * call has a few readings in it. */
#define BATCH_NS 20000u
/* Enough time for thousands of readings of a fine clock. With a coarse clock (jiffies) the search
 * ends after one step. */
#define STEP_SEARCH_NS 2000000u
/* A sleep ends up to 50 us late, the default timer slack of Linux (prctl(2), PR_SET_TIMERSLACK). */
#define SPIN_NS 60000u

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double batch_ns(void)
{
	uint64_t start = clock_ns(), now;
	unsigned reads = 0;

	do {
		now = clock_ns();
		reads++;
	} while (now - start < BATCH_NS);
	return (double)(now - start) / reads;
}

static double smallest_step_ns(void)
{
	uint64_t start = clock_ns(), last = start, now, smallest = UINT64_MAX;

	while (smallest == UINT64_MAX || last - start < STEP_SEARCH_NS) {
		now = clock_ns();
		if (now > last && now - last < smallest)
			smallest = now - last;
		last = now;
	}
	return (double)smallest;
}

struct clock_cost clock_measure(void)
{
	double batches[BATCHES];

	for (int i = 0; i < BATCHES; i++)
		batches[i] = batch_ns();
	qsort(batches, BATCHES, sizeof(*batches), compare_times);
	return (struct clock_cost){batches[BATCHES / 2], smallest_step_ns()};
}

/* A thread cannot sleep on RAW, and RAW has no fixed distance to MONOTONIC, so each call computes a
 * new deadline from the remaining time. The deadline is absolute, so that a preemption before the
 * sleep does not lengthen it. */
static void sleep_for(uint64_t ns)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ns += (uint64_t)t.tv_nsec;
	t.tv_sec += (time_t)(ns / SECOND_NS);
	t.tv_nsec = (long)(ns % SECOND_NS);
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

void clock_sleep_until(uint64_t until_ns)
{
	uint64_t now;

	/* Sleeps more than once after a signal, or when NTP slews MONOTONIC ahead of RAW. */
	while ((now = clock_ns()) < until_ns) {
		if (until_ns - now > SPIN_NS)
			sleep_for(until_ns - now - SPIN_NS);
		else
			wait_relax();
	}
}
