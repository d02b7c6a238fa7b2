/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What places of CPUs mean in tables: classes of pairs, and where places begin. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/begins.h"
#include "analysis/pair_classes.h"
#include "analysis/view.h"
#include "topology/levels.h"
#include "../described.h"

/* Two packages of two L3 caches of three cores. */
#define MACHINE "pack:2 [numa] l3:2 core:3 pu:1"

#define MOST_RUNS    144
#define MOST_THREADS 12

static struct topo topo;
static struct run runs[MOST_RUNS];
static struct plan_thread threads[MOST_RUNS][MOST_THREADS];
static struct experiment all;
static long numbers[MOST_RUNS];
static struct amount cells[MOST_RUNS];

/* A run on these CPUs. */
static void add_run(const int *cpus, int n)
{
	struct run *r = &runs[all.nruns];

	*r = (struct run){.plan = {.threads = threads[all.nruns], .nthreads = n, .topo = &topo}};
	for (int i = 0; i < n; i++)
		r->plan.threads[i] = (struct plan_thread){.cpu = cpus[i], .kind = -1};
	numbers[all.nruns] = (long)all.nruns;
	all.nruns++;
}

static int machine(void **state)
{
	(void)state;
	described(&topo, "HWLOC_SYNTHETIC", MACHINE);
	all = (struct experiment){.topo = &topo, .runs = runs};
	return 0;
}

static int done(void **state)
{
	(void)state;
	topo_free(&topo);
	return 0;
}

/* All pairs of 12 CPUs; a pair costs the difference of their numbers. */
static struct table every_pair(void)
{
	for (int a = 0; a < 12; a++)
		for (int b = 0; b < 12; b++) {
			const int cpus[] = {a, b};

			add_run(cpus, 2);
			cells[a * 12 + b] = (struct amount){a == b ? NAN : abs(b - a), NAN, NAN};
			numbers[a * 12 + b] = a == b ? -1 : a * 12 + b;
		}
	return (struct table){.rows = 12, .cols = 12, .cells = cells};
}

static void check_class(
	const struct pair_class *c, const char *name, size_t measured, long pairs, const double *of)
{
	assert_string_equal(c->name, name);
	assert_null(c->at);
	assert_int_equal(c->measured, measured);
	assert_int_equal(c->pairs, pairs);
	assert_true(c->fewest.value == of[0] && c->median.value == of[1] && c->most.value == of[2]);
}

static void pairs_are_put_together_by_their_innermost_place(void **state)
{
	struct table m = every_pair();

	(void)state;
	pair_classes_add(&all, numbers, &m);
	assert_int_equal(m.nclasses, 3);
	check_class(&m.classes[0], "same L3", 12, 12, (double[]){1, 1, 2});
	check_class(&m.classes[1], "same node = package", 18, 18, (double[]){1, 3, 5});
	check_class(&m.classes[2], "other package", 36, 36, (double[]){1, 6, 11});
	pair_classes_free(&m);
}

/* Owners beside states: the states move no thread, so that each has classes of its own. */
static void an_axis_that_moves_no_thread_has_classes_for_each_label(void **state)
{
	char *labels[] = {"M", "S"};
	struct table m = {.rows = 2, .cols = 3, .row_labels = labels, .cells = cells};

	(void)state;
	for (int i = 0; i < 6; i++) {
		const int cpus[] = {0, 1 + i % 3};

		add_run(cpus, 2);
		cells[i] = (struct amount){10 + i, NAN, NAN};
	}
	pair_classes_add(&all, numbers, &m);
	assert_int_equal(m.nclasses, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(m.classes[i].at, labels[i / 2]);
		assert_string_equal(m.classes[i].name, i % 2 ? "same node = package" : "same L3");
		assert_int_equal(m.classes[i].measured, i % 2 ? 1 : 2);
	}
	assert_true(m.classes[2].median.value == 13.5);
	pair_classes_free(&m);
}

