/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quantities that tables and plots can show. */
#include <math.h>

#include "view.h"

const char *const quantity_names[] = {
	"cost", "busy", "ns_per_op", "rate", "bandwidth", "speedup", "overhead", "slowdown", NULL};
const char *const quantity_units[] = {"s", "s", "ns", "1/s", "GB/s", "", "%", ""};

static const struct amount nothing = {NAN, NAN, NAN};

static struct amount scaled(double value, const struct estimate *x)
{
	double error = estimate_error(x);

	return (struct amount){value, value * (1 - error), value * (1 + error)};
}

static struct amount of_thread(const struct figures *f, enum quantity q)
{
	switch (q) {
	case QUANTITY_BUSY:
		return scaled(f->busy.value, &f->busy);
	case QUANTITY_NS_PER_OP:
		return scaled(f->ns_per_unit, &f->busy);
	case QUANTITY_RATE:
		return scaled(f->units_per_s, &f->busy);
	default:
		return scaled(f->bytes_per_s * 1e-9, &f->busy);
	}
}

/* All threads: what they did together over the time of the slowest; nanoseconds an operation as
 * their mean. */
static struct amount of_team(const struct run *r, int op, enum quantity q)
{
	double units = 0, bytes = 0, sum = 0;
	struct figures f, slowest = {0};

	for (int i = 0; i < r->plan->nthreads; i++) {
		if (derive_thread(r, op, i, &f))
			return nothing;
		units += f.units;
		sum += f.busy.value;
		bytes += f.units * r->plan->ops[op].jobs[i].kernel->per_unit.bytes;
		if (i == 0 || f.busy.value > slowest.busy.value)
			slowest = f;
	}
	switch (q) {
	case QUANTITY_BUSY:
		return scaled(slowest.busy.value, &slowest.busy);
	case QUANTITY_NS_PER_OP:
		return scaled(units > 0 ? sum / units * 1e9 : NAN, &slowest.busy);
	case QUANTITY_RATE:
		return scaled(units > 0 ? units / slowest.busy.value : NAN, &slowest.busy);
	default:
		return scaled(bytes > 0 ? bytes / slowest.busy.value * 1e-9 : NAN, &slowest.busy);
	}
}

struct amount quantity_of(
	const struct experiment *x, size_t trial, int op, int thread, enum quantity q)
{
	const struct trial *t = &x->trials[trial];
	struct figures f;
	double base;

	if (t->skipped || !t->run.ops)
		return nothing;
	switch (q) {
	case QUANTITY_COST:
		return derive_cost(&t->run, op, thread);
	case QUANTITY_SPEEDUP:
		return derive_gain(x, trial, op, thread, &base);
	case QUANTITY_OVERHEAD:
		return derive_overhead(t, op);
	case QUANTITY_SLOWDOWN:
		return derive_slowdown(t, op, thread);
	default:
		break;
	}
	if (thread == ALL_THREADS)
		return of_team(&t->run, op, q);
	return derive_thread(&t->run, op, thread, &f) ? nothing : of_thread(&f, q);
}
