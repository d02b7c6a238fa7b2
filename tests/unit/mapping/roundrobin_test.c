/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Round-robin: one application per core, on machines that are only described. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "mapping_stage.h"

/* As in many cloud guests: CPUs 2k and 2k + 1 are the hardware threads of core k. */
static void number_siblings_side_by_side(struct scene *s)
{
	for (int i = 0; i < s->nseats; i++)
		s->seats[i].cpu = s->seats[i].core * 2 + s->seats[i].thread;
}

static int cores_of_two_applications(const struct scene *s)
{
	bool first[MOST] = {0}, second[MOST] = {0};
	int mixed = 0;

	for (int i = 0; i < s->nthreads; i++)
		(s->threads[i].application ? second : first)[core_of(s, i)] = true;
	for (int core = 0; core < MOST; core++)
		mixed += first[core] && second[core];
	return mixed;
}

/* "Round-robin maps threads of the same application to the same core": the paper, section 5. */
static void roundrobin_takes_turns(void **state)
{
	struct scene s;

	(void)state;
	build(&s, 2, 2, 2);
	for (int i = 0; i < 8; i++)
		add_thread(&s, i / 4, 0);
	map(&s, MAPPING_ROUNDROBIN);
	expect_cpus(&s, (int[]){0, 2, 4, 6, 1, 3, 5, 7});
	assert_int_equal(cores_of_two_applications(&s), 0);
	number_siblings_side_by_side(&s);
	map(&s, MAPPING_ROUNDROBIN);
	expect_cpus(&s, (int[]){0, 4, 1, 5, 2, 6, 3, 7});
	assert_int_equal(cores_of_two_applications(&s), 0);
}

/* Two applications of 3 threads on 4 L3 of 2 cores: each has two of them, and spreads over these.
 */
static void roundrobin_deals_places(void **state)
{
	struct mapping_request r = {{MAPPING_ROUNDROBIN, 1, "L3"}, MAPPING_SPREAD, false};
	struct scene s;

	(void)state;
	build(&s, 4, 2, 2);
	for (int i = 0; i < 6; i++)
		add_thread(&s, i / 3, 0);
	mapping_make(&r, s.seats, s.nseats, s.threads, s.nthreads, s.place, s.why, sizeof(s.why));
	expect_cpus(&s, (int[]){0, 4, 1, 2, 6, 3});
	assert_string_equal(s.why, "places of L3 to the applications in turn, all hardware threads "
				   "of each to one");
	build(&s, 1, 2, 2);
	for (int i = 0; i < 4; i++)
		add_thread(&s, i / 2, 0);
	mapping_make(&r, s.seats, s.nseats, s.threads, s.nthreads, s.place, s.why, sizeof(s.why));
	assert_string_equal(s.why, "places of L3 to the applications in turn, all hardware threads "
				   "of each to one; too few places of L3: applications share 1 of "
				   "them");
}

/* Machines, numbers of threads of each of two applications, and the number of cores that they must
 * share. */
static void roundrobin_gives_a_core_to_one_application(void **state)
{
	static const struct {
		int packages, cores, smt, a, b, mixed;
	} cases[] = {
		{2, 16, 2, 32, 32, 0},
		{1, 3, 2, 2, 2, 0},
		{1, 3, 2, 3, 3, 1},
		{1, 4, 2, 6, 2, 0},
		{1, 4, 2, 2, 6, 0},
		{1, 4, 2, 1, 1, 0},
		{1, 5, 4, 10, 10, 2},
		{1, 4, 1, 2, 2, 0},
		{2, 3, 2, 6, 6, 0},
		{1, 2, 2, 3, 1, 1},
	};
	struct scene s;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (int numbering = 0; numbering < 2; numbering++) {
			build(&s, cases[i].packages, cases[i].cores, cases[i].smt);
			if (numbering)
				number_siblings_side_by_side(&s);
			for (int k = 0; k < cases[i].a + cases[i].b; k++)
				add_thread(&s, k >= cases[i].a, 0);
			map(&s, MAPPING_ROUNDROBIN);
			int used[MOST] = {0}, mixed = cores_of_two_applications(&s);
			char told[64];
			for (int k = 0; k < s.nthreads; k++)
				assert_int_equal(used[s.place[k]]++, 0);
			assert_int_equal(mixed, cases[i].mixed);
			snprintf(told, sizeof(told), "too few cores: applications share %d of them",
				mixed);
			assert_int_equal(strstr(s.why, told) != NULL, mixed > 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"with roundrobin applications take cores in turn, however CPUs are numbered",
			roundrobin_takes_turns, NULL, NULL, NULL},
		{"with roundrobin over a level applications take its places in turn",
			roundrobin_deals_places, NULL, NULL, NULL},
		{"roundrobin shares a core between applications only where it must, and says so",
			roundrobin_gives_a_core_to_one_application, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
