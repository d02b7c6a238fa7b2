/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions that say more about the stamps, or about other programs, than about the events. */
#include <math.h>

#include "analysis/derive.h"
#include "analysis/doubts.h"
#include "analysis/tails.h"

static const char *where(const struct run *t, const char *before)
{
	return *t->label ? before : "";
}

/* Half an interval that reaches over what is allowed shows no difference. */
static void warn_of_tails(
	const struct run *t, int op, int thread, const struct tails *s, struct errors *e)
{
	const struct amount a = s->timing; /* without an interval nothing is sure */
	const char *name = t->plan.ops[op].label;

	if (a.low > 1 + TAIL_TIMING || a.high < 1 - TAIL_TIMING)
		error_warn(e,
			"%s%s%s, thread %d: single events that are timed take %.3g of the time of "
			"those without stamps on the mean: their distribution is another one",
			name, where(t, ", run "), t->label, thread, a.value);
	if (tails_lost(s)) {
		error_warn(e,
			"%s%s%s, thread %d: the CPU was lost in %.0f of %.0f blocks of timed "
			"events; the highest percentiles are those of the others",
			name, where(t, ", run "), t->label, thread, s->switched, s->blocks);
		error_hint(e, "measure again when nothing else runs");
	}
}

static void tell_operation(const struct run *t, int op, bool interrupted, struct errors *e)
{
	bool any = interrupted || !plan_has_events(&t->plan, &t->plan.ops[op]);

	for (int thread = 0; thread < t->plan.nthreads; thread++) {
		struct tails s;

		if (!tails_of(&t->samples, op, thread, &s)) {
			any = true;
			warn_of_tails(t, op, thread, &s, e);
		}
		tails_free(&s);
	}
	if (any)
		return;
	error_warn(e, "%s%s%s: no single event was timed: there were too few",
		t->plan.ops[op].label, where(t, ", run "), t->label);
	error_hint(e, "more passes, loads or samples, or distribution: 1/8");
}

void doubts_tell_tails(const struct experiment *x, struct errors *e)
{
	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && t->samples.ops && op < t->plan.nops; op++)
			tell_operation(t, op, x->interrupted, e);
	}
}
