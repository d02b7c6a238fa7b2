/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which measured runs have the threads of a view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../described.h"
#include "prediction/likeness.h"

/* CPUs 0 to 3 are of node 0, two under each L3, the others of node 1. */
static const char machine[] = "node:2 l3:2 core:2 pu:1";

enum { IN_ORDER, AT_RANDOM };

static struct topo topo;
static const struct kernel reads = {.unit = "access"};
static struct modelled_kind kinds[] = {
	[IN_ORDER] = {.kernel = &reads}, [AT_RANDOM] = {.kernel = &reads, .random = true}};
static size_t classes[] = {0, 1, 1, 0}; /* near, far, far, near */
static struct modelled modelled = {
	.topo = &topo, .machine.nodes = 2, .pair_class = classes, .kinds = kinds};

/* A view of one thread or two, and what they point to. */
struct seen {
	struct model_thread threads[2];
	double bytes[2];
	int cpus[2];
	struct modelled_view view;
};

static struct modelled_view *view_of(struct seen *s)
{
	s->view.threads = s->threads;
	s->view.bytes = s->bytes;
	s->view.cpus = s->cpus;
	return &s->view;
}

/* Two threads of node 0, each with a vector of its own, under one L3. */
static struct seen two(enum modelled_kinds kind)
{
	return (struct seen){.threads = {{.units = 1, .share = 1, .vector = 0},
				     {.units = 1, .share = 1, .vector = 1}},
		.bytes = {4096, 4096},
		.cpus = {0, 1},
		.view = {.kind = kind, .count = 2}};
}

static struct seen one(enum modelled_kinds kind, bool held)
{
	struct seen s = two(kind);

	s.view.count = 1;
	s.view.held = held;
	return s;
}

static bool is_like(struct seen v, struct seen r, struct number *n)
{
	return likeness_find(&modelled, view_of(&v), view_of(&r), n);
}

static void check(struct seen v, struct seen r, bool like)
{
	struct number n;

	assert_int_equal(is_like(v, r, &n), like);
	assert_false(like && n.any);
}

static void a_view_is_like_runs_of_its_kind_and_a_curve_goes_on_to_memory(void **state)
{
	(void)state;
	for (enum modelled_kinds v = 0; v < MODELLED_STATE; v++)
		for (enum modelled_kinds r = 0; r < MODELLED_STATE; r++)
			check(one(v, false), one(r, false),
				v == r || (v == MODELLED_HELD && r == MODELLED_ALONE) ||
					(v == MODELLED_HELD_TOGETHER && r == MODELLED_PRIVATE));
	check(one(MODELLED_SHARED, true), one(MODELLED_SHARED, false), false);
	check(one(MODELLED_SHARED, true), one(MODELLED_SHARED, true), true);
	check(one(MODELLED_HELD, true), one(MODELLED_ALONE, false), true);
	check(one(MODELLED_HELD_TOGETHER, true), one(MODELLED_PRIVATE, false), true);
}

static void a_state_is_like_one_whose_visitor_came_the_same_way(void **state)
{
	struct seen v = two(MODELLED_STATE), r = two(MODELLED_STATE);

	(void)state;
	v.view.visitor = r.view.visitor = 1;
	v.view.nsteps = r.view.nsteps = 1;
	check(v, r, true);
	/* those beside the visitor do nothing */
	r.threads[0].memory = 1;
	check(v, r, true);
	r.threads[1].memory = 1;
	check(v, r, false);
	r.threads[1].memory = 0;
	r.view.steps[0].home = 10;
	check(v, r, false);
	r.view.nsteps = 0;
	check(v, r, false);
	v.view.nsteps = 0;
	r.view.visitor = -1;
	check(v, r, false);
	check(r, v, false);
}

