/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the rounds of samples. */
#include "measure/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"

/* No round takes so little that more are needed. A kernel whose time does not grow gets one round,
 * with which its first sample is refused as implausible. */
#define MOST_ROUNDS (UINT64_C(1) << 30)

/* A first sample that is very short says little about how many rounds are needed. */
#define MOST_GROWTH 1024.0

/* Samples that must be long enough one after another, because one alone may be long only because
 * its thread lost its CPU; and how many times longer one is that need not be confirmed. */
#define CONFIRMED 3
#define AMPLE     10

/* A clock that is slow is measured again each time: some are so only at first, as gVisor's, which
 * is read by a system call for the first seconds of a process. */
double calibrate_least_ns(void)
{
	static double least;

	if (least == 0 || least > CALIBRATE_LEAST_NS) {
		struct clock_cost clock = clock_measure();

		least = fmax(CALIBRATE_LEAST_NS,
			fmax(clock.read_ns * CALIBRATE_READINGS, clock.step_ns * CALIBRATE_STEPS));
	}
	return least;
}

static bool any_open(const struct workers *c)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->op->jobs[i].calibrated && !*c->op->jobs[i].calibrated)
			return true;
	return false;
}

/* The shortest time in the kernel of the threads that run the same kernel as this one. */
static double shortest(const struct workers *c, int first)
{
	double shortest_ns = INFINITY;

	for (int i = first; i < c->plan->nthreads; i++)
		if (plan_first_of_kernel(c->op, i) == first)
			shortest_ns = fmin(shortest_ns,
				(double)(c->threads[i].end_ns - c->threads[i].begin_ns));
	return shortest_ns;
}

static uint64_t more_rounds(uint64_t rounds, double growth)
{
	uint64_t more = 1;

	while (more < MOST_ROUNDS && (double)more < (double)rounds * fmin(growth, MOST_GROWTH))
		more *= 2;
	return more;
}

/* Gives more rounds to threads that worked for too short a time. Returns by how many times the
 * shortest sample exceeds the least time; less than 1: a number grew. */
static double adapt(const struct workers *c, double least)
{
	double ample = INFINITY;

	for (int i = 0; i < c->plan->nthreads; i++) {
		uint64_t *rounds = c->op->jobs[i].calibrated;

		if (!rounds || plan_first_of_kernel(c->op, i) < i)
			continue;
		double times = shortest(c, i) / least;

		if (times < 1 && *rounds < MOST_ROUNDS) {
			*rounds = more_rounds(*rounds, fmax(2, 1 / times));
		} else if (times < 1) {
			*rounds = 1;
			times = AMPLE;
		}
		ample = fmin(ample, times);
	}
	return ample;
}

int calibrate(struct workers *c, const volatile sig_atomic_t *stop, struct errors *e)
{
	struct sample s = {0};
	int failed = 0;

	if (!any_open(c))
		return 0;
	const double least = calibrate_least_ns();
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->op->jobs[i].calibrated)
			*c->op->jobs[i].calibrated = 1;
	c->trial = true;
	for (int enough = 0; enough < CONFIRMED && !failed && !*stop;) {
		if (workers_reset(c, e) || workers_arrange(c, e) || workers_sample(c, &s, e)) {
			failed = -1;
			break;
		}
		double times = adapt(c, least);
		enough = times >= AMPLE ? CONFIRMED : times >= 1 ? enough + 1 : 0;
	}
	c->trial = false;
	sample_free(&s);
	return failed;
}
