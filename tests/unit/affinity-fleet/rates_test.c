/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which slow nodes are found, and which healthy ones are named: generated fleets, judged by the
 * project's own functions. The seed is fixed, so the answer is always the same.
 *
 * Without an argument few fleets and wide limits; with the argument `all` those of the manual
 * (make rates-of-fleets). `table` prints the manual's table without a simulation, `values`
 * simulates and prints the values of `expected`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "simulation.h"

/* Nodes in all fleets of 100 or 1000; fleets of fewer nodes, which have one fault each as those of
 * 100 do, and cost more. */
#define NODES       200000
#define SMALL       1080
#define SHORT       2
#define SHORT_SMALL 54
#define SCENARIOS   8
#define EVERY_DAY   5 /* scenarios: simulated limits take their time */
#define NAMED_RATES 3

static const struct scenario scenarios[SCENARIOS] = {
	{"1000", 1000, 0.5, 1, 0, 0.01, 0},
	{"1000, heavy tails (t, 4 degrees of freedom)", 1000, 0.5, 1, 4, 0.01, 0},
	{"1000, 5 % of the runs disturbed", 1000, 0.5, 1, 0, 0.05, 0},
	{"1000, 5 % of the nodes lack a third", 1000, 0.5, 1, 0, 0.01, 0.05},
	{"100", 100, 0.5, 1, 0, 0.01, 0},
	{"32", 32, 0.5, 1, 0, 0.01, 0},
	{"16", 16, 0.5, 1, 0, 0.01, 0},
	{"8", 8, 0.5, 1, 0, 0.01, 0},
};

/* Per cent: found of each kind and size, the right set named; per 1000 healthy nodes: named though
 * alike, named and really slower. */
struct rates {
	double found[NAMED_RATES][SIZES], right, alike, really;
};

static const struct rates expected[SCENARIOS] = {
	{{{92, 100, 100}, {99, 100, 100}, {38, 99, 100}}, 100, 0.05, 0.01},
	{{{95, 100, 100}, {98, 100, 100}, {42, 100, 100}}, 100, 0.14, 4.98},
	{{{90, 99, 100}, {98, 100, 100}, {39, 98, 100}}, 100, 0.15, 0},
	{{{92, 100, 100}, {98, 100, 100}, {40, 97, 98}}, 99, 0.03, 0.01},
	{{{91, 100, 100}, {100, 100, 100}, {30, 97, 100}}, 100, 0.07, 0},
	{{{68, 100, 100}, {96, 100, 100}, {2, 57, 100}}, 100, 0, 0},
	{{{52, 95, 100}, {68, 100, 100}, {0, 6, 87}}, 100, 0, 0},
	{{{8, 52, 98}, {4, 57, 99}, {0, 0, 0}}, 100, 0, 0},
};

static struct rates rates_of(const struct tally *t)
{
	struct rates r = {0};
	size_t found = 0;

	for (int k = 0; k < NAMED_RATES; k++)
		for (int i = 0; i < SIZES; i++) {
			const size_t n = t->faults[FLEET_RESOURCE + k][i];

			found += t->found[FLEET_RESOURCE + k][i];
			r.found[k][i] = 100.0 * (double)t->found[FLEET_RESOURCE + k][i] / (double)n;
		}
	r.right = 100.0 * (double)t->right / (double)found;
	r.alike = 1000.0 * (double)t->false_alarms / (double)t->healthy;
	r.really = 1000.0 * (double)t->really / (double)t->healthy;
	return r;
}

static bool all;

static struct tally simulated(size_t scenario)
{
	const size_t nodes = scenarios[scenario].nodes, many = nodes < 100 ? SMALL : NODES / nodes,
		     few = nodes < 1000 ? SHORT_SMALL : SHORT;

	return simulate_fleets(&scenarios[scenario], all ? many : few);
}

/* Four standard errors of a share, per cent, and a fault. */
static double limit(double share, size_t n)
{
	return (100 + 4 * sqrt(share * (100 - share) * (double)n)) / (double)n;
}

static bool agrees(const struct scenario *s, const struct rates *e, const struct tally *t)
{
	const struct rates r = rates_of(t);
	const double healthy = (double)t->healthy / 1000;
	bool right = r.alike <= e->alike + (3 + 3 * sqrt(e->alike * healthy)) / healthy;

	for (int k = 0; k < NAMED_RATES; k++)
		for (int i = 0; i < SIZES; i++)
			right &= fabs(r.found[k][i] - e->found[k][i]) <=
				 limit(e->found[k][i], t->faults[FLEET_RESOURCE + k][i]);
	right &= fabs(r.right - e->right) <= 8;
	if (!right)
		print_message("# %s: other rates than the manual's\n", s->name);
	return right;
}

static void finds_what_the_manual_says(void **state)
{
	bool right = true;

	(void)state;
	for (size_t i = 0; i < (all ? SCENARIOS : EVERY_DAY); i++) {
		struct tally t = simulated(i);

		right &= agrees(&scenarios[i], &expected[i], &t);
	}
	assert_true(right);
}

static void print_values(void)
{
	for (size_t i = 0; i < SCENARIOS; i++) {
		struct tally t = simulated(i);
		const struct rates r = rates_of(&t);

		printf("{{");
		for (int k = 0; k < NAMED_RATES; k++)
			printf("{%.0f, %.0f, %.0f}%s", r.found[k][0], r.found[k][1], r.found[k][2],
				k < 2 ? ", " : "");
		printf("}, %.0f, %.2f, %.2f},\n", r.right, r.alike, r.really);
	}
}

static void print_table(FILE *out)
{
	fprintf(out,
		"| nodes | one resource | NUMA node | one figure | right set | named though "
		"alike | named, really slower |\n| --- | --- | --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < SCENARIOS; i++) {
		const struct rates *r = &expected[i];

		fprintf(out, "| %s ", scenarios[i].name);
		for (int k = 0; k < NAMED_RATES; k++)
			fprintf(out, "| %.0f, %.0f, %.0f ", r->found[k][0], r->found[k][1],
				r->found[k][2]);
		fprintf(out, "| %.0f | %.2f | %.2f |\n", r->right, r->alike, r->really);
	}
}

static void the_manual_has_these_rates(void **state)
{
	(void)state;
	manual_has(print_table);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_the_manual_says),
		cmocka_unit_test(the_manual_has_these_rates),
	};
	const char *what = argc > 1 ? argv[1] : "";

	lay_out();
	all = !strcmp(what, "all") || !strcmp(what, "values");
	if (!strcmp(what, "table"))
		print_table(stdout);
	else if (!strcmp(what, "values"))
		print_values();
	else {
		cmocka_set_message_output(CM_OUTPUT_TAP);
		return cmocka_run_group_tests(tests, NULL, NULL);
	}
	return 0;
}
