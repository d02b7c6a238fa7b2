/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which arrays the programs ask to be moved: by the numbers of uses that the kernels themselves
 * compute, with the caches of the dissertation's machine; and what is counted on the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "crew.h"
#include "migration/policy.h"
#include "../spm/dissertation.h"
#include "migration/uses.h"

/* Sizes of matrices of which no number is within 1% of the threshold. */
static const int64_t sizes[] = {800, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2400};

static void expect_matrix(const char *what, int64_t (*uses)(int64_t n), bool accepted, int64_t from)
{
	for (size_t i = 0; i < LENGTH(sizes); i++)
		if (sizes[i] >= from &&
			accepts(sizes[i] * sizes[i], sizeof(double), uses(sizes[i])) != accepted)
			fail_msg("%s at %d", what, (int)sizes[i]);
}

static void test_matrices(void **state)
{
	(void)state;
	expect_matrix("matrix_add, and a fill", uses_once, false, 0);
	expect_matrix("product's a and b", uses_product, true, 0);
	expect_matrix("lu's a", uses_lu_a, true, 0);
	expect_matrix("lu's b", uses_lu_b, true, 800);
	expect_matrix("lu's c", uses_lu_c, false, 0);
	expect_matrix("cholesky's a", uses_cholesky_a, false, 0);
	expect_matrix("cholesky's a, actual", uses_cholesky_a_actual, false, 0);
	expect_matrix("cholesky's b", uses_cholesky_b, true, 800);
	expect_matrix("cholesky's b, actual", uses_cholesky_b_actual, true, 800);
	config.reuse_mode = SPM_RAW;
	expect_matrix("matrix_add, raw", uses_once, true, 0);
}

static void test_strsearch(void **state)
{
	const int64_t bytes = 64 << 20, pattern = 16, places = bytes - pattern + 1;

	(void)state;
	for (int64_t queries = 8; queries <= 4096; queries *= 2) {
		const int64_t matches = bytes / 4099;

		assert_int_equal(
			accepts(bytes, 1, uses_strsearch(places, pattern, queries)), queries >= 16);
		assert_int_equal(
			accepts(bytes, 1, uses_strsearch_actual(places, pattern, queries, matches)),
			queries >= 256);
	}
}

static void test_bucketsort(void **state)
{
	(void)state;
	for (int64_t n = 10000000; n <= 28000000; n += 2000000) {
		const int64_t bucket = n / 64, uses = uses_selection(bucket);

		config.size_test = true;
		config.cache_factor = 0.2;
		assert_int_equal(accepts(bucket, sizeof(int), uses), n == 28000000);
		config.cache_factor = 0.1;
		assert_int_equal(accepts(bucket, sizeof(int), uses), n >= 14000000);
		config.size_test = false;
		assert_true(accepts(bucket, sizeof(int), uses));
	}
}

/* Half of 64 M points' slice: rejected in each query, accepted for all of them. */
static void test_knn(void **state)
{
	const int64_t points = 1 << 19;

	(void)state;
	assert_false(accepts(2 * points, sizeof(double), uses_knn(points, 1)));
	assert_false(accepts(2 * points, sizeof(double), uses_knn(points, 200)));
	assert_true(accepts(2 * points, sizeof(double), uses_knn(points, 201)));
}

/* What really happens, counted by a loop. */
static void count_lu(int64_t n, int64_t *a, int64_t *b, int64_t *c)
{
	*a = *b = *c = 0;
	for (int64_t i = 0; i < n; i++) {
		*b += 1;
		for (int64_t j = i + 1; j < n; j++) {
			*b += 1, *a += 2;
			for (int64_t k = i + 1; k < n; k++)
				*a += 3, *b += 1;
		}
		for (int64_t k = i; k < n; k++)
			*a += 1, *c += 1;
	}
}

static void count_cholesky(int64_t n, int64_t *a, int64_t *b)
{
	*a = *b = 0;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			*b += 2 * j + (i == j ? 1 : 2);
			*a += 1;
		}
}

