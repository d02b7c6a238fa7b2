/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the operations of a plan, one after another, sample by sample. */
#include "run.h"

#include <stdlib.h>

#include "alloc.h"
#include "sample.h"

/* A sample in which a thread was moved is taken again, so many times in a row, before the run gives
 * up: one move is an accident, this many are somebody else's policy. */
#define MAX_REPEATS 5

struct driver {
	struct run *run;
	const volatile sig_atomic_t *stop;
	run_progress *progress;
	void *arg;
	size_t done, all; /* samples */
};

double stint_cost(const struct sample *s, int thread)
{
	return (double)(s->stints[thread].end_ns - s->start_ns) * 1e-9;
}

double stint_busy(const struct sample *s, int thread)
{
	return (double)(s->stints[thread].end_ns - s->stints[thread].begin_ns) * 1e-9;
}

static int moved_too_often(const struct plan *p, const struct plan_op *op, struct errors *e)
{
	if (p->request->verify == VERIFY_WARN) {
		error_warn(e,
			"%s: threads were moved off their CPUs in %d samples in a row; such "
			"samples "
			"are marked and counted",
			op->label, MAX_REPEATS + 1);
		return 0;
	}
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"%s: threads were moved off their CPUs in %d samples in a row", op->label,
		MAX_REPEATS + 1);
	return error_hint(e, "some other program binds threads (numad, cgroup rules, a scheduler's "
			     "prolog); stop it, or verify: warn");
}

/* A stop that comes during a sample spoils nothing: the sample is complete when it is looked at. */
static int take_sample(struct driver *d, struct crew *c, struct op_result *result, struct sample *s,
	struct errors *e)
{
	for (int repeats = 0; repeats <= MAX_REPEATS; repeats++) {
		if (crew_sample(c, s, e))
			return -1;
		if (!(s->disturbed & DISTURBED_MOVED) || *d->stop)
			return 0;
		if (repeats < MAX_REPEATS)
			result->repeated++;
	}
	return moved_too_often(d->run->plan, c->op, e);
}

static int sample_op(struct driver *d, struct crew *c, struct op_result *result, struct errors *e)
{
	const struct request *r = d->run->plan->request;
	size_t all = r->warmup + r->iterations;

	result->samples = alloc_zeroed(all, sizeof(*result->samples));
	for (size_t i = 0; i < all; i++) {
		struct sample *s = &result->samples[i];

		if (*d->stop) {
			d->run->interrupted = true;
			return 0;
		}
		if (d->progress)
			d->progress(d->arg, c->op->label, d->done, d->all);
		s->warmup = i < r->warmup;
		int failed = take_sample(d, c, result, s, e);
		if (s->stints)
			result->count++;
		if (failed)
			return -1;
		d->done++;
	}
	return 0;
}

static int run_op(struct driver *d, int op, struct errors *e)
{
	struct crew c;
	const struct plan *p = d->run->plan;
	int failed = crew_init(&c, p, &p->ops[op], e);

	if (!failed)
		failed = sample_op(d, &c, &d->run->ops[op], e);
	if (!failed && d->run->ops[op].count)
		failed = crew_verify(&c, e);
	crew_free(&c);
	return failed;
}

int run_plan(struct run *r, const struct prepared *prepared, const volatile sig_atomic_t *stop,
	run_progress *progress, void *arg, struct errors *e)
{
	const struct plan *p = prepared->plan;
	struct driver d = {r, stop, progress, arg, 0,
		(size_t)p->nops * (p->request->warmup + p->request->iterations)};
	int failed = 0;

	*r = (struct run){p, prepared, alloc_zeroed((size_t)p->nops, sizeof(*r->ops)), false};
	for (int i = 0; i < p->nops && !failed && !r->interrupted; i++)
		failed = run_op(&d, i, e);
	return failed;
}

void run_free(struct run *r)
{
	for (int i = 0; r->ops && i < r->plan->nops; i++) {
		for (size_t k = 0; k < r->ops[i].count; k++)
			free(r->ops[i].samples[k].stints);
		free(r->ops[i].samples);
	}
	free(r->ops);
	*r = (struct run){0};
}
