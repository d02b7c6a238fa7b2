/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kvread: each row of each sequence is multiplied once, by tables, against double precision; only
 * the thread's own blocks are read, and of these what sequences have; lines are fetched in the
 * order of the tables; what cannot work is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"
#include "inference/kvread_read.h"

#define ROW    (128 * sizeof(float))
#define BLOCK  (2 * 4 * ROW) /* of four tokens */
#define BLOCKS 32

/* A cache of 32 blocks of f32 with 128 columns, and some bytes behind them. */
static void stage_kvread(struct stage *s, const char *rest)
{
	char settings[160];

	snprintf(settings, sizeof(settings), "weights=f32 columns=128 block=4 %s", rest);
	stage_kernel(s, "kvread", settings);
	stage_vector(s, TYPE_CHAR, 1, BLOCKS * BLOCK + 900);
}

static void test_products(void **state)
{
	static const char *const types[] = {"f32", "bf16", "int8", "q4", "int8 activations=int8",
		"int8 follow=yes", "q4 follow=yes rows=1", "bf16 follow=yes"};

	(void)state;
	for (size_t i = 0; i < LENGTH(model_isas) * LENGTH(types); i++)
		for (int queries = 1; queries <= 9; queries += 4) {
			char settings[160];
			struct stage s;

			/* three sequences of ten tokens, in three blocks each, the last one half
			 * full */
			snprintf(settings, sizeof(settings),
				"weights=%s columns=256 block=4 context=10 spread=0 sequences=3 "
				"queries=%d isa=%s",
				types[i % LENGTH(types)], queries, model_isas[i / LENGTH(types)]);
			stage_kernel(&s, "kvread", settings);
			for (int k = 0; k < 2; k++)
				stage_vector(&s, TYPE_CHAR, 1, 10 * 8 * 256 * sizeof(float));
			if (stage_is_here(&s)) {
				stage_setup(&s);
				assert_int_equal(
					s.kernel->run(&s.worker, 3), 3 * 2 * 3 * 2 * 10 * 256);
				assert_null(stage_verify(&s));
			}
			stage_end(&s);
		}
}

/* Rows of the vector's blocks that a pass of the thread reads: those where a change is found. */
static int rows_read(const char *rest, int rank, int users, int *blocks)
{
	int rows = 0;

	*blocks = 0;
	for (size_t row = 0; row < BLOCKS * BLOCK / ROW; row++) {
		struct stage s;
		bool found;

		stage_kvread(&s, rest);
		s.vectors[0].rank = rank;
		s.vectors[0].users = users;
		stage_setup(&s);
		((float *)s.vectors[0].base)[row * 128 + 7] += 1;
		s.kernel->run(&s.worker, 1);
		found = stage_verify(&s) != NULL;
		stage_end(&s);
		rows += found;
		*blocks += found && row % 8 == 0;
		if (found) /* own blocks only */
			assert_int_equal(row / 8 * (size_t)users / BLOCKS, rank);
	}
	return rows;
}

static void test_rows(void **state)
{
	int blocks;

	(void)state;
	/* seven tokens are two blocks: keys and values of four, and of three */
	assert_int_equal(rows_read("context=7 spread=0 sequences=5", 0, 1, &blocks), 5 * 2 * 7);
	assert_int_equal(blocks, 10);
	assert_int_equal(
		rows_read("context=7 spread=0 order=sequential", 1, 2, &blocks), 8 * 2 * 7);
	assert_int_equal(blocks, 16);
	assert_int_equal(rows_read("context=7 spread=0 sequences=3", 3, 4, &blocks), 3 * 2 * 7);
}

/* All users of a vector read what their run() says, and the lengths of their sequences differ. */
static void test_lengths(void **state)
{
	uint64_t read[4];
	struct stage s;
	bool differ = false;

	(void)state;
	for (int rank = 0; rank < 4; rank++) {
		stage_kvread(&s, "context=16 spread=75% sequences=2");
		s.vectors[0].users = 4;
		s.vectors[0].rank = rank;
		stage_setup(&s);
		read[rank] = s.kernel->run(&s.worker, 1);
		assert_true(read[rank] >= 2 * 2 * 4 * 128 && read[rank] <= 2 * 2 * 16 * 128);
		assert_null(stage_verify(&s));
		stage_end(&s);
		differ |= read[rank] != read[0];
	}
	assert_true(differ);
}

/* What caches would have to hold: of blocks what sequences have. */
static void test_reach(void **state)
{
	struct stage s;

	(void)state;
	stage_kvread(&s, "context=16 spread=0 sequences=2");
	assert_true(s.kernel->accesses.reach(&s.worker) == 8.0 / BLOCKS);
	s.vectors[0].users = 2; /* with a copy each */
	assert_true(s.kernel->accesses.reach(&s.worker) == 8.0 / 16 / 2);
	stage_end(&s);
	stage_kvread(&s, "context=5 spread=0 sequences=3"); /* of the second block one token */
	assert_true(s.kernel->accesses.reach(&s.worker) == 3 * 5 / (4.0 * BLOCKS));
	stage_end(&s);
}

