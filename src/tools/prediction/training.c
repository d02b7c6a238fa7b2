/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads profiles. */
#include "prediction/training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "document/arguments.h"
#include "document/document.h"
#include "document/files.h"
#include "machine/machine.h"
#include "machine/node_figures.h"
#include "measure/experiment.h"
#include "prediction/validation.h"
#include "system/environment.h"

struct source {
	struct document d;
	struct args args;
	struct experiment x;
	bool planned; /* false: it teaches no runs; a warning has said why */
};

static void plan(struct source *s, const struct topo *t, struct errors *e)
{
	const struct document *d = &s->d;
	struct errors own = {0};

	if (!d->arguments.path) {
		error_warn(e, "%s: has no argument file, and is not used", d->path);
		return;
	}
	document_arguments(&s->args, d, &own);
	const int failed = experiment_plan(&s->x, &s->args, t, &own);

	s->planned = !failed && s->x.nruns == d->nruns;
	if (!s->planned) {
		error_warn(e, "%s: its argument file cannot be planned again, and is not used",
			d->path);
		error_hint(e, "%s", failed ? errors_failure(&own) : "its sweep has other runs now");
	}
	errors_free(&own);
}

static bool is_of_this_machine(
	const struct topo *t, const struct environment *here, const struct document *d)
{
	struct errors differences = {0};
	const bool same = !document_check_machine(t, here, d, true, &differences);

	errors_free(&differences);
	return same;
}

/* Reads results, plans them again, and finds whether they can be what the plan measures
 * (validation.h). 0, or -1 with messages (STATUS_USAGE). Call source_close() after both. */
static int source_open(struct source *s, const char *path, const struct topo *t,
	const struct environment *here, struct errors *e)
{
	*s = (struct source){.planned = false};
	if (document_read(&s->d, path, e))
		return -1;
	plan(s, t, e);
	if (s->d.interrupted)
		error_warn(e, "%s: was interrupted; what it lacks is not used", path);
	return s->planned ? validation_check(&s->d, &s->x, is_of_this_machine(t, here, &s->d), e)
			  : 0;
}

static void source_close(struct source *s)
{
	experiment_free(&s->x);
	args_free(&s->args);
	document_free(&s->d);
}

/* The cost of each thread, ns; of a unit in mode: time. False: one is missing. */
static bool read_thread_costs(const struct document_run *r, const struct document_operation *o,
	const struct plan *p, const struct plan_op *op, double *ends)
{
	if (o->njobs != (size_t)p->nthreads)
		return false;
	for (size_t i = 0; i < o->njobs; i++) {
		ends[i] = document_figure(r, o, (int)i, DOCUMENT_COST).amount.value * 1e9;
		if (!(ends[i] > 0 || (ends[i] == 0 && op->jobs[i].kernel->nothing)) ||
			!isfinite(ends[i]))
			return false;
	}
	return true;
}

/* Units of a sample, or of a round if these were chosen by measuring. */
static double units_of(const struct document_job *j)
{
	return j->calibrated ? j->figures.units / j->passes : j->figures.units;
}

static void leave_out(struct training *set, const char *operation, const char *why)
{
	if (!set->left_out++)
		set->why = alloc_format("%s: %s", operation, why);
}

/* Units of a sample; false: they are not known. */
static bool take_units(struct training *set, const struct plan *p,
	const struct document_operation *o, struct modelled_view *v)
{
	for (int i = 0; i < p->nthreads && !p->request->window_ns; i++) {
		const double units = units_of(&o->jobs[i]);

		if (modelled_idles(v, (size_t)i))
			continue;
		if (!(units > 0))
			return false;
		v->threads[i].units = units / v->threads[i].share;
		modelled_take_units(&set->modelled, p, &v->threads[i], i,
			o->jobs[i].calibrated ? units : units / o->jobs[i].passes);
	}
	return true;
}

static void take_operation(struct training *set, const struct plan *p, const struct plan_op *op,
	const struct document_run *r, const struct document_operation *o, size_t group)
{
	struct modelled_view v = {.threads = NULL};
	double *ends = alloc_zeroed((size_t)p->nthreads, sizeof(*ends));
	const bool disturbed = document_trust_samples(r, o, ALL_THREADS).again;
	bool known = read_thread_costs(r, o, p, op, ends) && (set->force || !disturbed);
	char *why = known ? modelled_look(&set->modelled, p, op, true, &v) : NULL;

	known = known && (why || take_units(set, p, o, &v));
	if (known && !why) {
		training_add(set, &v, ends, group);
		set->disturbed |= disturbed;
	} else
		leave_out(set, o->name,
			why         ? why
			: disturbed ? "its samples are disturbed"
				    : "a cost is missing");
	set->left_disturbed += disturbed && !set->force;
	modelled_view_free(&v);
	free(ends);
	free(why);
}

static void take_run(struct training *set, const struct run *x, const struct document_run *r)
{
	const size_t group = set->runs++;

	for (int i = 0; i < x->plan.nops && (size_t)i < r->operations.count; i++)
		if (!strcmp(x->plan.ops[i].label, r->operations.list[i].name))
			take_operation(
				set, &x->plan, &x->plan.ops[i], r, &r->operations.list[i], group);
}

static void take_runs(struct training *set, const struct source *from)
{
	const struct experiment *x = &from->x;
	const struct document_run *runs = from->d.runs;

	for (size_t i = 0; from->planned && i < x->nruns; i++)
		if (!x->runs[i].skipped && !runs[i].skipped &&
			!strcmp(x->runs[i].label, runs[i].label))
			take_run(set, &x->runs[i], &runs[i]);
}

