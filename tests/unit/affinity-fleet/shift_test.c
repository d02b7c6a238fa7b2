/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps of nodes over dates: generated fleets whose steps are known. The seed is fixed, so the
 * answer is always the same.
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

#include "affinity-fleet/shift.h"
#include "simulation.h"

/* A fleet over time: what nodes differ by, what a date does to all, and one step in each
 * twentieth node. */
struct plan {
	const char *name;
	size_t nodes, dates, split; /* the step's first date */
	bool known;                 /* told to the detector: before and after */
	double disturbed;
};

#define PLANS 6
static const struct plan plans[PLANS] = {
	{"1000 nodes, 26 dates", 1000, 26, 20, false, 0.01},
	{"1000 nodes, 12 dates", 1000, 12, 8, false, 0.01},
	{"100 nodes, 12 dates", 100, 12, 8, false, 0.01},
	{"1000 nodes, 12 dates, 5 % of the runs disturbed", 1000, 12, 8, false, 0.05},
	{"1000 nodes, 3 runs before and 3 after", 1000, 6, 3, true, 0.01},
	{"100 nodes, 3 runs before and 3 after", 100, 6, 3, true, 0.01},
};

struct rates {
	double found[2][SIZES], right, alike; /* per cent of resources and figures; per 1000 */
};

static const struct rates expected[PLANS] = {
	{{{100, 100, 100}, {61, 100, 100}}, 100, 0.21},
	{{{87, 100, 99}, {25, 78, 100}}, 100, 0.32},
	{{{81, 99, 100}, {15, 80, 100}}, 100, 0},
	{{{76, 99, 98}, {20, 76, 100}}, 100, 1.68},
	{{{93, 99, 98}, {13, 89, 100}}, 100, 1.16},
	{{{77, 99, 100}, {4, 70, 99}}, 100, 0.21},
};

struct counts {
	size_t faults[2][SIZES], found[2][SIZES], right, healthy, named;
	size_t covered; /* intervals with the true effect, of found ones */
};

/* Fills values and faults. All nodes become slower by 4 % at the split, as by new software. */
static void generate(gsl_rng *rng, const struct plan *p, struct fault *faults, double *values)
{
	const struct scenario s = {p->name, p->nodes, 2, 1, 0, p->disturbed, 0};
	double truth[FIGURES], later[FIGURES];

	for (size_t n = 0; n < p->nodes; n++) {
		memset(truth, 0, sizeof(truth));
		add_effects(rng, s.between, 0, node_parts, truth);
		memcpy(later, truth, sizeof(later));
		add_fault(&faults[n], later);
		for (size_t t = 0; t < p->dates; t++) {
			double *x = values + (n * p->dates + t) * FIGURES;

			run(rng, &s, t < p->split ? truth : later, x);
			for (int f = 0; f < FIGURES && t >= p->split; f++)
				x[f] += 4;
		}
	}
}

static struct fleet_series series_of(const struct plan *p, const double *values)
{
	return (struct fleet_series){&layout, p->nodes, p->dates, values, p->known ? p->split : 3,
		p->known ? p->split : p->dates - 3, p->known ? 1 : 3, FLEET_FLOOR};
}

static void count(const struct fault *fault, const struct fleet_shift *v, struct counts *c)
{
	if (!(fault->size > 0)) {
		c->healthy++;
		c->named += v->changed;
		return;
	}
	const int kind = fault->kind == FLEET_FIGURE;
	const struct fleet_set set = fleet_set(&layout, v->set);
	const bool right = set.kind == fault->kind && set.index == fault->index && v->effect > 0;

	for (int i = 0; i < SIZES; i++)
		if (sizes[i] == fault->size) {
			c->faults[kind][i]++;
			c->found[kind][i] += v->changed;
		}
	c->right += v->changed && right;
	c->covered += v->changed && right && v->low <= fault->size && v->high >= fault->size;
}