/* What is fetched is the row that comes 8 KiB after the next one in the order of the pieces, which
 * begins again after the last row of the last cache; rows of more than that: the one after it. */
static void check_fetched(size_t columns, size_t ahead)
{
	const struct gemv_way way = {.isa = &gemv_scalar, .rows = GEMV_ROWS};
	struct kv_piece pieces[2][3] = {{{9, 4}, {13, 4}, {0, 3}}, {{5, 1}, {20, 4}}};
	char *base = calloc(24, columns * sizeof(float));
	float x[4096] = {0}, y[11], scales[11] = {0};
	struct kv_cache caches[] = {
		{base, pieces[0], 3, 11, y, scales}, {base, pieces[1], 2, 5, y, scales}};
	struct kv_reading r = {.product = {.columns = columns, .batch = 1, .x = x},
		.caches = caches,
		.ncaches = LENGTH(caches),
		.row_bytes = columns * sizeof(float)};
	size_t order[16], n = 0, done = 0;

	assert_non_null(base);
	for (size_t i = 0; i < LENGTH(caches); i++)
		for (size_t k = 0; k < caches[i].npieces; k++)
			for (size_t row = 0; row < pieces[i][k].count; row++)
				order[n++] = i * 100 + pieces[i][k].row + row;
	kv_choose(&r, &way, 1, KV_FOLLOW_YES);
	for (size_t rows = 0; rows < 23; rows++) {
		const struct kv_place *f = &r.fetched;

		assert_int_equal(f->cache * 100 + pieces[f->cache][f->piece].row + f->at,
			order[(done + ahead) % n]);
		assert_int_equal(r.whole, done >= n);
		kv_read(&r, rows % 7);
		done += rows % 7;
	}
	free(base);
}

static void test_fetched(void **state)
{
	(void)state;
	check_fetched(512, 4);
	check_fetched(128, 16);
	check_fetched(4096, 1);
}

/* A step ends within a piece; verify() finishes what is left of a first pass. */
static void test_steps(void **state)
{
	struct stage s;

	(void)state;
	for (int i = 0; i < 2; i++) {
		stage_kernel(&s, "kvread",
			i ? "weights=f32 columns=4096 rows=1 block=6 context=12 spread=0 follow=yes"
			  : "weights=f32 columns=4096 rows=1 block=6 context=12 spread=0");
		stage_vector(&s, TYPE_CHAR, 1, 5 * 12 * 16384); /* rows of 16 KiB */
		stage_step_rows(&s);
		stage_end(&s);
	}

	stage_kernel(&s, "kvread", "weights=f32 columns=4096 rows=1 block=6 context=12 spread=0");
	stage_vector(&s, TYPE_CHAR, 1, 4 * 12 * 16384); /* two sequences of two blocks: 48 rows */
	stage_setup(&s);
	for (int i = 0; i < 12; i++)
		assert_int_equal(s.kernel->step(&s.worker, 1), 4 * 4096);
	for (size_t row = 0; row < 48; row++) /* all have been read: verify() reads no more */
		((float *)s.vectors[0].base)[row * 4096 + 7] += 1;
	assert_null(stage_verify(&s));
	stage_end(&s);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *rest, *why;
	} cases[] = {
		{"context=128 spread=0", NULL},
		{"context=129 spread=0",
			"a sequence of 129 tokens has 33 blocks, and the thread 32 of a vector; a "
			"larger sizePerVector, or a shorter context"},
		{"block=256 context=1 spread=0",
			"a sequence of 1 token has 1 block, and the thread 0 of a vector; a larger "
			"sizePerVector, or a shorter context"},
		{"context=129 spread=0 sequences=1",
			"its 1 sequence has 33 blocks, and the thread 32 of a vector; a larger "
			"sizePerVector, or fewer sequences"},
		{"context=64 spread=0 sequences=2", NULL},
		{"context=65 spread=0 sequences=2",
			"its 2 sequences have 34 blocks, and the thread 32 of a vector; a larger "
			"sizePerVector, or fewer sequences"},
		{"columns=200", "columns = 200 is no multiple of 128"},
		{"context=1 follow=yes prefetch=0", NULL},
		{"context=1 follow=no prefetch=1KiB", NULL},
		{"context=1 prefetch=1KiB", NULL},
		{"context=1 follow=yes prefetch=1KiB",
			"prefetch = 1KiB fetches up to the end of a block, follow = yes over it; "
			"give one of them"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_kvread(&s, cases[i].rest);
		stage_expect(&s, i, cases[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("rows of sequences times queries, in all types", test_products),
		TEST("rows that sequences have are read, in the thread's own blocks", test_rows),
		TEST("lengths are drawn", test_lengths),
		TEST("what is read of the vectors is told", test_reach),
		TEST("what is fetched follows the tables", test_fetched),
		TEST("steps go on where the last one ended", test_steps),
		TEST("what cannot work is refused", test_refusals),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