static void sizes_matter_at_random_and_where_caches_hold_them(void **state)
{
	static const struct {
		enum modelled_kinds kind;
		bool held;
		size_t kernel;
		double bytes;
		bool differs;
	} cases[] = {
		{MODELLED_ALONE, false, IN_ORDER, 8192, false},
		{MODELLED_ALONE, false, AT_RANDOM, 8192, true},
		{MODELLED_HELD, true, IN_ORDER, 8192, true},
		{MODELLED_HELD, true, IN_ORDER, 4096 * (1 + MODELLED_SAME / 2), false},
		{MODELLED_ALONE, false, AT_RANDOM, 4096 * (1 - MODELLED_SAME / 2), false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct seen v = one(cases[i].kind, cases[i].held), r = v;
		struct number n;

		v.threads[0].kernel = r.threads[0].kernel = cases[i].kernel;
		r.bytes[0] = cases[i].bytes;
		assert_true(is_like(v, r, &n));
		assert_int_equal(n.any, cases[i].differs);
		assert_null(n.param);
		if (n.any) {
			assert_true(n.own == 4096);
			assert_true(n.other == cases[i].bytes);
		}
	}
}

static void one_number_may_differ_and_no_second_one(void **state)
{
	struct seen v = two(MODELLED_HELD_TOGETHER), r = v;
	struct number n;

	(void)state;
	v.view.held = r.view.held = true;
	r.bytes[0] = r.bytes[1] = 8192;
	assert_true(is_like(v, r, &n) && n.any);
	r.bytes[1] = 16384;
	assert_false(is_like(v, r, &n));
	v.view.kind = r.view.kind = MODELLED_MEETING;
	r.bytes[1] = 8192;
	assert_false(is_like(v, r, &n));
}

static void other_threads_are_not_like(void **state)
{
	static const double parts[] = {0.5, 0.5};
	const struct seen v = two(MODELLED_PRIVATE);
	struct seen r = v;

	(void)state;
	check(v, r, true);
	check(v, one(MODELLED_PRIVATE, false), false);
	r.threads[1].memory = 1; /* far memory */
	check(v, r, false);
	r = v;
	r.threads[1].share = 0.5;
	check(v, r, false);
	r = v;
	r.threads[1].start = 5;
	check(v, r, false);
	r = v;
	r.threads[1].parts = parts;
	check(v, r, false);
	check(r, v, false);
	r = v;
	r.threads[1].vector = 0; /* one vector for both */
	check(v, r, false);
	r = v;
	r.threads[1].units = 2; /* the second one ends later */
	check(v, r, false);
	r = v;
	r.view.steady = true;
	check(v, r, false);
}

static void threads_are_as_near_as_those_of_the_run(void **state)
{
	static const struct {
		int cpus[2];
		bool like;
	} cases[] = {{{1, 0}, true}, {{2, 3}, true}, {{0, 2}, false}};
	struct seen v = two(MODELLED_PRIVATE);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct seen r = v;

		r.cpus[0] = cases[i].cpus[0];
		r.cpus[1] = cases[i].cpus[1];
		check(v, r, cases[i].like);
		assert_int_equal(likeness_is_near(&topo, view_of(&v), view_of(&r)), cases[i].like);
	}
	/* both on the other node, beside their memory */
	struct seen r = v;

	for (int i = 0; i < 2; i++) {
		r.threads[i].node = r.threads[i].memory = 1;
		r.cpus[i] = 4 + i;
	}
	check(v, r, true);
	r.threads[1].memory = 0;
	check(v, r, false);
	/* two memories that are as far as one another are not one memory */
	r = v;
	r.threads[1].memory = 1;
	classes[1] = classes[2] = 0;
	check(v, r, false);
	classes[1] = classes[2] = 1;
}

static int load(void **state)
{
	(void)state;
	described(&topo, "HWLOC_SYNTHETIC", machine);
	return 0;
}

static int forget(void **state)
{
	(void)state;
	topo_free(&topo);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_view_is_like_runs_of_its_kind_and_a_curve_goes_on_to_memory),
		cmocka_unit_test(a_state_is_like_one_whose_visitor_came_the_same_way),
		cmocka_unit_test(sizes_matter_at_random_and_where_caches_hold_them),
		cmocka_unit_test(one_number_may_differ_and_no_second_one),
		cmocka_unit_test(other_threads_are_not_like),
		cmocka_unit_test(threads_are_as_near_as_those_of_the_run),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, load, forget);
}
