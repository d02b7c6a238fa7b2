/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The best share of two memories has the shares in its interval that are as good; the advice is the
 * ratio of the bandwidths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/interleave.h"

/* cmocka's assert_float_equal() takes NAN for equal to all. */
static void near(double found, double expected)
{
	assert_true(fabs(found - expected) <= 1e-9);
}

static void expect(struct amount a, double value, double low, double high)
{
	near(a.value, value);
	near(a.low, low);
	near(a.high, high);
}

static void test_best(void **state)
{
	/* in no order, and one that was not measured; 80 % reaches the best from below, 20 % not */
	struct interleave_point points[] = {{100, {20, 19, 21}}, {0, {10, 9, 11}},
		{80, {28, 27, 29.5}}, {67, {30, 29, 31}}, {50, AMOUNT_NONE}, {40, {29, 28, 30}},
		{20, {15, 14, 16}}};
	const size_t n = sizeof(points) / sizeof(*points);

	(void)state;
	expect(interleave_best(points, n), 67, 40, 80);
	points[3].share = NAN; /* lies otherwise */
	expect(interleave_best(points, n), 40, 40, 80);
	assert_true(isnan(interleave_best(points, 0).value));
}

static void test_no_interval(void **state)
{
	const struct interleave_point points[] = {{100, {20, NAN, NAN}}, {0, {30, NAN, NAN}}};
	struct amount best = interleave_best(points, 2);

	(void)state;
	near(best.value, 0);
	assert_true(isnan(best.low) && isnan(best.high));
}

static void test_advice(void **state)
{
	const struct amount near = {30, 30, 30}, far = {10, 10, 10};
	struct amount wide;

	(void)state;
	expect(interleave_advised(near, far), 75, 75, 75);
	/* a tenth more or less of the far bandwidth, on a logarithmic scale */
	wide = interleave_advised(near, (struct amount){10, 9, 11});
	expect(wide, 75, 100 / (1 + exp(0.1) / 3), 100 / (1 + exp(-0.1) / 3));
	assert_true(isnan(interleave_advised(near, AMOUNT_NONE).value));
}

/* ---- runs along a variable: a thread of node 1, and vectors that lie otherwise in each */

enum { NEAR, FAR, BOTH, WEIGHTED, UNEQUAL, THIRD, NOT_PLACED, RUNS };
enum { MB = 1000000 };

static const struct kernel kernel = {.unit = "access", .per_unit = {.loads = 1, .bytes = 8}};
static struct plan_job job = {.kernel = &kernel};
static struct plan_thread place = {.node = 1};
static struct plan_op op = {.label = (char *)"load", .jobs = &job};
static bool near_only[MEM_MAX_NODES] = {[1] = true}, far_only[MEM_MAX_NODES] = {[3] = true},
	    both[MEM_MAX_NODES] = {[1] = true, [3] = true}, third[MEM_MAX_NODES] = {[2] = true},
	    none[MEM_MAX_NODES];
static unsigned weights[MEM_MAX_NODES] = {[1] = 4, [3] = 1};
static struct plan_vector vectors[RUNS][2] = {
	[NEAR] = {{.nodes = near_only, .bytes = MB}, {.nodes = near_only, .bytes = MB}},
	[FAR] = {{.nodes = far_only, .bytes = MB}, {.nodes = far_only, .bytes = MB}},
	[BOTH] = {{.nodes = both, .bytes = MB}, {.nodes = both, .bytes = MB}},
	[WEIGHTED] = {{.nodes = both, .weights = weights, .bytes = MB},
		{.nodes = both, .weights = weights, .bytes = MB}},
	[UNEQUAL] = {{.nodes = near_only, .bytes = 9 * MB}, {.nodes = far_only, .bytes = MB}},
	[THIRD] = {{.nodes = near_only, .bytes = MB}, {.nodes = third, .bytes = MB}},
	[NOT_PLACED] = {{.nodes = near_only, .bytes = MB}, {.nodes = none, .bytes = MB}},
};
static struct topo_node nodes[] = {
	{.node = 1, .kernel_weight = 3}, {.node = 2, .kernel_weight = 9}, {.node = 3}};
