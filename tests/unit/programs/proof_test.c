/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a look at a candidate says of it, and what of that is not as it asks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <linux/mempolicy.h>

#include "affinity-map/proof.h"

#define MIB (1u << 20)

static struct proof seen;

/* Memory on nodes 0 to 2, MiB. */
static void see(uint64_t on_0, uint64_t on_1, uint64_t on_2, uint64_t huge)
{
	memset(&seen, 0, sizeof(seen));
	seen.looks = 3;
	seen.threads = 4;
	seen.on[0] = seen.on[1] = seen.on[2] = seen.on[9] = true;
	seen.at[0] = on_0 * MIB;
	seen.at[1] = on_1 * MIB;
	seen.at[2] = on_2 * MIB;
	seen.bytes = (on_0 + on_1 + on_2) * MIB;
	seen.huge = huge * MIB;
}

static void has_fault(const struct candidate *c, const char *expected)
{
	char *fault = proof_fault(&seen, c);

	if (expected)
		assert_string_equal(fault, expected);
	else
		assert_null(fault);
	free(fault);
}

static void memory_that_is_not_bound_where_it_should_be(void **state)
{
	const struct candidate bound = {.policy = MPOL_BIND, .nodes = {1}};

	(void)state;
	see(100, 0, 0, 0);
	has_fault(&bound, NULL);
	see(97, 3, 0, 0); /* what was there before */
	has_fault(&bound, NULL);
	see(60, 40, 0, 0);
	has_fault(&bound, "40 % of its memory is on other nodes");
	see(1, 3, 0, 0); /* the C library's own */
	has_fault(&bound, NULL);
}

static void memory_that_is_not_spread(void **state)
{
	const struct candidate spread = {.policy = MPOL_INTERLEAVE, .nodes = {3}};

	(void)state;
	see(60, 40, 0, 0);
	has_fault(&spread, NULL);
	see(90, 10, 0, 0);
	has_fault(&spread, "its memory is not spread: a node has 10 % of it, in place of 50 %");
	see(40, 40, 20, 0);
	has_fault(&spread, "20 % of its memory is on other nodes");
}

static void memory_that_does_not_follow_its_weights(void **state)
{
	const struct candidate kernel = {.policy = 6, .nodes = {3}, .weights = {3, 1}};
	const struct candidate runtime = {.nodes = {3}, .weights = {3, 1}};

	(void)state;
	see(75, 25, 0, 0);
	has_fault(&kernel, NULL);
	has_fault(&runtime, NULL);
	see(89, 11, 0, 0);
	has_fault(&kernel, "its memory is not spread: a node has 11 % of it, in place of 25 %");
	see(30, 70, 0, 0);
	has_fault(&runtime, "its memory is not spread: a node has 30 % of it, in place of 75 %");
	see(60, 20, 20, 0);
	has_fault(&kernel, "20 % of its memory is on other nodes");
	has_fault(&runtime, NULL); /* the rest is its small blocks */
}

static void a_runtime_that_is_not_loaded(void **state)
{
	char *before[] = {"/usr/bin/affinity-rhp", "--"};
	const struct candidate runtime = {.before = {.word = before, .count = 2}};

	(void)state;
	see(100, 0, 0, 0);
	has_fault(&runtime, "affinity-rhp could not be loaded into the process with its memory");
	seen.runtime = true;
	has_fault(&runtime, NULL);
	see(7, 0, 0, 0);
	has_fault(&runtime, NULL); /* too little to be judged */
}

static void huge_pages_that_are_not_there(void **state)
{
	char *set[] = {"GLIBC_TUNABLES=glibc.malloc.hugetlb=1"};
	const struct candidate huge = {.set = {.word = set, .count = 1}}, plain = {.policy = 0};

	(void)state;
	see(100, 0, 0, 50);
	has_fault(&huge, NULL);
	see(100, 0, 0, 0);
	has_fault(&huge, "none of its memory is in huge pages");
	has_fault(&plain, NULL);
}

static void threads_that_bind_themselves(void **state)
{
	const struct candidate plain = {.policy = 0};

	(void)state;
	see(100, 0, 0, 0);
	seen.wide = 2;
	has_fault(&plain, "2 of its threads may use other CPUs");
	seen.looks = 0;
	has_fault(&plain, NULL);
}

static void says(const char *expected)
{
	char *text = proof_text(&seen);

	assert_string_equal(text, expected);
	free(text);
}

static void words(void **state)
{
	(void)state;
	see(75, 0, 25, 90);
	says("4 threads, seen on CPU 0-2,9; 100.0 MiB, on node 0 75 %, on node 2 25 %, in huge "
	     "pages 90 %");
	see(0, 0, 0, 0);
	seen.threads = 1;
	says("1 thread, seen on CPU 0-2,9; 0.0 MiB");
	seen.looks = 0;
	says("it ended before it could be looked at");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_that_is_not_bound_where_it_should_be),
		cmocka_unit_test(memory_that_is_not_spread),
		cmocka_unit_test(memory_that_does_not_follow_its_weights),
		cmocka_unit_test(a_runtime_that_is_not_loaded),
		cmocka_unit_test(huge_pages_that_are_not_there),
		cmocka_unit_test(threads_that_bind_themselves),
		cmocka_unit_test(words),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
