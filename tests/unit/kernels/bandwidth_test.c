/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bandwidth kernels: their results with every instruction set, how much they count, what they
 * refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bandwidth/bandwidth.h"
#include "kernel_stage.h"

static const char *const isas[] = {"scalar", "sse2", "avx", "avx2", "avx512", "neon", "sve"};
static const char *const unrolls[] = {"1", "2", "4", "8"};

/* The results of each with a[i], b[i] = 1 and c[i] = 2, where a[i] = `before` at the beginning. */
static const struct promise {
	const char *id;
	int streams;
	double before, after;
	double bytes, fills;
} promises[] = {
	{"load", 1, 1, 1, 8, 0},
	{"store", 1, -1, 3, 8, 8},
	{"store_nt", 1, -1, 3, 8, 0},
	{"copy", 2, -1, 1, 16, 8},
	{"copy_nt", 2, -1, 1, 16, 0},
	{"scale", 2, -1, 3, 16, 8},
	{"add", 3, -1, 3, 24, 8},
	{"triad", 3, -1, 7, 24, 8},
	{"update", 1, 1, -1, 16, 0},
	{"sum", 1, 1, 1, 8, 0},
};

static bool has(const char *id, const char *isa)
{
	struct stage s;
	char settings[32];

	snprintf(settings, sizeof(settings), "isa=%s", isa);
	stage_kernel(&s, id, settings);
	return !s.kernel->lacks_for(&s.worker, s.why, sizeof(s.why));
}

static void expect(const struct stage *s, const double *x, size_t from, size_t to, double value)
{
	for (size_t i = from; i < to; i++)
		if (x[i] != value)
			fail_msg(
				"%s: double %zu is %g, not %g", s->kernel->summary, i, x[i], value);
}

/* One vector for each stream, of a size that no unrolling divides; one round, then two more. */
static void try(const struct promise *p, const char *isa, const char *unroll, const char *more)
{
	enum { DOUBLES = 8 * 139 };
	struct stage s;
	char settings[96];

	snprintf(settings, sizeof(settings), "isa=%s unroll=%s %s", isa, unroll, more);
	stage_kernel(&s, p->id, settings);
	for (int i = 0; i < p->streams; i++)
		stage_vector(&s, TYPE_CHAR, 1, DOUBLES * sizeof(double));
	stage_setup(&s);
	expect(&s, s.vectors[0].base, 0, 1, p->before);
	uint64_t n = s.kernel->run(&s.worker, 1);
	/* a rest of less than one turn of the widest loop is left out */
	assert_true(n <= DOUBLES && n > DOUBLES - 64);
	expect(&s, s.vectors[0].base, 0, n, p->after);
	if (n < DOUBLES)
		expect(&s, s.vectors[0].base, n, DOUBLES, p->before);
	assert_int_equal(s.kernel->run(&s.worker, 2), 2 * n);
	expect(&s, s.vectors[0].base, 0, n, p->after);
	for (int i = 1; i < p->streams; i++)
		expect(&s, s.vectors[i].base, 0, DOUBLES, i);
	if (stage_verify(&s))
		fail_msg("%s %s: %s", p->id, settings, s.why);
	stage_end(&s);
}

static void test_results(void **state)
{
	(void)state;
	for (size_t p = 0; p < LENGTH(promises); p++)
		for (size_t i = 0; i < LENGTH(isas); i++)
			for (size_t u = 0; has(promises[p].id, isas[i]) && u < LENGTH(unrolls);
				u++) {
				bool stores = !strncmp(promises[p].id, "store", 5);

				try(&promises[p], isas[i], unrolls[u], "");
				try(&promises[p], isas[i], unrolls[u], "offset=0.4");
				if (!stores)
					try(&promises[p], isas[i], unrolls[u], "prefetch=512B");
			}
}

