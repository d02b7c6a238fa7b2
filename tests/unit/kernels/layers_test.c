/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layers: the same products as without, no thread begins a layer before all have ended the one
 * before, and who waited for whom is told from the times of meetings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "crew.h"
#include "inference/layers.h"

/* Thread 0 comes first, then 10 ns later thread 1, and thread 2 after 40; then all meet, and go on
 * 5 ns after the last came; in the second meeting thread 0 is the last. */
static void test_shares(void **state)
{
	uint64_t came[3][2] = {{100, 300}, {110, 250}, {140, 200}};
	uint64_t went[3][2] = {{145, 305}, {146, 320}, {145, 310}};
	struct layers_own owns[3];
	const struct layers_own *all[3];
	double values[2];

	(void)state;
	for (int i = 0; i < 3; i++) {
		owns[i] = (struct layers_own){
			.begin = 0, .noted = 2, .came = came[i], .went = went[i]};
		all[i] = &owns[i];
	}
	layers_shares(all, 3, 0, values);
	assert_float_equal(values[0], 100.0 * 40 / 305, 1e-9);
	assert_float_equal(values[1], 100.0 * 10 / 305, 1e-9);
	layers_shares(all, 3, 1, values);
	assert_float_equal(values[0], 100.0 * (30 + 50) / 320, 1e-9);
	assert_float_equal(values[1], 100.0 * (6 + 20) / 320, 1e-9);
	layers_shares(all, 3, 2, values);
	assert_float_equal(values[0], 100.0 * 100 / 310, 1e-9);
	assert_float_equal(values[1], 100.0 * (5 + 10) / 310, 1e-9);
	owns[0].noted = 0;
	layers_shares(all, 3, 0, values);
	assert_true(isnan(values[0]) && isnan(values[1]));
}

/* The times of all threads, of which those of a meeting are in order. */
static void check_order(const struct layers_own *const owns[], int n, uint64_t meetings)
{
	for (int i = 0; i < n; i++) {
		assert_int_equal(owns[i]->noted, meetings);
		for (uint64_t k = 0; k < meetings; k++)
			for (int j = 0; j < n; j++)
				assert_true(owns[i]->went[k] >= owns[j]->came[k]);
	}
}

/* What a thread of a kernel that only meets does. */
static struct layers_own owns[CREW_MOST];

static uint64_t do_rows(const struct worker *w, uint64_t rows)
{
	(void)w;
	return rows;
}

struct meeting_team {
	struct layers_args args;
	struct vector vectors[CREW_MOST];
	struct worker workers[CREW_MOST];
};

static void *run_layers(void *arg)
{
	struct worker *w = arg;

	assert_int_equal(layers_run(w, 3, 10, do_rows), 30);
	assert_int_equal(layers_run(w, 3, 10, do_rows), 30);
	return NULL;
}

static void test_meetings(void **state)
{
	(void)state;
	for (int by = BY_CENTRAL; by <= BY_PTHREAD; by++)
		for (int n = 1; n <= CREW_MOST && by != BY_OPENMP; n++) {
			struct meeting_team t = {.args = {.layers = 7, .by = by}};
			const struct layers_own *all[CREW_MOST];
			pthread_t threads[CREW_MOST];

			for (int i = 0; i < n; i++) {
				t.vectors[i] = (struct vector){
					.users = 1, .sharers = 1, .team = n, .member = i};
				t.workers[i] = (struct worker){.id = i,
					.workers = n,
					.vectors = &t.vectors[i],
					.nvectors = 1,
					.args = &t.args,
					.own = &owns[i]};
				owns[i] = (struct layers_own){0};
				all[i] = &owns[i];
			}
			assert_null(layers_share(&t.workers[0]));
			for (int i = 0; i < n; i++) {
				t.workers[i].shared = t.workers[0].shared;
				assert_null(layers_setup(&t.workers[i]));
			}
			for (int i = 0; i < n; i++)
				assert_int_equal(pthread_create(&threads[i], NULL, run_layers,
							 &t.workers[i]),
					0);
			for (int i = 0; i < n; i++)
				pthread_join(threads[i], NULL);
			check_order(all, n, 21);
			for (int i = 0; i < n; i++) {
				double values[2];

				layers_tell(&t.workers[i], values);
				assert_true(values[0] >= 0 && values[1] >= 0);
				assert_true(values[0] + values[1] <= 100.001);
			}
			for (int i = 0; i < n; i++)
				layers_teardown(&owns[i]);
			layers_unshare(&t.workers[0]);
		}
}

/* Rows of all layers are those of a round, in kernels with layers of unlike length too. */
static void test_products(void **state)
{
	static const struct {
		const char *kernel, *settings;
		uint64_t units;
		double tokens;
	} kernels[] = {
		{"gemv", "weights=int8 columns=128 layers=5", 2 * 64 * 128, 2},
		{"moe", "weights=int8 columns=128 experts=8 top=3 layers=5", 2 * 3 * 3 * 8 * 128,
			2 * 3},
		{"kvread", "weights=int8 columns=128 block=2 context=4 spread=0 layers=5",
			2 * 64 * 128, 0},
	};
	const size_t bytes[] = {64 * 128, 0};

	(void)state;
	for (size_t i = 0; i < LENGTH(kernels); i++)
		for (int n = 1; n <= 3; n++) {
			struct crew c;

			crew_begin(
				&c, n, kernels[i].kernel, kernels[i].settings, TYPE_CHAR, 1, bytes);
			uint64_t units = crew_run(&c, 2);

			/* kvread has whole sequences in a thread's blocks only */
			if (n == 1 || strcmp(kernels[i].kernel, "kvread"))
				assert_int_equal(units, kernels[i].units);
			const char *wrong = crew_verify(&c);

			if (wrong)
				fail_msg("%s, %d threads: %s", kernels[i].kernel, n, wrong);
			for (int k = 0; k < n; k++) {
				double values[3] = {NAN, NAN, NAN};

				c.of[k].kernel->tell(&c.of[k].worker, values);
				assert_true(values[0] >= 0 && values[1] > 0);
				assert_true(values[0] + values[1] <= 100.001);
				/* two tokens; of moe, as many as choose each expert once */
				if (kernels[i].tokens)
					assert_float_equal(values[2], kernels[i].tokens, 1e-9);
				c.of[k].kernel->tell(&c.of[k].worker, values);
				if (kernels[i].tokens)
					assert_float_equal(values[2], 0, 0);
			}
			crew_end(&c);
		}
}

static void refuse(const char *settings, int team, int workers, const char *says)
{
	struct stage s;

	stage_kernel(&s, "gemv", settings);
	stage_vector(&s, TYPE_CHAR, 1, 16 * 128);
	s.vectors[0].users = s.vectors[0].sharers = 1;
	s.vectors[0].team = team;
	s.worker.workers = workers;
	const char *why = stage_check(&s);

	assert_non_null(why);
	if (!strstr(why, says))
		fail_msg("%s: %s", settings, why);
	stage_end(&s);
}

static void test_refused(void **state)
{
	(void)state;
	refuse("weights=int8 columns=128 layers=2", 1, 2, "thread 0 has that for itself");
	refuse("weights=int8 columns=128 layers=17", 2, 2,
		"16 rows for thread 0, fewer than layers = 17");
	refuse("weights=int8 columns=128 layers=2 by=pthread wait=sleep", 2, 2,
		"wait = sleep is not for by = pthread");
	refuse("weights=int8 columns=128 layers=2 by=openmp", 2, 3, "one of all 3 threads");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares),
		cmocka_unit_test(test_meetings),
		cmocka_unit_test(test_products),
		cmocka_unit_test(test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
