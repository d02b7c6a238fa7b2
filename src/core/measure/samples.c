/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes and frees the samples of a plan. */
#include "measure/samples.h"

#include <math.h>
#include <stdlib.h>

void samples_init(struct samples *r, const struct plan *p, struct prepared *prepared)
{
	*r = (struct samples){.plan = p,
		.prepared = prepared,
		.ops = alloc_zeroed((size_t)p->nops, sizeof(*r->ops))};
	for (int i = 0; i < p->nops; i++)
		r->ops[i] = (struct op_result){.ended = ENDED_NOT_RUN, .error = NAN};
}

void samples_free(struct samples *r)
{
	for (int i = 0; r->ops && i < r->plan->nops; i++) {
		for (size_t k = 0; k < r->ops[i].count; k++)
			sample_free(&r->ops[i].samples[k]);
		for (size_t k = 0; k < r->ops[i].ncounted; k++)
			sample_free(&r->ops[i].counted[k]);
		beside_free(&r->ops[i].beside);
		free(r->ops[i].samples);
		free(r->ops[i].counted);
		for (size_t k = 0; k < r->ops[i].ntimed; k++)
			timed_free(&r->ops[i].timed[k], r->plan->nthreads);
		free(r->ops[i].timed);
		free(r->ops[i].chose);
		free(r->ops[i].proofs);
		free(r->ops[i].places);
	}
	free(r->ops);
	*r = (struct samples){0};
}

bool samples_any(const struct samples *r)
{
	for (int i = 0; r->ops && i < r->plan->nops; i++)
		for (size_t k = 0; k < r->ops[i].count; k++)
			if (!r->ops[i].samples[k].warmup)
				return true;
	return false;
}