static void test_bytes(void **state)
{
	(void)state;
	for (size_t p = 0; p < LENGTH(promises); p++) {
		const struct work w = find_kernel(promises[p].id)->per_unit;

		assert_true(w.bytes == promises[p].bytes && w.fills == promises[p].fills);
		assert_true(8 * (w.loads + w.stores) == w.bytes);
	}
}

/* a, b and c are thirds of a single vector, or two groups of three. */
static void test_vectors(void **state)
{
	struct stage s;

	(void)state;
	stage_kernel(&s, "triad", "isa=scalar unroll=1");
	stage_vector(&s, TYPE_INT, 4, 3 * 64);
	stage_setup(&s);
	assert_int_equal(s.kernel->run(&s.worker, 1), 32);
	expect(&s, s.vectors[0].base, 0, 32, 7);
	expect(&s, s.vectors[0].base, 32, 64, 1);
	expect(&s, s.vectors[0].base, 64, 96, 2);
	stage_end(&s);

	stage_kernel(&s, "copy", "isa=scalar unroll=1");
	for (int i = 0; i < 4; i++)
		stage_vector(&s, TYPE_DOUBLE, 8, 64);
	stage_setup(&s);
	assert_int_equal(s.kernel->run(&s.worker, 1), 128);
	expect(&s, s.vectors[0].base, 0, 64, 1);
	expect(&s, s.vectors[2].base, 0, 64, 1);
	assert_null(stage_verify(&s));
	((double *)s.vectors[2].base)[5] = 8;
	assert_string_equal(stage_verify(&s), "double 5 of group 1 is 8, not 1");
	stage_end(&s);
}

static void test_choice(void **state)
{
	struct stage s;
	char text[64];

	(void)state;
	for (size_t p = 0; p < LENGTH(promises); p++) {
		stage_kernel(&s, promises[p].id, "");
		for (int i = 0; i < promises[p].streams; i++)
			stage_vector(&s, TYPE_CHAR, 1, 300000);
		stage_setup(&s);
		s.kernel->chose(&s.worker, text, sizeof(text));
		if (strncmp(text, "isa ", 4) || !strstr(text, " unroll "))
			fail_msg("%s chose '%s'", promises[p].id, text);
		expect(&s, s.vectors[0].base, 0, 1,
			strcmp(promises[p].id, "update") ? *(double *)s.vectors[0].base : 1);
		s.kernel->run(&s.worker, 1);
		assert_null(stage_verify(&s));
		stage_end(&s);
	}
	stage_kernel(&s, "sum", "isa=scalar unroll=4");
	stage_vector(&s, TYPE_CHAR, 1, 4096);
	stage_setup(&s);
	s.kernel->chose(&s.worker, text, sizeof(text));
	assert_string_equal(text, "");
	((double *)s.vectors[0].base)[100] = 5;
	s.kernel->run(&s.worker, 1);
	assert_string_equal(
		stage_verify(&s), "the sum over the vector was not that of its elements");
	stage_end(&s);
}

/* Replacements for loops: they note what the trials request of each way. */
struct tried {
	size_t calls, bytes, least; /* rounds, all bytes, and those of the shortest round */
};

#define FAKES 6

static struct tried tried[FAKES];
static char *fake_begin, *fake_end;

static size_t fake_width(void)
{
	return 64;
}

static void note(int way, int unroll, char *a, size_t blocks, uint64_t rounds)
{
	const size_t bytes = blocks * (fake_width() << unroll);
	struct tried *t = &tried[way];

	assert_true(blocks > 0 && a >= fake_begin && a + bytes <= fake_end);
	t->least = t->calls && t->least < bytes ? t->least : bytes;
	t->bytes += bytes * rounds;
	t->calls += rounds;
}

#define FAKE_LOOP(way, unroll)                                                                 \
	static double fake_##way(                                                              \
		char *a, const char *b, const char *c, size_t n, ptrdiff_t d, uint64_t rounds) \
	{                                                                                      \
		(void)b, (void)c, (void)d;                                                     \
		note(way, unroll, a, n, rounds);                                               \
		return 0;                                                                      \
	}

