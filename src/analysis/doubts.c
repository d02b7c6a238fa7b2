/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what makes figures doubtful, and warns of it. */
#include "analysis/doubts.h"

#include <math.h>

#include "analysis/derive.h"

/* Where a doubt is greatest, and in how many operations of runs it is. */
struct worst {
	const struct run *run;
	int op, thread;
	double value;
	size_t operations;
};

/* Threads that are asked to wait are not meant to work side by side. */
static bool any_sleeps(const struct plan *p, int op)
{
	for (int i = 0; i < p->nthreads; i++)
		if (p->ops[op].jobs[i].common.sleep_ns)
			return true;
	return false;
}

static void find_overlap(const struct run *t, int op, struct worst *w)
{
	bool counted = false;

	for (int i = 0; i < t->plan.nthreads; i++) {
		struct figures f;

		if (derive_thread(&t->samples, op, i, &f) || !(f.overlap < DOUBTS_OVERLAP))
			continue;
		w->operations += !counted;
		counted = true;
		if (!w->run || f.overlap < w->value)
			*w = (struct worst){t, op, i, f.overlap, w->operations};
	}
}

/* With mode: time nothing can be done about it. */
static void tell_overlap(const struct experiment *x, struct errors *e)
{
	struct worst w = {0};

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && !t->request.window_ns && op < t->plan.nops; op++)
			if (t->samples.ops && !any_sleeps(&t->plan, op))
				find_overlap(t, op, &w);
	}
	if (!w.run)
		return;
	error_warn(e,
		"%s%s%s: all threads worked at the same time during %.3g %% of thread %d's time "
		"in the kernel (%zu operation%s below %g %%): what they do to each other is in "
		"its cost for that part only",
		w.run->plan.ops[w.op].label, *w.run->label ? ", run " : "", w.run->label,
		w.value * 100, w.thread, w.operations, w.operations == 1 ? "" : "s",
		DOUBTS_OVERLAP * 100);
	error_hint(e, "mode: time:100ms makes all threads work until the same instant");
}

static void find_disturbed(const struct run *t, int op, struct worst *w)
{
	struct tally tally;

	derive_tally(&t->samples, op, &tally);
	double part = (double)tally.disturbed / (double)tally.samples;
	if (!(part > DOUBTS_DISTURBED))
		return;
	w->operations++;
	if (!w->run || part > w->value)
		*w = (struct worst){t, op, 0, part, w->operations};
}

static void tell_disturbed(const struct experiment *x, struct errors *e)
{
	struct worst w = {0};

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && t->samples.ops && op < t->plan.nops; op++)
			find_disturbed(t, op, &w);
	}
	if (!w.run)
		return;
	error_warn(e, "%s%s%s: %.3g %% of the samples are disturbed (%zu operation%s above %g %%)",
		w.run->plan.ops[w.op].label, *w.run->label ? ", run " : "", w.run->label,
		w.value * 100, w.operations, w.operations == 1 ? "" : "s", DOUBTS_DISTURBED * 100);
	error_hint(e, "measure again when nothing else runs; disturbedAbove says from which part "
		      "of its time lost a sample counts as disturbed");
}

void doubts_tell(const struct experiment *x, struct errors *e)
{
	tell_overlap(x, e);
	tell_disturbed(x, e);
}
