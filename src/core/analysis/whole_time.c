/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of an experiment and what comes before it. */
#include "analysis/whole_time.h"

#include "analysis/derive.h"

static bool uses_vector(const struct plan *p, int vector, int who)
{
	for (int i = 0; i < p->nthreads; i++)
		if (derive_counts(p, who, i) && plan_uses(&p->threads[i], vector))
			return true;
	return false;
}

double whole_time_touch(const struct samples *s, int thread)
{
	const struct prepared *r = s->prepared;
	double ns = 0;

	for (int v = 0; v < s->plan->nvectors; v++)
		for (size_t i = 0; i < r->made && uses_vector(s->plan, v, thread); i++)
			ns += (double)prepare_found(r, i, v)->touch_ns;
	return r->made ? ns * 1e-9 / (double)r->made : 0;
}

double whole_time_fill(const struct samples *r, int op)
{
	const struct op_result *o = &r->ops[op];

	return o->placements ? (double)o->fill_ns * 1e-9 / (double)o->placements : 0;
}

struct amount whole_time(const struct samples *s, int op, int thread)
{
	const double before = whole_time_touch(s, thread) + whole_time_fill(s, op);
	const struct amount cost = derive_cost(s, op, thread);

	if (s->plan->request->window_ns)
		return AMOUNT_NONE;
	return (struct amount){cost.value + before, cost.low + before, cost.high + before};
}
