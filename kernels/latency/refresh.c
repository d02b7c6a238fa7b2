/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * refresh: flushes a line of its vector from all caches, loads it again, and times the load. While
 * memory is refreshed it answers nobody, so loads that fall into a refresh take longer, and they
 * come at its period: every 7.8 or 3.9 us, or at a part of that where a refresh is divided. A unit
 * is one such load; a round has 1000.
 *
 * Slow loads are those above the 90th percentile, and below six medians: beyond are interrupts.
 * tell() looks for a period in their instants from 1.5 to 16 us, and gives the power of the
 * strongest one. Its period is a figure only where instants without one hardly reach that power.
 */
#include <math.h>
#include <stdlib.h>

#include "event_times.h"
#include "flush.h"
#include "kernel.h"
#include "now.h"
#include "own.h"
#include "periodogram.h"

#define ROUND    1000u
#define SHORTEST 1500.0 /* ns */
#define LONGEST  16000.0
/* Of averages of four windows and more, the largest of some thousand without a period hardly
 * exceeds 5. */
#define SEEN 10.0
/* A tenth of them makes all windows of the periodogram. */
#define MOST 220000u

struct refresh {
	size_t count;             /* loads of this sample that are kept: the first ones */
	uint64_t ticks[2], ns[2]; /* at the begin and the end of these */
	uint64_t at[MOST];
	uint32_t took[MOST];
};

static const char *refresh_lacks(void)
{
	return EVENTS_STAMPS ? NULL : "how to flush a line and to read the clock of this processor";
}

static const char *refresh_setup(struct worker *w)
{
	struct refresh *r = malloc(sizeof(*r));

	if (!r)
		return "no memory left for the times of its loads";
	r->count = 0;
	for (size_t i = 0; i < MOST; i++) /* touched before it is measured */
		r->took[i] = (uint32_t)(r->at[i] = 1);
	w->own = r;
	return NULL;
}

static uint64_t refresh_run(struct worker *w, uint64_t passes)
{
	char *line = w->vectors[0].base;
	struct refresh *r = w->own;

	if (!r->count) {
		r->ns[0] = now_ns();
		r->ticks[0] = events_stamp();
	}
	for (uint64_t left = passes * ROUND; left; left--) {
		flush_line(line, false);
		flush_fence();
		const uint64_t begin = events_stamp();

		(void)*(volatile char *)line;
		const uint64_t took = events_after() - begin;

		if (r->count == MOST)
			continue;
		r->at[r->count] = begin;
		r->took[r->count++] = took < UINT32_MAX ? (uint32_t)took : UINT32_MAX;
	}
	r->ns[1] = now_ns();
	r->ticks[1] = events_stamp();
	return passes * ROUND;
}

static int by_value(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* The instants of slow loads, in ns, to times[count]. Returns how many, or 0: memory is short. */
static size_t find_slow(const struct refresh *r, double *times)
{
	const double tick = (double)(r->ns[1] - r->ns[0]) / (double)(r->ticks[1] - r->ticks[0]);
	uint32_t *sorted = malloc(r->count * sizeof(*sorted));
	size_t n = 0;

	if (!sorted)
		return 0;
	for (size_t i = 0; i < r->count; i++)
		sorted[i] = r->took[i];
	qsort(sorted, r->count, sizeof(*sorted), by_value);
	const uint32_t above = sorted[r->count * 9 / 10];
	const double below = 6.0 * sorted[r->count / 2];

	free(sorted);
	for (size_t i = 0; i < r->count; i++)
		if (r->took[i] > above && r->took[i] < below)
			times[n++] = (double)(r->at[i] - r->at[0]) * tick;
	return n;
}

enum { PERIOD, POWER };

static const struct kernel_figure refresh_figures[] = {
	[PERIOD] = {.name = "refresh_period",
		.unit = "ns",
		.help = "at which loads from memory take long; none: not seen",
		.join = FIGURE_MEAN},
	[POWER] = {.name = "refresh_power",
		.unit = "",
		.help = "Rayleigh's power of the strongest period; without one about 1, seen: 10",
		.join = FIGURE_MEAN},
	{0},
};

static void refresh_tell(const struct worker *w, double *figures)
{
	struct refresh *r = w->own;
	double *times = calloc(r->count + 1, sizeof(*times));

	if (r->count && times) {
		const size_t n = find_slow(r, times);
		const struct spectral_line line = periodogram(times, n, SHORTEST, LONGEST);

		figures[POWER] = line.power;
		figures[PERIOD] = line.power >= SEEN ? line.period : NAN;
	}
	free(times);
	r->count = 0; /* of the sample */
}

const struct kernel refresh_kernel = {
	.summary = "flushes a line and loads it again: the period at which memory is refreshed",
	.unit = "load",
	.min_vectors = 1,
	.per_unit = {.loads = 1},
	.types = TYPES_WORDS,
	.accesses = {.flushes = true},
	.lacks = refresh_lacks,
	.setup = refresh_setup,
	.run = refresh_run,
	.figures = refresh_figures,
	.tell = refresh_tell,
	.teardown = free_own,
};
