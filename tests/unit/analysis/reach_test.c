/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs found in staircases of machines whose TLBs are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/reach.h"

#define POINTS 26

/* A machine: entries of two levels, what a hit of the second and a walk cost; and its caches, which
 * hold so many lines, as both layouts of the lines meet them. */
struct machine {
	double entries[2], second_ns, walk_ns;
	double noise;   /* as a part */
	bool at_random; /* which translation a TLB replaces */
};

static double missed(const struct machine *m, int level, double pages)
{
	if (pages <= m->entries[level])
		return 0;
	return m->at_random ? 1 - m->entries[level] / pages : 1;
}

/* 1.2 ns in the first cache, 3 from 768 lines on, 12 from 16384. */
static double lines_ns(double n)
{
	return n <= 768 ? 1.2 : n <= 16384 ? 3 : 12;
}

static struct amount with_noise(double ns, double noise, int i)
{
	double at = ns * (1 + noise * ((i * 7 % 5) - 2) / 2);

	return (struct amount){at, at - ns * noise, at + ns * noise};
}

static void look(const struct machine *m, size_t points, struct reach *r)
{
	struct reach_point p[POINTS];
	double pages = 8;

	/* backwards: the order does not count */
	for (size_t i = 0; i < points; i++, pages *= M_SQRT2) {
		double n = floor(pages + 0.5), near = lines_ns(n);
		double more = m->second_ns * missed(m, 0, n) + m->walk_ns * missed(m, 1, n);

		p[points - 1 - i] =
			(struct reach_point){n, with_noise(near + more, m->noise, (int)i),
				with_noise(near, m->noise, (int)i + 3)};
	}
	reach_find(p, points, r);
}

static void is_level(struct amount a, double entries)
{
	assert_true(a.low <= entries * M_SQRT2 && a.high * M_SQRT2 >= entries);
	assert_true(a.high <= entries * 2.1);
	assert_true(a.low < a.value && a.value < a.high);
}

/* The caches' own steps are not found: they are those of both layouts. */
static void both_levels_are_found(void **state)
{
	static const struct machine machines[] = {
		{{64, 1536}, 2, 8, 0, false},
		{{96, 4096}, 2, 20, 0.02, false},
		{{64, 2048}, 1.9, 9, 0.04, true},
		{{48, 1024}, 3, 30, 0.05, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		const struct machine *m = &machines[i];
		struct reach r;

		look(m, POINTS, &r);
		assert_int_equal(r.levels, 2);
		is_level(r.pages[0], m->entries[0]);
		is_level(r.pages[1], m->entries[1]);
		double walk = m->second_ns + m->walk_ns;

		assert_true(r.walk.value > 0.8 * walk && r.walk.value < 1.2 * walk);
		assert_true(r.walk.low <= r.walk.value && r.walk.high >= r.walk.value);
	}
}

/* Huge pages that reach beyond all points; and a flat curve with noise. */
static void a_flat_curve_has_none(void **state)
{
	static const struct machine machines[] = {
		{{1e9, 1e9}, 0, 0, 0, false}, {{1e9, 1e9}, 0, 0, 0.3, false}};
	struct reach r;

	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		look(&machines[i], POINTS, &r);
		assert_int_equal(r.levels, 0);
		assert_true(isnan(r.walk.value));
		assert_true(r.most > 40000);
	}
	reach_find(NULL, 0, &r);
	assert_int_equal(r.levels, 0);
	assert_true(r.most == 0 && isnan(r.walk.value));
}

/* Up to 256 pages only the first level ends; up to 2896, four times the second one is not seen. */
static void a_level_beyond_the_points_is_not_found(void **state)
{
	static const struct machine m = {{64, 1536}, 2, 8, 0, false};
	struct reach r;

	(void)state;
	look(&m, 11, &r);
	assert_int_equal(r.levels, 1);
	is_level(r.pages[0], 64);
	assert_true(isnan(r.walk.value));
	look(&m, 18, &r);
	assert_int_equal(r.levels, 2);
	assert_true(isnan(r.walk.value));
}

/* A step as large as the intervals is noise; the same step with narrow ones is a level. */
static void a_step_within_its_intervals_is_none(void **state)
{
	struct reach_point p[POINTS];
	struct reach r;

	(void)state;
	for (int wide = 0; wide < 2; wide++) {
		double pages = 8, half = wide ? 3 : 0.1;

		for (int i = 0; i < POINTS; i++, pages *= M_SQRT2) {
			double ns = i < 10 ? 1.2 : 3.2;

			p[i] = (struct reach_point){floor(pages + 0.5), {ns, ns - half, ns + half},
				{1.2, 1.2 - half, 1.2 + half}};
		}
		reach_find(p, POINTS, &r);
		assert_int_equal(r.levels, wide ? 0 : 1);
	}
	p[0].apart = p[3].near = AMOUNT_NONE; /* runs that were not measured */
	for (int i = 0; i < POINTS; i++)
		p[i].apart.low = p[i].apart.high = NAN; /* statistic: min */
	reach_find(p, POINTS, &r);
	assert_int_equal(r.levels, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "both levels of known TLBs are found within their uncertainty",
			.test_func = both_levels_are_found},
		{.name = "a flat curve shows no TLB", .test_func = a_flat_curve_has_none},
		{.name = "a level beyond the points is not found, and no walk",
			.test_func = a_level_beyond_the_points_is_not_found},
		{.name = "a step within the intervals of its points is noise",
			.test_func = a_step_within_its_intervals_is_none},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
