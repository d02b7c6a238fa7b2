/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks after each sample whether the costs have settled, and lets those count that show it. */
#include "measure/warm_up.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "statistics/settled.h"
#include "measure/workers.h"

static struct op_result *result_of(const struct series *b)
{
	return &b->samples->ops[b->op];
}

void warm_up_keep(struct series *b, struct sample first)
{
	struct op_result *result = result_of(b);

	if (!first.threads || !b->warming) {
		sample_free(&first);
		return;
	}
	first.warmup = true;
	first.placement = b->placement;
	result->samples = alloc_grow(result->samples, result->count, sizeof(*result->samples));
	result->samples[result->count++] = first;
}

/* The longest that a warm-up may take in a placement: the slowest that was seen, 30 rounds of 64
 * MiB, took 0.3 s. */
#define WARM_UP_NS UINT64_C(2000000000)

/* The fewest rounds of a thread in a sample. */
static double fewest_rounds(const struct series *b, const struct sample *s)
{
	double fewest = INFINITY;

	for (int i = 0; i < b->samples->plan->nthreads; i++)
		fewest = fmin(fewest, s->window_ns ? sample_calls(s, i)
						   : (double)plan_rounds(&b->workers->op->jobs[i]));
	return fewest;
}

static struct settling settling_of(const struct series *b, size_t wanted)
{
	const struct op_result *result = result_of(b);
	const struct sample *last = &result->samples[result->count - 1];
	double each_s = (double)b->sampled_ns * 1e-9 / (double)(result->count - b->first);

	return (struct settling){.threads = (size_t)b->samples->plan->nthreads,
		.warm = result->warm,
		.wanted = wanted,
		.window = settled_window(fewest_rounds(b, last), each_s),
		.late = b->sampled_ns >= WARM_UP_NS};
}

/* What was taken last counts from here on. */
static void end_warm_up(struct series *b, size_t warm)
{
	struct op_result *result = result_of(b);

	b->warming = false;
	b->warm = warm;
	for (size_t i = b->first + warm; i < result->count; i++)
		result->samples[i].warmup = false;
}

void warm_up_ask(struct series *b, size_t wanted)
{
	struct op_result *result = result_of(b);
	const size_t n = result->count - b->first;
	const struct settling s = settling_of(b, wanted);
	double *costs = alloc_zeroed(s.threads * n, sizeof(*costs));

	for (size_t t = 0; t < s.threads; t++)
		for (size_t i = 0; i < n; i++)
			costs[t * n + i] =
				sample_round_cost(&result->samples[b->first + i], (int)t);
	enum settled now = settled_ask(&s, costs, n);
	free(costs);
	if (now == SETTLED_NOT)
		return;
	result->restless += now == SETTLED_NEVER;
	result->warm = settled_next(&s, n);
	end_warm_up(b, settled_warm_up(&s, n));
}

void warm_up_cut(struct series *b)
{
	if (b->warming && result_of(b)->count > b->first + 1)
		end_warm_up(b, 1);
}
