/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads profiles. */
#include "analysis/derive.h"
#include "prediction/lesson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/files.h"
#include "document/machine.h"
#include "document/node_figures.h"
#include "prediction/sound.h"
#include "prediction/source.h"

/* The cost of each thread, ns; of a unit in mode: time. False: one is missing. */
static bool measured(const struct document_run *r, const struct document_operation *o,
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

		if (scene_idles(v, (size_t)i))
			continue;
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

static bool same_thread(const struct model_thread *a, const struct model_thread *b)
{
	return a->node == b->node && a->memory == b->memory && a->kernel == b->kernel &&
	       a->share == b->share && a->start == b->start && !a->parts == !b->parts;
}

/* Has an earlier run, of another group, the same threads in the same places? Then it would predict
 * itself if one of both was left out. */
static const struct learn_run *same_cell(
	const struct lesson *l, const struct scene_view *v, size_t group, bool steady)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct learn_run *r = &l->runs[i];
		bool same = r->group != group && r->count == v->count && r->kind == v->kind &&
			    r->steady == steady;

		for (size_t k = 0; k < v->count && same; k++)
			same = same_thread(&r->threads[k], &v->threads[k]);
		if (same)
			return r;
	}
	return NULL;
}

/* From now on they are left out together. */
static void join(struct lesson *l, size_t group, size_t with)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->runs[i].group == group)
			l->runs[i].group = with;
}

/* Keeps the threads and the ends. */
static void add_run(
	struct lesson *l, struct scene_view *v, double **ends, size_t group, bool steady)
{
	const struct learn_run *same = same_cell(l, v, group, steady);

	if (same)
		join(l, same->group, group);
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

	l->of_kind[kind]++;
	l->learned++;
	seen_add(&l->seen, &l->scene, v);
	if (kind == SCENE_HELD || kind == SCENE_ALONE) /* a staircase goes on to memory */
		stairs_add(&l->stairs, &l->scene, v, unit_cost(v, *ends, steady));
	if (kind == SCENE_MEETING)
		meetings_add(&l->meetings, &l->scene, v, unit_cost(v, *ends, steady),
			op->jobs[0].kernel->hands_over);
	else if (kind == SCENE_STATE)
		states_add(&l->states, &l->scene, v, *ends);
	else if (kind == SCENE_CORE || kind == SCENE_HELD_TOGETHER || kind == SCENE_LOADED)
		add_beside(l, v, ends, steady);
	else if (kind < SCENE_LEARNED)
		add_run(l, v, ends, group, steady);
	return NULL;
}

static void take_operation(struct lesson *l, const struct plan *p, const struct plan_op *op,
	const struct document_run *r, const struct document_operation *o, size_t group)
{
	struct scene_view v = {.threads = NULL};
	double *ends = alloc_zeroed((size_t)p->nthreads, sizeof(*ends));
	const bool disturbed = document_trust_samples(r, o, ALL_THREADS).again;
	bool known = measured(r, o, p, op, ends) && (l->force || !disturbed);
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
	l->left_disturbed += disturbed && !l->force;
	scene_view_free(&v);
	free(ends);
	free(why);
}

static void take_run(struct lesson *l, const struct run *x, const struct document_run *r)
{
	const size_t group = l->count; /* none of its own runs is before; see join() */

	for (int i = 0; i < x->plan.nops && (size_t)i < r->operations.count; i++)
		if (!strcmp(x->plan.ops[i].label, r->operations.list[i].name))
			take_operation(
				l, &x->plan, &x->plan.ops[i], r, &r->operations.list[i], group);
}

static void take_runs(struct lesson *l, const struct source *from)
{
	const struct experiment *x = &from->x;
	const struct document_run *runs = from->d.runs;

	for (size_t i = 0; from->planned && i < x->nruns; i++)
		if (!x->runs[i].skipped && !runs[i].skipped &&
			!strcmp(x->runs[i].label, runs[i].label))
			take_run(l, &x->runs[i], &runs[i]);
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

	if (document_check_machine(t, here, d, true, &other)) {
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
	if (t->this_system && !l->other_pages) /* once for all files */
		l->other_pages = sound_warn_of_pages(d, here, e);
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
		error_warn(e, "%s; it teaches nothing", m->text);
		if (m->hint)
			error_hint(e, "%s", m->hint);
	}
}

