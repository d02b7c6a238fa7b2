/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle leaves its hardware thread to nobody: the thread is bound there and sleeps, so that the
 * operating system halts the hardware thread and a sibling has the whole core, as if alone. A loop,
 * even of pauses, would take a part of it. A unit is a millisecond, a round one of them; all rounds
 * are one sleep, up to a fixed moment, so that rounds add no delay.
 *
 * This is the one kernel whose run() makes a system call: its samples are flagged as blocked.
 */
#include <errno.h>
#include <time.h>

#include "kernel.h"

#define MS 1000000 /* ns */

static uint64_t idle_run(struct worker *w, uint64_t passes)
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
	.summary = "sleeps: leaves the core to its other hardware thread",
	.unit = "millisecond",
	.run = idle_run,
};