static struct topo topo = {.nodes = nodes, .nnodes = 3};
static struct variable variable = {.name = (char *)"p", .values.count = RUNS};
static struct thread_sample threads[RUNS];
static struct sample samples[RUNS];
static struct op_result results[RUNS];
static struct run runs[RUNS];
static struct crossings_run along[RUNS];
static struct experiment x = {
	.runs = runs, .nruns = RUNS, .topo = &topo, .sweep = {&variable, .nvariables = 1}};

/* One sample of 1 ms of so many accesses: 8 GB/s for 1000000. */
static void measured(int run, uint64_t units)
{
	threads[run] = (struct thread_sample){.end_ns = 1000000, .units = units};
	samples[run].threads = &threads[run];
	results[run] = (struct op_result){.samples = &samples[run], .count = 1};
	runs[run].request.confidence = 0.95;
	runs[run].plan = (struct plan){.request = &runs[run].request,
		.vectors = vectors[run],
		.nvectors = 2,
		.threads = &place,
		.nthreads = 1,
		.ops = &op,
		.nops = 1};
	runs[run].samples = (struct samples){.plan = &runs[run].plan, .ops = &results[run]};
	along[run] = (struct crossings_run){run, 0};
}

static int build(void **state)
{
	(void)state;
	place.node = 1;
	for (int run = 0; run < RUNS; run++)
		measured(run, 1000);
	measured(NEAR, 3000);
	return 0;
}

static double found(enum quantity q)
{
	const struct view v = {.key = "table", .quantity = q, .along = 0};

	return interleave_along(&x, &v, along, 0).value;
}

/* The share of a run, as the best of all. */
static double share_of(int run)
{
	build(NULL);
	measured(run, 4000);
	return found(QUANTITY_BEST_SHARE);
}

static void test_shares(void **state)
{
	(void)state;
	near(share_of(NEAR), 100);
	near(share_of(FAR), 0);
	near(share_of(BOTH), 50);
	near(share_of(WEIGHTED), 80);
	near(share_of(UNEQUAL), 90);
}

static void test_no_share(void **state)
{
	(void)state;
	/* all near is the best of the others */
	near(share_of(THIRD), 100);
	near(share_of(NOT_PLACED), 100);
	share_of(BOTH);
	along[BOTH].op = -1;
	near(found(QUANTITY_BEST_SHARE), 100);
	place.node = -1;
	assert_true(isnan(found(QUANTITY_BEST_SHARE)));
}

static void test_one_memory(void **state)
{
	(void)state;
	for (int run = FAR; run < RUNS; run++)
		along[run].op = -1;
	assert_true(isnan(found(QUANTITY_BEST_SHARE)));
}

static void test_advices_of_runs(void **state)
{
	(void)state;
	near(found(QUANTITY_ADVISED_SHARE), 75);
	assert_true(isnan(found(QUANTITY_KERNEL_SHARE)));
	nodes[2].kernel_weight = 1;
	near(found(QUANTITY_KERNEL_SHARE), 75);
	nodes[2].kernel_weight = 0;
	along[FAR].op = -1;
	assert_true(isnan(found(QUANTITY_ADVISED_SHARE)));
}

#define RUN(title, function)                       \
	{                                          \
		title, function, build, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the best share is that of the highest bandwidth, with those as good",
			.test_func = test_best},
		{.name = "figures without intervals give a share without one",
			.test_func = test_no_interval},
		{.name = "the advice is the ratio of the bandwidths", .test_func = test_advice},
		RUN("the share is that of the bytes of all vectors", test_shares),
		RUN("what lies on a third node, or nowhere, has no share", test_no_share),
		RUN("one memory has nothing to share with", test_one_memory),
		RUN("the advices are of the runs on one memory, and of the kernel's weights",
			test_advices_of_runs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
