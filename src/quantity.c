/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The quantities that tables and plots can show. */
#include <math.h>

#include "view.h"
#include "work.h"

const char *const quantity_names[] = {"cost", "busy", "ns_per_op", "rate", "bandwidth", "speedup",
	"overhead", "slowdown", "traffic", NULL};

const char *quantity_unit(const struct experiment *x, enum quantity q)
{
	static const char *const units[] = {"s", "s", "ns", "1/s", "GB/s", "", "%", "", "GB/s"};

	return q == QUANTITY_COST ? derive_cost_unit(experiment_request(x)) : units[q];
}

static const struct amount nothing = {NAN, NAN, NAN};

static struct amount with_error(double value, double error)
{
	return (struct amount){value, value * (1 - error), value * (1 + error)};
}

static struct amount of_thread(const struct figures *f, enum quantity q)
{
	switch (q) {
	case QUANTITY_BUSY:
		return with_error(f->busy.value, estimate_error(&f->busy));
	case QUANTITY_NS_PER_OP:
		return with_error(f->ns_per_unit, f->error);
	case QUANTITY_RATE:
		return with_error(f->units_per_s, f->error);
	default:
		return with_error(f->bytes_per_s * 1e-9, f->error);
	}
}

/* What the threads of an operation did, summed up. */
struct team_figures {
	double units, bytes, ns; /* ns: of all units */
	struct amount units_per_s, bytes_per_s;
	struct estimate slowest; /* busy longest */
};

static int team_figures(const struct run *r, int op, struct team_figures *sum)
{
	*sum = (struct team_figures){0};
	for (int i = 0; i < r->plan->nthreads; i++) {
		struct figures f;

		if (derive_thread(r, op, i, &f))
			return -1;
		sum->units += f.units;
		sum->ns += f.ns_per_unit * f.units;
		sum->units_per_s = derive_sum(sum->units_per_s, with_error(f.units_per_s, f.error));
		if (isfinite(f.bytes_per_s)) {
			sum->bytes += f.units * work_of(&r->plan->ops[op].jobs[i]).bytes;
			sum->bytes_per_s =
				derive_sum(sum->bytes_per_s, with_error(f.bytes_per_s, f.error));
		}
		if (i == 0 || f.busy.value > sum->slowest.value)
			sum->slowest = f.busy;
	}
	return 0;
}

static double error_of(struct amount a)
{
	return (a.high - a.low) / 2 / a.value;
}

/* With a fixed amount of work: what they did together, over the time of the slowest. */
static struct amount of_work(const struct team_figures *t, enum quantity q)
{
	double s = t->slowest.value, error = estimate_error(&t->slowest);

	if (q == QUANTITY_NS_PER_OP)
		return with_error(t->ns / t->units, error);
	return with_error(q == QUANTITY_RATE ? t->units / s : t->bytes / s * 1e-9, error);
}

/* With mode: time, in which all of them work all the time: the sum of their rates. */
static struct amount of_window(const struct team_figures *t, enum quantity q)
{
	if (q == QUANTITY_NS_PER_OP)
		return with_error(t->ns / t->units, error_of(t->units_per_s));
	if (q == QUANTITY_RATE)
		return t->units_per_s;
	return with_error(t->bytes_per_s.value * 1e-9, error_of(t->bytes_per_s));
}

/* All threads. Nanoseconds an operation are their mean; units of different kinds have neither mean
 * nor sum. */
static struct amount of_team(const struct run *r, int op, enum quantity q)
{
	struct team_figures t;

	if (team_figures(r, op, &t))
		return nothing;
	if (q == QUANTITY_BUSY)
		return with_error(t.slowest.value, estimate_error(&t.slowest));
	if (q == QUANTITY_BANDWIDTH ? !(t.bytes > 0)
				    : !(t.units > 0) || !derive_same_unit(r->plan, op))
		return nothing;
	return r->plan->request->window_ns ? of_window(&t, q) : of_work(&t, q);
}

/* As reports show it. */
static struct amount shown_cost(const struct run *r, int op, int thread)
{
	struct amount cost = derive_cost(r, op, thread);
	double scale = derive_cost_scale(r->plan->request);

	return (struct amount){cost.value * scale, cost.low * scale, cost.high * scale};
}

/* The bandwidth with write-allocate. */
static struct amount traffic_of(const struct experiment *x, size_t trial, int op, int thread)
{
	struct amount a = quantity_of(x, trial, op, thread, QUANTITY_BANDWIDTH);
	double ratio = work_traffic_ratio(&x->trials[trial].run, op, thread);

	return (struct amount){a.value * ratio, a.low * ratio, a.high * ratio};
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
		return shown_cost(&t->run, op, thread);
	case QUANTITY_SPEEDUP:
		return derive_gain(x, trial, op, thread, &base);
	case QUANTITY_OVERHEAD:
		return derive_overhead(t, op);
	case QUANTITY_SLOWDOWN:
		return derive_slowdown(t, op, thread);
	case QUANTITY_TRAFFIC:
		return traffic_of(x, trial, op, thread);
	default:
		break;
	}
	if (thread == ALL_THREADS)
		return of_team(&t->run, op, q);
	return derive_thread(&t->run, op, thread, &f) ? nothing : of_thread(&f, q);
}
