/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of kernels that say something against the cost when they are above 0. */
#include "analysis/doubts.h"

#include "analysis/kernel_figures.h"

/* The largest value of a figure in a sample, and in how many operations it is above 0. */
struct most {
	const struct run *run;
	int op, alone; /* the thread that ran alone, or ALL_THREADS */
	double value;
	size_t operations;
};

/* With the other threads, or alone. Returns whether there was one above 0. */
static bool find_in_samples(
	const struct run *t, int op, int alone, const char *name, struct most *m)
{
	const struct samples *r = alone == ALL_THREADS ? &t->samples : &t->solos[alone];
	bool any = false;

	for (size_t i = 0; r->ops && i < r->ops[op].count; i++) {
		const struct sample *s = &r->ops[op].samples[i];
		double value = kernel_figure_in(r, op, s, ALL_THREADS, name);

		if (s->warmup || !(value > 0))
			continue;
		any = true;
		if (!m->run || value > m->value)
			*m = (struct most){t, op, alone, value, m->operations};
	}
	return any;
}

static void find_in_op(const struct run *t, int op, const char *name, struct most *m)
{
	bool any = find_in_samples(t, op, ALL_THREADS, name, m);

	for (int k = 0; t->solos && k < t->plan.nthreads; k++)
		any |= find_in_samples(t, op, k, name, m);
	m->operations += any;
}

static void warn_of_figure(
	const struct experiment *x, const struct kernel_figure *f, struct errors *e)
{
	struct most m = {0};
	char who[64] = "";

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && t->samples.ops && op < t->plan.nops; op++)
			find_in_op(t, op, f->name, &m);
	}
	if (!m.run)
		return;
	if (m.alone != ALL_THREADS)
		snprintf(who, sizeof(who), " of thread %d alone", m.alone);
	error_warn(e, "%s%s%s: %s is %.12g in a sample%s (%zu operation%s above 0)",
		m.run->plan.ops[m.op].label, *m.run->label ? ", run " : "", m.run->label, f->name,
		m.value, who, m.operations, m.operations == 1 ? "" : "s");
	error_hint(e, "%s", f->doubt);
}

void doubts_tell_figures(const struct experiment *x, struct errors *e)
{
	struct kernel_figures all;

	kernel_figures_of_all(&all, x);
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->doubt)
			warn_of_figure(x, all.list[i], e);
	kernel_figures_free(&all);
}
