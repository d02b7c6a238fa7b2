/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides whether the intervals over placements are narrow enough. */
#include "measure/more.h"

/* Further placements than the least are taken within this time of an operation, where no file asks
 * for them: three placements of ten samples took as long. */
#define FURTHER_NS UINT64_C(10000000000)

static bool op_is_late(const struct run *t, int op)
{
	const struct request *q = &t->request;
	uint64_t limit = q->time_limit_ns,
		 spent = t->samples.ops[op].spent_ns + t->placing_ns / (uint64_t)t->plan.nops;

	if (!(q->target_error > 0) && limit > FURTHER_NS)
		limit = FURTHER_NS;
	return spent >= limit;
}

bool more_placements(const struct experiment *x, struct run *t)
{
	const struct request *q = &t->request;
	experiment_error *error = x->error;
	bool more = false;

	if (t->prepared.made < q->placements)
		return true;
	for (int op = 0; q->enough > 0 && error && op < t->plan.nops; op++) {
		struct op_result *o = &t->samples.ops[op];

		o->error = error(&t->samples, op);
		if (q->target_error > 0)
			o->ended = o->error <= q->enough ? ENDED_TARGET : ENDED_TIME;
		more |= o->error > q->enough && !op_is_late(t, op);
	}
	return more && t->prepared.made < q->placements_most;
}

bool more_of_any(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && !x->runs[i].complete)
			return true;
	return false;
}

bool more_ever(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && x->runs[i].request.placements_most > 1)
			return true;
	return false;
}
