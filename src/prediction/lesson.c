/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads profiles. */
#include "prediction/lesson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/files.h"
#include "document/machine.h"
#include "document/node_figures.h"
#include "measure/experiment.h"

static void drop_last(struct lesson *l)
{
	free((void *)l->runs[l->count].threads);
	free((void *)l->runs[l->count].ends);
}

/* The cost of each thread, ns; of a unit in mode: time. False: one is missing. */
static bool measured(const struct document_operation *o, const struct plan *p, double *ends)
{
	if (o->njobs != (size_t)p->nthreads)
		return false;
	for (size_t i = 0; i < o->njobs; i++) {
		ends[i] = o->jobs[i].figures.cost.value * 1e9;
		if (!(ends[i] > 0) || !isfinite(ends[i]))
			return false;
	}
	return true;
}

/* Units of a sample, or of a round if these were chosen by measuring. */
static double units_of(const struct document_job *j)
{
	return j->calibrated ? j->figures.units / j->passes : j->figures.units;
}

static void leave_out(struct lesson *l, const char *operation, const char *why)
{
	if (!l->left_out++)
		l->why = alloc_format("%s: %s", operation, why);
}

static void take_operation(struct lesson *l, const struct plan *p, const struct plan_op *op,
	const struct document_operation *o, size_t group)
{
	struct model_thread *threads = alloc_zeroed((size_t)p->nthreads, sizeof(*threads));
	double *ends = alloc_zeroed((size_t)p->nthreads, sizeof(*ends));

	l->runs = alloc_grow(l->runs, l->count, sizeof(*l->runs));
	l->runs[l->count] = (struct learn_run){
		threads, ends, (size_t)p->nthreads, group, 0, p->request->window_ns > 0};
	const bool disturbed = o->samples.measure_again;
	bool known = measured(o, p, ends) && (l->force || !disturbed);
	char *why = known ? scene_threads(&l->scene, p, op, true, threads) : NULL;

	for (int i = 0; known && !why && i < p->nthreads && !p->request->window_ns; i++) {
		const double units = units_of(&o->jobs[i]);

		if (!(units > 0)) {
			known = false;
			break;
		}
		threads[i].units = units / threads[i].share;
		scene_take_units(&l->scene, p, &threads[i], i,
			o->jobs[i].calibrated ? units : units / o->jobs[i].passes);
	}
	if (known && !why) {
		l->runs[l->count].kind = scene_kind_of(threads, (size_t)p->nthreads);
		l->of_kind[l->runs[l->count].kind]++;
		l->disturbed |= disturbed;
		l->of_file = alloc_grow(l->of_file, l->count, sizeof(*l->of_file));
		l->of_file[l->count] = l->files.count;
		l->count++;
		l->figures += (size_t)p->nthreads;
	} else {
		drop_last(l);
		leave_out(l, o->name,
			why         ? why
			: disturbed ? "its samples are disturbed"
				    : "a cost is missing");
	}
	free(why);
}

static void take_run(struct lesson *l, const struct run *x, const struct document_run *r)
{
	const size_t group = l->count;

	for (int i = 0; i < x->plan.nops && (size_t)i < r->operations.count; i++)
		if (!strcmp(x->plan.ops[i].label, r->operations.list[i].name))
			take_operation(l, &x->plan, &x->plan.ops[i], &r->operations.list[i], group);
}

/* Plans the document's own argument file again. */
static void take_runs(
	struct lesson *l, const struct document *d, const struct topo *t, struct errors *e)
{
	struct args args = {0};
	struct experiment x;
	struct errors own = {0};

	if (!d->arguments.text || !d->arguments.path) {
		error_warn(e, "%s: has no argument file, and teaches nothing", d->path);
		return;
	}
	args_parse(&args, d->arguments.path, d->arguments.text, strlen(d->arguments.text), &own);
	for (size_t i = 0; i < d->arguments.set.count; i++)
		args_set(&args, d->arguments.set.list[i], &own);
	int failed = experiment_plan(&x, &args, t, &own);

	if (failed || x.nruns != d->nruns) {
		error_warn(e, "%s: its argument file cannot be planned again, and teaches nothing",
			d->path);
		error_hint(e, "%s", failed ? errors_failure(&own) : "its sweep has other runs now");
	} else {
		for (size_t i = 0; i < x.nruns; i++)
			if (!x.runs[i].skipped && !d->runs[i].skipped &&
				!strcmp(x.runs[i].label, d->runs[i].label))
				take_run(l, &x.runs[i], &d->runs[i]);
	}
	experiment_free(&x);
	args_free(&args);
	errors_free(&own);
}

