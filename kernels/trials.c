/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trials in turns, so that a disturbance does not meet one way only. */
#include "trials.h"

#include <math.h>
#include <stdbool.h>

#include "now.h"

/* Of each way, unless it is left out. The median counts: a way may be quick in some trials and slow
 * in most, as where another hardware thread of the core leaves it a part of the caches only. */
#define TRIALS 15

/* From then on, ways are left out whose best trial took longer than the longest one of another. */
#define FEW 3

struct way {
	double ns[TRIALS]; /* for a unit, the shortest first */
	bool out;
};

static double try_way(size_t way, double (*work)(void *arg, size_t way), void *arg)
{
	const uint64_t begin = now_ns();
	const double units = work(arg, way);

	return (double)(now_ns() - begin) / units;
}

static void add(struct way *w, int tried, double ns)
{
	int i = tried;

	for (; i > 0 && w->ns[i - 1] > ns; i--)
		w->ns[i] = w->ns[i - 1];
	w->ns[i] = ns;
}

/* After so many trials. Returns how many ways are left. */
static size_t leave_out(struct way *ways, size_t n, int tried)
{
	double longest = INFINITY;
	size_t left = 0;

	for (size_t k = 0; k < n; k++)
		if (!ways[k].out && ways[k].ns[tried - 1] < longest)
			longest = ways[k].ns[tried - 1];
	for (size_t k = 0; k < n; k++) {
		ways[k].out = ways[k].out || ways[k].ns[0] > longest;
		left += !ways[k].out;
	}
	return left;
}

static size_t quickest(const struct way *ways, size_t n, int tried)
{
	size_t best = 0;

	for (size_t k = 0; k < n; k++)
		if (!ways[k].out &&
			(ways[best].out || ways[k].ns[tried / 2] < ways[best].ns[tried / 2]))
			best = k;
	return best;
}

size_t trials_quickest(size_t n, double (*work)(void *arg, size_t way), void *arg)
{
	struct way ways[TRIAL_WAYS] = {0};
	size_t left = n;
	int tried = 0;

	while (left > 1 && tried < TRIALS) {
		for (size_t k = 0; k < n; k++)
			if (!ways[k].out)
				add(&ways[k], tried, try_way(k, work, arg));
		if (++tried >= FEW)
			left = leave_out(ways, n, tried);
	}
	return quickest(ways, n, tried);
}