/* Which of the files before it is the same; NULL: none. */
static const struct document *copied(const struct source *all, size_t n, const struct document *d)
{
	for (size_t i = 0; i < n; i++)
		if (all[i].planned && sound_is_copy(&all[i].d, d))
			return &all[i].d;
	return NULL;
}

static int take_source(struct lesson *l, const struct source *s, struct node_figures *pairs,
	const struct topo *t, const struct environment *here, struct errors *e)
{
	if (check(l, t, here, &s->d, e) || node_figures_add(pairs, &s->d, e))
		return -1;
	take_runs(l, s);
	if (!translations_add(&l->scene.translations, &s->d, l->force))
		leave_out(l, "the reach of a TLB", "its samples are disturbed");
	l->simulated |= s->d.simulated;
	words_add(&l->files, s->d.path, strlen(s->d.path));
	return 0;
}

/* Takes a file, or says why not; the files before it are all[0 .. *n - 1]. */
static int read_file(struct lesson *l, struct source *all, size_t *n, bool named, const char *path,
	struct node_figures *pairs, const struct environment *here, struct errors *e)
{
	const struct topo *t = l->scene.topo;
	struct source *s = &all[*n];
	struct errors own = {0};
	const bool bad = source_open(s, path, t, here, &own);
	const struct document *same = bad ? NULL : copied(all, *n, &s->d);
	int failed = bad && named ? -1 : 0;

	say_unread(&own, named, e);
	errors_free(&own);
	if (same) {
		error_warn(e, "%s: is the same measurement as '%s', and teaches nothing", path,
			same->path);
		error_hint(e, "what counts twice makes intervals too narrow: remove one of them");
	}
	if (bad || same) {
		source_close(s);
		return failed;
	}
	if (*n && sound_one_machine(&all[0].d, &s->d, e))
		failed = -1;
	else
		failed = take_source(l, s, pairs, t, here, e);
	++*n;
	return failed;
}

static int read_all(
	struct lesson *l, const char *paths, const struct words *files, struct errors *e)
{
	struct source *all = alloc_zeroed(files->count + 1, sizeof(*all));
	struct node_figures pairs = {.force = l->force};
	struct environment here;
	int failed = 0;
	size_t n = 0;

	environment_read(&here, l->scene.topo);
	for (size_t i = 0; i < files->count; i++)
		failed |= read_file(l, all, &n, document_is_named(paths, files->word[i]),
			files->word[i], &pairs, &here, e);
	set_pairs(l, &pairs);
	translations_end(&l->scene.translations, environment_get(&here, "transparent_huge_pages"));
	for (size_t i = 0; i < n; i++)
		source_close(&all[i]);
	free(all);
	node_figures_free(&pairs);
	environment_free(&here);
	return failed;
}

int lesson_read(struct lesson *l, const char *paths, const struct topo *t, double confidence,
	bool force, struct errors *e)
{
	struct words files = {0};
	int failed = document_files(&files, paths, e);

	*l = (struct lesson){.confidence = confidence, .force = force};
	scene_begin(&l->scene, t);
	meetings_begin(&l->meetings, t);
	failed |= read_all(l, paths, &files, e);

	words_free(&files);
	if (failed)
		return -1;
	if (l->learned)
		lesson_learn(l, confidence);
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
	load_curves_free(&l->curves);
	states_free(&l->states);
	seen_free(&l->seen);
	meetings_free(&l->meetings);
	free(l->runs);
	free(l->of_file);
	free(l->why);
	free(l->model.alone);
	free(l->errors.alone);
	between_free(&l->between);
	free(l->low);
	free(l->high);
	scene_free(&l->scene);
	words_free(&l->files);
}
