/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mappings on machines that are only described. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mapping_stage.h"

static void drop_cpu(struct scene *s, int cpu)
{
	for (int i = 0; i < s->nseats; i++)
		if (s->seats[i].cpu == cpu) {
			memmove(&s->seats[i], &s->seats[i + 1],
				(size_t)(--s->nseats - i) * sizeof(s->seats[0]));
			return;
		}
	fail_msg("there is no CPU %d", cpu);
}

/* No seat has two threads, and the threads of two cores differ by at most one where both had
 * room. */
static void expect_fair(const struct scene *s)
{
	int used[MOST] = {0}, load[MOST] = {0}, room[MOST] = {0};

	for (int i = 0; i < s->nseats; i++)
		room[s->seats[i].core]++;
	for (int i = 0; i < s->nthreads; i++) {
		assert_true(s->place[i] >= 0 && s->place[i] < s->nseats);
		assert_int_equal(used[s->place[i]]++, 0);
		load[core_of(s, i)]++;
	}
	for (int a = 0; a < MOST; a++)
		for (int b = 0; b < MOST; b++)
			if (load[a] > load[b] + 1)
				assert_int_equal(load[b], room[b]);
}

static void the_papers_machine(void **state)
{
	struct scene s;

	(void)state;
	build(&s, 2, 16, 2);
	for (int i = 0; i < 64; i++)
		add_thread(&s, i / 32, i < 32 ? 0.4 + i * 0.001 : 0.05 + i * 0.001);
	assert_int_equal(map(&s, MAPPING_INSTRUCTION), MAPPING_FP);
	assert_non_null(strstr(s.why, "sorted by fp, whose share differs most"));
	expect_fair(&s);
	/* pairs the thread with the most and the one with the fewest core by core, as Algorithm 1
	 * does */
	for (int i = 0; i < 32; i++) {
		assert_int_equal(core_of(&s, 31 - i), i);
		assert_int_equal(core_of(&s, 32 + i), i);
		assert_int_equal(cpu_of(&s, 31 - i), i);
		assert_int_equal(cpu_of(&s, 32 + i), i + 32);
	}
}

static void equal_threads_of_two_applications_share_cores(void **state)
{
	struct scene s;

	(void)state;
	build(&s, 2, 16, 2);
	for (int i = 0; i < 64; i++)
		add_thread(&s, i / 32, i < 32 ? 0.1 : 0.6);
	map(&s, MAPPING_INSTRUCTION);
	int fp[32] = {0}, other[32] = {0};
	for (int i = 0; i < 64; i++)
		(i < 32 ? other : fp)[core_of(&s, i)]++;
	for (int core = 0; core < 32; core++) {
		assert_int_equal(fp[core], 1);
		assert_int_equal(other[core], 1);
	}
}

/* The algorithm as printed places the middle thread twice. */
static void odd_counts_leave_one_alone(void **state)
{
	struct scene s;

	(void)state;
	for (int n = 1; n <= 64; n++) {
		build(&s, 2, 16, 2);
		for (int i = 0; i < n; i++)
			add_thread(&s, 0, i / 64.0);
		assert_true(map(&s, MAPPING_INSTRUCTION) >= 0);
		expect_fair(&s);
	}
	build(&s, 1, 2, 2);
	for (int i = 0; i < 3; i++)
		add_thread(&s, 0, (i + 1) * 0.1);
	map(&s, MAPPING_INSTRUCTION);
	expect_cpus(&s, (int[]){2, 1, 0}); /* most and fewest on core 0, the middle alone */
}

static void one_core(void **state)
{
	struct scene s;

	(void)state;
	for (enum mapping_method m = 0; m < MAPPING_METHODS; m++) {
		build(&s, 1, 1, 1);
		add_thread(&s, 0, 0.2);
		assert_true(map(&s, m) >= 0);
		assert_int_equal(s.place[0], m == MAPPING_OS ? -1 : 0);
	}
	build(&s, 1, 1, 2);
	add_thread(&s, 0, 0.1);
	add_thread(&s, 0, 0.2);
	map(&s, MAPPING_INSTRUCTION);
	expect_cpus(&s, (int[]){1, 0});
}

static void four_hardware_threads_a_core(void **state)
{
	struct scene s;

	(void)state;
	build(&s, 1, 2, 4);
	for (int i = 0; i < 8; i++)
		add_thread(&s, 0, (i + 1) * 0.1);
	map(&s, MAPPING_INSTRUCTION);
	expect_fair(&s);
	/* core 0: 7, 0, 6, 1 in the order of its hardware threads; core 1: the others */
	expect_cpus(&s, (int[]){2, 6, 3, 7, 5, 1, 4, 0});
}

