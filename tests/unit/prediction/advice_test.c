/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is searched, by its numbers, and whether advice held, from figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prediction/advice.h"

static struct forecast forecast = {.confidence = 0.95};

/* A placement that was measured: its cost, and half of its interval. */
static struct advised_placement costs(double value, double half)
{
	static size_t rank;

	return (struct advised_placement){
		.rank = ++rank, .measured = {value, value - half, value + half}, .verified = true};
}

/* Returns the overlap of what is too noisy; NAN: it is not. */
static double concluded(struct advised_placement *list, size_t count, enum advised_verdict verdict,
	const char *why, size_t cheapest)
{
	struct advised a = {.forecast = &forecast, .list = list, .count = count, .verify = count};

	for (size_t i = 0; i < count; i++)
		list[i].rank = list[i].rank ? i + 1 : 0;
	advice_conclude(&a);
	if (!strstr(a.why, why))
		fail_msg("'%s' does not say '%s'", a.why, why);
	assert_int_equal(a.verdict, verdict);
	assert_int_equal(a.cheapest, cheapest);
	const double overlap = a.too_noisy ? round(1e6 * a.overlap) / 1e6 : NAN;

	a.list = NULL; /* it is the test's */
	a.count = 0;
	advised_free(&a);
	return overlap;
}

static void judged(struct advised_placement *list, size_t count, enum advised_verdict verdict,
	const char *why, size_t cheapest)
{
	assert_true(isnan(concluded(list, count, verdict, why, cheapest)));
}

static double noisy(struct advised_placement *list, size_t count, const char *why, size_t cheapest)
{
	return concluded(list, count, ADVISED_NOT_SHOWN, why, cheapest);
}

static void others_that_are_dearer_or_alike(void **state)
{
	struct advised_placement list[] = {costs(1, 0.001), costs(0.99, 0.001), costs(2, 0.1)};

	(void)state;
	judged(list, 3, ADVISED_HOLDS, "cheaper than its first placement by more than 3 %", 1);
}

static void one_that_is_cheaper_beyond_doubt(void **state)
{
	struct advised_placement list[] = {
		costs(1, 0.01), costs(0.96, 0.1), costs(0.5, 0.01), costs(0.4, 0.01)};

	(void)state;
	judged(list, 4, ADVISED_FAILS, "takes 2 times as long as placement 3", 3);
}

static void one_that_may_be_cheaper(void **state)
{
	struct advised_placement list[] = {costs(1, 0.05), costs(1.01, 0.05)};

	(void)state;
	assert_true(noisy(list, 2,
			    "the intervals of its first placement and of placement 2 overlap by 9 "
			    "%; too noisy for 3 %: it takes 0.9901 times as long, 95 %: ",
			    0) == 0.09);
	assert_true(list[1].tied && !list[0].tied);
	/* 2 % dearer beyond doubt, and nobody knows whether 3 % */
	list[1] = costs(0.972, 0.01);
	list[0].measured = (struct amount){1, 0.99, 1.01};
	assert_true(noisy(list, 2,
			    "its first placement costs more than placement 2; too noisy for "
			    "3 %: it takes 1.029 times as long, 95 %: ",
			    1) == 0);
	assert_true(!list[0].tied);
	list[1].measured.low = list[1].measured.high = NAN;
	judged(list, 2, ADVISED_NOT_SHOWN, "placement 2 or the first one has no interval", 1);
}

static void what_was_not_measured_well(void **state)
{
	struct advised_placement list[] = {costs(1, 0.001), costs(2, 0.001)};

	(void)state;
	list[1].rank = 0;
	list[1].baseline = true;
	list[1].disturbed = true;
	judged(list, 2, ADVISED_NOT_SHOWN, "too many samples of the baseline are disturbed", 0);
	list[1].measured = AMOUNT_NONE;
	judged(list, 2, ADVISED_NOT_SHOWN, "the baseline was not measured", 0);
	judged(list, 1, ADVISED_NOT_SHOWN, "no other placement was measured", 0);
	list[0].measured = AMOUNT_NONE;
	judged(list, 1, ADVISED_NOT_SHOWN, "its first placement was not measured", 1);
}

