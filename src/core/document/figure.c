/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of a document with their marks. */
#include "document/figure.h"

#include <string.h>

#include "analysis/derive.h"

bool document_is_misplaced(const struct document_vector *v)
{
	if (v->pages_absent > 0 || v->pages_moved > 0 || v->broken)
		return true;
	return v->npages && v->only_node >= 0 &&
	       (v->npages > 1 || v->pages[0].node != v->only_node);
}

static bool job_uses_vector(const struct document_run *r, int thread, size_t vector)
{
	if (thread < 0 || (size_t)thread >= r->nthreads)
		return true;
	for (size_t i = 0; i < r->threads[thread].nvectors; i++)
		if (r->threads[thread].vectors[i] == vector)
			return true;
	return false;
}

struct trust_samples document_trust_samples(
	const struct document_run *r, const struct document_operation *o, int thread)
{
	struct trust_samples of = {.taken = o->samples.taken,
		.disturbed = o->samples.disturbed,
		.unsettled = o->unsettled,
		.again = o->samples.measure_again};

	for (size_t i = 0; i < o->nloads; i++)
		of.missed |= o->loads[i].missed;
	for (size_t i = 0; i < r->nvectors; i++) {
		if (!job_uses_vector(r, thread, i))
			continue;
		if (document_is_misplaced(&r->vectors[i]))
			of.misplaced++;
		else
			of.unproven += !r->vectors[i].npages;
	}
	return of;
}

/* A figure that has the same error as the cost. */
static struct amount like_cost(struct amount cost, double value)
{
	return cost.value > 0 ? amount_times(cost, value / cost.value)
			      : (struct amount){value, NAN, NAN};
}

/* The slower, the lower. */
static struct amount against_cost(struct amount cost, double value)
{
	return like_cost(amount_inverse(cost), value);
}

static struct amount of_thread(const struct document_figures *f, enum document_quantity quantity)
{
	switch (quantity) {
	case DOCUMENT_COST:
		return f->cost;
	case DOCUMENT_NS_PER_UNIT:
		return like_cost(f->cost, f->ns_per_unit);
	case DOCUMENT_UNITS_PER_S:
		return against_cost(f->cost, f->units_per_s);
	case DOCUMENT_BYTES_PER_S:
		return against_cost(f->cost, f->bytes_per_s);
	default:
		return against_cost(f->cost, f->traffic_bytes_per_s);
	}
}

static struct amount of_all(const struct document_operation *o, enum document_quantity quantity)
{
	switch (quantity) {
	case DOCUMENT_COST:
		return o->cost_of_all;
	case DOCUMENT_NS_PER_UNIT:
		return o->together.ns_per_unit;
	case DOCUMENT_UNITS_PER_S:
		return o->together.units_per_s;
	case DOCUMENT_BYTES_PER_S:
		return o->together.bytes_per_s;
	default:
		return o->together.traffic;
	}
}

struct document_figure document_figure(const struct document_run *r,
	const struct document_operation *o, int thread, enum document_quantity quantity)
{
	const struct trust_samples of = document_trust_samples(r, o, thread);
	const struct amount a = thread == ALL_THREADS ? of_all(o, quantity)
				: (size_t)thread < o->njobs
					? of_thread(&o->jobs[thread].figures, quantity)
					: AMOUNT_NONE;

	return (struct document_figure){a, trust_of(&of, a)};
}

/* The value with the interval of another one. */
static struct amount within(double value, struct amount a)
{
	return (struct amount){value, a.low, a.high};
}

static struct document_row row_of_thread(const struct document_job *j)
{
	const struct document_figures *f = &j->figures;
	const struct amount rate = amount_inverse(f->unit_time);

	return (struct document_row){f->cost, f->busy, f->whole_time,
		within(f->ns_per_unit, amount_times(f->unit_time, 1e9)),
		within(f->units_per_s, rate),
		within(f->bytes_per_s, amount_times(rate, f->bytes_per_s / f->units_per_s)),
		within(f->traffic_bytes_per_s,
			amount_times(rate, f->traffic_bytes_per_s / f->units_per_s)),
		&j->mark};
}

struct document_row document_row(const struct document_operation *o, int who)
{
	static const struct document_mark none = {0};
	const size_t index = (size_t)(who >= 0 ? who : -2 - who);
	const bool of_kind = who < ALL_THREADS;

	if (who != ALL_THREADS && index >= (of_kind ? o->nkinds : o->njobs))
		return (struct document_row){AMOUNT_NONE, AMOUNT_NONE, AMOUNT_NONE, AMOUNT_NONE,
			AMOUNT_NONE, AMOUNT_NONE, AMOUNT_NONE, &none};
	if (who >= 0)
		return row_of_thread(&o->jobs[index]);
	const struct document_kind *kind = of_kind ? &o->kinds[index] : NULL;
	const struct document_together *t = kind ? &kind->together : &o->together;

	return (struct document_row){kind ? kind->total : o->cost_of_all, t->busy, t->whole_time,
		t->ns_per_unit, t->units_per_s, t->bytes_per_s, t->traffic,
		kind ? &kind->mark : &o->mark};
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Of the same operation and values? */
static bool same_runs(const struct document_table *a, const struct document_table *b)
{
	bool same = same_text(a->operation, b->operation) && a->values.count == b->values.count;

	for (size_t i = 0; same && i < a->values.count; i++)
		same = !strcmp(a->values.list[i].name, b->values.list[i].name) &&
		       !strcmp(a->values.list[i].value, b->values.list[i].value);
	return same;
}

static bool same_axes(const struct document_table *a, const struct document_table *b)
{
	return !strcmp(a->row_axis, b->row_axis) && !strcmp(a->column_axis, b->column_axis);
}

bool document_alike(const struct document_table *a, const struct document_table *b)
{
	return same_runs(a, b) && same_axes(a, b);
}

bool document_same_subject(const struct document_table *a, const struct document_table *b)
{
	return a->id == b->id && !strcmp(a->quantity, b->quantity) &&
	       same_text(a->along, b->along) && !strcmp(a->unit, b->unit) &&
	       a->thread == b->thread && same_runs(a, b);
}

bool document_same_numbers(const struct document_table *a, const struct document_table *b)
{
	return document_same_subject(a, b) && same_axes(a, b);
}
