/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors on several nodes in the model. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/model.h"

#include "equal.h"

#define NODES 4
#define READ  0
#define WRITE 1

/* A ring of four nodes: ns a unit by hops, read and write. */
static double alone[] = {10, 25, 30, 90, 150, 190};
static const struct model model = {alone, 0.8, 0.9, 0.75};
static const double latencies[NODES * NODES] = {
	90, 250, 270, 250, 250, 90, 250, 270, 270, 250, 90, 250, 250, 270, 250, 90};
static const double bandwidths[NODES * NODES] = {
	60, 12, 11, 12, 12, 60, 12, 11, 11, 12, 60, 12, 12, 11, 12, 60};
static const size_t hops[NODES * NODES] = {0, 1, 2, 1, 1, 0, 1, 2, 2, 1, 0, 1, 1, 2, 1, 0};
static const struct model_kernel kernels[] = {{1, false}, {1, true}};
static const struct model_machine ring = {NODES, 3, 2, latencies, bandwidths, hops, kernels};

static double ends[32];

static int predict(const struct model_thread *t, size_t n)
{
	return model_predict(&ring, &model, t, n, ends);
}

/* Half of its pages near, half far: the mean, and waits at both. */
static void an_interleaved_vector_costs_the_mean_of_its_nodes(void **state)
{
	static const double halves[NODES] = {0.5, 0, 0.5, 0}, quarters[NODES] = {0.25, 0.75, 0, 0},
			    near[NODES] = {1, 0, 0, 0};
	struct model_thread t[] = {
		{0, 0, READ, 0, 1000, 1, 0, halves}, {0, 0, WRITE, 1, 1000, 1, 0, near}};

	(void)state;
	assert_int_equal(predict(t, 1), 0);
	assert_true(is(ends[0], 1000 * (10 + 30) / 2.0));
	t[0].parts = quarters;
	assert_int_equal(predict(t, 1), 0);
	assert_true(is(ends[0], 1000 * (0.25 * 10 + 0.75 * 25)));
	/* parts on one node are the same as that node */
	const struct model_thread one[] = {
		{0, 0, READ, 0, 1000, 1, 0, NULL}, {0, 0, WRITE, 1, 1000, 1, 0, NULL}};

	assert_int_equal(predict(one, 2), 0);
	const double full = ends[0];

	t[0].parts = near;
	assert_int_equal(predict(t, 2), 0);
	assert_true(is(ends[0], full));
	/* who has half of its lines there waits less for the other */
	t[0].parts = halves;
	assert_int_equal(predict(t, 2), 0);
	assert_true(ends[0] > 20001 && ends[0] - 20000 < 0.6 * (full - 10000));
	/* and so does who meets another one with half of its lines there */
	t[0].parts = near;
	t[1].parts = halves;
	assert_int_equal(predict(t, 2), 0);
	assert_true(ends[0] > 10001 && ends[0] - 10000 < 0.6 * (full - 10000));
}

/* However they are spread, no memory gives more than it has. */
static void interleaved_vectors_share_bandwidths(void **state)
{
	static const double all[NODES] = {0.25, 0.25, 0.25, 0.25};
	struct model_thread t[32];
	double lines = 0;

	(void)state;
	for (size_t i = 0; i < 32; i++)
		t[i] = (struct model_thread){i % NODES, 0, READ, i, 1, 1, 0, all};
	assert_int_equal(model_steady(&ring, &model, t, 32, ends), 0);
	for (size_t i = 0; i < 32; i++)
		lines += 0.25 / ends[i];
	assert_true(lines * MODEL_LINE <= 1.01 * bandwidths[0]);
	t[1].parts = NULL;
	t[1].memory = 3;
	assert_int_equal(model_steady(&ring, &model, t, 32, ends), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "an interleaved vector costs the mean of its nodes",
			.test_func = an_interleaved_vector_costs_the_mean_of_its_nodes},
		{.name = "interleaved vectors share bandwidths",
			.test_func = interleaved_vectors_share_bandwidths},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
