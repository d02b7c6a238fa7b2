/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dial finds rates of a memory with a known queue, and where it is full. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/dial.h"

#define THREADS  4
#define LINE_NS  20.0 /* of a thread alone */
#define TURN_NS  0.3
#define SERVE_NS 8.0 /* the memory, for a line: 0.125 lines a nanosecond at most */

/* Lines in a nanosecond of threads that each wait for the memory, a queue of exponential service,
 * and then pause: x = n / (line + pause + serve / (1 - x serve)), by bisection. */
static double lines(uint64_t pause)
{
	double low = 0, high = 1 / SERVE_NS;

	for (int i = 0; i < 100; i++) {
		const double x = (low + high) / 2;
		const double each =
			LINE_NS + TURN_NS * (double)pause + SERVE_NS / (1 - x * SERVE_NS);

		if (x * each < THREADS)
			low = x;
		else
			high = x;
	}
	return low;
}

/* What is reached, with times that are off by up to `noise` from trial to trial. */
static double dialled(double wanted, double noise, struct dial *d)
{
	uint32_t random = 1;
	double rate;

	dial_begin(d, wanted);
	do {
		random = random * 1664525 + 1013904223;
		rate = lines(d->pause) * (1 + noise * ((double)random / 0x1p31 - 1));
	} while (dial_tell(d, rate));
	return lines(d->pause);
}

static void near(double found, double expected, double within)
{
	if (fabs(found - expected) > within)
		fail_msg("%g is not %g +- %g", found, expected, within);
}

static void rates_below_the_knee_are_reached(void **state)
{
	struct dial d;
	double wanted = lines(30000);

	(void)state;
	for (; wanted < lines(0); wanted *= 1.3) {
		near(dialled(wanted, 0, &d) / wanted, 1, DIAL_MET);
		assert_true(d.trials <= 12);
		near(dialled(wanted, 0.015, &d) / wanted, 1, DIAL_REACHED);
	}
	assert_true(wanted > 0.1); /* the law was tried up to its bend */
}

static void beyond_the_knee_it_is_what_there_is(void **state)
{
	struct dial d;
	double reached = 0, wanted = 0.01;

	(void)state;
	/* the first rate that is not reached is beyond the most that the queue serves */
	for (; dialled(wanted, 0, &d) >= wanted * (1 - DIAL_REACHED); wanted *= 1.02)
		reached = wanted;
	assert_int_equal(0, d.pause);
	assert_int_equal(1, d.trials);
	assert_true(d.off > DIAL_REACHED);
	near(reached, lines(0) / (1 - DIAL_REACHED), 0.02 * lines(0));
}

static void a_rate_below_all_pauses_is_told_from_one_that_is_met(void **state)
{
	struct dial d;

	(void)state;
	dialled(1e-9, 0, &d);
	assert_true(d.off > DIAL_REACHED);
	dial_begin(&d, 1);
	while (dial_tell(&d, 0)) /* a thread that never had its CPU */
		;
	assert_true(d.trials < 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rates_below_the_knee_are_reached),
		cmocka_unit_test(beyond_the_knee_it_is_what_there_is),
		cmocka_unit_test(a_rate_below_all_pauses_is_told_from_one_that_is_met)};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
