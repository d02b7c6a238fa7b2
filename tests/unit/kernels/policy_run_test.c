/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where policies bind threads while they run. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"
#include "migration/policy_parts.h"

/* -1: there are several. */
static int only_cpu(void)
{
	cpu_set_t mine;

	assert_int_equal(sched_getaffinity(0, sizeof(mine), &mine), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &mine))
			return CPU_COUNT(&mine) == 1 ? cpu : -1;
	return -1;
}

static void test_turns(void **state)
{
	struct policy_account account = {.before = {0}};
	struct spm_config c;
	cpu_set_t before;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	if (CPU_COUNT(&before) < 2)
		skip();
	spm_config_default(&c);
	c.size_test = false;
	struct policy policy = {.turns = spm_init(&c, NULL, 0)};

	assert_non_null(policy.turns);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &before))
			continue;
		CPU_ZERO(&account.turn);
		CPU_SET(cpu, &account.turn);
		policy_begin(&policy, &account);
		assert_int_equal(only_cpu(), cpu);
		policy_end(&policy, &account);
		assert_int_equal(only_cpu(), -1);
	}
	spm_end(policy.turns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("in a sample a thread has the CPUs of its turn, and its own ones afterwards",
			test_turns),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
