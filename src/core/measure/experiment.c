/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans the runs of a file. */
#include "measure/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/quick.h"
#include "measure/messages.h"
#include "plan/alone.h"
#include "measure/sweep_use.h"

static void plan_run(struct experiment *x, size_t index)
{
	struct run *t = &x->runs[index];

	t->label = sweep_label(&x->sweep, index);
	sweep_apply(&x->sweep, index, x->args, &t->args, &t->errors);
	request_read(&t->request, &t->args, &t->errors);
	if (x->file.quick)
		quick_request(&t->request, &t->args);
	if (!plan_make(&t->plan, &t->request, x->topo, x->args->path, &t->errors))
		backgrounds_plan(&t->backgrounds, &t->plan, &t->errors);
	t->skipped = t->errors.failures > 0;
}

static bool has_value(const struct variable *v, const char *value)
{
	for (size_t i = 0; i < v->values.count; i++)
		if (text_same_value(v->values.word[i], value))
			return true;
	return false;
}

/* Every word of `baseline` and of `smallPages` must name a variable of a sweep and one of its
 * values. Otherwise it would match no run, and all its figures would silently be missing. */
static int check_run(
	const struct experiment *x, const char *key, const struct words *words, struct errors *e)
{
	int failed = 0;

	if (words->count && x->sweep.seed) {
		error_add(e, STATUS_USAGE, words->at,
			"%s cannot be used with runs: their random choice may leave it out", key);
		return error_hint(e, "leave out one of the two; where chooses runs too");
	}

	for (size_t i = 0; i < words->count; i++) {
		const char *word = words->word[i], *equals = strchr(word, '=');
		char *name = alloc_string(word, equals ? (size_t)(equals - word) : strlen(word));
		int v = sweep_find(&x->sweep, name);

		free(name);
		if (equals && v >= 0 && has_value(&x->sweep.variables[v], equals + 1))
			continue;
		failed = error_add(e, STATUS_USAGE, words->at,
			"%s: '%s' matches no run of the sweep", key, word);
		error_hint(e,
			"NAME=VALUE with a variable of sweep and one of its values, such as d=0");
	}
	return failed;
}

/* The cost of a piece of work cannot be compared with the cost of a unit. */
static int check_mode(const struct experiment *x, struct errors *e)
{
	const struct request *first = experiment_request(x);

	for (size_t i = 0; i < x->nruns; i++) {
		const struct request *q = &x->runs[i].request;

		if (x->runs[i].skipped || !q->window_ns == !first->window_ns)
			continue;
		error_add(e, STATUS_USAGE, q->mode.at,
			"mode: one sweep cannot measure both work and a time");
		return error_hint(e, "write a file for each; the time itself may differ");
	}
	return 0;
}

static bool same_words(const struct words *a, const struct words *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = !strcmp(a->word[i], b->word[i]);
	return same;
}

/* A CPU of each kind of cores; -1 where none may be used. */
static void find_kinds(struct experiment *x)
{
	const struct topo *t = x->topo;

	x->kinds = alloc_zeroed((size_t)t->nkinds + 1, sizeof(*x->kinds));
	for (int kind = 0; kind < t->nkinds; kind++) {
		x->kinds[kind] = -1;
		for (int i = 0; i < t->ncpus && x->kinds[kind] < 0; i++)
			if (t->cpus[i].kind == kind && t->cpus[i].allowed)
				x->kinds[kind] = t->cpus[i].cpu;
	}
}

/* All runs can count the same events on a machine, so the driver determines these once. */
static int plan_counting(struct experiment *x, struct errors *e)
{
	const struct request *q = experiment_request(x);

	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped &&
			!same_words(&q->counters, &x->runs[i].request.counters)) {
			error_add(e, STATUS_USAGE, q->counters.at,
				"counters: a sweep cannot change what is counted");
			return error_hint(e, "list all events, or write a file for each choice");
		}
	if (!q->counters.count)
		return 0;
	x->counting = alloc_zeroed(1, sizeof(*x->counting));
	for (size_t i = 0; i < x->nruns; i++)
		x->runs[i].plan.counting = x->counting;
	find_kinds(x);
	return counting_make(x->counting, &q->counters, x->kinds,
		x->topo->this_system ? x->topo->nkinds : 0, q->require_counters, e);
}