static void test_closed_forms(void **state)
{
	(void)state;
	for (int64_t n = 2; n < 30; n++) {
		int64_t a, b, c;

		count_lu(n, &a, &b, &c);
		assert_int_equal(uses_lu_a(n), a);
		assert_int_equal(uses_lu_b(n), b);
		assert_int_equal(uses_lu_c(n), c);
		count_cholesky(n, &a, &b);
		assert_int_equal(uses_cholesky_a_actual(n), a);
		assert_int_equal(uses_cholesky_b_actual(n), b);
		/* the other side of each branch */
		assert_int_equal(uses_cholesky_a(n), a + n * (n + 1) / 2);
		assert_int_equal(uses_cholesky_b(n), b + n * (n + 1) / 2 + n);
	}
	assert_int_equal(uses_lu_b(600), 72000400);
}

/* A fourth of the columns: within two turns of each row of what the loops do. */
static void test_fig3_forms(void **state)
{
	const int64_t side = 101, first = 20, end = 35;
	int64_t a = 0, b = 0, c = 0;

	(void)state;
	for (int64_t i = first; i < end; i++) {
		a += 1;
		for (int64_t j = i + 1; j < side; j += 4) {
			a += 2;
			b += 2 + 2 * (j - i);
			c += j - i;
		}
	}
	assert_true(llabs(uses_fig3_a(side, first, end) - a) <= 2 * (end - first));
	assert_true(llabs(uses_fig3_b(side, first, end) - b) <= 4 * side * (end - first));
	assert_true(llabs(uses_fig3_c(side, first, end) - c) <= 2 * side * (end - first));
	assert_true(uses_fig3_c(side, first, end) > c * 9 / 10);
}

/* Settings mean the same to the runtime: by their names, and by default. */
static void test_settings(void **state)
{
	static const struct {
		const char *name;
		const char *const *choices;
		size_t offset;
	} rows[] = {
		{"reuse_mode", policy_modes, offsetof(struct spm_config, reuse_mode)},
		{"cache_def", policy_caches, offsetof(struct spm_config, cache_def)},
		{"mover", policy_movers, offsetof(struct spm_config, mover)},
		{"pin", policy_pins, offsetof(struct spm_config, pin)},
		{"lock", policy_locks, offsetof(struct spm_config, lock)},
		{"estimate", policy_estimates, offsetof(struct spm_config, estimate)},
	};
	char message[128];
	struct stage s;

	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++)
		for (int k = 0; rows[i].choices[k]; k++) {
			assert_int_equal(spm_config_set(&config, rows[i].name, rows[i].choices[k],
						 message, sizeof(message)),
				0);
			assert_int_equal(
				*(unsigned *)((char *)&config + rows[i].offset), (unsigned)k);
		}
	spm_config_default(&config);
	stage_kernel(&s, "lu", "");
	const struct policy_args *a = (const void *)s.args;

	assert_true(a->reuse_threshold == config.reuse_threshold);
	assert_true(a->cache_factor == config.cache_factor);
	assert_int_equal(a->size_test, config.size_test);
	assert_int_equal(a->cache_bytes, config.cache_bytes);
	assert_int_equal(a->reuse_mode, config.reuse_mode);
	assert_int_equal(a->cache_def, config.cache_def);
	assert_int_equal(a->mover, config.mover);
	assert_int_equal(a->pin, config.pin);
	assert_int_equal(a->lock, config.lock);
	assert_int_equal(a->estimate, config.estimate);
	assert_int_equal(a->policy, POLICY_BASELINE);
}