static void set_pairs(struct training *set, const struct node_figures *m)
{
	struct topo_memattr *best = alloc_zeroed(m->count + 1, sizeof(*best));
	const size_t n = node_figures_best(m, best), nodes = set->modelled.machine.nodes;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < nodes * nodes; k++) {
			const struct topo_node *list = set->modelled.topo->nodes;

			if (list[k / nodes].node != best[i].initiator ||
				list[k % nodes].node != best[i].target)
				continue;
			if (best[i].attribute == MEMATTR_READ_LATENCY)
				set->modelled.latency[k] = best[i].value;
			else if (best[i].attribute == MEMATTR_READ_BANDWIDTH)
				set->modelled.bandwidth[k] = best[i].value * 1e-9;
		}
	free(best);
}

static int check_profile(struct training *set, const struct topo *t, const struct environment *here,
	const struct document *d, struct errors *e)
{
	struct errors other = {0};
	int failed = 0;

	if (document_check_machine(t, here, d, true, &other)) {
		set->other_machine = true;
		failed = set->force ? 0 : -1;
		for (size_t i = 0; i < other.count && !set->force; i++)
			error_copy(e, &other.list[i]);
		if (!set->force)
			error_hint(e,
				"a profile is valid only on its machine; --force uses it anyway "
				"and marks the output");
	}
	errors_free(&other);
	if (t->this_system && !set->other_pages) /* once for all files */
		set->other_pages = validation_warn_of_pages(d, here, e);
	return failed;
}

/* A folder may have other files: what is no result there is said, and no mistake. */
static void say_unread(const struct errors *own, bool named, struct errors *e)
{
	for (size_t i = 0; i < own->count; i++) {
		const struct message *m = &own->list[i];

		if (named || m->status == STATUS_OK) {
			error_copy(e, m);
			continue;
		}
		error_warn(e, "%s; it is not used", m->text);
		if (m->hint)
			error_hint(e, "%s", m->hint);
	}
}

/* Which of the files before it is the same; NULL: none. */
static const struct document *copied(const struct source *all, size_t n, const struct document *d)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].planned && validation_is_copy(&all[i].d, d))
			return &all[i].d;
	return NULL;
}

static int take_source(struct training *set, const struct source *s, struct node_figures *pairs,
	const struct topo *t, const struct environment *here, struct errors *e)
{
	if (check_profile(set, t, here, &s->d, e) || node_figures_add(pairs, &s->d, e))
		return -1;
	take_runs(set, s);
	set->simulated |= s->d.simulated;
	words_add(&set->files, s->d.path, strlen(s->d.path));
	return 0;
}

/* Takes a file, or says why not; the files before it are all[0 .. *n - 1]. */
static int read_file(struct training *set, struct source *all, size_t *n, bool named,
	const char *path, struct node_figures *pairs, const struct environment *here,
	struct errors *e)
{
	const struct topo *t = set->modelled.topo;
	struct source *s = &all[*n];
	struct errors own = {0};
	const bool bad = source_open(s, path, t, here, &own);
	const struct document *same = bad ? NULL : copied(all, *n, &s->d);
	int failed = bad && named ? -1 : 0;

	say_unread(&own, named, e);
	errors_free(&own);
	if (same) {
		error_warn(e, "%s: is the same measurement as '%s', and is not used", path,
			same->path);
		error_hint(e, "what counts twice makes intervals too narrow: remove one of them");
	}
	if (bad || same) {
		source_close(s);
		return failed;
	}
	if (*n && validation_one_machine(&all[0].d, &s->d, e))
		failed = -1;
	else
		failed = take_source(set, s, pairs, t, here, e);
	++*n;
	return failed;
}

static int read_all(
	struct training *set, const char *paths, const struct words *files, struct errors *e)
{
	struct source *all = alloc_zeroed(files->count + 1, sizeof(*all));
	struct node_figures pairs = {.force = set->force};
	struct environment here;
	int failed = 0;
	size_t n = 0;

	environment_read(&here, set->modelled.topo);
	for (size_t i = 0; i < files->count; i++)
		failed |= read_file(set, all, &n, document_is_named(paths, files->word[i]),
			files->word[i], &pairs, &here, e);
	set_pairs(set, &pairs);
	for (size_t i = 0; i < n; i++)
		source_close(&all[i]);
	free(all);
	node_figures_free(&pairs);
	environment_free(&here);
	return failed;
}

int training_read(struct training *set, const char *paths, const struct topo *t, double confidence,
	bool force, struct errors *e)
{
	struct words files = {0};
	int failed = document_files(&files, paths, e);

	*set = (struct training){.confidence = confidence, .force = force};
	modelled_begin(&set->modelled, t);
	failed |= read_all(set, paths, &files, e);

	words_free(&files);
	if (failed)
		return -1;
	training_fit(set);
	if (!set->of_kind[MODELLED_ALONE] && !set->of_kind[MODELLED_HELD]) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"'%s' has no run of a single thread that a model can learn from%s%s%s",
			paths, set->why ? " (" : "", set->why ? set->why : "", set->why ? ")" : "");
		return error_hint(e, "scripts/ejec.sh args/profile measures a profile of this "
				     "machine, in results/HOST/profile");
	}
	return 0;
}
