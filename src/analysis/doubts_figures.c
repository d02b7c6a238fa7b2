/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of kernels that say something against the cost when they are above 0. */
#include "analysis/doubts.h"

#include "analysis/kernel_figures.h"

/* The largest value of a figure in a sample, and in how many operations it is above 0. */
struct most {
	const struct run *run;
	int op;
	double value;
	size_t operations;
};

static void find_in_op(const struct run *t, int op, const char *name, struct most *m)
{
	const struct op_result *result = &t->samples.ops[op];
	bool counted = false;

	for (size_t i = 0; i < result->count; i++) {
		const struct sample *s = &result->samples[i];
		double value = kernel_figure_in(&t->samples, op, s, ALL_THREADS, name);

		if (s->warmup || !(value > 0))
			continue;
		m->operations += !counted;
		counted = true;
		if (!m->run || value > m->value)
			*m = (struct most){t, op, value, m->operations};
	}
}

static void tell(const struct experiment *x, const struct kernel_figure *f, struct errors *e)
{
	struct most m = {0};

	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *t = &x->runs[i];

		for (int op = 0; !t->skipped && t->samples.ops && op < t->plan.nops; op++)
			find_in_op(t, op, f->name, &m);
	}
	if (!m.run)
		return;
	error_warn(e, "%s%s%s: %s is %.12g in a sample (%zu operation%s above 0)",
		m.run->plan.ops[m.op].label, *m.run->label ? ", run " : "", m.run->label, f->name,
		m.value, m.operations, m.operations == 1 ? "" : "s");
	error_hint(e, "%s", f->doubt);
}

void doubts_tell_figures(const struct experiment *x, struct errors *e)
{
	struct kernel_figures all;

	kernel_figures_of_all(&all, x);
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->doubt)
			tell(x, all.list[i], e);
	kernel_figures_free(&all);
}
