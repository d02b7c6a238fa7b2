/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gemv: y = W x for all types of weights, instruction sets, sizes and shares, against double
 * precision; wrong weights are found, and what cannot work is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"

static const char *const types[] = {
	"f32", "bf16", "int8", "q4", "int8 activations=int8", "q4 activations=int8"};
static const size_t chunk_bytes[] = {512, 256, 128, 72, 128, 72}; /* of 128 columns */

#define WEIGHTS 4 /* the others have the same ones */

static void stage_gemv(struct stage *s, size_t type, const char *isa, const char *rest)
{
	char settings[128];

	snprintf(settings, sizeof(settings), "weights=%s isa=%s %s", types[type], isa, rest);
	stage_kernel(s, "gemv", settings);
}

/* A vector with so many rows of `columns`, and some bytes behind them. */
static void stage_rows(struct stage *s, size_t type, size_t columns, size_t rows)
{
	stage_vector(s, TYPE_CHAR, 1, rows * columns / 128 * chunk_bytes[type] + 40);
}

static void test_all_products(void **state)
{
	static const char *const batches[] = {
		"batch=1", "batch=2", "batch=4", "batch=7", "batch=64"};
	static const size_t columns[] = {128, 384, 640, 4096};
	size_t tried = 0;

	(void)state;
	for (size_t t = 0; t < LENGTH(types); t++)
		for (size_t i = 0; i < LENGTH(model_isas); i++)
			for (size_t b = 0; b < LENGTH(batches); b++)
				for (size_t c = 0; c < LENGTH(columns); c++) {
					char rest[64];
					struct stage s;

					snprintf(rest, sizeof(rest), "%s columns=%zu", batches[b],
						columns[c]);
					stage_gemv(&s, t, model_isas[i], rest);
					stage_rows(&s, t, columns[c], 13);
					stage_rows(&s, t, columns[c], 3);
					if (stage_is_here(&s)) {
						stage_setup(&s);
						assert_int_equal(s.kernel->run(&s.worker, 2),
							2 * 16 * columns[c]);
						if (stage_verify(&s))
							fail_msg("%s %s %s: %s", types[t],
								model_isas[i], rest, s.why);
						tried++;
					}
					stage_end(&s);
				}
	/* auto, scalar and another one; with int8 there may be no other one */
	assert_true(tried >= (3 * WEIGHTS + 2 * 2) * LENGTH(batches) * LENGTH(columns));
}

/* The longest rows, whose sums must still be exact. */
static void test_most_columns(void **state)
{
	(void)state;
	for (size_t t = 0; t < LENGTH(types); t++)
		for (size_t i = 1; i < LENGTH(model_isas); i++) {
			struct stage s;

			stage_gemv(&s, t, model_isas[i], "columns=65536 batch=4");
			stage_rows(&s, t, 65536, 2);
			if (stage_is_here(&s)) {
				stage_setup(&s);
				assert_int_equal(s.kernel->run(&s.worker, 1), 2 * 65536);
				if (stage_verify(&s))
					fail_msg("%s %s: %s", types[t], model_isas[i], s.why);
			}
			stage_end(&s);
		}
}

/* Four rows at once, of each quarter one, and those that are left. */
static void test_rows(void **state)
{
	static const size_t with_rows[] = {0, 1, 2, 4, 5};
	static const size_t columns[] = {128, 384, 4096};

	(void)state;
	for (size_t w = 0; w < LENGTH(with_rows); w++)
		for (size_t i = 0; i < LENGTH(model_isas) * LENGTH(columns); i++) {
			const size_t c = columns[i % LENGTH(columns)], t = with_rows[w];
			char rest[64];
			struct stage s;

			snprintf(rest, sizeof(rest), "rows=4 columns=%zu", c);
			stage_gemv(&s, t, model_isas[i / LENGTH(columns)], rest);
			stage_rows(&s, t, c, 29);
			stage_rows(&s, t, c, 3);
			if (stage_is_here(&s)) {
				stage_setup(&s);
				assert_int_equal(s.kernel->run(&s.worker, 2), 2 * 32 * c);
				if (stage_verify(&s))
					fail_msg("%s %s: %s", types[t], rest, s.why);
			}
			stage_end(&s);
		}
}

/* Quarters are at most a MiB long: of these rows five, then two, and one row is left. */
static void test_quarters(void **state)
{
	struct stage s;

	(void)state;
	stage_gemv(&s, 0, "auto", "rows=4 columns=65536");
	stage_rows(&s, 0, 65536, 29);
	stage_setup(&s);
	assert_int_equal(s.kernel->run(&s.worker, 1), 29 * 65536);
	assert_null(stage_verify(&s));
	stage_end(&s);
}

