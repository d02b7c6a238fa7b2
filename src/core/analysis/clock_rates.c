/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes clock rates and warns if they changed. */
#include "analysis/clock_rates.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/undisturbed.h"
#include "base/alloc.h"
#include "statistics/stats.h"

/* A sample's three chains can all be interrupted, which gives a wrong rate: a fifth of them may be.
 */
#define FEW 0.2

static double mean_hz(const struct sample *s, int thread)
{
	const struct thread_sample *t = &s->threads[thread];

	return (t->before.hz + t->after.hz) / 2;
}

static double unit_cycles(const struct sample *s, int thread)
{
	return sample_own_unit_time(s, thread) * mean_hz(s, thread);
}

/* The rates of all chains. Returns their number, 0 if one is unknown. */
static size_t collect(const struct op_result *o, int thread, double *rates)
{
	size_t n = 0;

	for (size_t i = 0; i < o->count; i++) {
		const struct sample *s = &o->samples[i];

		if (s->warmup)
			continue;
		if (!(mean_hz(s, thread) > 0))
			return 0;
		rates[n++] = s->threads[thread].before.hz;
		rates[n++] = s->threads[thread].after.hz;
	}
	return n;
}

int clock_rates(const struct samples *r, int op, int thread, struct clock_rates *c)
{
	const struct op_result *o = &r->ops[op];
	double *rates = alloc_zeroed(2 * o->count + 1, sizeof(*rates));
	size_t n = collect(o, thread, rates), changed = 0;
	struct stats rate;
	const struct subject unit = {r, op, thread, unit_cycles, FAMILY_UNIT};
	struct estimate cycles;
	int failed = stats_of(rates, n, r->plan->request->confidence, &rate);

	for (size_t i = 0; !failed && i < n; i++)
		changed += fabs(rates[i] / rate.median - 1) > CLOCK_RATES_CHANGE;
	if (!failed)
		*c = (struct clock_rates){rate.min, rate.median, rate.max,
			(double)changed / (double)n,
			undisturbed_estimate(&unit, &cycles, NULL) ? NAN : cycles.value};
	free(rates);
	return failed;
}

/* A thread of an operation of a run. */
struct found {
	const struct run *run;
	int op, thread;
	struct clock_rates rates;
};

static const char *label(const struct found *f)
{
	return f->run->plan.ops[f->op].label;
}

static void tell_changed(const struct found *f, struct errors *e)
{
	error_warn(e,
		"%s%s%s: the clock rate of thread %d's core changed: %.3g to %.3g GHz, median %.3g "
		"GHz",
		label(f), *f->run->label ? ", run " : "", f->run->label, f->thread,
		f->rates.min_hz * 1e-9, f->rates.max_hz * 1e-9, f->rates.median_hz * 1e-9);
	error_hint(e, "a fixed rate: cpupower frequency-set, boost off; figures in cycles change "
		      "less");
}

static void tell_different(const struct found *slow, const struct found *fast, struct errors *e)
{
	error_warn(e,
		"the clock rate of CPU %d was %.3g GHz in %s%s%s and %.3g GHz in %s%s%s: costs of "
		"the two cannot be compared as times",
		fast->run->plan.threads[fast->thread].cpu, slow->rates.median_hz * 1e-9,
		label(slow), *slow->run->label ? ", run " : "", slow->run->label,
		fast->rates.median_hz * 1e-9, label(fast), *fast->run->label ? ", run " : "",
		fast->run->label);
	error_hint(e, "a fixed rate: cpupower frequency-set, boost off; figures in cycles change "
		      "less");
}

/* All threads of all operations whose rates are known; the caller frees *list. */
static size_t find_all(const struct experiment *x, struct found **list)
{
	size_t n = 0;

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && t->samples.ops && op < t->plan.nops; op++)
			for (int k = 0; k < t->plan.nthreads; k++) {
				struct found f = {.run = t, .op = op, .thread = k};

				if (clock_rates(&t->samples, op, k, &f.rates))
					continue;
				*list = alloc_grow(*list, n, sizeof(**list));
				(*list)[n++] = f;
			}
	}
	return n;
}

static int by_cpu_and_rate(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int cpu = x->run->plan.threads[x->thread].cpu, other = y->run->plan.threads[y->thread].cpu;

	if (cpu != other)
		return cpu < other ? -1 : 1;
	return (x->rates.median_hz > y->rates.median_hz) -
	       (x->rates.median_hz < y->rates.median_hz);
}

static bool same_cpu(const struct found *a, const struct found *b)
{
	return a->run->plan.threads[a->thread].cpu == b->run->plan.threads[b->thread].cpu;
}

void clock_rates_tell(const struct experiment *x, struct errors *e)
{
	struct found *list = NULL;
	const struct found *changed = NULL, *slow = NULL, *fast = NULL;
	size_t n = find_all(x, &list);

	for (size_t i = 0; i < n; i++)
		if (list[i].rates.changed > (changed ? changed->rates.changed : FEW))
			changed = &list[i];
	if (changed)
		tell_changed(changed, e);
	if (n)
		qsort(list, n, sizeof(*list), by_cpu_and_rate);
	for (size_t i = 0, first = 0; i < n; i++) {
		first = same_cpu(&list[first], &list[i]) ? first : i;
		double ratio = list[i].rates.median_hz / list[first].rates.median_hz;

		if (ratio > (fast ? fast->rates.median_hz / slow->rates.median_hz
				  : 1 + CLOCK_RATES_CHANGE)) {
			slow = &list[first];
			fast = &list[i];
		}
	}
	if (fast && fast->run->plan.threads[fast->thread].cpu != UNBOUND)
		tell_different(slow, fast, e);
	free(list);
}
