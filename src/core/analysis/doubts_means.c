/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means that may lack rare slow samples. */
#include "analysis/doubts.h"

#include "analysis/derive.h"
#include "base/text.h"

static bool any_hidden(const struct run *t, int op, int *thread)
{
	struct figures f;

	for (*thread = 0; *thread < t->plan.nthreads; ++*thread)
		if (!derive_thread(&t->samples, op, *thread, &f) && f.cost.hidden)
			return true;
	return false;
}

static void warn_of_mean(
	const struct run *t, int op, int thread, size_t operations, struct errors *e)
{
	char percent[32];

	error_warn(e,
		"%s%s%s: the mean of thread %d has no interval: rare slow samples add up to %s "
		"to means, and it may have met too few of them (%zu operation%s)",
		t->plan.ops[op].label, *t->label ? ", run " : "", t->label, thread,
		text_percent(pooling_kin(&t->samples, FAMILY_COST, op, thread)->rare, percent,
			sizeof(percent)),
		operations, operations == 1 ? "" : "s");
	error_hint(e, "statistic: median changes little with rare slow samples");
}

void doubts_tell_means(const struct experiment *x, struct errors *e)
{
	const struct run *first = NULL;
	int first_op = 0, first_thread = 0, thread;
	size_t operations = 0;

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && t->samples.ops && op < t->plan.nops; op++) {
			if (!any_hidden(t, op, &thread) || operations++)
				continue;
			first = t;
			first_op = op;
			first_thread = thread;
		}
	}
	if (first)
		warn_of_mean(first, first_op, first_thread, operations, e);
}
