/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs that still fall or rise while samples count. */
#include "analysis/doubts.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/settling.h"
#include "base/text.h"

struct restless {
	const struct run *run;
	const struct samples *samples; /* of all threads, or of one alone */
	int op;
	struct unsettled most;
	size_t operations;
};

static double change(const struct unsettled *u)
{
	return fabs(log(u->to / u->from));
}

static bool find_in(const struct run *t, const struct samples *r, int op, struct restless *found)
{
	struct unsettled u;

	if (!r->ops || !settling_of(r, op, &u))
		return false;
	if (!found->run || change(&u) > change(&found->most))
		*found = (struct restless){t, r, op, u, found->operations};
	return true;
}

static void find_restless(const struct run *t, int op, struct restless *found)
{
	bool any = find_in(t, &t->samples, op, found);

	for (int k = 0; t->solos && k < t->plan.nthreads; k++)
		any |= find_in(t, &t->solos[k], op, found);
	found->operations += any;
}

void doubts_tell_settling(const struct experiment *x, struct errors *e)
{
	struct restless f = {0};

	for (size_t i = 0; i < x->nruns; i++)
		for (int op = 0; !x->runs[i].skipped && op < x->runs[i].plan.nops; op++)
			find_restless(&x->runs[i], op, &f);
	if (!f.run)
		return;
	char *text = settling_text(f.samples, f.op, &f.most);

	error_warn(e, "%s%s%s: the cost of thread %d %s: it has not settled (%zu operation%s)",
		f.run->plan.ops[f.op].label, *f.run->label ? ", run " : "", f.run->label,
		f.most.thread, text, f.operations, text_s(f.operations));
	free(text);
	if (f.most.placements)
		error_hint(e, "warmup: N takes as many samples as you like before those that "
			      "count");
	else
		error_hint(e, "measure again; warmup: settled waits until costs no longer change");
}
