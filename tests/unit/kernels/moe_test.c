/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moe: each token is multiplied with the experts that it chose, hot ones as often as asked, against
 * double precision; threads share the rows of every expert; what cannot work is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../../kernels/inference/moe_draw.h"
#include "kernel_stage.h"

#define ROWS   5 /* of an expert */
#define DRAWS  20000
#define EXPERT (ROWS * 128 * sizeof(float))

/* A vector of eight experts of f32 with 128 columns, and some bytes behind them. */
static void stage_moe(struct stage *s, const char *rest)
{
	char settings[128];

	snprintf(settings, sizeof(settings), "weights=f32 columns=128 experts=8 %s", rest);
	stage_kernel(s, "moe", settings);
	stage_vector(s, TYPE_CHAR, 1, 8 * EXPERT + 900);
}

static void test_choices(void **state)
{
	static const struct moe_draw draws[] = {{64, 8, 0, 0}, {8, 8, 0, 0}, {1, 1, 0, 0},
		{64, 8, 4, 0.3}, {16, 2, 1, 0.5}, {9, 6, 3, 0.5}, {8, 3, 8, 1}};

	(void)state;
	for (size_t i = 0; i < LENGTH(draws); i++) {
		const struct moe_draw *d = &draws[i];
		uint64_t times[64] = {0}, hot = 0;

		for (uint64_t token = 0; token < DRAWS; token++) {
			uint32_t chosen[8];

			moe_choose(d, token, chosen);
			for (size_t k = 0; k < d->top; k++) {
				assert_true(chosen[k] < d->experts);
				assert_true(!k || chosen[k] > chosen[k - 1]);
				times[chosen[k]]++;
				hot += chosen[k] < d->hot;
			}
		}
		const double all = DRAWS * (double)d->top;

		/* four standard deviations and more of so many draws */
		assert_true(fabs((double)hot / all - d->hot_share) < 0.01);
		for (size_t e = 0; e < d->experts; e++) {
			const double share = e < d->hot
						     ? d->hot_share / d->hot
						     : (1 - d->hot_share) / (d->experts - d->hot);

			assert_true(fabs((double)times[e] / all - share) < 0.1 * share);
		}
	}
}

static void test_products(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(model_isas); i++)
		for (int top = 1; top <= 8; top++) {
			char rest[64];
			struct stage s;

			snprintf(rest, sizeof(rest), "isa=%s top=%d", model_isas[i], top);
			stage_moe(&s, rest);
			stage_vector(&s, TYPE_CHAR, 1, 8 * EXPERT);
			if (stage_is_here(&s)) {
				stage_setup(&s);
				/* two vectors, as many tokens as choose eight experts at least */
				assert_int_equal(s.kernel->run(&s.worker, 3),
					3 * ((8 + top - 1) / top) * top * 2 * ROWS * 128);
				assert_null(stage_verify(&s));
			}
			stage_end(&s);
		}
}

/* Changes a weight of an expert, and says whether a pass of tokens with these settings finds it. */
static bool matters(const char *rest, size_t expert, uint64_t passes)
{
	struct stage s;
	bool found;

	stage_moe(&s, rest);
	stage_setup(&s);
	((float *)s.vectors[0].base)[expert * EXPERT / sizeof(float) + 3 * 128 + 7] += 1;
	s.kernel->run(&s.worker, passes);
	found = stage_verify(&s) != NULL;
	stage_end(&s);
	return found;
}

static void test_only_chosen_experts_are_read(void **state)
{
	(void)state;
	for (size_t expert = 0; expert < 8; expert++) {
		assert_true(matters("top=8", expert, 1));
		assert_true(matters("top=2", expert, 40));
		/* all choices go to the first three */
		assert_int_equal(matters("top=2 hot=3 hot_share=100%", expert, 40), expert < 3);
	}
}

/* What caches would have to hold. */
static void test_reach(void **state)
{
	struct stage s;

	(void)state;
	stage_moe(&s, "top=2 hot=2 hot_share=90%");
	assert_true(s.kernel->accesses.reach(&s.worker) == 1);
	stage_end(&s);
	stage_moe(&s, "top=2 hot=2 hot_share=100%");
	assert_true(s.kernel->accesses.reach(&s.worker) == 0.25);
	s.vectors[0].users = 4; /* with a copy each */
	assert_true(s.kernel->accesses.reach(&s.worker) == 0.25 / 4);
	stage_end(&s);
}

static void test_shares(void **state)
{
	(void)state;
	for (int users = 1; users <= ROWS; users++) {
		uint64_t weights = 0;
		struct stage s;

		stage_moe(&s, "top=3");
		s.vectors[0].users = users;
		for (int rank = 0; rank < users; rank++) {
			s.vectors[0].rank = rank;
			stage_setup(&s);
			weights += s.kernel->run(&s.worker, 2);
			assert_null(stage_verify(&s));
			s.kernel->teardown(&s.worker);
		}
		assert_int_equal(weights, 2 * 3 * 3 * ROWS * 128);
		stage_end(&s);
	}
}

/* A step ends within an expert; verify() finishes that one. */
static void test_steps(void **state)
{
	struct stage s;

	(void)state;
	stage_kernel(
		&s, "moe", "weights=f32 columns=4096 rows=1 experts=2 top=1"); /* rows of 16 KiB */
	stage_vector(&s, TYPE_CHAR, 1, 2 * 6 * 16384);
	stage_step_rows(&s);
	assert_int_equal(s.kernel->step(&s.worker, 5), 20 * 4096);
	assert_null(stage_verify(&s));
	stage_end(&s);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *rest, *why;
	} cases[] = {
		{"top=8", NULL},
		{"top=9", "top = 9 is more than experts = 8"},
		{"top=2 hot=9 hot_share=10%", "hot = 9 is more than experts = 8"},
		{"top=2 hot=1",
			"hot = 1 experts get hot_share = 0 of the choices; give both, or neither"},
		{"top=2 hot_share=10%", "hot = 0 experts get hot_share = 0.1 of the choices; give "
					"both, or neither"},
		{"top=4 hot=1 hot_share=50%",
			"hot = 1 experts cannot be 2 of the 4 that a token chooses; a smaller "
			"hot_share, or more of them"},
		{"top=4 hot=5 hot_share=10%",
			"3 experts that are not hot cannot be 3.6 of the 4 that a token chooses; a "
			"larger hot_share, or more experts"},
		{"top=4 hot=2 hot_share=50%", NULL},
		{"columns=200 top=1", "columns = 200 is no multiple of 128"},
		{"columns=1024 top=1",
			"an expert of a vector has 0 rows of 4096 bytes for 1 thread; a larger "
			"sizePerVector, fewer experts, or fewer columns"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_moe(&s, cases[i].rest);
		stage_expect(&s, i, cases[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("tokens choose distinct experts, hot ones as often as asked", test_choices),
		TEST("y is W x of the chosen experts", test_products),
		TEST("only the experts that are chosen are read",
			test_only_chosen_experts_are_read),
		TEST("what is read of the vectors is told", test_reach),
		TEST("threads that share a vector have all rows of every expert", test_shares),
		TEST("steps go on where the last one ended", test_steps),
		TEST("what cannot work is refused", test_refusals),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
