/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How trials decide on the rounds of a sample. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/calibrate.h"

#define LEAST 1e6
#define MANY  64 /* rounds of the trial */

static const struct kernel one = {.unit = "access"}, other = {.unit = "add"};

/* A trial of two threads of a kernel or of two, in microseconds: for how long they were in it, and
 * without a CPU then (-1: not known). */
struct trial {
	bool alike;
	int busy[2], off[2];
	unsigned disturbed;
	int confirmed, confirmed_after;
	bool grows[2];
	const char *what;
};

/* clang-format off */
static const struct trial trials[] = {
	{true, {1300, 1300}, {0, 0}, 0, 0, 1, {false, false}, "one that is long enough is confirmed"},
	{true, {1300, 1300}, {0, 0}, 0, 2, 3, {false, false}, "by two more"},
	{true, {1200, 1200}, {0, 0}, 0, 2, 0, {true, true}, "samples may be a fifth quicker"},
	{true, {3000, 1000}, {0, 0}, 0, 2, 0, {true, true}, "the quicker thread decides, the second"},
	{true, {1000, 3000}, {0, 0}, 0, 2, 0, {true, true}, "the quicker thread decides, the first"},
	{false, {3000, 1000}, {0, 0}, 0, 2, 0, {false, true}, "each kernel has its own number"},
	{true, {13000, 13000}, {0, 0}, 0, 0, CALIBRATE_AMPLE, {false, false}, "a long one needs no other"},
	{true, {13000, 12000}, {0, 0}, 0, 0, 1, {false, false}, "nor is that of one thread enough"},
	{true, {13000, 13000}, {12800, 0}, 0, 2, 0, {true, true}, "what others took does not count"},
	{true, {13000, 13000}, {0, 1000}, 0, 0, 1, {false, false}, "a part of a long one is not ample"},
	{true, {13000, 13000}, {-1, 0}, 0, 0, 1, {false, false}, "without a clock none is ample"},
	{true, {13000, 13000}, {0, 0}, DISTURBED_STOLEN, 0, 0, {false, false}, "nor if it was stolen"},
	{true, {1300, 1300}, {0, 0}, DISTURBED_STOLEN, 2, 2, {false, false}, "a stolen one confirms nothing"},
	{true, {1000, 1000}, {0, 0}, DISTURBED_STOLEN, 2, 0, {true, true}, "a short one says enough"},
	{true, {13000, 13000}, {0, 0}, DISTURBED_PREEMPTED, 0, CALIBRATE_AMPLE, {false, false}, "others may interrupt"},
};
/* clang-format on */

static void trials_decide_by_what_threads_did_themselves(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++) {
		const struct trial *t = &trials[i];
		uint64_t rounds[2] = {MANY, MANY};
		struct plan_job jobs[2] = {{.kernel = &one, .calibrated = &rounds[0]},
			{.kernel = t->alike ? &one : &other,
				.calibrated = &rounds[t->alike ? 0 : 1]}};
		const struct plan plan = {.nthreads = 2};
		const struct plan_op op = {.jobs = jobs};
		const struct workers c = {.plan = &plan, .op = &op};
		struct thread_sample threads[2] = {0};
		const struct sample s = {.threads = threads, .disturbed = t->disturbed};

		for (int k = 0; k < 2; k++) {
			threads[k].end_ns = (uint64_t)t->busy[k] * 1000;
			threads[k].off_ns = t->off[k] < 0 ? -1 : (int64_t)t->off[k] * 1000;
			threads[k].delayed_ns = threads[k].off_ns;
		}
		const int after = calibrate_judge(&c, &s, LEAST, t->confirmed);

		for (int k = 0; k < 2; k++)
			if ((*jobs[k].calibrated > MANY) != t->grows[k])
				fail_msg("%s: thread %d has %d rounds", t->what, k,
					(int)*jobs[k].calibrated);
		if (after != t->confirmed_after)
			fail_msg("%s: %d, not %d", t->what, after, t->confirmed_after);
	}
}

/* Of a trial of 12.8 us there must be 98 for 1.25 ms, and the number is a power of 2. */
static void short_ones_give_as_many_rounds_as_are_missing(void **state)
{
	uint64_t rounds = 1;
	struct plan_job job = {.kernel = &one, .calibrated = &rounds};
	const struct plan plan = {.nthreads = 1};
	const struct plan_op op = {.jobs = &job};
	const struct workers c = {.plan = &plan, .op = &op};
	struct thread_sample thread = {.end_ns = 2012800, .off_ns = 2000000, .delayed_ns = 2000000};
	const struct sample s = {.threads = &thread};

	(void)state;
	assert_int_equal(calibrate_judge(&c, &s, LEAST, 1), 0);
	assert_int_equal(rounds, 128);
	/* a kernel whose time does not grow gets one, and no further trial */
	rounds = UINT64_C(1) << 30;
	assert_int_equal(calibrate_judge(&c, &s, LEAST, 1), CALIBRATE_AMPLE);
	assert_int_equal(rounds, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trials_decide_by_what_threads_did_themselves),
		cmocka_unit_test(short_ones_give_as_many_rounds_as_are_missing),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
