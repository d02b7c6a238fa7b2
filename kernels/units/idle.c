/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ways to idle beside another thread.
 *
 *   idle         executes one `pause` after another, as SMT-Bench's idle: its hardware thread stays
 *                busy, and takes a small part of the core from a sibling. A unit is a pause.
 *   idle_sleep   sleeps, so that the operating system halts its hardware thread and a sibling has
 *                the whole core, as if alone. A unit is a millisecond, a round is one unit. All
 *                rounds are one sleep until a fixed time, so that rounds add no delay.
 *
 * idle_sleep's run() makes a system call: its samples are flagged as blocked.
 */
#include <errno.h>
#include <time.h>

#include "kernel.h"
#include "wait.h"

#define MS     1000000 /* ns */
#define PAUSES 256     /* a round: at most 140 cycles each on today's cores, about 10 us in all */

static __attribute__((noinline, aligned(64))) void loop_idle(uint64_t turns)
{
	do
		wait_relax();
	while (--turns);
}

static uint64_t idle_run(struct worker *w, uint64_t passes)
{
	(void)w;
	loop_idle(passes * PAUSES);
	return passes * PAUSES;
}

static uint64_t idle_sleep_run(struct worker *w, uint64_t passes)
{
	struct timespec until;

	(void)w;
	clock_gettime(CLOCK_MONOTONIC, &until);
	uint64_t ns = (uint64_t)until.tv_nsec + passes % 1000 * MS;
	until.tv_sec += (time_t)(passes / 1000 + ns / (1000 * MS));
	until.tv_nsec = (long)(ns % (1000 * MS));
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
	return passes;
}

const struct kernel idle_kernel = {
	.summary = "spins on pause: occupies its hardware thread, asks little of the core",
	.unit = "pause",
	.run = idle_run,
};

const struct kernel idle_sleep_kernel = {
	.summary = "sleeps: leaves the core to its other hardware thread",
	.unit = "millisecond",
	.run = idle_sleep_run,
};
