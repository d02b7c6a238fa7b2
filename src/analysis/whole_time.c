/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of an experiment and what comes before it. */
#include "analysis/whole_time.h"

#include "analysis/derive.h"

static bool uses(const struct plan *p, int vector, int who)
{
	for (int i = 0; i < p->nthreads; i++)
		if (derive_counts(p, who, i) && plan_uses(&p->threads[i], vector))
			return true;
	return false;
}

double whole_time_touch(const struct run *t, int thread)
{
	const struct prepared *r = &t->prepared;
	double ns = 0;

	for (int v = 0; v < t->plan.nvectors; v++)
		for (size_t i = 0; i < r->made && uses(&t->plan, v, thread); i++)
			ns += (double)prepare_found(r, i, v)->touch_ns;
	return r->made ? ns * 1e-9 / (double)r->made : 0;
}

double whole_time_fill(const struct samples *r, int op)
{
	const struct op_result *o = &r->ops[op];

	return o->placements ? (double)o->fill_ns * 1e-9 / (double)o->placements : 0;
}

struct amount whole_time(const struct run *t, int op, int thread)
{
	const double before = whole_time_touch(t, thread) + whole_time_fill(&t->samples, op);
	const struct amount cost = derive_cost(&t->samples, op, thread);

	if (t->plan.request->window_ns)
		return AMOUNT_NONE;
	return (struct amount){cost.value + before, cost.low + before, cost.high + before};
}