int experiment_plan(
	struct experiment *x, const struct args *a, const struct topo *t, struct errors *e)
{
	return experiment_plan_some(x, a, t, NULL, e);
}

int experiment_plan_some(struct experiment *x, const struct args *a, const struct topo *t,
	const struct sweep_choice *some, struct errors *e)
{
	*x = (struct experiment){.args = a, .topo = t};
	int failed = request_read_file(&x->file, a, e);

	if (sweep_read_some(&x->sweep, &x->file, t, some, e))
		return -1;
	x->seed = x->sweep.seed;
	x->nruns = x->sweep.count;
	x->runs = alloc_zeroed(x->nruns, sizeof(*x->runs));
	for (size_t i = 0; i < x->nruns; i++)
		plan_run(x, i);
	failed |= sweep_check_use(&x->sweep, a, e);
	failed |= messages_judge(x, e);
	failed |= check_run(x, "baseline", &x->file.baseline, e);
	failed |= check_run(x, "smallPages", &x->file.small_pages, e);
	failed |= check_mode(x, e);
	failed |= plan_counting(x, e);
	if (!failed && x->file.quick)
		error_warn(e, "quick: yes: fewer samples, fewer values of sweeps and smaller "
			      "vectors than the file asks for; this is a trial and allows no "
			      "conclusions");
	return failed;
}

const struct request *experiment_request(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped)
			return &x->runs[i].request;
	return &x->runs[0].request;
}

bool *run_cpus(const struct run *t)
{
	bool *all = plan_cpus(&t->plan);

	if (all)
		backgrounds_cpus(&t->backgrounds, all);
	return all;
}

bool *experiment_cpus(const struct experiment *x)
{
	bool *all = alloc_zeroed((size_t)x->topo->ncpu_index + 1, sizeof(*all));

	for (size_t i = 0; i < x->nruns; i++) {
		bool *one = x->runs[i].skipped ? NULL : run_cpus(&x->runs[i]);

		if (!one && !x->runs[i].skipped) {
			free(all);
			return NULL;
		}
		for (int cpu = 0; one && cpu < x->topo->ncpu_index; cpu++)
			all[cpu] |= one[cpu];
		free(one);
	}
	return all;
}

bool experiment_has_samples(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && samples_any(&x->runs[i].samples))
			return true;
	return false;
}

static void mark_cut_short(struct samples *r)
{
	for (int op = 0; r->ops && op < r->plan->nops; op++)
		if (r->ops[op].count && r->ops[op].placements < r->plan->request->placements)
			r->ops[op].ended = ENDED_INTERRUPTED;
}

void experiment_cut_short(struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++) {
		struct run *t = &x->runs[i];

		mark_cut_short(&t->samples);
		for (int k = 0; t->solos && k < t->plan.nthreads; k++)
			mark_cut_short(&t->solos[k]);
	}
}

void experiment_drop(struct run *t)
{
	for (int i = 0; t->solos && i < t->plan.nthreads; i++) {
		samples_free(&t->solos[i]);
		plan_alone_free(&t->solo_plans[i]);
	}
	free(t->solos);
	free(t->solo_plans);
	t->solos = NULL;
	t->solo_plans = NULL;
	samples_free(&t->samples);
	t->skipped = true;
}

static void free_run(struct run *t)
{
	experiment_drop(t);
	prepare_free(&t->prepared);
	rivals_free(t->rivals);
	backgrounds_free(&t->backgrounds);
	plan_free(&t->plan);
	request_free(&t->request);
	args_free(&t->args);
	errors_free(&t->errors);
	free(t->label);
}

void experiment_free(struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		free_run(&x->runs[i]);
	free(x->runs);
	sweep_free(&x->sweep);
	request_file_free(&x->file);
	if (x->counting)
		counting_free(x->counting);
	free(x->counting);
	free(x->kinds);
	*x = (struct experiment){0};
}
