/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quantities that tables and plots can show, and what tables are made of. */
#include <math.h>
#include <stdlib.h>

#include "analysis/clock_rates.h"
#include "analysis/crossings.h"
#include "analysis/extra.h"
#include "analysis/huge_gain.h"
#include "analysis/overheads.h"
#include "analysis/whole_time.h"
#include "base/alloc.h"
#include "base/text.h"

const char *const quantity_names[] = {"cost", "busy", "ns_per_unit", "rate", "bandwidth", "speedup",
	"overhead", "slowdown", "traffic", "hypothetical", "clock_rate", "break_even",
	"break_even_time", "extra", "numa_overhead", "stall_cost", "coverage_32", "cap_overhead",
	"rcm_overhead", "huge_gain", "whole_time", "crossing", "crossing_time", "reach_1",
	"reach_2", "walk", "best_share", "advised_share", "kernel_share", NULL};

const char *quantity_unit(const struct experiment *x, enum quantity q)
{
	static const char *const units[] = {"s", "s", "ns", "1/s", "GB/s", "", "%", "", "GB/s", "",
		"GHz", "passes", "s", "ns", "%", "%", "%", "%", "%", "%", "s", "", "s", "", "",
		"ns", "%", "%", "%"};

	return q == QUANTITY_COST ? derive_cost_unit(experiment_request(x)) : units[q];
}

static char *with_unit(const char *name, const char *unit)
{
	return *unit ? alloc_format("%s (%s)", name, unit) : alloc_format("%s", name);
}

char *quantity_title(const struct experiment *x, enum quantity q)
{
	return with_unit(quantity_names[q], quantity_unit(x, q));
}

const char *view_unit(const struct experiment *x, const struct view *v)
{
	static const char *const units[] = {"per unit", "", "%"}; /* of counters, by their kind */

	uint64_t bytes;

	if (crossings_at(v->quantity))
		return text_bytes(x->sweep.variables[v->along].values.word[0], &bytes) ? "" : "B";
	if (v->figure)
		return v->figure->unit;
	return v->counter ? units[counter_kind(v->counter)] : quantity_unit(x, v->quantity);
}

char *view_title(const struct experiment *x, const struct view *v)
{
	if (crossings_follow(v->quantity)) {
		char *name = alloc_format("%s along %s", quantity_names[v->quantity],
			x->sweep.variables[v->along].name);
		char *title = with_unit(name, view_unit(x, v));

		free(name);
		return title;
	}
	if (v->figure)
		return with_unit(v->figure->name, v->figure->unit);
	return with_unit(
		v->counter ? v->counter->name : quantity_names[v->quantity], view_unit(x, v));
}

char *table_title(const struct experiment *x, const struct view *v, const struct table *m)
{
	char *title = view_title(x, v);

	if (m->operation) {
		char *longer = alloc_format("%s, %s", title, m->operation);
		free(title);
		title = longer;
	}
	if (v->thread != ALL_THREADS) {
		char *longer = alloc_format("%s, thread %d", title, v->thread);
		free(title);
		title = longer;
	}
	for (size_t i = 0; i < m->nfixed; i++) {
		char *longer =
			alloc_format("%s, %s=%s", title, m->fixed[i].name, m->fixed[i].value);
		free(title);
		title = longer;
	}
	return title;
}

void table_free(struct table *m)
{
	for (size_t i = 0; i < m->rows; i++)
		free(m->row_labels[i]);
	for (size_t i = 0; i < m->cols; i++)
		free(m->col_labels[i]);
	for (size_t i = 0; m->row_kinds && i < m->rows; i++)
		free(m->row_kinds[i]);
	free(m->row_kinds);
	free(m->row_labels);
	free(m->col_labels);
	free(m->row_name);
	free(m->col_name);
	free(m->quantity);
	free(m->title);
	free(m->held);
	free(m->cells);
	free(m->factors);
	free(m->places);
	free(m->place_name);
	for (size_t i = 0; i < m->nmarks; i++)
		free(m->marks[i].label);
	free(m->marks);
	free(m->fixed);
}

static struct amount of_thread(const struct figures *f, enum quantity q)
{
	struct amount unit_s = estimate_amount(&f->unit_s);