/* The calls of one round. */
static const struct calls {
	const char *id, *settings;
	enum element_type type;
	size_t element, elements[4];
	int small, little, accepted;
} rounds[] = {
	{"product", "matrix=40 policy=baseline", TYPE_DOUBLE, 8, {1600, 1600, 1600}, 0, 0, 0},
	{"product", "matrix=40 policy=spm cache_bytes=63999", TYPE_DOUBLE, 8, {4800, 4800, 4800}, 0,
		9, 0},
	{"product", "matrix=40 policy=spm cache_bytes=63999 reuse_threshold=39", TYPE_DOUBLE, 8,
		{4800, 4800, 4800}, 0, 3, 6},
	{"product", "matrix=40 policy=spm cache_bytes=64000", TYPE_DOUBLE, 8, {1600, 1600, 1600}, 3,
		0, 0},
	{"product", "matrix=40 policy=eager cache_bytes=1", TYPE_DOUBLE, 8, {1600, 1600, 1600}, 0,
		0, 3},
	{"matrix_add", "matrix=40 policy=spm size_test=no reuse_threshold=1", TYPE_DOUBLE, 8,
		{1600, 1600, 1600}, 0, 3, 0},
	{"matrix_add", "matrix=40 policy=spm size_test=no reuse_mode=raw", TYPE_DOUBLE, 8,
		{1600, 1600, 1600}, 0, 0, 3},
	{"lu", "matrix=40 policy=spm size_test=no reuse_threshold=10", TYPE_DOUBLE, 8,
		{1600, 1600, 1600}, 0, 2, 2},
	{"cholesky", "matrix=40 policy=spm size_test=no reuse_threshold=10", TYPE_DOUBLE, 8,
		{1600, 1600}, 0, 3, 1},
	{"lu", "matrix=40 policy=eager", TYPE_DOUBLE, 8, {1600, 1600, 1600}, 0, 0, 3},
	{"strsearch", "queries=8 policy=spm size_test=no", TYPE_CHAR, 1, {200000}, 0, 1, 0},
	{"strsearch", "queries=16 policy=spm size_test=no", TYPE_CHAR, 1, {200000}, 0, 0, 1},
	{"strsearch", "queries=16 policy=spm size_test=no estimate=actual", TYPE_CHAR, 1, {200000},
		0, 1, 0},
	{"bucketsort", "policy=spm cache_bytes=1", TYPE_INT, 4, {10003}, 0, 0, 1},
	{"bucketsort", "policy=spm cache_bytes=1000000", TYPE_INT, 4, {10003}, 1, 0, 0},
	/* the values, the bucket, again for sorting it, and both for the result */
	{"bucketsort", "policy=eager", TYPE_INT, 4, {10003}, 0, 0, 5},
	{"knn", "queries=300 policy=spm size_test=no", TYPE_DOUBLE, 8, {2000}, 0, 300, 0},
	{"knn", "queries=300 policy=spm size_test=no hoisted=yes", TYPE_DOUBLE, 8, {2000}, 0, 0, 1},
	{"fig3", "side=20 policy=eager", TYPE_DOUBLE, 8, {20, 400, 8000}, 0, 0, 3},
};

/* Policies that move pages need the nodes of these, which some containers do not tell. */
static void skip_untold(void)
{
	static char byte;
	void *page = &byte;
	int node;

	if (syscall(SYS_move_pages, 0, 1, &page, NULL, &node, 0))
		skip();
}

/* On any number of nodes: where pages are does not change how often the runtime accepts. */
static void test_counts(void **state)
{
	(void)state;
	skip_untold();
	for (size_t i = 0; i < LENGTH(rounds); i++) {
		const struct calls *r = &rounds[i];
		double told[POLICY_FIGURES + 2];
		struct crew c;

		crew_begin(&c, 1, r->id, r->settings, r->type, r->element, r->elements);
		const struct kernel *k = c.of[0].kernel;

		for (int sample = 0; sample < 2; sample++) {
			assert_null(k->reset(&c.of[0].worker, c.of[0].why, sizeof(c.of[0].why)));
			crew_run(&c, 1);
			k->tell(&c.of[0].worker, told);
			if (told[FIGURE_CALLS] != r->small + r->little + r->accepted ||
				told[FIGURE_TOO_SMALL] != r->small ||
				told[FIGURE_TOO_LITTLE_REUSE] != r->little ||
				told[FIGURE_ACCEPTED] != r->accepted)
				fail_msg("round %zu: %g calls, %g too small, %g too little reuse",
					i, told[FIGURE_CALLS], told[FIGURE_TOO_SMALL],
					told[FIGURE_TOO_LITTLE_REUSE]);
			assert_true(told[FIGURE_ASKED] == told[FIGURE_MOVED] + told[FIGURE_THERE] +
								  told[FIGURE_PINNED] +
								  told[FIGURE_REFUSED]);
		}
		assert_null(crew_verify(&c));
		crew_end(&c);
	}
}

