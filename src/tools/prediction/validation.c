/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds results that would teach what nobody measured. */
#include "prediction/validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/figure.h"
#include "machine/machine.h"

static bool same_vectors(const struct document_run *r, const struct plan *p)
{
	if (r->nvectors != (size_t)p->nvectors)
		return false;
	for (size_t i = 0; i < r->nvectors; i++) {
		const struct document_vector *found = &r->vectors[i];
		const struct plan_vector *v = &p->vectors[i];

		if (found->bytes != (int64_t)v->bytes || found->elements != (int64_t)v->elements ||
			(v->policy == MEM_BIND && found->only_node != v->node))
			return false;
	}
	return true;
}

static bool same_threads(const struct document_run *r, const struct plan *p)
{
	if (r->nthreads != (size_t)p->nthreads)
		return false;
	for (size_t i = 0; i < r->nthreads; i++)
		if (r->threads[i].node != p->threads[i].node ||
			r->threads[i].cpu != p->threads[i].cpu)
			return false;
	return true;
}

/* What is wrong with the figures of an operation, to be freed; NULL: nothing. */
static char *wrong_operation(const struct document_run *r, const struct document_operation *o,
	const struct plan *p, const struct plan_op *op)
{
	if (strcmp(o->name, op->label) || o->njobs != (size_t)p->nthreads)
		return alloc_format("it has '%s' of %zu thread%s, its argument file '%s' of %d",
			o->name, o->njobs, text_s(o->njobs), op->label, p->nthreads);
	for (size_t i = 0; i < o->njobs; i++) {
		const struct document_job *j = &o->jobs[i];
		const char *unit = op->jobs[i].kernel->unit;
		const double cost = document_figure(r, o, (int)i, DOCUMENT_COST).amount.value;

		if (strcmp(j->unit, unit))
			return alloc_format("%s, thread %zu: its unit is %s%s%s, this program's %s",
				o->name, i, *j->unit ? "'" : "missing", j->unit,
				*j->unit ? "'" : "", unit);
		/* the clock may not see what does nothing */
		if (isinf(cost) || cost < 0 || (cost == 0 && !op->jobs[i].kernel->nothing))
			return alloc_format("%s, thread %zu: costs %g s", o->name, i, cost);
	}
	return NULL;
}

static char *wrong_run(const struct document_run *r, const struct plan *p, bool this_machine)
{
	if (this_machine && !same_threads(r, p))
		return alloc_format("its threads are not where its argument file has them here");
	if (this_machine && !same_vectors(r, p))
		return alloc_format("its vectors have not the sizes and nodes that its argument "
				    "file gives them here");
	for (int i = 0; i < p->nops && (size_t)i < r->operations.count; i++) {
		char *wrong = wrong_operation(r, &r->operations.list[i], p, &p->ops[i]);

		if (wrong)
			return wrong;
	}
	return NULL;
}

int validation_check(
	const struct document *d, const struct experiment *x, bool this_machine, struct errors *e)
{
	for (size_t i = 0; i < x->nruns; i++) {
		const struct document_run *r = &d->runs[i];
		char *wrong = x->runs[i].skipped || r->skipped || strcmp(x->runs[i].label, r->label)
				      ? NULL
				      : wrong_run(r, &x->runs[i].plan, this_machine);

		if (!wrong)
			continue;
		error_add(e, STATUS_USAGE, (struct place){d->path, 0},
			"run %zu cannot have been measured here by this program: %s", i + 1, wrong);
		free(wrong);
		return error_hint(e,
			"the file was changed, or the machine or the program was: "
			"measure it again with '%s'",
			d->arguments.path);
	}
	return 0;
}

int validation_one_machine(const struct document *first, const struct document *d, struct errors *e)
{
	for (size_t i = 0; i < DOCUMENT_MACHINE_FACTS; i++) {
		const char *name = document_machine_facts[i];
		const char *was = document_fact(first, name), *is = document_fact(d, name);

		if (!strcmp(was, is))
			continue;
		error_add(e, STATUS_USAGE, (struct place){d->path, 0},
			"is of another machine than '%s': %s is %s, and was %s", first->path, name,
			is, was);
		return error_hint(e, "a profile is of one machine: put the results of each into a "
				     "folder of its own");
	}
	return 0;
}

bool validation_warn_of_pages(
	const struct document *d, const struct environment *here, struct errors *e)
{
	static const char fact[] = "transparent_huge_pages";
	const char *was = document_fact(d, fact), *is = environment_get(here, fact);

	if (!is || (strcmp(was, "always") && strcmp(was, "madvise") && strcmp(was, "never")) ||
		!strcmp(was, is))
		return false;
	error_warn(e,
		"%s: was measured with transparent huge pages '%s', which are '%s' now: vectors on "
		"pages 'system' cost what they cost then",
		d->path, was, is);
	error_hint(e, "measure the profile again, or set "
		      "/sys/kernel/mm/transparent_hugepage/enabled as it was");
	return true;
}

static bool is_measured(const struct document *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		if (!d->runs[i].skipped)
			return true;
	return false;
}

bool validation_is_copy(const struct document *a, const struct document *b)
{
	return a->nruns == b->nruns && is_measured(a) && document_equal_runs(a, b);
}
