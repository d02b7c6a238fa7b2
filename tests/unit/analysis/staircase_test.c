/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches found in staircases of machines whose caches are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/staircase.h"

#define POINTS 40
#define MOST   4
#define FINEST 7

/* A machine: caches, and the time of a load in each of them; the last time is memory's. */
struct machine {
	size_t levels;
	double bytes[MOST], ns[MOST + 1];
	double tlb; /* each doubling beyond 1 MiB makes a load so much slower */
	double noise;
};

/* Of the lines that a random chain visits, caches hold as many as they have room for. */
static double load_ns(const struct machine *m, double size, int index)
{
	double ns = m->ns[0], slow = size > 1048576 ? pow(m->tlb, log2(size / 1048576)) : 1;

	for (size_t i = 0; i < m->levels; i++)
		if (size > m->bytes[i])
			ns += (m->ns[i + 1] - m->ns[i]) * (1 - m->bytes[i] / size);
	return ns * slow * (1 + m->noise * ((index * 7 % 5) - 2) / 2);
}

/* With so many points in each step of sqrt(2). */
static size_t look(const struct machine *m, int finer, struct staircase_level *levels)
{
	struct staircase_point points[POINTS * FINEST];
	double size = 8192, step = pow(M_SQRT2, 1.0 / finer);
	const int n = POINTS * finer;

	/* backwards: the order does not count */
	for (int i = 0; i < n; i++, size *= step)
		points[n - 1 - i] =
			(struct staircase_point){(uint64_t)(size + 0.5), load_ns(m, size, i)};
	return staircase_find(points, (size_t)n, levels, MOST);
}

static void test_known(void **state)
{
	static const struct machine machines[] = {
		{3, {32768, 262144, 26214400}, {1.2, 3.6, 15, 90}, 1, 0},
		{3, {49152, 1310720, 31457280}, {1, 3, 14, 80}, 1.05, 0.04},
		{2, {65536, 4194304}, {1, 5, 120}, 1.1, 0.06},
		{1, {32768}, {1, 60}, 1, 0},
	};

	(void)state;
	for (size_t i = 0; i < FINEST * sizeof(machines) / sizeof(*machines); i++) {
		const struct machine *m = &machines[i / FINEST];
		struct staircase_level levels[MOST];

		assert_int_equal(look(m, 1 + (int)(i % FINEST), levels), m->levels);
		for (size_t k = 0; k < m->levels; k++) {
			/* a step further either way, as noise and the gentle begin of a rise may */
			assert_true((double)levels[k].low <= m->bytes[k] * M_SQRT2);
			assert_true(
				(double)levels[k].high * (i % FINEST ? M_SQRT2 : 1) >= m->bytes[k]);
			assert_true((double)levels[k].high <= m->bytes[k] * 2.1);
			assert_true(levels[k].low < levels[k].bytes);
			assert_true(levels[k].bytes < levels[k].high);
		}
	}
}

/* Sizes in other steps than sqrt(2), and those that people write: 16K 24K 32K 48K ... */
static void test_other_steps(void **state)
{
	static const struct machine m = {3, {32768, 262144, 26214400}, {1.2, 3.6, 15, 90}, 1, 0};
	static const double steps[][2] = {
		{1.3, 1.3}, {4.0 / 3, 4.0 / 3}, {1.39, 1.39}, {1.5, 4.0 / 3}, {M_SQRT2, 1.05}};

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct staircase_point points[4 * POINTS];
		struct staircase_level levels[MOST];
		double size = 8192;
		size_t n = 0;

		for (; size < 1073741824; size *= steps[i][n++ % 2])
			points[n] = (struct staircase_point){
				(uint64_t)(size + 0.5), load_ns(&m, size, 0)};
		assert_int_equal(staircase_find(points, n, levels, MOST), m.levels);
		for (size_t k = 0; k < m.levels; k++) {
			/* a step further either way */
			assert_true((double)levels[k].low <= m.bytes[k] * 1.5);
			assert_true((double)levels[k].high * 1.3 >= m.bytes[k]);
		}
	}
}

static void test_no_steps(void **state)
{
	static const struct machine machines[] = {
		{0, {0}, {50}, 1, 0},
		{0, {0}, {50}, 1.08, 0.05}, /* translations that miss are no step */
	};
	struct staircase_level levels[MOST];

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		assert_int_equal(look(&machines[i], 1, levels), 0);
	assert_int_equal(staircase_find(NULL, 0, levels, MOST), 0);
}

static void test_disturbed(void **state)
{
	static const struct staircase_point points[] = {{8192, 1}, {16384, 9}, {16384, 1},
		{32768, 30}, {65536, 1}, {131072, NAN}, {131072, 10}, {262144, 10}, {524288, 40},
		{524288, 10}};
	struct staircase_level levels[MOST];

	(void)state;
	assert_int_equal(staircase_find(points, sizeof(points) / sizeof(*points), levels, MOST), 1);
	assert_int_equal(levels[0].low, 65536);
	assert_int_equal(levels[0].high, 131072);
	assert_int_equal(levels[0].bytes, 92681);
	assert_true(levels[0].ns == 1);
}

static void test_most(void **state)
{
	static const struct machine m = {3, {32768, 262144, 26214400}, {1.2, 3.6, 15, 90}, 1, 0};
	struct staircase_level levels[MOST] = {{0}};
	struct staircase_point points[POINTS];
	double size = 8192;

	(void)state;
	for (int i = 0; i < POINTS; i++, size *= M_SQRT2)
		points[i] = (struct staircase_point){(uint64_t)(size + 0.5), load_ns(&m, size, i)};
	assert_int_equal(staircase_find(points, POINTS, levels, 2), 2);
	assert_int_equal(levels[2].bytes, 0);
	/* the second and the third of the machine are one */
	assert_true(levels[1].low <= 262144);
	assert_true(levels[1].high >= 26214400);
	assert_true(levels[1].bytes > 13107200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the caches of known machines are found within their uncertainty",
			.test_func = test_known},
		{.name = "sizes may be in other steps", .test_func = test_other_steps},
		{.name = "a staircase without steps has no caches", .test_func = test_no_steps},
		{.name = "a disturbed point is not a step", .test_func = test_disturbed},
		{.name = "further steps widen the last level", .test_func = test_most},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
