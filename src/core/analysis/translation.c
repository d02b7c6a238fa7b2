/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of address translation out of counts. */
#include "analysis/translation.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

static double ratio(double over, double under)
{
	return under > 0 ? over / under : NAN;
}

double translation_increase(double x, double reference)
{
	return ratio(x - reference, reference);
}

double translation_numa_overhead(double interleaved, double local, double ideal)
{
	return ratio(interleaved - local, ideal);
}

double translation_residual(double coverage, double misses, double cycles_of_walk)
{
	return (1 - coverage) * misses * cycles_of_walk;
}

double translation_cap_overhead(double residual, double ideal)
{
	return ratio(residual, ideal);
}

double translation_rcm_overhead(double residual, double far_stalls, double ideal)
{
	return ratio(residual + far_stalls, ideal);
}

static int longest_first(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x < y) - (x > y);
}

double translation_coverage(const uint64_t *lengths, size_t n, size_t largest)
{
	uint64_t *sorted = alloc_zeroed(n + 1, sizeof(*sorted));
	double all = 0, covered = 0;

	for (size_t i = 0; i < n; i++)
		sorted[i] = lengths[i];
	qsort(sorted, n, sizeof(*sorted), longest_first);
	for (size_t i = 0; i < n; i++) {
		all += (double)sorted[i];
		covered += i < largest ? (double)sorted[i] : 0;
	}
	free(sorted);
	return ratio(covered, all);
}

double translation_gain(double far_part, double small_pages_increase)
{
	return far_part * small_pages_increase;
}

double translation_cost(double stalls, double cycles, double local_ratio)
{
	return ratio(stalls, cycles) - local_ratio;
}

double translation_range_gain(double hits, double far_part, double cycles_of_walk)
{
	return hits * far_part * cycles_of_walk;
}

double translation_range_cost(double far_accesses, double far_s, double local_s, double hertz)
{
	return far_accesses * (far_s - local_s) * hertz;
}
