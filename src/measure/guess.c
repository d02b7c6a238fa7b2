/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Guesses how long an experiment will take. */
#include "measure/experiment.h"

/* Time of one element: between a stream out of a cache (below 1 ns) and a random access to memory
 * (around 100 ns). */
#define UNIT_S 5e-9

/* Elements that a thread visits in one pass, as far as the driver can know. */
static double elements_of(const struct plan_thread *t)
{
	double sum = 0;

	for (int i = 0; i < t->nvectors; i++)
		sum += (double)t->vectors[i].elements;
	return sum;
}

static double guess_plan(const struct plan *p)
{
	double sum = 0, samples = (double)(p->request->warmup + p->request->iterations);

	if (p->counting)
		samples += (double)p->counting->npasses * COUNTED_SAMPLES;

	for (int o = 0; o < p->nops; o++) {
		double longest = 0;

		for (int i = 0; i < p->nthreads; i++) {
			const struct common_args *c = &p->ops[o].jobs[i].common;
			double s = elements_of(&p->threads[i]) * (double)c->passes * UNIT_S +
				   (double)c->sleep_ns * 1e-9;
			longest = s > longest ? s : longest;
		}
		if (p->request->window_ns)
			longest = (double)p->request->window_ns * 1e-9;
		sum += longest * samples;
	}
	return p->request->solo ? sum * (1 + p->nthreads) : sum;
}

/* The time that the driver needs to place a run with small vectors and to prove the placement, and
 * the time to start and end a sample. Both add up in a sweep with many runs of short samples. (Zen
 * 3, two threads: 3 to 6 ms, 0.2 to 0.6 ms.) */
#define DRIVER_RUN_S    5e-3
#define DRIVER_SAMPLE_S 3e-4

static double guess_driver(const struct plan *p)
{
	double samples = (double)(p->request->warmup + p->request->iterations) * p->nops;

	return DRIVER_RUN_S + DRIVER_SAMPLE_S * samples * (p->request->solo ? 1 + p->nthreads : 1);
}

double experiment_guess_s(const struct experiment *x)
{
	double sum = 0;

	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped)
			sum += guess_plan(&x->runs[i].plan) +
			       (x->nruns > 1 ? guess_driver(&x->runs[i].plan) : 0);
	return sum;
}
