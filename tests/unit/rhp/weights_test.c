/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that are spread by weights, on a machine of made-up nodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <linux/mempolicy.h>
#include <unistd.h>

#include "fake.h"
#include "parts.h"

#define MIB ((size_t)1 << 20)

static struct rhp_system its_calls;

static void weights_spread_blocks_whatever_is_free(void **state)
{
	static unsigned char weights[RHP_NODES] = {3, 1, 2};
	const struct rhp_config config = {.weights = weights};
	const struct rhp_part all[] = {
		{0, 2 * MIB}, {2, 2 * MIB}, {0, 2 * MIB}, {1, 2 * MIB}, {2, 2 * MIB}, {0, 4 * MIB}};
	const struct rhp_part grown[] = {{2, 2 * MIB}, {0, 2 * MIB}, {1, 2 * MIB}},
			      own[] = {{-1, 4 * MIB}};
	const struct rhp_part allowed[] = {{2, 2 * MIB}, {1, 2 * MIB}, {2, 4 * MIB}};

	(void)state;
	fake_begin();
	its_calls = fake_system();
	fake_file("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
	struct rhp *r = rhp_start(&config, &its_calls, fake_root);
	weights[0] = 9; /* they were taken over */
	parts_are(r, rhp_allocate(r, 14 * MIB), all, 6);
	assert_int_equal(fake.bound[2], 4 * MIB);
	/* a block that grows goes on in the turn */
	void *block = rhp_allocate(r, 2 * MIB);
	parts_are(r, rhp_resize(r, block, 6 * MIB), grown, 3);
	assert_int_equal(total(r).promised[0], 10 * MIB);
	assert_int_equal(total(r).thp_off, 0);
	rhp_end(r);

	weights[0] = 3;
	fake.says_allowed = fake.allowed[1] = fake.allowed[2] = true;
	r = rhp_start(&config, &its_calls, fake_root);
	parts_are(r, rhp_allocate(r, 8 * MIB), allowed, 3);
	fake.policy = MPOL_INTERLEAVE;
	fake.its_own = 3;
	parts_are(r, rhp_allocate(r, 4 * MIB), own, 1);
	assert_int_equal(total(r).own_policy, MPOL_INTERLEAVE);
	rhp_end(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_spread_blocks_whatever_is_free),
	};

	if (sysconf(_SC_PAGESIZE) != 4096) {
		puts("1..0 # SKIP the made-up machine has base pages of 4 KiB");
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