static void runs_that_are_no_pairs_have_no_classes(void **state)
{
	struct table m = {.rows = 2, .cols = 2, .cells = cells};

	(void)state;
	for (int i = 0; i < 4; i++) {
		add_run((const int[]){0, i, 2}, i == 3 ? 3 : 2);
		cells[i] = (struct amount){1, NAN, NAN};
	}
	pair_classes_add(&all, numbers, &m);
	assert_int_equal(m.nclasses, 0);
	/* the same pair everywhere: its figures differ by something else */
	for (int i = 0; i < 4; i++)
		threads[i][1].cpu = runs[i].plan.nthreads = 2;
	pair_classes_add(&all, numbers, &m);
	assert_int_equal(m.nclasses, 0);
	/* not bound */
	for (int i = 0; i < 4; i++)
		threads[i][1].cpu = -i;
	pair_classes_add(&all, numbers, &m);
	assert_int_equal(m.nclasses, 0);
}

/* expected: of each label what begins, "" nothing. */
static void check_begins(const struct begins_axis *a, const char *const *expected)
{
	char **begins = begins_along(a);

	for (size_t i = 0; i < a->labels; i++) {
		assert_string_equal(begins && begins[i] ? begins[i] : "", expected[i]);
		if (begins)
			free(begins[i]);
	}
	free(begins);
}

static void borders_are_where_the_next_place_begins(void **state)
{
	static const char *const expected[12] = {
		"", "", "", "L3 1", "", "", "package 1", "", "", "L3 3", "", ""};

	(void)state;
	every_pair();
	check_begins(&(struct begins_axis){&all, numbers, 12, 12, 12, 1}, expected);
	check_begins(&(struct begins_axis){&all, numbers, 12, 12, 1, 12}, expected);
}

/* Where each label is another place, all borders would say what the labels say. */
static void labels_that_are_places_have_borders_of_what_is_around_them(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++)
		add_run((const int[]){3 * i}, 1);
	check_begins(&(struct begins_axis){&all, numbers, 4, 1, 1, 1},
		(const char *const[]){"", "", "package 1", ""});
}

/* Whether a CPU that shows no L3 has one is not known where the machine hides some. */
static void a_place_that_is_hidden_is_not_known(void **state)
{
	static const char *const named[] = {"no L3", "L3 not known"};

	(void)state;
	for (int i = 0; i < 6; i++)
		add_run((const int[]){i}, 1);
	for (int hidden = 0; hidden < 2; hidden++) {
		topo.caches_hidden = hidden;
		for (int i = 3; i < 12; i++)
			topo.cpus[i].caches[3] = -1;
		topo_load_levels(&topo, NULL);
		check_begins(&(struct begins_axis){&all, numbers, 6, 1, 1, 1},
			(const char *const[]){"", "", "", named[hidden], "", ""});
	}
}

static void threads_that_fill_places_reach_the_next(void **state)
{
	static const int packed[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
			 spread[] = {0, 6, 3, 9, 1, 7, 4, 10, 2, 8, 5, 11};

	(void)state;
	for (int i = 0; i < 5; i++)
		add_run(packed, (const int[]){1, 3, 4, 7, 12}[i]);
	check_begins(&(struct begins_axis){&all, numbers, 5, 1, 1, 1},
		(const char *const[]){"", "", "L3 1", "package 1", "L3 3"});
	/* a border is one of all columns */
	all.nruns = 0;
	for (int i = 0; i < 10; i++) {
		const int n = (const int[]){1, 3, 4, 7, 12}[i / 2];

		add_run(i % 2 ? packed + 12 - n : packed, n);
	}
	check_begins(&(struct begins_axis){&all, numbers, 5, 2, 2, 1},
		(const char *const[]){"", "", "", "", ""});
	/* spread threads come into places before others are full */
	all.nruns = 0;
	for (int i = 1; i <= 12; i++)
		add_run(spread, i);
	check_begins(&(struct begins_axis){&all, numbers, 12, 1, 1, 1},
		(const char *const[12]){"", "", "", "", "", "", "", "", "", "", "", ""});
}

#define TEST(function)                                   \
	{                                                \
#function, function, machine, done, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(pairs_are_put_together_by_their_innermost_place),
		TEST(an_axis_that_moves_no_thread_has_classes_for_each_label),
		TEST(runs_that_are_no_pairs_have_no_classes),
		TEST(borders_are_where_the_next_place_begins),
		TEST(labels_that_are_places_have_borders_of_what_is_around_them),
		TEST(a_place_that_is_hidden_is_not_known),
		TEST(threads_that_fill_places_reach_the_next),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