/* The rows that two threads compute are pinned by the first one that comes. */
static void test_disputes(void **state)
{
	static const size_t elements[] = {64, 64 * 64, 64 * 64 * 64, 0};
	double told[POLICY_FIGURES + 2], pinned = 0;
	struct crew c;

	(void)state;
	skip_untold();
	crew_begin(&c, 2, "fig3", "side=64 overlap=32 policy=eager pin=tree", TYPE_DOUBLE, 8,
		elements);
	for (int sample = 0; sample < 20 && !pinned; sample++) {
		crew_run(&c, 1);
		for (int i = 0; i < 2; i++) {
			c.of[0].kernel->tell(&c.of[i].worker, told);
			pinned += told[FIGURE_PINNED];
			assert_true(told[FIGURE_PINNED] <= 9 * 32 + 2);
		}
	}
	assert_null(crew_verify(&c));
	crew_end(&c);
}

static void test_refused(void **state)
{
	static const struct {
		const char *settings;
		bool bound;
		int users;
		const char *why;
	} cases[] = {
		{"policy=spm+lock", true, 2,
			"lock: node_rr binds threads to nodes while they run; mapping: os leaves "
			"them free"},
		{"policy=spm lock=only_if_migrated", true, 2,
			"lock: only_if_migrated binds threads to nodes while they run; mapping: os "
			"leaves them free"},
		{"policy=spm+lock", false, 1,
			"lock: node_rr deals nodes out to the threads of one vector, but 1 of 2 "
			"threads share the first one"},
		{"policy=spm+lock", false, 2, NULL},
		{"policy=spm", true, 2, NULL},
		{"policy=copy_on_thread lock=node_rr", true, 1, NULL},
		{"policy=round_robin", true, 2,
			"policy: round_robin binds threads to nodes while they run; mapping: os "
			"leaves them free"},
		{"policy=round_robin", false, 1,
			"policy: round_robin deals nodes out to the threads of one vector, but 1 "
			"of 2 threads share the first one"},
		{"policy=round_robin", false, 2, NULL},
		{"policy=first_touch", true, 1, NULL},
		{"lock=node_rr", true, 1, NULL},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++) {
		struct stage s;

		stage_kernel(&s, "strsearch", cases[i].settings);
		stage_vector(&s, TYPE_CHAR, 1, 4096);
		s.worker.workers = 2;
		s.worker.bound = cases[i].bound;
		s.vectors[0].users = cases[i].users;
		stage_expect(&s, i, cases[i].why);
	}
}

/* Where the machine shows no caches. */
static void test_no_runtime(void **state)
{
	struct stage s;

	(void)state;
	stage_kernel(&s, "strsearch", "policy=spm cache_factor=0 cache_bytes=1");
	stage_vector(&s, TYPE_CHAR, 1, 4096);
	s.vectors[0].users = 1;
	((struct policy_args *)s.args)->reuse_threshold = -1;
	assert_string_equal(
		s.kernel->share(&s.worker), "reuse_threshold: -1 is not a number of at least 0");
	s.kernel->unshare(&s.worker);
	stage_end(&s);
}

#define WITH_DEFAULTS(title, function)                \
	{                                             \
		title, function, defaults, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_DEFAULTS("matrices are accepted as in the dissertation", test_matrices),
		WITH_DEFAULTS("slices of a search are, too", test_strsearch),
		WITH_DEFAULTS("buckets are, too", test_bucketsort),
		WITH_DEFAULTS("points are accepted for all queries, not for one", test_knn),
		TEST("uses of lu and cholesky are what loops count", test_closed_forms),
		TEST("uses of fig3 are those of a fourth of the columns", test_fig3_forms),
		WITH_DEFAULTS("settings and defaults are the runtime's", test_settings),
		TEST("calls are counted as the program makes them", test_counts),
		TEST("threads that dispute pages leave pinned ones alone", test_disputes),
		TEST("locks of threads that are bound, or do not share, are refused", test_refused),
		TEST("what the runtime refuses is told", test_no_runtime),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
