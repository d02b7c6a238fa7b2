/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run with known samples, for the tests of the figures that are derived from it. */
#ifndef DERIVE_STAGE_H
#define DERIVE_STAGE_H

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "analysis/derive.h"

/* Two operations, two threads; costs in milliseconds by operation, thread and sample, the first of
 * them warm-up. Thread 1 sleeps 1 ms in each. */
static const unsigned cost_ms[2][2][4] = {
	{{99, 1, 2, 3}, {99, 4, 6, 8}}, {{99, 10, 10, 10}, {99, 3, 9, 6}}};

static const struct kernel kernel = {.unit = "access", .per_unit = {.loads = 1, .bytes = 8}};
static struct request request = {.confidence = 0.95, .warmup = 1};
static struct plan_job jobs[2] = {{.kernel = &kernel}, {.kernel = &kernel}};
static struct plan_op ops[2] = {{"a", jobs}, {"b", jobs}};
static struct plan_speedup speedup = {"b/a", 1, 0};
static struct plan_thread places[2]; /* on cores of the same kind */
static struct plan plan = {.request = &request,
	.threads = places,
	.nthreads = 2,
	.ops = ops,
	.nops = 2,
	.speedups = &speedup,
	.nspeedups = 1};
static struct thread_sample threads[2][4][2];
static struct sample samples[2][4];
static struct op_result results[2];
static struct samples all = {.plan = &plan, .ops = results};

static int fill(void **state)
{
	(void)state;
	for (int op = 0; op < 2; op++) {
		for (int i = 0; i < 4; i++) {
			samples[op][i] = (struct sample){.start_ns = 1000,
				.skew_ns = (uint64_t)i,
				.warmup = i == 0,
				.threads = threads[op][i]};
			for (int t = 0; t < 2; t++)
				threads[op][i][t] = (struct thread_sample){.left_ns = 1000,
					.begin_ns = 1000 + (t ? 1000000 : 0),
					.end_ns = 1000 + cost_ms[op][t][i] * 1000000ull,
					.units = 1000};
		}
		results[op] = (struct op_result){.samples = samples[op], .count = 4};
	}
	request.summary = SUMMARY_MAX;
	request.statistic = STATISTIC_MEAN;
	request.window_ns = 0;
	jobs[1].kernel = &kernel;
	return 0;
}

/* The same costs, in milliseconds, become what 1000 units took of a window of 20 ms: thread 1 did
 * so many more. */
static inline void fill_window(void)
{
	request.window_ns = 20000000;
	for (int op = 0; op < 2; op++)
		for (int i = 0; i < 4; i++) {
			samples[op][i].window_ns = request.window_ns;
			for (int t = 0; t < 2; t++) {
				threads[op][i][t].begin_ns = 1000;
				threads[op][i][t].end_ns = 1000 + 18000000;
				threads[op][i][t].units = 18000 / cost_ms[op][t][i] * 2;
			}
		}
}

#define TEST(name, function)                     \
	{                                        \
		name, function, fill, NULL, NULL \
	}

#endif
