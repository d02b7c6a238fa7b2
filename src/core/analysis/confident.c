/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies what leads from samples to their request, since estimates take the confidence from it. */
#include "analysis/confident.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Threads alone have plans of their own, with the request of their run. */
static void take_solos(struct confident *c, size_t run)
{
	struct run *t = &c->experiment.runs[run];
	const size_t n = (size_t)t->plan.nthreads;
	struct samples *solos;

	if (!t->solos)
		return;
	c->solo_plans[run] = alloc_zeroed(n, sizeof(**c->solo_plans));
	solos = alloc_zeroed(n, sizeof(*solos));
	memcpy(solos, t->solos, n * sizeof(*solos));
	memcpy(c->solo_plans[run], t->solo_plans, n * sizeof(**c->solo_plans));
	for (size_t i = 0; i < n; i++) {
		c->solo_plans[run][i].request = &t->request;
		if (solos[i].ops)
			solos[i].plan = &c->solo_plans[run][i];
	}
	t->solos = solos;
	t->solo_plans = c->solo_plans[run];
}

void confident_make(struct confident *c, const struct experiment *x, double confidence)
{
	struct run *runs = alloc_zeroed(x->nruns + 1, sizeof(*runs));

	*c = (struct confident){
		.experiment = *x, .solo_plans = alloc_zeroed(x->nruns + 1, sizeof(*c->solo_plans))};
	memcpy(runs, x->runs, x->nruns * sizeof(*runs));
	c->experiment.runs = runs;
	for (size_t i = 0; i < x->nruns; i++) {
		runs[i].request.confidence = confidence;
		runs[i].plan.request = &runs[i].request;
		if (runs[i].samples.ops)
			runs[i].samples.plan = &runs[i].plan;
		take_solos(c, i);
	}
}

void confident_free(struct confident *c)
{
	for (size_t i = 0; i < c->experiment.nruns; i++) {
		if (c->solo_plans[i])
			free(c->experiment.runs[i].solos);
		free(c->solo_plans[i]);
	}
	free(c->solo_plans);
	free(c->experiment.runs);
	*c = (struct confident){0};
}
