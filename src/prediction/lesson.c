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

/* Units of a sample; false: they are not known. */
static bool take_units(struct lesson *l, const struct plan *p, const struct document_operation *o,
	struct scene_view *v)
{
	for (int i = 0; i < p->nthreads && !p->request->window_ns; i++) {
		const double units = units_of(&o->jobs[i]);

		if (!(units > 0))
			return false;
		v->threads[i].units = units / v->threads[i].share;
		scene_take_units(&l->scene, p, &v->threads[i], i,
			o->jobs[i].calibrated ? units : units / o->jobs[i].passes);
	}
	return true;
}

/* ns a unit of the slowest */
static double unit_cost(const struct scene_view *v, const double *ends, bool steady)
{
	double most = 0;

	for (size_t i = 0; i < v->count; i++) {
		const struct model_thread *t = &v->threads[i];

		most = fmax(most, steady ? ends[i] : (ends[i] - t->start) / (t->units * t->share));
	}
	return most;
}

/* Keeps the threads and the ends. */
static void add_run(
	struct lesson *l, struct scene_view *v, double **ends, size_t group, bool steady)
{
	l->runs = alloc_grow(l->runs, l->count, sizeof(*l->runs));
	l->of_file = alloc_grow(l->of_file, l->count, sizeof(*l->of_file));
	l->runs[l->count] = (struct learn_run){v->threads, *ends, v->count, group, v->kind, steady};
	l->of_file[l->count++] = l->files.count;
	l->figures += v->count;
	v->threads = NULL;
	*ends = NULL;
}

static void add_beside(struct lesson *l, struct scene_view *v, double **ends, bool steady)
{
	l->beside = alloc_grow(l->beside, l->nbeside, sizeof(*l->beside));
	l->beside[l->nbeside++] = (struct lesson_beside){*v, *ends, steady};
	*v = (struct scene_view){.threads = NULL};
	*ends = NULL;
}

/* The part of the model that it teaches; NULL, or why none. */
static char *teach(struct lesson *l, const struct plan_op *op, struct scene_view *v, double **ends,
	size_t group, bool steady)
{
	const enum scene_kinds kind = v->kind;

	if (kind == SCENE_HELD && v->count > 1)
		return alloc_format("what caches hold is learned from threads alone");
	l->of_kind[kind]++;
	l->learned++;
	if (kind == SCENE_HELD || kind == SCENE_ALONE) /* a staircase goes on to memory */
		stairs_add(&l->stairs, &l->scene, v, unit_cost(v, *ends, steady));
	if (kind == SCENE_MEETING)
		meetings_add(&l->meetings, l->scene.topo, v, unit_cost(v, *ends, steady),
			op->jobs[0].kernel->hands_over);
	else if (kind == SCENE_CORE)
		add_beside(l, v, ends, steady);
	else if (kind < SCENE_LEARNED)
		add_run(l, v, ends, group, steady);
	return NULL;
}

static void take_operation(struct lesson *l, const struct plan *p, const struct plan_op *op,
	const struct document_operation *o, size_t group)
{
	struct scene_view v = {.threads = NULL};
	double *ends = alloc_zeroed((size_t)p->nthreads, sizeof(*ends));
	const bool disturbed = o->samples.measure_again;
	bool known = measured(o, p, ends) && (l->force || !disturbed);
	char *why = known ? scene_look(&l->scene, p, op, true, &v) : NULL;

	known = known && (why || take_units(l, p, o, &v));
	if (known && !why)
		why = teach(l, op, &v, &ends, group, p->request->window_ns > 0);
	if (known && !why)
		l->disturbed |= disturbed;
	else
		leave_out(l, o->name,
			why         ? why
			: disturbed ? "its samples are disturbed"
				    : "a cost is missing");
	scene_view_free(&v);
	free(ends);
	free(why);
}

