/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds what makes figures doubtful, and warns of it. */
#include "analysis/doubts.h"

#include <math.h>

#include "analysis/clock_rates.h"
#include "analysis/derive.h"
#include "analysis/undisturbed.h"
#include "base/text.h"
#include "input/registry.h"
#include "measure/calibrate.h"

/* Where a doubt is greatest, and how many operations of runs it affects. */
struct worst {
	const struct run *run;
	int op, thread;
	double value;
	size_t operations;
	double shortest_s; /* of tell_short(): the shortest sample */
	bool alone;        /* of tell_disturbed(): the samples of the thread alone */
};

/* Threads that must sleep first are not meant to work side by side. */
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
			*w = (struct worst){.run = t,
				.op = op,
				.thread = i,
				.value = f.overlap,
				.operations = w->operations};
	}
}

/* Leaves out runs with mode: time: nothing can be done about it there. */
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
		"in the kernel (%zu operation%s below %g %%): contention is understated",
		w.run->plan.ops[w.op].label, *w.run->label ? ", run " : "", w.run->label,
		w.value * 100, w.thread, w.operations, w.operations == 1 ? "" : "s",
		DOUBTS_OVERLAP * 100);
	error_hint(e, "mode: time:100ms makes all threads work until the same instant");
}

/* With the other threads, and alone. */
static void find_disturbed(const struct run *t, int op, struct worst *w)
{
	const int alone = t->solos ? t->plan.nthreads : 0;
	bool counted = false;

	for (int k = -1; k < alone; k++) {
		const struct samples *r = k < 0 ? &t->samples : &t->solos[k];
		double part = r->ops ? undisturbed_rest(r, op) : 0;

		if (!(part > UNDISTURBED_AGAIN))
			continue;
		w->operations += !counted;
		counted = true;
		if (!w->run || part > w->value)
			*w = (struct worst){.run = t,
				.op = op,
				.thread = k,
				.value = part,
				.operations = w->operations,
				.alone = k >= 0};
	}
}

static void tell_disturbed(const struct experiment *x, struct errors *e)
{
	struct worst w = {0};
	char who[64] = "";

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && t->samples.ops && op < t->plan.nops; op++)
			find_disturbed(t, op, &w);
	}
	if (!w.run)
		return;
	if (w.alone)
		snprintf(who, sizeof(who), " of thread %d alone", w.thread);
	error_warn(e,
		"%s%s%s: %.3g %% of the samples%s are disturbed (%zu operation%s above %g %%)",
		w.run->plan.ops[w.op].label, *w.run->label ? ", run " : "", w.run->label,
		w.value * 100, who, w.operations, w.operations == 1 ? "" : "s",
		UNDISTURBED_AGAIN * 100);
	error_hint(e, "measure again when nothing else runs; disturbedAbove sets the share of lost "
		      "time that makes a sample disturbed");
}

/* Of how many rounds a sample is, where figures are those of one. */
static double figures_rounds(const struct plan_job *job)
{
	return job->calibrated ? (double)plan_rounds(job) : 1;
}

static void find_short(const struct run *t, int op, double least_s, struct worst *w)
{
	bool counted = false;

	for (int i = 0; i < t->plan.nthreads; i++) {
		struct figures f;

		if (t->plan.ops[op].jobs[i].kernel->nothing ||
			derive_thread(&t->samples, op, i, &f))
			continue;
		double busy_s = f.busy.stats.median * figures_rounds(&t->plan.ops[op].jobs[i]);
		if (!(busy_s < least_s))
			continue;
		w->operations += !counted;
		counted = true;
		if (!w->run || busy_s < w->value)
			*w = (struct worst){.run = t,
				.op = op,
				.thread = i,
				.value = busy_s,
				.operations = w->operations,
				.shortest_s = f.busy.stats.min *
					      figures_rounds(&t->plan.ops[op].jobs[i])};
	}
}

/* Does each sample begin with a prepared state? Further passes would not find that state. */
static bool any_state(const struct plan *p)
{
	for (int i = 0; i < p->nvectors; i++)
		if (p->vectors[i].nsteps)
			return true;
	return false;
}

/* Rounds up to two digits. */
static double rounded_up(double x)
{
	double unit = pow(10, floor(log10(x)) - 1);

	return unit < 1 ? ceil(x) : ceil(x / unit) * unit;
}

static void tell_short(const struct experiment *x, struct errors *e)
{
	const double least_s = calibrate_least_ns() * 1e-9;
	struct worst w = {0};

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && !t->request.window_ns && op < t->plan.nops; op++)
			if (t->samples.ops)
				find_short(t, op, least_s, &w);
	}
	if (!w.run)
		return;
	const struct plan *p = &w.run->plan;
	const struct plan_job *job = &p->ops[w.op].jobs[w.thread];
	/* further passes are as quick as the quickest: they find the caches warm */
	double longer = least_s * DOUBTS_LONG_ENOUGH / (w.shortest_s > 0 ? w.shortest_s : w.value);

	error_warn(e,
		"%s%s%s: thread %d works for %.3g us in a sample, and below %.0f us its start and "
		"end show in the figures (%zu operation%s)",
		p->ops[w.op].label, *w.run->label ? ", run " : "", w.run->label, w.thread,
		w.value * 1e6, least_s * 1e6, w.operations, w.operations == 1 ? "" : "s");
	if (any_state(p))
		error_hint(e, "larger vectors take longer");
	else
		error_hint(e, "passes: %.0f makes it longer",
			rounded_up((double)plan_rounds(job) * longer));
}

