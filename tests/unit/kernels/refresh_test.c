/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Periods in made-up instants: what is there is found, and where nothing is, nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "latency/periodogram.h"
#include "statistics/random.h"

#define N 10000

static double times[N];
static uint64_t seed;

static double uniform(void)
{
	return ((double)(random_next(&seed) >> 11) + 0.5) * 0x1p-53;
}

/* 2500 ns apart on the mean; this part of them within 40 ns after a multiple of the period. */
static void draw(double period, double part)
{
	double t = 0;

	for (size_t i = 0; i < N; i++) {
		t += 5000 * uniform();
		times[i] = uniform() < part ? ceil(t / period) * period + 40 * uniform() : t;
		t = times[i];
	}
}

static void a_period_is_found(void **state)
{
	static const double periods[] = {1949, 3900, 7800};

	(void)state;
	seed = 3;
	for (size_t i = 0; i < 3; i++) {
		draw(periods[i], 0.4);
		const struct spectral_line l = periodogram(times, N, 1500, 16000);

		if (fabs(l.period / periods[i] - 1) > 1e-3 || l.power < 25)
			fail_msg("period %.0f: found %.1f, power %.1f", periods[i], l.period,
				l.power);
	}
}

static void instants_without_a_period_have_no_power(void **state)
{
	(void)state;
	for (seed = 1; seed < 4; seed++) {
		draw(1949, 0);
		assert_true(periodogram(times, N, 1500, 16000).power < 8);
	}
	assert_true(isnan(periodogram(times, 1999, 1500, 16000).power));
	assert_true(isnan(periodogram(times, 1999, 1500, 16000).period));
}

/* Of ten instants in so many ns, at exponential distances: power without a period. */
static void bursts_have_no_period(void **state)
{
	static const double lengths[] = {500, 2000, 6000}, gaps[] = {5000, 20000, 60000};

	(void)state;
	for (int k = 0; k < 9; k++) {
		double t = 0;

		seed = (uint64_t)k + 1;
		for (size_t i = 0; i < N; i++) {
			t += i % 10 ? lengths[k / 3] / 10 * (0.5 + uniform())
				    : -gaps[k % 3] * log(uniform());
			times[i] = t;
		}
		const struct spectral_line l = periodogram(times, N, 1500, 16000);

		if (!isnan(l.period))
			fail_msg("bursts of %.0f ns: found %.1f, power %.1f", lengths[k / 3],
				l.period, l.power);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_period_is_found),
		cmocka_unit_test(instants_without_a_period_have_no_power),
		cmocka_unit_test(bursts_have_no_period),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
