/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histograms of single events, and percentiles of them with their intervals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "statistics/percentile.h"
#include "statistics/random.h"

static uint64_t seed;

static double uniform(void)
{
	return ((double)(random_next(&seed) >> 11) + 0.5) * 0x1p-53;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static struct histogram histogram(const uint64_t *values, size_t n)
{
	struct events_counts *c = calloc(1, sizeof(*c));

	for (size_t i = 0; i < n; i++)
		events_count(c, values[i]);
	const struct histogram h = histogram_of(c);

	free(c);
	return h;
}

/* Each value is in the bucket whose ends hold it; buckets leave no gap; below 128 they are exact,
 * above their width is at most a 64th. */
static void buckets_follow_each_other(void **state)
{
	(void)state;
	for (unsigned b = 0; b < EVENTS_BUCKETS; b++) {
		const uint32_t low = events_lowest(b), high = events_highest(b);

		assert_int_equal(events_bucket(low), b);
		assert_int_equal(events_bucket(high), b);
		assert_true(b >= 128 ? (high - low + 1) * 64ull <= low : high == low);
		if (b + 1 < EVENTS_BUCKETS)
			assert_int_equal(events_lowest(b + 1), high + 1);
	}
	assert_int_equal(events_highest(EVENTS_BUCKETS - 1), UINT32_MAX);
}

/* Merged or counted at once: the same. */
static void merging_is_exact(void **state)
{
	uint64_t values[3000];
	const size_t n = 3000, parts[] = {0, 1, 1200, 1200, 3000};

	(void)state;
	seed = 7;
	for (size_t i = 0; i < n; i++)
		values[i] = (uint64_t)exp(22.3 * uniform()); /* a few above 32 bits */
	struct histogram all = histogram(values, n), merged = {0};

	for (size_t i = 0; i + 1 < sizeof(parts) / sizeof(*parts); i++) {
		struct histogram part = histogram(values + parts[i], parts[i + 1] - parts[i]);

		histogram_merge(&merged, &part);
		histogram_free(&part);
	}
	assert_true(all.clamped > 0);
	assert_int_equal(merged.n, all.n);
	assert_int_equal(merged.clamped, all.clamped);
	assert_int_equal(merged.least, all.least);
	assert_int_equal(merged.most, all.most);
	assert_float_equal(merged.sum / all.sum, 1, 1e-12);
	assert_int_equal(merged.count, all.count);
	assert_memory_equal(merged.buckets, all.buckets, all.count * sizeof(*all.buckets));
	histogram_free(&all);
	histogram_free(&merged);
}

/* What is too long for the buckets is counted, and is no figure. */
static void clamped_values_are_counted_apart(void **state)
{
	const uint64_t values[] = {1000, 1001, 1ull << 32, UINT64_MAX};
	struct histogram h = histogram(values, 4);

	(void)state;
	assert_int_equal(h.n, 4);
	assert_int_equal(h.clamped, 2);
	assert_int_equal(h.most, 1001);
	assert_true(histogram_at(&h, 2).high <= 1001);
	assert_true(isinf(histogram_at(&h, 3).low));
	histogram_free(&h);
}

/* Whatever the widths of buckets. */
static void no_figure_is_outside_of_what_was_seen(void **state)
{
	uint64_t values[40000];
	const size_t n = sizeof(values) / sizeof(*values);

	(void)state;
	for (size_t i = 0; i < n; i++)
		values[i] = i < n - 1 ? 100001 : 100003;
	struct histogram h = histogram(values, n), two[2] = {h, h};

	for (int i = 1; i < 10000; i++) {
		const struct percentile p = percentile_of(two, 2, &h, i / 1e4, 0.95);

		if (isnan(p.value.value))
			continue;
		assert_true(p.value.low >= 100001 && p.value.high <= 100003);
		assert_true(p.value.value >= 100001 && p.value.value <= 100003);
	}
	histogram_free(&h);
}

/* ln(0.025) / ln(p) events have one beyond p in 97.5 % of the cases. */
static void a_percentile_of_too_few_events_is_refused(void **state)
{
	static const struct {
		double part;
		size_t least;
	} table[] = {{0.9, 36}, {0.99, 368}, {0.999, 3688}, {0.01, 368}};
	uint64_t values[4000];

	(void)state;
	for (size_t i = 0; i < 4000; i++)
		values[i] = 100 + i % 97;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		for (int more = 0; more < 2; more++) {
			struct histogram h = histogram(values, table[i].least - 1 + 2 * more);
			const struct percentile p = percentile_of(&h, 1, &h, table[i].part, 0.95);

			assert_int_equal(isnan(p.value.value), !more);
			assert_int_equal((size_t)p.needed, table[i].least);
			histogram_free(&h);
		}
}

/* ---- by simulation: clusters of events whose logarithms are normal around their cluster's own
 * middle, which differs from the others' by `between` standard deviations */

#define CLUSTERS 40
#define EVENTS   2000
/* So wide that a bucket, which an interval contains whole, adds little to it. */
#define MIDDLE 10.0
#define WIDTH  2.0

static void draw(struct histogram *clusters, size_t n, struct histogram *all, double between)
{
	uint64_t values[EVENTS];

	*all = (struct histogram){0};
	for (size_t i = 0; i < n; i++) {
		const double own = between * normal();

		for (size_t k = 0; k < EVENTS; k++)
			values[k] = (uint64_t)exp(MIDDLE + WIDTH * (own + normal()));
		clusters[i] = histogram(values, EVENTS);
		histogram_merge(all, &clusters[i]);
	}
}

static void forget(struct histogram *clusters, size_t n, struct histogram *all)
{
	for (size_t i = 0; i < n; i++)
		histogram_free(&clusters[i]);
	histogram_free(all);
}

/* The part of the intervals that hold the percentile; *design: the mean. */
static double coverage(size_t n, double between, double part, double z, double *design)
{
	const double truth = exp(MIDDLE + WIDTH * z * sqrt(1 + between * between));
	const int trials = n > 10 ? 100 : 200;
	struct histogram clusters[CLUSTERS], all;
	int held = 0, said = 0;

	seed = 11;
	*design = 0;
	for (int i = 0; i < trials; i++) {
		draw(clusters, n, &all, between);
		const struct percentile p = percentile_of(clusters, n, &all, part, 0.95);

		if (!isnan(p.value.low)) {
			held += p.value.low <= truth && truth <= p.value.high;
			*design += p.design;
			said++;
		}
		forget(clusters, n, &all);
	}
	*design /= said;
	assert_true(said > trials * 3 / 4);
	return (double)held / said;
}

static void intervals_hold_what_they_claim(void **state)
{
	static const struct {
		size_t n;
		double between, part, z, least, most; /* of the design effect */
	} table[] = {
		{5, 0, 0.5, 0, 0.7, 1.3},
		{5, 0, 0.99, 2.326348, 0.7, 1.3},
		{10, 0.06, 0.5, 0, 3, 8},
		{10, 0.3, 0.5, 0, 60, 160},
		{20, 0.06, 0.99, 2.326348, 1, 3},
		{40, 0.06, 0.999, 3.090232, 0.8, 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		double design;
		const double c =
			coverage(table[i].n, table[i].between, table[i].part, table[i].z, &design);

		if (c < 0.92 || c > 0.985 || design < table[i].least || design > table[i].most)
			fail_msg("row %zu: coverage %.3f, design effect %.2f", i, c, design);
	}
}

/* The same events, dealt out anew, do not depend on each other. */
static void shuffled_events_have_a_design_effect_of_one(void **state)
{
	static uint64_t values[CLUSTERS * EVENTS];
	struct histogram before[CLUSTERS], after[CLUSTERS], all = {0};

	(void)state;
	seed = 5;
	for (size_t i = 0; i < CLUSTERS; i++) {
		const double own = 0.3 * normal();

		for (size_t k = 0; k < EVENTS; k++)
			values[i * EVENTS + k] = (uint64_t)exp(MIDDLE + WIDTH * (own + normal()));
		before[i] = histogram(values + i * EVENTS, EVENTS);
		histogram_merge(&all, &before[i]);
	}
	for (size_t i = CLUSTERS * EVENTS; i > 1; i--) {
		const size_t k = random_next(&seed) % i;
		const uint64_t swap = values[i - 1];

		values[i - 1] = values[k];
		values[k] = swap;
	}
	for (size_t i = 0; i < CLUSTERS; i++)
		after[i] = histogram(values + i * EVENTS, EVENTS);
	const struct percentile was = percentile_of(before, CLUSTERS, &all, 0.5, 0.95);
	const struct percentile is = percentile_of(after, CLUSTERS, &all, 0.5, 0.95);

	assert_true(was.design > 50);
	assert_true(is.design > 0.5 && is.design < 1.7); /* chi squared of 39: 0.6 to 1.5 */
	assert_float_equal(was.value.value, is.value.value, 0);
	for (size_t i = 0; i < CLUSTERS; i++)
		histogram_free(&before[i]);
	forget(after, CLUSTERS, &all);
}

/* n values of each of `a` (count na) and of b. */
static struct histogram two_values(uint64_t a, size_t na, uint64_t b, size_t nb)
{
	uint64_t *values = calloc(na + nb + 1, sizeof(*values));

	for (size_t i = 0; i < na + nb; i++)
		values[i] = i < na ? a : b;
	const struct histogram h = histogram(values, na + nb);

	free(values);
	return h;
}

/* That no event was above a time does not show that none ever is. */
static void a_share_that_was_not_seen_has_an_interval(void **state)
{
	struct histogram clusters[5], all = {0};

	(void)state;
	for (int i = 0; i < 5; i++) {
		clusters[i] = two_values(100, 200, 0, 0);
		histogram_merge(&all, &clusters[i]);
	}
	const struct amount none = percentile_share_above(clusters, 5, &all, 1000, 0.95);
	const struct amount every = percentile_share_above(clusters, 5, &all, 10, 0.95);

	assert_true(none.value == 0 && none.low == 0);
	assert_float_equal(none.high, 3.689 / 1000, 1e-5);
	assert_true(every.value == 1 && every.high == 1);
	assert_float_equal(every.low, 1 - 3.689 / 1000, 1e-5);
	for (int i = 0; i < 5; i++)
		histogram_free(&clusters[i]);
	histogram_free(&all);
}

/* A placement whose events were all left out is none. */
static void a_cluster_without_events_says_nothing(void **state)
{
	struct histogram clusters[] = {two_values(100, 990, 120, 10), {0}};
	struct histogram all = two_values(100, 990, 120, 10);
	const struct percentile p = percentile_of(clusters, 2, &all, 0.5, 0.95);

	(void)state;
	assert_true(p.value.value == 100 && isnan(p.value.low) && isnan(p.value.high));
	assert_true(isnan(percentile_share_above(clusters, 2, &all, 110, 0.95).low));
	histogram_free(&clusters[0]);
	histogram_free(&all);
}

/* Where the share jumps at a value, and more than the part is above it in this draw, the interval
 * holds the value nevertheless. */
static void an_interval_reaches_over_a_jump(void **state)
{
	static const size_t rest[] = {60, 140, 80, 160, 70}; /* of 10000: about 1 % */
	struct histogram clusters[5], all = {0};

	(void)state;
	for (int i = 0; i < 5; i++) {
		clusters[i] = two_values(2, 10000 - rest[i], 50, rest[i]);
		histogram_merge(&all, &clusters[i]);
	}
	const struct percentile p = percentile_of(clusters, 5, &all, 0.99, 0.95);

	assert_true(p.value.value == 50 && p.value.low == 2 && p.value.high == 50);
	for (int i = 0; i < 5; i++)
		histogram_free(&clusters[i]);
	histogram_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_follow_each_other),
		cmocka_unit_test(merging_is_exact),
		cmocka_unit_test(clamped_values_are_counted_apart),
		cmocka_unit_test(no_figure_is_outside_of_what_was_seen),
		cmocka_unit_test(a_percentile_of_too_few_events_is_refused),
		cmocka_unit_test(intervals_hold_what_they_claim),
		cmocka_unit_test(a_share_that_was_not_seen_has_an_interval),
		cmocka_unit_test(a_cluster_without_events_says_nothing),
		cmocka_unit_test(an_interval_reaches_over_a_jump),
		cmocka_unit_test(shuffled_events_have_a_design_effect_of_one),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
