/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cuts a series in two. */
#include "affinity-fleet/kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "statistics/robust.h"

/* Of many nodes of one kind the sides of the best cut are 2.6 standard deviations apart; the
 * spread of few nodes is uncertain. */
#define APART(n)  (3.6 * (1 + 12 / (double)(n)))
#define LEAST     3
#define ONE_IN    10
#define NO_SPREAD 1e-9

/* How many are below the cut; the variance between the sides is largest there. */
static size_t cut_of(const double *sorted, size_t n)
{
	double all = 0, below = 0, most = -1;
	size_t cut = 1;

	for (size_t i = 0; i < n; i++)
		all += sorted[i];
	for (size_t i = 0; i + 1 < n; i++) {
		below += sorted[i];
		const size_t count = i + 1;
		const double difference =
			(all - below) / (double)(n - count) - below / (double)count;
		const double between =
			(double)count * (double)(n - count) * difference * difference;

		if (between > most) {
			most = between;
			cut = count;
		}
	}
	return cut;
}

struct kinds kinds_of(double *values, size_t n)
{
	const size_t known = robust_sort(values, n);
	const size_t tenth = known / ONE_IN, least = tenth > LEAST ? tenth : LEAST;
	struct kinds k = {.two = false};

	if (known < KINDS_LEAST)
		return k;
	const size_t cut = cut_of(values, known);

	if (cut < least || known - cut < least) /* some slow nodes are no kind */
		return k;
	double *copy = alloc_zeroed(known, sizeof(*copy));

	memcpy(copy, values, known * sizeof(*copy));
	const double low = robust_median(copy, cut), high = robust_median(copy + cut, known - cut);

	for (size_t i = 0; i < known; i++)
		copy[i] = values[i] - (i < cut ? low : high);
	k.above = known - cut;
	k.gap = high - low;
	k.ratio = k.gap / fmax(NO_SPREAD, robust_spread(copy, known, 0));
	k.two = k.ratio > APART(known);
	free(copy);
	return k;
}