/* How many samples of threads there are, and in how many a counter of the system is missing. */
struct readings {
	size_t all, no_moves, no_delay;
};

static void count_readings(const struct samples *r, struct readings *n)
{
	for (int op = 0; r->ops && op < r->plan->nops; op++)
		for (size_t i = 0; i < r->ops[op].count; i++)
			for (int t = 0; t < r->plan->nthreads; t++) {
				const struct sample *of = &r->ops[op].samples[i];
				const struct thread_sample *s = &of->threads[t];

				n->all++;
				n->no_moves += s->migrations < 0;
				/* one that cannot be is not believed, and one that is part of what
				 * is measured not asked for */
				n->no_delay += s->delayed_ns < 0 &&
					       !(of->disturbed & DISTURBED_STOLEN) &&
					       !plan_waits(r->plan, &r->plan->ops[op], t);
			}
}

/* Warns only if some samples have the counters: a system without them has them in none. */
static void tell_unread(const struct experiment *x, struct errors *e)
{
	struct readings n = {0};

	for (size_t i = 0; i < x->nruns; i++)
		count_readings(&x->runs[i].samples, &n);
	size_t moves = n.no_moves < n.all ? n.no_moves : 0;
	size_t delays = n.no_delay < n.all ? n.no_delay : 0;

	if (!moves && !delays)
		return;
	error_warn(e,
		"the system's counters could not be read in some of %zu sample%s of threads: "
		"migrations are unknown in %zu (-1), time lost to others in %zu",
		n.all, text_s(n.all), moves, delays);
	error_hint(e, "each thread opens two files of /proc in each sample: raise ulimit -n");
}

static void find_moves(const struct run *t, int op, uint64_t pages, struct worst *w)
{
	if (!pages)
		return;
	w->operations++;
	if (!w->run || (double)pages > w->value)
		*w = (struct worst){.run = t,
			.op = op,
			.thread = 0,
			.value = (double)pages,
			.operations = w->operations};
}

static void find_moves_of(
	const struct run *t, const struct samples *r, struct worst *migrated, struct worst *split)
{
	for (int op = 0; r->ops && op < r->plan->nops; op++) {
		if (plan_moves_pages(&r->plan->ops[op], r->plan->nthreads))
			continue;
		find_moves(t, op, r->ops[op].moves.migrated, migrated);
		find_moves(t, op, r->ops[op].moves.split, split);
	}
}

static void tell_pages(const struct worst *w, const char *what, const char *hint, struct errors *e)
{
	if (!w->run)
		return;
	error_warn(e, "%s%s%s: the kernel %s, %.0f of this machine (%zu operation%s)",
		w->run->plan.ops[w->op].label, *w->run->label ? ", run " : "", w->run->label, what,
		w->value, w->operations, w->operations == 1 ? "" : "s");
	error_hint(e, "%s", hint);
}

/* With interleave, samples of a kernel that moves pages lie between those of the others. */
static bool moves_between(const struct experiment *x)
{
	bool any = false;

	for (size_t i = 0; i < x->nruns; i++) {
		const struct plan *p = &x->runs[i].plan;

		for (int op = 0; !x->runs[i].skipped && op < p->nops; op++)
			any |= plan_moves_pages(&p->ops[op], p->nthreads);
	}
	return any && experiment_request(x)->interleave;
}

/* The counters of the machine do not show to whom the pages belonged. */
static void tell_moves(const struct experiment *x, struct errors *e)
{
	struct worst migrated = {0}, split = {0};

	if (moves_between(x))
		return;
	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		find_moves_of(t, &t->samples, &migrated, &split);
		for (int k = 0; t->solos && k < t->plan.nthreads; k++)
			find_moves_of(t, &t->solos[k], &migrated, &split);
	}
	tell_pages(&migrated, "migrated pages while it was measured",
		"those of the vectors may have left and returned: sysctl kernel.numa_balancing=0, "
		"stop numad and migratepages; compaction migrates too where memory is fragmented",
		e);
	tell_pages(&split, "split huge pages while it was measured",
		"the report shows what the vectors had at the beginning; pages of theirs that "
		"changed their size are refused",
		e);
}

static bool any_takes(const struct experiment *x, const struct loop_verdict *v)
{
	for (size_t i = 0; i < x->nruns; i++) {
		const struct plan *p = &x->runs[i].plan;

		for (int op = 0; !x->runs[i].skipped && op < p->nops; op++)
			for (int t = 0; t < p->nthreads; t++) {
				const struct worker w = plan_worker(p, &p->ops[op], t);

				if (registry_takes_loop(p->ops[op].jobs[t].kernel, &w, v))
					return true;
			}
	}
	return false;
}

static void tell_loops(const struct experiment *x, struct errors *e)
{
	for (const struct loop_verdict *v = loop_verdicts; v->kernel; v++) {
		if (v->state != LOOP_ANOTHER || !any_takes(x, v))
			continue;
		error_warn(e,
			"%s was built with another loop than it claims: %s: %s; its figures are "
			"those of that loop",
			v->kernel, v->loop, v->what);
		error_hint(e, "build with another compiler or other flags");
	}
}

void doubts_tell(const struct experiment *x, struct errors *e)
{
	tell_moves(x, e);
	tell_loops(x, e);
	doubts_tell_figures(x, e);
	tell_unread(x, e);
	tell_short(x, e);
	tell_overlap(x, e);
	tell_disturbed(x, e);
	doubts_tell_settling(x, e);
	doubts_tell_means(x, e);
	doubts_tell_tails(x, e);
	clock_rates_tell(x, e);
}
