/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of a run by the names of quantities. */
#include "document/old_figures.h"

#include <string.h>

static struct amount number(double value)
{
	return (struct amount){value, NAN, NAN};
}

static const struct document_figures *of_thread(const struct document_run *r, size_t op, int thread)
{
	return &r->operations.list[op].jobs[thread].figures;
}

static struct amount cost(const struct document_run *r, size_t op, int thread)
{
	return thread < 0 ? r->operations.list[op].together.cost : of_thread(r, op, thread)->cost;
}

static struct amount ns_per_unit(const struct document_run *r, size_t op, int thread)
{
	return thread < 0 ? r->operations.list[op].together.ns_per_unit
			  : number(of_thread(r, op, thread)->ns_per_unit);
}

static struct amount rate(const struct document_run *r, size_t op, int thread)
{
	return thread < 0 ? r->operations.list[op].together.units_per_s
			  : number(of_thread(r, op, thread)->units_per_s);
}

static struct amount bandwidth(const struct document_run *r, size_t op, int thread)
{
	return amount_times(thread < 0 ? r->operations.list[op].together.bytes_per_s
				       : number(of_thread(r, op, thread)->bytes_per_s),
		1e-9);
}

static struct amount traffic(const struct document_run *r, size_t op, int thread)
{
	return amount_times(thread < 0 ? r->operations.list[op].together.traffic
				       : number(of_thread(r, op, thread)->traffic_bytes_per_s),
		1e-9);
}

static const struct document_gain *gain(const struct document_run *r, size_t op, int thread)
{
	return thread >= 0 && op < r->ngains && (size_t)thread < r->gains[op].nthreads
		       ? &r->gains[op].threads[thread]
		       : NULL;
}

static struct amount speedup(const struct document_run *r, size_t op, int thread)
{
	const struct document_gain *g = gain(r, op, thread);

	return g ? g->speedup : AMOUNT_NONE;
}

static struct amount hypothetical(const struct document_run *r, size_t op, int thread)
{
	const struct document_gain *g = gain(r, op, thread);

	return g ? number(g->hypothetical) : AMOUNT_NONE;
}

static struct amount slowdown(const struct document_run *r, size_t op, int thread)
{
	return thread >= 0 && op < r->nsolos && (size_t)thread < r->solos[op].slowdowns.count
		       ? r->solos[op].slowdowns.list[thread]
		       : AMOUNT_NONE;
}

static struct amount overhead(const struct document_run *r, size_t op, int thread)
{
	(void)thread;
	return op < r->nsolos ? r->solos[op].overhead_percent : AMOUNT_NONE;
}

static const struct old_figure figures[] = {{"cost", "s", cost, true},
	{"ns_per_unit", "ns", ns_per_unit, false}, {"rate", "1/s", rate, false},
	{"bandwidth", "GB/s", bandwidth, false}, {"traffic", "GB/s", traffic, false},
	{"speedup", "", speedup, false}, {"hypothetical", "", hypothetical, false},
	{"slowdown", "", slowdown, false}, {"overhead", "%", overhead, false}};

const struct old_figure *old_figure(const char *name)
{
	if (!strcmp(name, "ns_per_op"))
		name = "ns_per_unit";
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		if (!strcmp(name, figures[i].name))
			return &figures[i];
	return NULL;
}
