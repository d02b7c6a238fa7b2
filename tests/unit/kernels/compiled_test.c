/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the calls go that the compiler pass has put into loops, and which it leaves out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "migration/compiled.h"
#include "inserted/inserted.h"
#include "kernel_stage.h"
#include "migration/policy_parts.h"

static const struct inserted_site site = {.element_size = 8};

static struct spm *runtime(uint64_t cache_bytes, double reuse_threshold)
{
	struct spm_config c;

	spm_config_default(&c);
	c.cache_bytes = cache_bytes;
	c.cache_factor = 0.5;
	c.reuse_threshold = reuse_threshold;
	return spm_init(&c, NULL, 0);
}

static uint64_t calls(const struct spm *s)
{
	return spm_own_counts(s).calls;
}

static void test_follow(void **state)
{
	struct spm *one = runtime(1 << 20, 200), *other = runtime(1 << 20, 200);
	double a[8] = {0};

	(void)state;
	affinity_inserted_call(&site, a, 0, sizeof(a) - 1, 8);
	compiled_follow(one);
	affinity_inserted_call(&site, a, 0, sizeof(a) - 1, 8);
	affinity_inserted_call(&site, a, 0, -1, 8);
	affinity_inserted_call(&site, a, 0, sizeof(a) - 1, 0);
	compiled_follow(other);
	affinity_inserted_call(&site, a, 0, sizeof(a) - 1, 8);
	affinity_inserted_call(&site, a, 0, sizeof(a) - 1, 8);
	compiled_follow(NULL);
	affinity_inserted_call(&site, a, 0, sizeof(a) - 1, 8);
	assert_int_equal(calls(one), 1);
	assert_int_equal(calls(other), 2);
	spm_end(one);
	spm_end(other);
}

static void expect_left_out(int64_t least, int64_t reuse)
{
	assert_int_equal(affinity_inserted_least, least);
	assert_int_equal(affinity_inserted_reuse, reuse);
}

static void test_left_out(void **state)
{
	struct spm *small = runtime(1000, 200), *large = runtime(2000, 100);

	(void)state;
	compiled_begin(large, true);
	expect_left_out(1000, 100);
	compiled_begin(small, true);
	expect_left_out(500, 100);
	compiled_end();
	compiled_end();
	compiled_begin(small, true);
	expect_left_out(500, 200);
	compiled_begin(large, false);
	expect_left_out(0, 0);
	compiled_end();
	compiled_end();
	spm_end(small);
	spm_end(large);
}

static void test_by_hand(void **state)
{
	struct policy policy = {.spm = runtime(1 << 20, 200)};
	const struct uses uses = {8, 8};
	double a[8] = {0};

	(void)state;
	policy_call(&policy, a, sizeof(a), sizeof(*a), uses);
	assert_int_equal(calls(policy.spm), 1);
	policy.compiled = true;
	policy_call(&policy, a, sizeof(a), sizeof(*a), uses);
	assert_int_equal(calls(policy.spm), 1);
	spm_end(policy.spm);
}

static void test_sample(void **state)
{
	struct policy policy = {.spm = runtime(1 << 20, 200), .compiled = true, .ready = true};
	struct policy_account account = {.before = {0}};
	double a[8] = {0};

	(void)state;
	compiled_begin(policy.spm, true);
	policy_begin(&policy, &account);
	affinity_inserted_call(&site, a, 0, sizeof(a) - 1, 8);
	policy_end(&policy, &account);
	affinity_inserted_call(&site, a, 0, sizeof(a) - 1, 8);
	assert_int_equal(account.sample[FIGURE_CALLS], 1);
	assert_int_equal(calls(policy.spm), 1);
	assert_false(policy.ready);
	compiled_begin(policy.spm, false);
	expect_left_out(0, 0);
	compiled_begin(policy.spm, true);
	compiled_end();
	compiled_end();
	spm_end(policy.spm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("calls go to the runtime that their thread follows, and nowhere else",
			test_follow),
		TEST("of several policies in a sample that counts which leaves out the fewest "
		     "calls",
			test_left_out),
		TEST("with calls by the compiler there are none by hand", test_by_hand),
		TEST("they are a sample's between begin and end", test_sample),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
