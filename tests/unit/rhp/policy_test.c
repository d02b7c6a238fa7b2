/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A memory policy of the program's own (numactl, set_mempolicy) is not overruled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/mempolicy.h>
#include <unistd.h>

#include "fake.h"

#define MIB ((size_t)1 << 20)

/* Allocates 10 MiB under the policy and says which node they are promised to (-1: none), and how
 * many bindings there were. */
static int promised_to(int policy, unsigned long nodes, enum rhp_rest rest, int *binds)
{
	static struct rhp_counts counts;
	const struct rhp_config config = {.rest = rest};
	struct rhp_system system = fake_system();
	struct rhp_part part;

	fake_begin();
	fake.policy = policy;
	fake.its_own = nodes;
	struct rhp *r = rhp_start(&config, &system, fake_root);
	assert_non_null(r);
	assert_int_equal(rhp_parts(r, rhp_allocate(r, 10 * MIB), &part, 1), 1);
	rhp_total(r, &counts);
	assert_int_equal(counts.refused, 0);
	*binds = fake.binds;
	int own = counts.own_policy;
	rhp_end(r);
	assert_true(part.node < 0 || !own);
	return own ? -1 - own : part.node;
}

static void the_policy_decides_which_nodes_may_be_chosen(void **state)
{
	static const struct {
		int policy;
		unsigned long nodes;
		int chosen; /* -1 - policy: none, because of it */
		int binds, binds_rest_local;
	} cases[] = {
		{MPOL_DEFAULT, 0, 0, 1, 1},
		{MPOL_LOCAL, 0, 0, 1, 1},
		{MPOL_PREFERRED, 0, 0, 1, 1}, /* local, before Linux 5.14 */
		{MPOL_PREFERRED, 2, -1 - MPOL_PREFERRED, 0, 0},
		{MPOL_BIND, 2, 1, 1, 1},
		{MPOL_BIND, 3, 0, 1, 1},
		{MPOL_BIND, 4, -1, 0,
			0}, /* a node without free blocks; the caller's is not in it */
		{MPOL_BIND | MPOL_F_RELATIVE_NODES, 2, -1 - MPOL_BIND, 0, 0},
		{MPOL_INTERLEAVE, 3, -1 - MPOL_INTERLEAVE, 0, 0},
		{5, 2, -1 - 5, 0, 0},
		{6, 3, -1 - 6, 0, 0},
	};
	int binds;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(
			promised_to(cases[i].policy, cases[i].nodes, RHP_REST_KERNEL, &binds),
			cases[i].chosen);
		assert_int_equal(binds, cases[i].binds);
		assert_int_equal(
			promised_to(cases[i].policy, cases[i].nodes, RHP_REST_LOCAL, &binds),
			cases[i].chosen);
		assert_int_equal(binds, cases[i].binds_rest_local);
	}
}

static void a_bound_programs_cpuset_still_counts(void **state)
{
	struct rhp_system system = fake_system();
	struct rhp_part part;

	(void)state;
	fake_begin();
	fake.policy = MPOL_BIND;
	fake.its_own = 3;
	fake.says_allowed = fake.allowed[1] = true;
	struct rhp *r = rhp_start(NULL, &system, fake_root);
	assert_int_equal(rhp_parts(r, rhp_allocate(r, 10 * MIB), &part, 1), 1);
	assert_int_equal(part.node, 1);
	rhp_end(r);
}

static void this_systems_policy_is_read(void **state)
{
	unsigned long mask[RHP_MASK_WORDS] = {0};
	int mode = -1;

	(void)state;
	if (rhp_linux.policy(&mode, mask))
		skip();
	assert_true(mode >= MPOL_DEFAULT && mode <= 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_policy_decides_which_nodes_may_be_chosen),
		cmocka_unit_test(a_bound_programs_cpuset_still_counts),
		cmocka_unit_test(this_systems_policy_is_read),
	};

	if (sysconf(_SC_PAGESIZE) != 4096) {
		puts("1..0 # SKIP the made-up machine has base pages of 4 KiB");
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
