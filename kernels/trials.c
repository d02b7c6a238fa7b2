/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trials in turns, so that a disturbance does not meet one way only. */
#include "trials.h"

#include "now.h"

/* Of each way. The best one counts, because disturbances only make a trial longer. */
#define TRIALS 5

static double try_way(size_t way, double (*work)(void *arg, size_t way), void *arg)
{
	const uint64_t begin = now_ns();
	const double units = work(arg, way);

	return (double)(now_ns() - begin) / units;
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
