/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which number --figure takes from an output, and which it refuses. */
#include "affinity-map/figure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define IN_DOUBT (-1.)
#define NOTHING  (-2.)

static const struct {
	const char *pattern, *output;
	double value;
	const char *unit;
} cases[] = {
	{"cost: ([0-9.]+)", "cost: 12.5 ms\n", 12.5, "ms"},
	{"cost: ([0-9.]+)", "cost: 9\rcost: 5\rcost: 3", 3, ""},
	{"([0-9.]+)MB/s", "900.5MB/s at 3\n", 900.5, "MB/s"},
	{"cost: ([0-9.]+)", "price: 12\n", NOTHING, ""},
	/* notations */
	{"cost: (.*)", "cost: 1.5e+03\n", 1500, ""},
	{"cost: (.*)", "cost: 1e3\n", 1000, ""},
	{"cost: ([0-9.]+)", "cost: 1.5e+03 s\n", IN_DOUBT, ""},
	{"([0-9.]+)", "1.5e+03\n", IN_DOUBT, ""},
	{"([0-9.]+)", "cost -5\n", IN_DOUBT, ""},
	{"([0-9.]+)", "run-5\n", 5, ""},
	{"([0-9.]+)", "0:12.5\n", IN_DOUBT, ""},
	{"cost:([0-9.]+)", "cost:5\n", 5, ""},
	{"time=([0-9]+):", "time=5:30\n", 5, ""},
	{"([0-9]+)", "12.5\n", IN_DOUBT, ""},
	{"([0-9]+)\\.[0-9]*", "12.5\n", 12, ""},
	/* thousands */
	{"cost: ([0-9.,]+)", "cost: 1,234.5\n", 1234.5, ""},
	{"cost: ([0-9.,]+)", "cost: 1,234,567 s\n", 1234567, "s"},
	{"cost: ([0-9.,]+)", "cost: 1.234,5\n", 1234.5, ""},
	{"cost: ([0-9.,]+)", "cost: 1.234.567\n", 1234567, ""},
	{"cost: ([0-9.,']+)", "cost: 1'234\n", 1234, ""},
	{"cost: ([0-9.,]+)", "cost: 1,234\n", IN_DOUBT, ""},
	{"cost: ([0-9.,]+)", "cost: 1,5\n", IN_DOUBT, ""},
	{"cost: ([0-9.,]+)", "cost: 0,123,456\n", IN_DOUBT, ""},
	{"cost: ([0-9.,]+)", "cost: 1,23,456.5\n", IN_DOUBT, ""},
	{"cost: ([0-9.,]+)", "cost: 1234,567.5\n", IN_DOUBT, ""},
	{"cost: ([0-9.]+)", "cost: 1,234.5\n", IN_DOUBT, ""},
	{"cost: ([0-9.]+).*", "cost: 1,234.5\n", IN_DOUBT, ""},
	{"([0-9.]+) MB/s", "1,234.5 MB/s\n", IN_DOUBT, ""},
	{"cost: ([0-9.]+)",
		"cost: 1\xe2\x80\xaf"
		"234\n",
		IN_DOUBT, ""},
	{"([0-9.]+)$",
		"cost: 1\xc2\xa0"
		"234\n",
		IN_DOUBT, ""},
	/* a table with commas, of which the expression says so */
	{"time,([0-9]+),", "time,1,234\n", 1, ""},
	{"time,[0-9]+,([0-9]+)", "time,1,234\n", 234, ""},
};

static void find(size_t i, struct figure *f)
{
	struct figure_pattern p;
	struct errors e = {0};
	char text[64];

	assert_int_equal(figure_compile(&p, cases[i].pattern, &e), 0);
	strcpy(text, cases[i].output);
	FILE *in = fmemopen(text, strlen(text), "r");

	assert_non_null(in);
	figure_find(in, &p, f);
	fclose(in);
	figure_free(&p);
}

static bool is_as_expected(size_t i, const struct figure *f)
{
	const double value = cases[i].value;

	if (value == IN_DOUBT)
		return f->doubt && isnan(f->value);
	if (value == NOTHING)
		return !f->doubt && isnan(f->value);
	return !f->doubt && f->value == value && !strcmp(f->unit, cases[i].unit);
}

static void takes_numbers_beyond_doubt(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct figure f;

		find(i, &f);
		if (!is_as_expected(i, &f))
			fail_msg("'%s' in '%s': %g, unit '%s', %s", cases[i].pattern,
				cases[i].output, f.value, f.unit, f.doubt ? f.doubt : "no doubt");
		free(f.doubt);
	}
}

static void says_what_is_in_doubt(void **state)
{
	struct figure f;
	size_t i = 0;

	(void)state;
	while (strcmp(cases[i].pattern, "cost: ([0-9.]+).*") != 0)
		i++;
	find(i, &f);
	assert_string_equal(f.doubt, "its output has '1,234.5', and --figure takes only '1'");
	free(f.doubt);
}

static void units_of_one_quantity_differ(void **state)
{
	static const struct {
		const char *a, *b;
		bool other;
	} pairs[] = {{"MB/s", "GB/s", true}, {"MB/s", "MB/s", false}, {"MiB/s", "MB/s", true},
		{"Mb/s", "MB/s", true}, {"ms", "s", true}, {"us", "ms", true}, {"min", "s", true},
		{"sec", "msec", true}, {"second", "seconds", false}, {"s", "seconds", true},
		{"", "K", true}, {"K", "M", true}, {"Gflop/s", "Mflop/s", true},
		{"GFLOPS", "MFLOPS", true}, {"kops", "Mops", true}, {"Mbps", "Gbps", true},
		{"alice", "bob", false}, {"best", "", false}, {"iterations", "runs", false}};

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		if (figure_other_unit(pairs[i].a, pairs[i].b) != pairs[i].other ||
			figure_other_unit(pairs[i].b, pairs[i].a) != pairs[i].other)
			fail_msg("'%s' and '%s'", pairs[i].a, pairs[i].b);
	}
}

static void rates_should_be_large_and_times_small(void **state)
{
	static const char *const larger[] = {"t/s", "tokens/s", "tok/sec", "MB/s", "GiB/s", "/s",
		"GFLOPS", "MFlops", "Mop/s", "IOPS", "Mbps", "fps", "req/min"},
				 *const smaller[] = {"s", "ms", "us", "sec", "seconds", "min",
					 "ns/op", "s/it", "ms/token"},
				 *const unknown[] = {"", "units", "MB", "MHz", "Joules", "ops",
					 "op/J", "steps", "s/s"};

	(void)state;
	for (size_t i = 0; i < sizeof(larger) / sizeof(*larger); i++)
		if (figure_better(larger[i]) != FIGURE_LARGER)
			fail_msg("'%s'", larger[i]);
	for (size_t i = 0; i < sizeof(smaller) / sizeof(*smaller); i++)
		if (figure_better(smaller[i]) != FIGURE_SMALLER)
			fail_msg("'%s'", smaller[i]);
	for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
		if (figure_better(unknown[i]) != FIGURE_UNKNOWN)
			fail_msg("'%s'", unknown[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_numbers_beyond_doubt),
		cmocka_unit_test(says_what_is_in_doubt),
		cmocka_unit_test(units_of_one_quantity_differ),
		cmocka_unit_test(rates_should_be_large_and_times_small),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
