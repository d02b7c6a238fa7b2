/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the rounds of samples. */
#include "measure/calibrate.h"

#include <math.h>

#include "base/clock.h"

/* No round takes so little that more are needed. A kernel whose time does not grow gets one round,
 * with which its first sample is refused as implausible. */
#define MOST_ROUNDS (UINT64_C(1) << 30)

/* A first sample that is very short says little about how many rounds are needed. */
#define MOST_GROWTH 1024.0

/* How many times longer a sample is that need not be confirmed. */
#define AMPLE 10

/* Where a hypervisor takes the CPU in nearly all of them, the numbers stay as they are. */
#define MOST_STOLEN 30

/* Samples are quicker than trials by up to so much: caches are warm then, and the clock is up. */
#define MARGIN 1.25

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

/* The time for which a thread itself worked: one whose CPU another had for long did little. */
static double own_ns(const struct sample *s, int thread)
{
	return (sample_busy(s, thread) - sample_lost_s(s, thread)) * 1e9;
}

/* The shortest time of the threads that run the same kernel as this one. */
static double shortest(const struct workers *c, const struct sample *s, int first)
{
	double shortest_ns = INFINITY;

	for (int i = first; i < c->plan->nthreads; i++)
		if (plan_first_of_kernel(c->op, i) == first)
			shortest_ns = fmin(shortest_ns, own_ns(s, i));
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
 * shortest sample exceeds the least time; less than 1: a number grew; INFINITY: none can. */
static double adapt(const struct workers *c, const struct sample *s, double least)
{
	double ample = INFINITY;

	for (int i = 0; i < c->plan->nthreads; i++) {
		uint64_t *rounds = c->op->jobs[i].calibrated;

		if (!rounds || plan_first_of_kernel(c->op, i) < i)
			continue;
		double times = shortest(c, s, i) / least;

		if (times < 1 && *rounds < MOST_ROUNDS) {
			*rounds = more_rounds(*rounds, fmax(2, 1 / times));
		} else if (times < 1) {
			*rounds = 1;
			times = INFINITY;
		}
		ample = fmin(ample, times);
	}
	return ample;
}

/* Without a clock of CPU time a long sample may be one in which another had the CPU. */
static bool knows_own(const struct workers *c, const struct sample *s)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (isnan(sample_cpu_s(s, i)))
			return false;
	return !(s->disturbed & DISTURBED_STOLEN);
}

/* Of a trial whose CPU was taken for a time that is not known nobody knows that it was long enough.
 */
int calibrate_judge(const struct workers *c, const struct sample *s, double least, int confirmed)
{
	const double times = adapt(c, s, least * MARGIN);

	if (isinf(times) || (times >= AMPLE && knows_own(c, s)))
		return CALIBRATE_AMPLE;
	return times < 1 ? 0 : confirmed + !(s->disturbed & DISTURBED_STOLEN);
}

static int try_once(struct workers *c, struct sample *s, struct errors *e)
{
	return workers_reset(c, e) || workers_arrange(c, e) || workers_sample(c, s, e) ? -1 : 0;
}

static void multiply(const struct workers *c, double factor)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->op->jobs[i].calibrated && plan_first_of_kernel(c->op, i) == i)
			*c->op->jobs[i].calibrated =
				(uint64_t)((double)*c->op->jobs[i].calibrated * factor);
}

/* Where other programs use the caches, each sample begins with cold ones: its first round takes
 * much longer, and one such round alone can seem enough. So many times the rounds show what a
 * further round takes. */
#define FURTHER 4

/* 1 if the rounds are enough by that, 0 if a number grew, -1 with a message. */
static int try_further(struct workers *c, struct sample *s, double least, struct errors *e)
{
	multiply(c, FURTHER);
	int failed = try_once(c, s, e);
	multiply(c, 1.0 / FURTHER);
	if (failed)
		return -1;
	return adapt(c, s, least * MARGIN * FURTHER) >= 1 && !(s->disturbed & DISTURBED_STOLEN);
}

/* Are all numbers that were open 1? */
static bool of_one_round(const struct workers *c)
{
	for (int i = 0; i < c->plan->nthreads; i++)
		if (!c->op->jobs[i].calibrated || *c->op->jobs[i].calibrated != 1)
			return false;
	return true;
}

/* Of trials that are long anyway three are enough: a round may take seconds. */
static int weigh_stolen(const struct workers *c, const struct sample *s, double least)
{
	if (!(s->disturbed & DISTURBED_STOLEN))
		return 0;
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->op->jobs[i].calibrated && own_ns(s, i) < least * AMPLE)
			return 1;
	return MOST_STOLEN / 3;
}

int calibrate(struct workers *c, const volatile sig_atomic_t *stop, struct sample *first,
	struct errors *e)
{
	struct sample s = {0};
	int failed = 0;

	*first = s;

	if (!any_open(c))
		return 0;
	const double least = calibrate_least_ns();
	for (int i = 0; i < c->plan->nthreads; i++)
		if (c->op->jobs[i].calibrated)
			*c->op->jobs[i].calibrated = 1;
	c->trial = true;
	for (int enough = 0, stolen = 0;
		enough < CALIBRATE_CONFIRMED && stolen < MOST_STOLEN && !failed && !*stop;) {
		failed = try_once(c, &s, e);
		enough = failed ? 0 : calibrate_judge(c, &s, least, enough);
		stolen += weigh_stolen(c, &s, least);
		if (!first->threads) {
			*first = s;
			s = (struct sample){0};
		}
		if (enough != CALIBRATE_CONFIRMED || *stop)
			continue;
		const int further = try_further(c, &s, least, e);

		failed = further < 0;
		enough = further > 0 ? enough : 0;
	}
	c->trial = false;
	sample_free(&s);
	if (failed || !of_one_round(c))
		sample_free(first);
	return failed ? -1 : 0;
}