	if (q == QUANTITY_BUSY)
		return estimate_amount(&f->busy);
	if (isnan(f->ns_per_unit))
		return AMOUNT_NONE;
	switch (q) {
	case QUANTITY_NS_PER_UNIT:
		return amount_times(unit_s, 1e9);
	case QUANTITY_RATE:
		return amount_inverse(unit_s);
	case QUANTITY_TRAFFIC:
		return amount_times(
			amount_inverse(unit_s), f->traffic_bytes_per_s / f->units_per_s * 1e-9);
	default:
		return amount_times(amount_inverse(unit_s), f->bytes_per_s / f->units_per_s * 1e-9);
	}
}

static struct amount of_team(const struct samples *r, int op, enum quantity q)
{
	struct totals t;

	if (derive_totals(r, op, ALL_THREADS, &t))
		return AMOUNT_NONE;
	switch (q) {
	case QUANTITY_BUSY:
		return estimate_amount(&t.busy);
	case QUANTITY_NS_PER_UNIT:
		return t.ns_per_unit;
	case QUANTITY_RATE:
		return t.units_per_s;
	case QUANTITY_TRAFFIC:
		return amount_times(t.traffic_bytes_per_s, 1e-9);
	default:
		return amount_times(t.bytes_per_s, 1e-9);
	}
}

/* The cost in the unit that reports show. */
static struct amount shown_cost(const struct samples *r, int op, int thread)
{
	return amount_times(derive_cost(r, op, thread), derive_cost_scale(r->plan->request));
}

static struct amount median_rate(const struct samples *r, int op, int thread)
{
	struct clock_rates c;

	if (thread == ALL_THREADS || clock_rates(r, op, thread, &c))
		return AMOUNT_NONE;
	return (struct amount){c.median_hz * 1e-9, NAN, NAN};
}

struct amount quantity_of(
	const struct experiment *x, size_t run, int op, int thread, enum quantity q)
{
	const struct run *t = &x->runs[run];
	struct figures f;
	double base;

	if (t->skipped || !t->samples.ops)
		return AMOUNT_NONE;
	switch (q) {
	case QUANTITY_COST:
		return shown_cost(&t->samples, op, thread);
	case QUANTITY_SPEEDUP:
		return derive_gain(x, run, op, thread, &base);
	case QUANTITY_OVERHEAD:
		return derive_overhead(t, op, ALL_THREADS);
	case QUANTITY_SLOWDOWN:
		return derive_slowdown(t, op, thread);
	case QUANTITY_HYPOTHETICAL:
		return (struct amount){derive_hypothetical(x, run, op, thread), NAN, NAN};
	case QUANTITY_CLOCK_RATE:
		return median_rate(&t->samples, op, thread);
	case QUANTITY_BREAK_EVEN:
		return crossings_break_even(x, run, op, thread);
	case QUANTITY_BREAK_EVEN_TIME:
		return crossings_break_even_time(x, run, op, thread);
	case QUANTITY_EXTRA:
		return extra_of(x, run, op, thread);
	case QUANTITY_NUMA_OVERHEAD:
	case QUANTITY_STALL_COST:
	case QUANTITY_COVERAGE_32:
	case QUANTITY_CAP_OVERHEAD:
	case QUANTITY_RCM_OVERHEAD:
		return overheads_of(x, run, op, thread, q);
	case QUANTITY_HUGE_GAIN:
		return huge_gain_of(x, run, op, thread);
	case QUANTITY_WHOLE_TIME:
		return whole_time(t, op, thread);
	case QUANTITY_CROSSING:
	case QUANTITY_CROSSING_TIME:
	case QUANTITY_REACH_1:
	case QUANTITY_REACH_2:
	case QUANTITY_WALK:
	case QUANTITY_BEST_SHARE:
	case QUANTITY_ADVISED_SHARE:
	case QUANTITY_KERNEL_SHARE:
		return AMOUNT_NONE; /* it is of several runs: crossings_along() */
	default:
		break;
	}
	if (thread == ALL_THREADS)
		return of_team(&t->samples, op, q);
	return derive_thread(&t->samples, op, thread, &f) ? AMOUNT_NONE : of_thread(&f, q);
}
