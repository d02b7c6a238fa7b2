/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose free huge blocks are taken: of all nodes, of the caller's, or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "fake.h"

#define MIB ((size_t)1 << 20)

/* The fake machine has 64 MiB in huge blocks on node 0 and 128 MiB on node 1. */
static void only_wanted_nodes_are_chosen(void **state)
{
	static const struct {
		struct rhp_config config;
		int runs_on;
		size_t local, far, rest; /* MiB of a block of 180 MiB */
	} cases[] = {
		{{.rest = RHP_REST_KERNEL, .take = RHP_TAKE_ALL}, 0, 64, 116, 0},
		{{.rest = RHP_REST_KERNEL, .take = RHP_TAKE_LOCAL}, 0, 64, 0, 116},
		{{.rest = RHP_REST_KERNEL, .take = RHP_TAKE_LOCAL}, 1, 128, 0, 52},
		{{.rest = RHP_REST_LOCAL, .take = RHP_TAKE_NONE}, 0, 0, 0, 180},
	};
	static struct rhp_counts counts;
	struct rhp_system system = fake_system();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int here = cases[i].runs_on;

		fake_begin();
		fake.runs_on = here;
		struct rhp *r = rhp_start(&cases[i].config, &system, fake_root);
		assert_non_null(r);
		assert_non_null(rhp_allocate(r, 180 * MIB));
		rhp_total(r, &counts);
		rhp_end(r);
		assert_int_equal(counts.promised[here], cases[i].local * MIB);
		assert_int_equal(counts.promised[!here], cases[i].far * MIB);
		assert_int_equal(counts.rest, cases[i].rest * MIB);
		/* without advice for huge pages, on the caller's node */
		assert_int_equal(fake.advices, cases[i].config.take == RHP_TAKE_NONE);
	}
}

/* Where no distance can be read the caller's node still comes first, whatever its number. */
static void without_distances_the_own_node_comes_first(void **state)
{
	static struct rhp_counts counts;
	struct rhp_system system = fake_system();

	(void)state;
	fake_begin();
	fake.runs_on = 1;
	fake_file("/sys/devices/system/node/node1/distance", NULL);
	struct rhp *r = rhp_start(NULL, &system, fake_root);
	assert_non_null(r);
	assert_non_null(rhp_allocate(r, 140 * MIB));
	rhp_total(r, &counts);
	rhp_end(r);
	assert_int_equal(counts.promised[1], 128 * MIB);
	assert_int_equal(counts.promised[0], 12 * MIB);
	assert_int_equal(counts.distance_error, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(only_wanted_nodes_are_chosen),
		cmocka_unit_test(without_distances_the_own_node_comes_first)};

	if (sysconf(_SC_PAGESIZE) != 4096) {
		puts("1..0 # SKIP the made-up machine has base pages of 4 KiB");
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