static void holes_in_the_cpuset(void **state)
{
	struct scene s;

	(void)state;
	for (int n = 1; n <= 5; n++) {
		build(&s, 2, 2, 2);
		drop_cpu(&s, 1);
		drop_cpu(&s, 5); /* core 1 has no CPU any more */
		drop_cpu(&s, 2); /* core 2 keeps only its second hardware thread */
		for (int i = 0; i < n; i++)
			add_thread(&s, i % 2, i * 0.1);
		for (enum mapping_method m = 0; m < MAPPING_METHODS; m++) {
			assert_true(map(&s, m) >= 0);
			if (m == MAPPING_SCATTER || m == MAPPING_INSTRUCTION)
				expect_fair(&s);
		}
	}
	map(&s, MAPPING_COMPACT);
	expect_cpus(&s, (int[]){0, 4, 6, 3, 7});
}

static void refused_when_there_is_no_room(void **state)
{
	struct scene s;
	struct mapping_request r = {{MAPPING_COMPACT, 0, ""}, MAPPING_SPREAD, true};

	(void)state;
	for (enum mapping_method m = 0; m < MAPPING_METHODS; m++) {
		int used[4] = {0};

		build(&s, 1, 2, 2);
		for (int i = 0; i < 6; i++)
			add_thread(&s, 0, i * 0.1);
		assert_int_equal(map(&s, m), -1);
		assert_string_equal(
			s.why, "6 threads, but only 4 hardware threads that may be used");
		r.choice.method = m;
		assert_true(mapping_make(&r, s.seats, s.nseats, s.threads, s.nthreads, s.place,
				    s.why, sizeof(s.why)) >= 0);
		for (int i = 0; m != MAPPING_OS && i < 6; i++)
			used[s.place[i]]++;
		for (int i = 0; m != MAPPING_OS && i < 4; i++)
			assert_true(used[i] >= 1 && used[i] <= 2);
		s.nseats = 0; /* without seats no thread can be placed */
		assert_int_equal(mapping_make(&r, s.seats, 0, s.threads, s.nthreads, s.place, s.why,
					 sizeof(s.why)),
			-1);
	}
}

static void compact_fills_cores(void **state)
{
	struct scene s;

	(void)state;
	build(&s, 2, 2, 2);
	for (int i = 0; i < 6; i++)
		add_thread(&s, 0, 0);
	assert_int_equal(map(&s, MAPPING_COMPACT), MAPPING_TYPES);
	expect_cpus(&s, (int[]){0, 4, 1, 5, 2, 6});
}

static void scatter_spreads(void **state)
{
	struct scene s;

	(void)state;
	build(&s, 2, 2, 2);
	for (int i = 0; i < 8; i++)
		add_thread(&s, 0, 0);
	map(&s, MAPPING_SCATTER);
	expect_cpus(&s, (int[]){0, 2, 1, 3, 4, 6, 5, 7});
	/* two nodes in each package: one thread on each before a second one */
	for (int i = 0; i < s.nseats; i++)
		s.seats[i].place[1] = s.seats[i].node = s.seats[i].core;
	s.nthreads = 4;
	map(&s, MAPPING_SCATTER);
	expect_cpus(&s, (int[]){0, 2, 1, 3});
}

static void the_order_of_seats_is_not_looked_at(void **state)
{
	struct scene s, turned;

	(void)state;
	build(&s, 2, 4, 2);
	for (int i = 0; i < 11; i++)
		add_thread(&s, i % 2, (i * 7 % 11) * 0.05);
	turned = s;
	for (int i = 0; i < s.nseats; i++)
		turned.seats[i] = s.seats[(i * 5 + 3) % s.nseats];
	for (enum mapping_method m = 0; m < MAPPING_METHODS; m++) {
		map(&s, m);
		map(&turned, m);
		for (int i = 0; m != MAPPING_OS && i < s.nthreads; i++)
			assert_int_equal(cpu_of(&s, i), cpu_of(&turned, i));
	}
}

static void the_type_is_chosen_and_said(void **state)
{
	struct scene s;
	struct mapping_request r = {{MAPPING_INSTRUCTION, 0, ""}, MAPPING_LOAD, false};

	(void)state;
	build(&s, 1, 2, 2);
	add_thread(&s, 0, 0.1);
	add_thread(&s, 0, 0.3);
	assert_int_equal(mapping_make(&r, s.seats, s.nseats, s.threads, s.nthreads, s.place, s.why,
				 sizeof(s.why)),
		MAPPING_LOAD);
	assert_string_equal(s.why, "sorted by load, as asked (shares: branch 0.000 .. 0.000, "
				   "fp 0.100 .. 0.300, int 0.000 .. 0.000, load 0.350 .. 0.450, "
				   "store 0.000 .. 0.000)");
	s.threads[1] = s.threads[0];
	map(&s, MAPPING_INSTRUCTION);
	assert_non_null(strstr(s.why, "all threads have the same share of every type"));
	expect_cpus(&s, (int[]){0, 1});
}