static struct counts simulate_plan(const struct plan *p, size_t fleets)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct fault *faults = alloc_zeroed(p->nodes, sizeof(*faults));
	double *values = alloc_zeroed(p->nodes * p->dates * FIGURES, sizeof(*values));
	struct counts c = {0};
	size_t turn = 0;

	for (size_t i = 0; i < fleets; i++) {
		for (size_t n = 0; n < p->nodes; n += 20, turn++) {
			const enum fleet_kind kind = turn % 2 ? FLEET_FIGURE : FLEET_RESOURCE;

			faults[n] = (struct fault){kind,
				gsl_rng_uniform_int(rng, fleet_members(&layout, kind)),
				sizes[turn / 2 % SIZES]};
		}
		generate(rng, p, faults, values);
		const struct fleet_series s = series_of(p, values);
		struct fleet_shifts shifts = fleet_shifts_of(&s);

		for (size_t n = 0; n < p->nodes; n++)
			count(&faults[n], &shifts.nodes[n], &c);
		fleet_shifts_free(&shifts);
	}
	free(values);
	free(faults);
	gsl_rng_free(rng);
	return c;
}

static size_t fleets_of(const struct plan *p, bool all)
{
	return (all ? 10000 : 2000) / p->nodes;
}

static struct rates rates_of(const struct counts *c)
{
	struct rates r = {0};
	size_t found = 0;

	for (int k = 0; k < 2; k++)
		for (int i = 0; i < SIZES; i++) {
			found += c->found[k][i];
			r.found[k][i] = 100.0 * (double)c->found[k][i] / (double)c->faults[k][i];
		}
	r.right = 100.0 * (double)c->right / (double)found;
	r.alike = 1000.0 * (double)c->named / (double)c->healthy;
	return r;
}

/* ---- what the manual says */

static bool all;

/* Four standard errors of a share, per cent, and a fault. */
static double limit(double share, size_t n)
{
	return (100 + 4 * sqrt(share * (100 - share) * (double)n)) / (double)n;
}

static bool agrees(const struct plan *p, const struct rates *e)
{
	const struct counts c = simulate_plan(p, fleets_of(p, all));
	const struct rates r = rates_of(&c);
	const double healthy = (double)c.healthy / 1000;
	bool good = r.alike <= e->alike + (3 + 3 * sqrt(e->alike * healthy)) / healthy;

	for (int k = 0; k < 2; k++)
		for (int i = 0; i < SIZES; i++)
			good &= fabs(r.found[k][i] - e->found[k][i]) <=
				limit(e->found[k][i], c.faults[k][i]);
	good &= r.right >= e->right - 4;
	good &= (double)c.covered >= 0.9 * (double)c.right; /* 95, less what chance favours */
	if (!good)
		print_message("# %s: other rates than the manual's\n", p->name);
	return good;
}

static void finds_what_the_manual_says(void **state)
{
	bool good = true;

	(void)state;
	for (size_t i = 0; i < PLANS; i++)
		if (all || plans[i].dates <= 12)
			good &= agrees(&plans[i], &expected[i]);
	assert_true(good);
}

static void print_values(void)
{
	for (size_t i = 0; i < PLANS; i++) {
		const struct counts c = simulate_plan(&plans[i], fleets_of(&plans[i], true));
		const struct rates r = rates_of(&c);

		printf("{{");
		for (int k = 0; k < 2; k++)
			printf("{%.0f, %.0f, %.0f}%s", r.found[k][0], r.found[k][1], r.found[k][2],
				k < 1 ? ", " : "");
		printf("}, %.0f, %.2f},\n", r.right, r.alike);
	}
}

static void print_table(FILE *out)
{
	fprintf(out, "| fleet | one resource | one figure | right set | named though alike |\n"
		     "| --- | --- | --- | --- | --- |\n");
	for (size_t i = 0; i < PLANS; i++) {
		const struct rates *r = &expected[i];

		fprintf(out, "| %s ", plans[i].name);
		for (int k = 0; k < 2; k++)
			fprintf(out, "| %.0f, %.0f, %.0f ", r->found[k][0], r->found[k][1],
				r->found[k][2]);
		fprintf(out, "| %.0f | %.2f |\n", r->right, r->alike);
	}
}

static void the_manual_has_these_rates(void **state)
{
	(void)state;
	manual_has(print_table);
}

/* ---- single cases: 20 nodes, 12 dates, noise of 0.5 % */

#define NODES 20
#define DATES 12
#define SPLIT 7

