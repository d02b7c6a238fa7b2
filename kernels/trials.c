/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trials in turns, so that a disturbance does not meet one way only. */
#include "trials.h"

#include <time.h>

/* Of each way. The best one counts, because disturbances only make a trial longer. */
#define TRIALS 5

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double try_way(size_t way, double (*work)(void *arg, size_t way), void *arg)
{
	const double begin = now_ns(), units = work(arg, way);

	return (now_ns() - begin) / units;
}

size_t trials_quickest(size_t ways, double (*work)(void *arg, size_t way), void *arg)
{
	double best[TRIAL_WAYS];
	size_t quickest = 0;

	for (int i = 0; ways > 1 && i < TRIALS; i++)
		for (size_t k = 0; k < ways; k++) {
			const double ns = try_way(k, work, arg);

			best[k] = i == 0 || ns < best[k] ? ns : best[k];
		}
	for (size_t k = 1; k < ways; k++)
		if (best[k] < best[quickest])
			quickest = k;
	return quickest;
}