static void what_is_not_known_is_not_sorted_by(void **state)
{
	struct scene s;
	struct mapping_request r = {{MAPPING_INSTRUCTION, 0, ""}, MAPPING_FP, false};

	(void)state;
	build(&s, 1, 2, 2);
	add_thread(&s, 0, 0.1);
	add_thread(&s, 0, 0.9);
	s.threads[1].share[MAPPING_FP] = NAN;
	assert_int_equal(map(&s, MAPPING_INSTRUCTION), MAPPING_LOAD);
	assert_non_null(strstr(s.why, "fp not known"));
	assert_int_equal(mapping_make(&r, s.seats, s.nseats, s.threads, s.nthreads, s.place, s.why,
				 sizeof(s.why)),
		-1);
	assert_non_null(strstr(s.why, "the share of fp instructions is not known"));
	for (int i = 0; i < MAPPING_TYPES; i++)
		s.threads[0].share[i] = NAN;
	assert_int_equal(map(&s, MAPPING_INSTRUCTION), -1);
}

/* The cores of the second package are the quicker kind. */
static void every_method_takes_the_quickest_kind_first(void **state)
{
	static const enum mapping_method methods[] = {
		MAPPING_COMPACT, MAPPING_SCATTER, MAPPING_ROUNDROBIN, MAPPING_INSTRUCTION};
	struct scene s;

	(void)state;
	for (size_t m = 0; m < sizeof(methods) / sizeof(*methods); m++) {
		build(&s, 2, 2, 2);
		for (int i = 0; i < s.nseats; i++)
			s.seats[i].kind = s.seats[i].place[0] == 0;
		add_thread(&s, 0, 0.2);
		add_thread(&s, 0, 0.1);
		assert_true(map(&s, methods[m]) >= 0);
		assert_true(core_of(&s, 0) >= 2 && core_of(&s, 1) >= 2);
		assert_non_null(strstr(s.why, "; the quickest kind of cores first"));
		for (int i = 0; i < s.nseats; i++)
			s.seats[i].kind = 0;
		assert_true(map(&s, methods[m]) >= 0);
		assert_int_equal(core_of(&s, 0), 0);
		assert_null(strstr(s.why, "quickest"));
	}
}

/* Whole cores of the next kind come before second hardware threads of the quickest. */
static void scatter_takes_free_cores_of_another_kind_before_siblings(void **state)
{
	struct scene s;

	(void)state;
	build(&s, 2, 2, 2);
	for (int i = 0; i < s.nseats; i++)
		s.seats[i].kind = s.seats[i].place[0] == 0;
	for (int i = 0; i < 5; i++)
		add_thread(&s, 0, 0.1);
	map(&s, MAPPING_SCATTER);
	expect_cpus(&s, (int[]){2, 3, 0, 1, 6});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"most and fewest share each core of the paper's machine", the_papers_machine, NULL,
			NULL, NULL},
		{"of two applications that are alike inside each core gets one thread of each",
			equal_threads_of_two_applications_share_cores, NULL, NULL, NULL},
		{"with an odd number one thread is alone, and none is mapped twice",
			odd_counts_leave_one_alone, NULL, NULL, NULL},
		{"every method serves one core", one_core, NULL, NULL, NULL},
		{"a core of four hardware threads takes two from each end",
			four_hardware_threads_a_core, NULL, NULL, NULL},
		{"cores that lack hardware threads get fewer threads", holes_in_the_cpuset, NULL,
			NULL, NULL},
		{"more threads than places are refused unless they may take turns",
			refused_when_there_is_no_room, NULL, NULL, NULL},
		{"compact fills one core after another", compact_fills_cores, NULL, NULL, NULL},
		{"scatter takes packages, nodes and cores in turn", scatter_spreads, NULL, NULL,
			NULL},
		{"the order in which places are given does not matter",
			the_order_of_seats_is_not_looked_at, NULL, NULL, NULL},
		{"the type sorted by is the widest or the one asked for, and said",
			the_type_is_chosen_and_said, NULL, NULL, NULL},
		{"a type that is not known of every thread is not sorted by",
			what_is_not_known_is_not_sorted_by, NULL, NULL, NULL},
		{"every method takes the quickest kind of cores first",
			every_method_takes_the_quickest_kind_first, NULL, NULL, NULL},
		{"free cores of another kind come before siblings of the quickest",
			scatter_takes_free_cores_of_another_kind_before_siblings, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
