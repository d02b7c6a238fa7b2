/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guesses how long an experiment will take. */
#include "statistics/settled.h"
#include "measure/calibrate.h"
#include "measure/experiment.h"

#include <math.h>

/* Time of one element: between a stream out of a cache (below 1 ns) and a random access to memory
 * (around 100 ns). */
#define UNIT_S 5e-9

/* Time of a load that waits for the one before it, in memory; and of storing a link of a chain at a
 * place far from the last one, with what choosing the place takes: 3 s for a GiB of lines. */
#define WAIT_S 1e-7
#define LINK_S 2e-7
/* Time of touching a byte for the first time and of asking for its page: a GiB in 0.3 s. */
#define TOUCH_S (0.3 / (1 << 30))

/* Elements that a thread visits in one pass, as far as the driver can know. */
static double elements_of(const struct plan_thread *t)
{
	double sum = 0;

	for (int i = 0; i < t->nvectors; i++)
		sum += (double)t->vectors[i].elements;
	return sum;
}

static struct chain_work chain_of(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct worker w = plan_worker(p, op, thread);

	return op->jobs[thread].kernel->accesses.chain ? op->jobs[thread].kernel->accesses.chain(&w)
						       : (struct chain_work){0};
}

/* One pass of a thread. */
static double guess_pass(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct plan_job *job = &op->jobs[thread];

	if (job->kernel->accesses.chain)
		return chain_of(p, op, thread).waits * (job->times_caches < 1 ? UNIT_S : WAIT_S);
	return elements_of(&p->threads[thread]) * UNIT_S;
}

/* In each placement each operation builds its chains, its threads at the same time, and pages are
 * touched once. */
double guess_placement_s(const struct plan *p)
{
	double sum = 0;

	for (int i = 0; i < p->nvectors; i++)
		sum += (double)p->vectors[i].bytes * TOUCH_S;
	for (int o = 0; o < p->nops; o++) {
		double most = 0;

		for (int i = 0; i < p->nthreads; i++)
			most = fmax(most, chain_of(p, &p->ops[o], i).links);
		sum += most * LINK_S;
	}
	return sum;
}

double guess_sample_s(const struct plan *p, int op)
{
	double longest = 0;

	if (p->request->window_ns)
		return (double)p->request->window_ns * 1e-9;
	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_job *job = &p->ops[op].jobs[i];
		double s = guess_pass(p, &p->ops[op], i) * (double)job->common.passes +
			   (double)job->common.sleep_ns * 1e-9;

		if (job->calibrated)
			s = fmax(s, CALIBRATE_LEAST_NS * 1e-9);
		longest = fmax(longest, s);
	}
	return longest;
}

/* The fewest rounds of a thread in a sample. */
static double guess_rounds(const struct plan *p, int op)
{
	double fewest = INFINITY;

	for (int i = 0; i < p->nthreads; i++) {
		const struct plan_job *job = &p->ops[op].jobs[i];
		double rounds = CALIBRATE_LEAST_NS * 1e-9 / guess_pass(p, &p->ops[op], i);

		fewest = fmin(
			fewest, job->calibrated ? fmax(1, rounds) : (double)job->common.passes);
	}
	return fewest;
}

/* As if each cost settled at once: then only the first placement needs samples to show it. */
static double timed_samples(const struct plan *p, int op)
{
	const struct request *q = p->request;
	double placements = (double)q->placements, counted = (double)q->iterations;

	if (q->warmup != WARMUP_SETTLED)
		return ((double)q->warmup + counted) * placements;
	double window = (double)settled_window(
		q->window_ns ? INFINITY : guess_rounds(p, op), guess_sample_s(p, op));

	return fmax(window, counted) + counted * (placements - 1) + placements;
}

/* Of single events. */
static double event_samples(const struct plan *p, int op)
{
	return plan_has_events(p, &p->ops[op])
		       ? (double)plan_event_samples(p) * (double)p->request->placements
		       : 0;
}

double guess_events(const struct plan *p, int op, int thread)
{
	const struct plan_job *job = &p->ops[op].jobs[thread];
	const uint64_t group = plan_event_group(p, &p->ops[op], thread);

	if (!job->kernel->accesses.chain || !group)
		return NAN;
	return guess_sample_s(p, op) / (job->times_caches < 1 ? UNIT_S : WAIT_S) *
	       event_samples(p, op) / (double)group;
}

static double guess_plan(const struct plan *p)
{
	double sum = 0, counted = 0;

	if (p->counting)
		counted = (double)p->counting->npasses * COUNTED_SAMPLES;

	for (int o = 0; o < p->nops; o++)
		sum += guess_sample_s(p, o) * (timed_samples(p, o) + counted + event_samples(p, o));
	return p->request->solo ? sum * (1 + p->nthreads) : sum;
}

/* The time that the driver needs to place a run with small vectors and to prove the placement, and
 * the time to start and end a sample. Both add up in a sweep with many runs of short samples. (Zen
 * 3, two threads: 3 to 6 ms, 0.2 to 0.6 ms.) */
#define DRIVER_RUN_S    5e-3
#define DRIVER_SAMPLE_S 3e-4

static double guess_driver(const struct plan *p)
{
	double samples = 0;

	for (int o = 0; o < p->nops; o++)
		samples += timed_samples(p, o);

	return DRIVER_RUN_S * (double)p->request->placements +
	       DRIVER_SAMPLE_S * samples * (p->request->solo ? 1 + p->nthreads : 1);
}

bool experiment_has_chains(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++) {
		const struct plan *p = &x->runs[i].plan;

		for (int o = 0; !x->runs[i].skipped && o < p->nops; o++)
			for (int t = 0; t < p->nthreads; t++)
				if (p->ops[o].jobs[t].kernel->accesses.chain)
					return true;
	}
	return false;
}

double experiment_guess_s(const struct experiment *x)
{
	double sum = 0;

	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped)
			sum += guess_plan(&x->runs[i].plan) +
			       guess_placement_s(&x->runs[i].plan) *
				       (double)x->runs[i].request.placements +
			       (x->nruns > 1 ? guess_driver(&x->runs[i].plan) : 0);
	return sum;
}