static double *quiet_fleet(double common)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double *values = alloc_zeroed((size_t)NODES * DATES * FIGURES, sizeof(*values));

	for (size_t i = 0; i < (size_t)NODES * DATES * FIGURES; i++) {
		const size_t date = i / FIGURES % DATES, node = i / FIGURES / DATES;

		values[i] = 3 * (double)node + (date >= SPLIT ? common : 0) +
			    gsl_ran_gaussian(rng, 0.5);
	}
	gsl_rng_free(rng);
	return values;
}

static double *at(double *values, size_t node, size_t date)
{
	return values + (node * DATES + date) * FIGURES;
}

static struct fleet_series dated(const double *values)
{
	return (struct fleet_series){&layout, NODES, DATES, values, 3, DATES - 3, 3, FLEET_FLOOR};
}

static void a_step_is_found_with_its_date_and_no_other_node_is(void **state)
{
	double *values = quiet_fleet(6);
	const struct fleet_series s = dated(values);

	(void)state;
	for (size_t t = SPLIT; t < DATES; t++)
		for (size_t f = 0; f < FIGURES; f++)
			at(values, 4, t)[f] += resource[f] == 2 ? 5 : 0;
	struct fleet_shifts found = fleet_shifts_of(&s);

	for (size_t n = 0; n < NODES; n++)
		assert_int_equal(found.nodes[n].changed, n == 4);
	assert_int_equal(found.nodes[4].set, 3);
	assert_int_equal(found.nodes[4].split, SPLIT);
	assert_float_equal(found.nodes[4].effect, 5, 0.7);
	assert_true(found.nodes[4].low < 5 && found.nodes[4].high > 5);
	assert_float_equal(found.resources[4 * RESOURCES + 2], 5, 0.7);
	assert_float_equal(found.courses[4 * DATES + DATES - 1], 5, 1.5);
	assert_true(found.found[3] < 5);
	fleet_shifts_free(&found);
	const struct fleet_common c = fleet_common(&s, 1, SPLIT);

	assert_float_equal(c.effect, 6, 0.3);
	assert_true(c.low < 6 && c.high > 6);
	free(values);
}

static void disturbed_and_missing_dates_are_no_step(void **state)
{
	double *values = quiet_fleet(0);
	const struct fleet_series s = dated(values);

	(void)state;
	for (size_t t = DATES - 2; t < DATES; t++)
		for (size_t f = 0; f < FIGURES / 4; f++)
			at(values, 4, t)[f] += 30;
	for (size_t i = 0; i < (size_t)2 * DATES * FIGURES; i++)
		if (i / FIGURES % DATES > 1)
			at(values, 8, 0)[i] = NAN; /* two dates of nodes 8 and 9 */
	struct fleet_shifts found = fleet_shifts_of(&s);

	for (size_t n = 0; n < NODES; n++)
		assert_false(found.nodes[n].changed);
	assert_false(found.nodes[8].known);
	assert_true(found.nodes[10].known);
	fleet_shifts_free(&found);
	free(values);
}

static void a_node_that_became_quicker_is_told_so(void **state)
{
	double *values = quiet_fleet(0);
	struct fleet_series s = dated(values);

	(void)state;
	s.first = s.last = SPLIT;
	for (size_t t = SPLIT; t < DATES; t++)
		for (size_t f = 0; f < FIGURES; f++)
			at(values, 4, t)[f] -= resource[f] == 0 ? 5 : 0;
	struct fleet_shifts found = fleet_shifts_of(&s);

	assert_true(found.nodes[4].changed);
	assert_true(found.nodes[4].effect < -4);
	s.floor = 8;
	fleet_shifts_free(&found);
	found = fleet_shifts_of(&s);
	assert_false(found.nodes[4].changed);
	fleet_shifts_free(&found);
	free(values);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_is_found_with_its_date_and_no_other_node_is),
		cmocka_unit_test(disturbed_and_missing_dates_are_no_step),
		cmocka_unit_test(a_node_that_became_quicker_is_told_so),
		cmocka_unit_test(finds_what_the_manual_says),
		cmocka_unit_test(the_manual_has_these_rates),
	};
	const char *what = argc > 1 ? argv[1] : "";

	lay_out();
	all = !strcmp(what, "all");
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