/* What is fetched ahead changes no result, also where rows end before the distance. */
static void test_distances(void **state)
{
	static const char *const distances[] = {"0", "1KiB", "64KiB", "auto"};

	(void)state;
	for (size_t t = 0; t < LENGTH(types); t++)
		for (size_t d = 0; d < LENGTH(distances); d++) {
			char rest[64], text[64];
			struct stage s;

			snprintf(rest, sizeof(rest), "columns=1152 prefetch=%s", distances[d]);
			stage_gemv(&s, t, "auto", rest);
			stage_rows(&s, t, 1152, 40);
			stage_setup(&s);
			assert_int_equal(s.kernel->run(&s.worker, 1), 40 * 1152);
			if (stage_verify(&s))
				fail_msg("%s %s: %s", types[t], rest, s.why);
			s.kernel->chose(&s.worker, text, sizeof(text));
			assert_int_equal(strstr(text, "prefetch ") != NULL, d == 3);
			stage_end(&s);
		}
}

/* The tables have the same numbers for all, whatever the tests think of the format. */
static void test_types_have_their_bytes(void **state)
{
	(void)state;
	for (size_t t = 0; t < LENGTH(types); t++) {
		struct stage s;

		stage_gemv(&s, t, "scalar", "");
		assert_true(s.kernel->work(s.args).bytes * 128 == (double)chunk_bytes[t]);
		stage_end(&s);
	}
}

/* What changes a weight or scale that has this byte: of floats the exponent, since the rest may be
 * below what a sum shows, or belong to a zero. */
static char change(size_t type, size_t at)
{
	if (type == 0)
		return at % 4 == 3 ? 0x40 : 0;
	if (type == 1)
		return at % 2 == 1 ? 0x40 : 0;
	return 1;
}

/* Each weight of the last row counts, and what is behind it does not. */
static void test_wrong_weights_are_found(void **state)
{
	(void)state;
	for (size_t t = 0; t < LENGTH(types); t++)
		for (size_t at = 0; at < chunk_bytes[t]; at++) {
			struct stage s;

			if (!change(t, at))
				continue;

			stage_gemv(&s, t, "auto", "columns=128");
			stage_rows(&s, t, 128, 5);
			stage_setup(&s);
			char *last = (char *)s.vectors[0].base + 4 * chunk_bytes[t];

			assert_int_equal(s.kernel->run(&s.worker, 1), 5 * 128);
			assert_null(stage_verify(&s));
			last[chunk_bytes[t] + at % 40] ^= 1;
			s.kernel->run(&s.worker, 1);
			assert_null(stage_verify(&s));
			last[at] ^= change(t, at);
			s.kernel->run(&s.worker, 1);
			if (!stage_verify(&s))
				fail_msg("%s: byte %zu does not count", types[t], at);
			stage_end(&s);
		}
}

/* Threads that share a vector have all of its rows, each row once. */
static void test_shares(void **state)
{
	(void)state;
	for (size_t t = 0; t < LENGTH(types); t++)
		for (int users = 1; users <= 7; users++) {
			uint64_t weights = 0;
			struct stage s;

			stage_gemv(&s, t, "auto", "columns=256 batch=3");
			stage_rows(&s, t, 256, 11);
			for (int rank = 0; rank < users; rank++) {
				s.vectors[0].users = users;
				s.vectors[0].rank = rank;
				stage_setup(&s);
				weights += s.kernel->run(&s.worker, 1);
				assert_null(stage_verify(&s));
				s.kernel->teardown(&s.worker);
			}
			assert_int_equal(weights, 11 * 256);
			stage_end(&s);
		}
}

/* What caches would have to hold of a copy: the rows of the threads that have it. */
static void test_reach(void **state)
{
	struct stage s;

	(void)state;
	stage_gemv(&s, 0, "auto", "columns=128");
	stage_rows(&s, 0, 128, 8);
	s.vectors[0].users = 4;
	s.vectors[0].sharers = 4;
	assert_true(s.kernel->accesses.reach(&s.worker) == 1);
	s.vectors[0].sharers = 1;
	assert_true(s.kernel->accesses.reach(&s.worker) == 0.25);
	stage_end(&s);
}

/* The weights do not depend on the number of columns: other matrices may be in the same memory. */
static void test_other_columns_same_weights(void **state)
{
	(void)state;
	for (size_t t = 0; t < LENGTH(types); t++) {
		struct stage wide, narrow;

		stage_gemv(&wide, t, "auto", "columns=1024");
		stage_rows(&wide, t, 1024, 3);
		stage_setup(&wide);
		stage_gemv(&narrow, t, "auto", "columns=128");
		stage_rows(&narrow, t, 128, 24);
		stage_setup(&narrow);
		assert_memory_equal(
			wide.vectors[0].base, narrow.vectors[0].base, 24 * chunk_bytes[t]);
		stage_end(&wide);
		stage_end(&narrow);
	}
}

