/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock rate from chains of additions, and what their times reveal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "measure/clock_rate.h"
#include "measure/disturbed.h"

static void test_fastest(void **state)
{
	const uint64_t ns[] = {CLOCK_RATE_STEPS / 2, CLOCK_RATE_STEPS, CLOCK_RATE_STEPS / 2};
	struct clock_rate r = clock_rate_of(ns, 3);

	(void)state;
	assert_float_equal(r.hz * 1e-9, 2, 1e-6);
	assert_int_equal(r.lost_ns, CLOCK_RATE_STEPS / 2);
}

static void test_unknown(void **state)
{
	const uint64_t ns[] = {0, 100, 200};

	(void)state;
	assert_true(isnan(clock_rate_of(ns, 3).hz));
}

/* Between an emulator and twice what any core runs at: an addition that the compiler removed, or
 * that the core carries out several times in a cycle, would be above it. */
static void test_measured(void **state)
{
	struct clock_rate r = clock_rate_take();

	(void)state;
#if defined(__x86_64__) || defined(__aarch64__)
	assert_true(r.hz > 1e6 && r.hz < 2e10);
#else
	assert_true(isnan(r.hz));
#endif
}

static struct thread_sample threads[1];
static const struct sample sample = {.threads = threads};

static unsigned disturbed(uint64_t before_ns, uint64_t after_ns)
{
	threads[0] = (struct thread_sample){.begin_ns = 0,
		.end_ns = 1000000,
		.cpu_before = 3,
		.cpu_after = 3,
		.before = {.hz = 2e9, .lost_ns = before_ns},
		.after = {.hz = 2e9, .lost_ns = after_ns}};
	return disturbed_by(&sample, 1, 0, 3, false, 0.001);
}

static void test_canary(void **state)
{
	(void)state;
	assert_int_equal(disturbed(0, 0), 0);
	/* a clock tick */
	assert_int_equal(disturbed(5000, 5000), 0);
	assert_int_equal(disturbed(DISTURBED_CHAIN_NS + 1, 0), DISTURBED_STOLEN);
	assert_int_equal(disturbed(0, DISTURBED_CHAIN_NS + 1), DISTURBED_STOLEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "the fastest chain is the rate, and others lost time",
			.test_func = test_fastest},
		{.name = "a chain below the step of the clock gives no rate",
			.test_func = test_unknown},
		{.name = "the rate of this core is one that a core can have",
			.test_func = test_measured},
		{.name = "a chain that stopped for longer than a tick marks the sample",
			.test_func = test_canary},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