/* Opens these lines on a machine of so many nodes. Returns whether they are more placements than
 * can all be predicted; the first message instead: *refused. */
static bool opened(const char *lines, int nodes, const char *sweep, const char **refused)
{
	static char text[256];
	const struct topo t = {
		.nnodes = nodes, .nodes = calloc((size_t)nodes, sizeof(struct topo_node))};
	struct args a = {0};
	struct errors e = {0};
	bool large = false;

	*refused = NULL;
	for (int i = 0; i < nodes; i++)
		t.nodes[i] = (struct topo_node){.node = i, .bytes = 1 << 30, .allowed = true};
	assert_int_equal(args_parse(&a, "a.args", lines, strlen(lines), &e), 0);
	if (advice_open(&a, &t, &e)) {
		snprintf(text, sizeof(text), "%s", e.list[0].text);
		*refused = text;
	} else {
		assert_string_equal(a.entries[a.count - 1].value, sweep);
		large = advice_is_large(&a, &t);
	}
	args_free(&a);
	errors_free(&e);
	free(t.nodes);
	return large;
}

static void placements_are_counted_before_they_are_searched(void **state)
{
	static const struct {
		const char *lines;
		int nodes;
		const char *sweep; /* the last one */
		bool large;        /* above 10000 */
		const char *refused;
	} cases[] = {
		{"nodePerVector: ? 0 ?*3", 10, "open3 = nodes", false, NULL},
		{"nodePerVector: ? 0 ?*4", 10, "open4 = nodes", true, NULL},
		{"nodePerVector: ?*", 4000, "open0 = nodes", false, NULL},
		{"nodePerThread: ?*2\nnodePerVector: ?*2", 10, "open3 = nodes", false, NULL},
		{"nodePerThread: ?*2\nnodePerVector: ?*3", 10, "open4 = nodes", true, NULL},
		{"kernels: gemv\nnodePerVector: ?*4", 7,
			"open3 = nodes interleave slices replicate", false, NULL},
		{"kernels: gemv\nnodePerVector: ?*4", 8,
			"open3 = nodes interleave slices replicate", true, NULL},
		{"kernels: gemv\nnodePerVector: ?*4", 1, "open3 = nodes", false, NULL},
		{"kernels: read+gemv\nnodePerVector: ?", 8, "open0 = nodes", false, NULL},
		{"pagesPerVector: ?*6", 1, "open5 = system 4K thp 2M", false, NULL},
		{"pagesPerVector: ?*7", 1, "open6 = system 4K thp 2M", true, NULL},
		{"nodePerVector: ?*5", 1000, "open4 = nodes", true, NULL},
		{"nodePerVector: ?*6", 1000, NULL, false,
			"leaves 1e+18 placements open, and --advise searches 1e+15 at most"},
		{"nodePerVector: ?*1024", 1, "open1023 = nodes", false, NULL},
		{"nodePerVector: ?*1025", 1, NULL, false, "leaves more than 1024 values open"},
		{"nodePerVector: ?*99999999999", 1, NULL, false,
			"leaves more than 1024 values open"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *refused;
		const bool large = opened(cases[i].lines, cases[i].nodes, cases[i].sweep, &refused);

		if (large != cases[i].large || !refused != !cases[i].refused ||
			(refused && !strstr(refused, cases[i].refused)))
			fail_msg("%s: %s %s", cases[i].lines, large ? "large" : "all",
				refused ? refused : "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_that_are_dearer_or_alike),
		cmocka_unit_test(one_that_is_cheaper_beyond_doubt),
		cmocka_unit_test(one_that_may_be_cheaper),
		cmocka_unit_test(what_was_not_measured_well),
		cmocka_unit_test(placements_are_counted_before_they_are_searched),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