FAKE_LOOP(0, 1)
FAKE_LOOP(1, 2)
FAKE_LOOP(2, 3)
FAKE_LOOP(3, 1)
FAKE_LOOP(4, 2)
FAKE_LOOP(5, 3)

static const struct bandwidth_isa fakes[] = {
	{.width = fake_width, .loops[BANDWIDTH_load] = {{NULL}, {fake_0}, {fake_1}, {fake_2}}},
	{.width = fake_width, .loops[BANDWIDTH_load] = {{NULL}, {fake_3}, {fake_4}, {fake_5}}},
};

static void test_trials(void **state)
{
	/* less than a piece; a whole number of pieces; with a rest; 3 x 273024: triad in 800 KiB */
	static const size_t sizes[] = {512, 1000 * 64, 131072, 131136, 262144, 273024, 5000000};
	static const struct bandwidth_way ways[FAKES] = {{&fakes[0], 1}, {&fakes[0], 2},
		{&fakes[0], 3}, {&fakes[1], 1}, {&fakes[1], 2}, {&fakes[1], 3}};

	(void)state;
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		char *stream = malloc(sizes[i]), *const streams[] = {stream, stream, stream};

		assert_non_null(stream);
		fake_begin = stream;
		fake_end = stream + sizes[i];
		memset(tried, 0, sizeof(tried));
		bandwidth_quickest(BANDWIDTH_load, ways, FAKES, streams, sizes[i], false, 0);
		for (int k = 0; k < FAKES; k++) {
			const struct tried *t = &tried[k];

			/* equal except for a rest that does not fill a last turn of the loop */
			if (!t->calls || t->least + 512 <= tried[0].least ||
				t->least > tried[0].least || t->least * t->calls != t->bytes)
				fail_msg("streams of %zu: way %d: %zu calls, %zu bytes, least %zu; "
					 "way 0: %zu calls, %zu bytes",
					sizes[i], k, t->calls, t->bytes, t->least, tried[0].calls,
					tried[0].bytes);
		}
		free(stream);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *id, *settings;
		int nvectors;
		size_t bytes[3];
		const char *why; /* NULL: accepted */
	} cases[] = {
		{"load", "isa=scalar unroll=8", 1, {64}, NULL},
		{"load", "isa=scalar unroll=8", 1, {63},
			"0 bytes to go through are less than the 64 of one turn of the loop "
			"(unroll x vector); a larger sizePerVector, or a smaller unroll"},
		{"copy", "isa=scalar unroll=8", 1, {127},
			"0 bytes to go through are less than the 64 of one turn of the loop "
			"(unroll x vector); a larger sizePerVector, or a smaller unroll"},
		{"copy", "isa=scalar unroll=8", 1, {128}, NULL},
		{"copy", "isa=scalar", 2, {4096, 8192}, "its vectors must be of the same size"},
		{"copy", "isa=scalar", 3, {4096, 4096, 4096},
			"it takes 2 vectors of each thread, or a multiple of that, or one in 2 "
			"parts; "
			"not 3"},
		{"load", "isa=scalar", 3, {4096, 4096, 8192}, NULL},
		{"store", "prefetch=512B", 1, {4096},
			"prefetch: it loads nothing that could be fetched ahead; leave this kernel "
			"out"},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_kernel(&s, cases[i].id, cases[i].settings);
		for (int k = 0; k < cases[i].nvectors; k++)
			stage_vector(&s, TYPE_CHAR, 1, cases[i].bytes[k]);
		stage_expect(&s, i, cases[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each does what its name says, with every instruction set, and nothing beyond "
		     "its vectors",
			test_results),
		TEST("bytes are those of its loads and stores, fills those of lines only stored to",
			test_bytes),
		TEST("streams are vectors in their order, or the parts of one", test_vectors),
		TEST("a choice is told, and leaves the vectors as they should be", test_choice),
		TEST("each way is tried in pieces as large", test_trials),
		TEST("vectors that do not fit are refused", test_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