static void take_run(struct lesson *l, const struct run *x, const struct document_run *r)
{
	const size_t group = l->count; /* none of its own runs is before */

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

/* A folder may have other files: what is no result there is said, and no mistake. */
static void say_unread(const struct errors *own, bool folder, struct errors *e)
{
	const char *failure = errors_failure(own);

	for (size_t k = 0; k < own->count && !folder; k++)
		error_copy(e, &own->list[k]);
	if (folder && failure)
		error_warn(e, "%s; it teaches nothing", failure);
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

		say_unread(&own, folder, e);
		if (!bad) {
			bad = check(l, t, &here, &d, e);
			if (!bad)
				bad = node_figures_add(&pairs, &d, e);
			if (!bad)
				take_runs(l, &d, t, e);
			if (!bad)
				translations_add(&l->scene.translations, &d);
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
	translations_end(&l->scene.translations, environment_get(&here, "transparent_huge_pages"));
	node_figures_free(&pairs);
	environment_free(&here);
	return failed;
}

/* What threads on a core cost beyond what the rest of the model says. */
static void learn_beside(struct lesson *l)
{
	for (size_t i = 0; i < l->nbeside; i++) {
		struct lesson_beside *b = &l->beside[i];
		double *alone = alloc_zeroed(b->view.count, sizeof(*alone));
		char *why = lesson_predict_apart(l, &b->view, b->steady, alone);

		if (!why)
			siblings_add(&l->siblings, &b->view, b->ends, alone);
		free(why);
		free(alone);
	}
	siblings_fit(&l->siblings, l->scene.machine.kernels);
}

static size_t left_out(const struct lesson *l, const struct learn *all, size_t kind, double *out)
{
	if (kind == SCENE_HELD)
		return stairs_left_out(&l->stairs, &l->scene, out);
	if (kind == SCENE_CORE)
		return siblings_left_out(&l->siblings, out);
	if (kind == SCENE_MEETING)
		return meetings_left_out(&l->meetings, out);
	return learn_left_out(all, LEARN_NONE, kind, out);
}

/* Room for all residuals of a kind. */
static size_t most_figures(const struct lesson *l)
{
	size_t n = l->figures + l->learned;

	for (size_t i = 0; i < l->nbeside; i++)
		n += l->beside[i].view.count;
	return n;
}

static void learn(struct lesson *l, double confidence)
{
	const size_t cells = l->scene.machine.kernels * l->scene.machine.classes;
	const struct learn all = {&l->scene.machine, l->runs, l->count};

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
	stairs_fit(&l->stairs, &l->scene);
	meetings_fit(&l->meetings, l->scene.topo);
	learn_beside(l);
	double *residuals = alloc_zeroed(most_figures(l) + 1, sizeof(*residuals));

	for (size_t kind = 0; kind < SCENE_KINDS; kind++)
		l->margins[kind] =
			learn_margin(residuals, left_out(l, &all, kind, residuals), confidence);
	free(residuals);
}

int lesson_read(struct lesson *l, const char *paths, const struct topo *t, double confidence,
	bool force, struct errors *e)
{
	struct words files = {0};
	const bool folder = document_files(&files, paths);

	*l = (struct lesson){.confidence = confidence, .force = force};
	scene_begin(&l->scene, t);
	meetings_begin(&l->meetings, t);
	int failed = read_all(l, &files, folder, t, e);

	words_free(&files);
	if (failed)
		return -1;
	if (l->learned)
		learn(l, confidence);
	if (!l->learned || (l->parameters < 0 && !l->stairs.count)) {
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
	for (size_t i = 0; i < l->nbeside; i++) {
		scene_view_free(&l->beside[i].view);
		free(l->beside[i].ends);
	}
	free(l->beside);
	stairs_free(&l->stairs);
	siblings_free(&l->siblings);
	meetings_free(&l->meetings);
	free(l->runs);
	free(l->of_file);
	free(l->why);
	free(l->model.alone);
	free(l->errors.alone);
	scene_free(&l->scene);
	words_free(&l->files);
}