static void set_pairs(struct lesson *l, const struct node_figures *m)
{
	struct topo_memattr *best = alloc_zeroed(m->count + 1, sizeof(*best));
	const size_t n = node_figures_best(m, best), nodes = l->scene.machine.nodes;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < nodes * nodes; k++) {
			const struct topo_node *list = l->scene.topo->nodes;

			if (list[k / nodes].node != best[i].initiator ||
				list[k % nodes].node != best[i].target)
				continue;
			if (best[i].attribute == MEMATTR_READ_LATENCY)
				l->scene.latency[k] = best[i].value;
			else if (best[i].attribute == MEMATTR_READ_BANDWIDTH)
				l->scene.bandwidth[k] = best[i].value * 1e-9;
		}
	free(best);
}

static int check(struct lesson *l, const struct topo *t, const struct environment *here,
	const struct document *d, struct errors *e)
{
	struct errors other = {0};
	int failed = 0;

	if (d->schema < 2) {
		error_add(e, STATUS_USAGE, (struct place){d->path, 0},
			"is of schema %d, too old for a profile", d->schema);
		return error_hint(e, "measure it again with this version");
	}
	if (document_check_machine(t, here, d, &other)) {
		l->other_machine = true;
		failed = l->force ? 0 : -1;
		for (size_t i = 0; i < other.count && !l->force; i++)
			error_copy(e, &other.list[i]);
		if (!l->force)
			error_hint(e,
				"a profile is of its machine; --force predicts with it all the "
				"same, and marks what it says");
	}
	errors_free(&other);
	return failed;
}

static int read_all(
	struct lesson *l, struct words *files, bool folder, const struct topo *t, struct errors *e)
{
	struct node_figures pairs = {0};
	struct environment here;
	int failed = 0;

	environment_read(&here, t);
	for (size_t i = 0; i < files->count; i++) {
		struct document d;
		struct errors own = {0};
		int bad = document_read(&d, files->word[i], &own);

		/* a folder may have other files */
		for (size_t k = 0; k < own.count && !folder; k++)
			error_copy(e, &own.list[k]);
		if (!bad) {
			bad = check(l, t, &here, &d, e);
			if (!bad)
				bad = node_figures_add(&pairs, &d, e);
			if (!bad)
				take_runs(l, &d, t, e);
			l->simulated |= d.simulated;
			words_add(&l->files, files->word[i], strlen(files->word[i]));
			failed |= bad;
		} else if (!folder) {
			failed = -1;
		}
		document_free(&d);
		errors_free(&own);
	}
	set_pairs(l, &pairs);
	node_figures_free(&pairs);
	environment_free(&here);
	return failed;
}

static void learn(struct lesson *l, double confidence)
{
	const size_t cells = l->scene.machine.kernels * l->scene.machine.classes;
	const struct learn all = {&l->scene.machine, l->runs, l->count};
	double *residuals = alloc_zeroed(l->figures + 1, sizeof(*residuals));

	l->model.alone = alloc_zeroed(cells + 1, sizeof(double));
	l->errors.alone = alloc_zeroed(cells + 1, sizeof(double));
	for (size_t i = 0; i < cells; i++)
		l->errors.alone[i] = NAN;
	for (size_t i = 0; i < LEARN_COMMON; i++)
		*learn_common(&l->errors, i) = NAN;
	l->parameters = learn_model(&all, LEARN_NONE, &l->model, &l->errors);
	l->fitted = l->parameters > 0;
	if (!l->fitted)
		l->parameters = learn_alone(&all, &l->model);
	for (size_t kind = 0; kind < SCENE_KINDS; kind++)
		l->margins[kind] = learn_margin(
			residuals, learn_left_out(&all, LEARN_NONE, kind, residuals), confidence);
	free(residuals);
}

int lesson_read(struct lesson *l, const char *paths, const struct topo *t, double confidence,
	bool force, struct errors *e)
{
	struct words files = {0};
	const bool folder = document_files(&files, paths);

	*l = (struct lesson){.margins = {NAN, NAN, NAN}, .confidence = confidence, .force = force};
	scene_begin(&l->scene, t);
	int failed = read_all(l, &files, folder, t, e);

	words_free(&files);
	if (failed)
		return -1;
	if (l->count)
		learn(l, confidence);
	if (!l->count || l->parameters < 0) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"'%s' has no run of a single thread that a model can learn from%s%s%s",
			paths, l->why ? " (" : "", l->why ? l->why : "", l->why ? ")" : "");
		return error_hint(e, "scripts/ejec.sh args/profile measures a profile of this "
				     "machine, in results/HOST/profile");
	}
	return 0;
}

void lesson_free(struct lesson *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free((void *)l->runs[i].threads);
		free((void *)l->runs[i].ends);
	}
	free(l->runs);
	free(l->of_file);
	free(l->why);
	free(l->model.alone);
	free(l->errors.alone);
	scene_free(&l->scene);
	words_free(&l->files);
}