/* A step is a part of a round; each goes on where the last one ended. */
static void test_steps(void **state)
{
	struct stage s;

	(void)state;
	stage_gemv(&s, 0, "auto", "columns=4096 rows=1"); /* of 16 KiB, steps of 64 KiB */
	stage_rows(&s, 0, 4096, 6);
	stage_rows(&s, 0, 4096, 3);
	stage_setup(&s);
	assert_int_equal(s.kernel->step(&s.worker, 1), 4 * 4096);
	assert_null(stage_verify(&s)); /* which does the rest of the first round */
	assert_int_equal(s.kernel->step(&s.worker, 5), 20 * 4096);
	assert_null(stage_verify(&s));
	stage_end(&s);

	stage_gemv(&s, 0, "auto", "columns=8192 rows=4");
	stage_rows(&s, 0, 8192, 9);
	stage_setup(&s);
	assert_int_equal(s.kernel->step(&s.worker, 1), 4 * 8192);
	assert_null(stage_verify(&s));
	stage_end(&s);

	stage_gemv(&s, 0, "auto", "columns=4096 batch=64 rows=1");
	stage_rows(&s, 0, 4096, 2);
	stage_setup(&s);
	assert_int_equal(s.kernel->step(&s.worker, 1), 4096);
	assert_null(stage_verify(&s));
	stage_end(&s);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *rest;
		size_t bytes;
		int users;
		const char *why;
	} cases[] = {
		{"columns=128", 256, 1, NULL},
		{"columns=200", 65536, 1, "columns = 200 is no multiple of 128"},
		{"columns=128", 255, 1,
			"a vector has 0 rows of 256 bytes for 1 thread; a larger sizePerVector, or "
			"fewer columns"},
		{"columns=4096", 5 * 8192, 6,
			"a vector has 5 rows of 8192 bytes for 6 threads; a larger sizePerVector, "
			"or fewer columns"},
		{"columns=4096", 6 * 8192, 6, NULL},
		{"columns=128 activations=int8", 256, 1,
			"activations = int8 are for weights = int8 or q4, not bf16"},
		{"columns=128 rows=4", 256, 1, NULL},
		{"columns=128 weights=q4 rows=4 batch=2", 256, 1, NULL},
		{"columns=128 weights=q4 rows=4", 256, 1,
			"rows = 4 of weights = q4 are for activations = int8, or for several "
			"tokens"},
		{"columns=128 rows=4 prefetch=2KiB", 256, 1,
			"prefetch = 2KiB is for rows = 1, not 4"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_gemv(&s, 1, "auto", cases[i].rest);
		stage_vector(&s, TYPE_CHAR, 1, cases[i].bytes);
		s.vectors[0].users = cases[i].users;
		stage_expect(&s, i, cases[i].why);
	}
}

/* Instructions that do not go with the activations are told from those that this CPU lacks. */
static void test_activations_have_their_instructions(void **state)
{
#if defined(__x86_64__)
	const char *settings = "weights=int8 activations=int8 isa=sse2";
	const char *why = "isa = sse2 is for activations = f32: with int8, gemv has scalar";
	const char *elsewhere = "isa=neon";
#else
	const char *settings = "weights=int8 isa=avxvnni";
	const char *why = "isa = avxvnni is not available here: gemv has scalar";
	const char *elsewhere = "isa=sse2";
#endif
	struct stage s;

	(void)state;
	stage_kernel(&s, "gemv", settings);
	assert_false(stage_is_here(&s));
	assert_memory_equal(s.why, why, strlen(why));
	stage_end(&s);
	stage_kernel(&s, "gemv", elsewhere);
	assert_false(stage_is_here(&s));
	assert_non_null(strstr(s.why, "is not available here"));
	stage_end(&s);
}

/* What another operation may not find in its place. */
static void test_contents_have_names(void **state)
{
	const char *names[WEIGHTS];

	(void)state;
	for (size_t t = 0; t < WEIGHTS; t++) {
		struct stage s;

		stage_gemv(&s, t, "auto", "");
		names[t] = s.kernel->finds(&s.worker, 0);
		for (size_t other = 0; other < t; other++)
			assert_string_not_equal(names[t], names[other]);
		stage_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("y is W x, of all types, instruction sets, batches and columns",
			test_all_products),
		TEST("the longest rows are exact", test_most_columns),
		TEST("four rows at once are the same", test_rows),
		TEST("long rows are divided several times", test_quarters),
		TEST("prefetching changes no result, and auto tells its distance", test_distances),
		TEST("the bytes of a weight are those of its type", test_types_have_their_bytes),
		TEST("a weight that is wrong is found", test_wrong_weights_are_found),
		TEST("threads that share a vector have all of its rows", test_shares),
		TEST("of a copy only the rows of its threads are read", test_reach),
		TEST("weights do not depend on the columns", test_other_columns_same_weights),
		TEST("steps go on where the last one ended", test_steps),
		TEST("what cannot work is refused", test_refusals),
		TEST("instructions for other activations are named as such",
			test_activations_have_their_instructions),
		TEST("the contents of types have different names", test_contents_have_names),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
