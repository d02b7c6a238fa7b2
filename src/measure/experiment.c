/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans the runs of a file. */
#include "measure/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/alone.h"

static void plan_run(struct experiment *x, size_t index)
{
	struct run *t = &x->runs[index];

	t->label = sweep_label(&x->sweep, index);
	sweep_apply(&x->sweep, index, x->args, &t->args, &t->errors);
	request_read(&t->request, &t->args, &t->errors);
	plan_make(&t->plan, &t->request, x->topo, x->args->path, &t->errors);
	t->skipped = t->errors.failures > 0;
}

/* Moves the messages of a run to the file's, where the same one of another run is not repeated. */
static void take_messages(const struct run *t, struct errors *e)
{
	for (size_t i = 0; i < t->errors.count; i++)
		error_copy(e, &t->errors.list[i]);
}

static const char *reason(const struct run *t)
{
	return t->errors.list[0].text;
}

/* The next run from i on that is skipped for this reason (NULL: for any). */
static size_t next_skipped(const struct experiment *x, size_t i, const char *why)
{
	while (i < x->nruns &&
		(!x->runs[i].skipped || (why && strcmp(reason(&x->runs[i]), why) != 0)))
		i++;
	return i;
}

/* Each reason once, with the first run that has it. */
static void warn_of_skipped(const struct experiment *x, struct errors *e)
{
	const char **told = alloc_zeroed(x->nruns, sizeof(*told));
	size_t ntold = 0, i = next_skipped(x, 0, NULL);

	for (; i < x->nruns; i = next_skipped(x, i + 1, NULL)) {
		const struct run *t = &x->runs[i];
		size_t known = 0, others = 0, k = i;

		while (known < ntold && strcmp(told[known], reason(t)) != 0)
			known++;
		if (known < ntold)
			continue;
		told[ntold++] = reason(t);
		while ((k = next_skipped(x, k + 1, reason(t))) < x->nruns)
			others++;
		if (others)
			error_warn(e, "run %s and %zu more are skipped: %s", t->label, others,
				reason(t));
		else
			error_warn(e, "run %s is skipped: %s", t->label, reason(t));
	}
	free(told);
}

/* More different ones than are printed: counting the runs of each would take ever longer. */
#define MAX_MISTAKES 101

static bool has_message(const struct run *t, const char *text)
{
	for (size_t i = 0; i < t->errors.count; i++)
		if (!strcmp(t->errors.list[i].text, text))
			return true;
	return false;
}

/* A mistake that not all runs have, with the first that has it. */
static void tell_mistake(
	const struct experiment *x, size_t first, const struct message *m, struct errors *e)
{
	struct message named = *m;
	size_t runs = 0;

	for (size_t i = first; i < x->nruns; i++)
		runs += has_message(&x->runs[i], m->text);
	if (runs == x->nruns) {
		error_copy(e, m);
		return;
	}
	named.text = runs > 1 ? alloc_format("%s (run %s and %zu more)", m->text,
					x->runs[first].label, runs - 1)
			      : alloc_format("%s (run %s)", m->text, x->runs[first].label);
	error_copy(e, &named);
	free(named.text);
}

/* Of a sweep, while there are mistakes: what would only be skipped is none. */
static void take_mistakes(const struct experiment *x, struct errors *e)
{
	const char *told[MAX_MISTAKES];
	size_t ntold = 0;

	for (size_t i = 0; i < x->nruns; i++)
		for (size_t k = 0; k < x->runs[i].errors.count; k++) {
			const struct message *m = &x->runs[i].errors.list[k];
			size_t known = 0;

			while (known < ntold && strcmp(told[known], m->text) != 0)
				known++;
			if (m->status != STATUS_USAGE || known < ntold || ntold == MAX_MISTAKES)
				continue;
			told[ntold++] = m->text;
			tell_mistake(x, i, m, e);
		}
}

/* Mistakes are told for all runs; a lack of the machine is only an error when nothing is left to
 * run. */
static int judge(struct experiment *x, struct errors *e)
{
	bool usage = false, any = false;

	for (size_t i = 0; i < x->nruns; i++) {
		usage |= errors_status(&x->runs[i].errors) == STATUS_USAGE;
		any |= !x->runs[i].skipped;
	}
	if (usage && x->nruns > 1) {
		take_mistakes(x, e);
		return -1;
	}
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped || !any)
			take_messages(&x->runs[i], e);
	if (any)
		warn_of_skipped(x, e);
	return any ? 0 : -1;
}

static bool has_value(const struct variable *v, const char *value)
{
	for (size_t i = 0; i < v->values.count; i++)
		if (!strcmp(v->values.word[i], value))
			return true;
	return false;
}

/* Every word of `baseline` must name a variable of a sweep and one of its values: else it would
 * match no run, and all speedups would silently be missing. */
static int check_baseline(const struct experiment *x, struct errors *e)
{
	const struct words *baseline = &x->file.baseline;
	int failed = 0;

	if (baseline->count && x->sweep.seed) {
		error_add(e, STATUS_USAGE, baseline->at,
			"baseline: not with runs, whose random choice may not hold it");
		return error_hint(e, "leave one of the two out; where chooses runs too");
	}

	for (size_t i = 0; i < baseline->count; i++) {
		const char *word = baseline->word[i], *equals = strchr(word, '=');
		char *name = alloc_string(word, equals ? (size_t)(equals - word) : strlen(word));
		int v = sweep_find(&x->sweep, name);

		free(name);
		if (equals && v >= 0 && has_value(&x->sweep.variables[v], equals + 1))
			continue;
		failed = error_add(e, STATUS_USAGE, baseline->at,
			"baseline: '%s' matches no run of the sweep", word);
		error_hint(e,
			"NAME=VALUE with a variable of sweep and one of its values, such as d=0");
	}
	return failed;
}

/* Costs of a piece of work and of a unit are not to be compared. */
static int check_mode(const struct experiment *x, struct errors *e)
{
	const struct request *first = experiment_request(x);

	for (size_t i = 0; i < x->nruns; i++) {
		const struct request *q = &x->runs[i].request;

		if (x->runs[i].skipped || !q->window_ns == !first->window_ns)
			continue;
		error_add(e, STATUS_USAGE, q->mode.at,
			"mode: runs of work and of time cannot be in one sweep");
		return error_hint(e, "a file each; the time itself may differ");
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

/* What the machine can count is the same for all runs, and found out once. */
static int plan_counting(struct experiment *x, struct errors *e)
{
	const struct request *q = experiment_request(x);

	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped && !same_words(&q->counters, &x->runs[i].request.counters))
			return error_add(e, STATUS_USAGE, q->counters.at,
				"counters: a sweep cannot change what is counted");
	if (!q->counters.count)
		return 0;
	x->counting = alloc_zeroed(1, sizeof(*x->counting));
	for (size_t i = 0; i < x->nruns; i++)
		x->runs[i].plan.counting = x->counting;
	return counting_make(x->counting, &q->counters, q->require_counters, e);
}

int experiment_plan(
	struct experiment *x, const struct args *a, const struct topo *t, struct errors *e)
{
	*x = (struct experiment){.args = a, .topo = t};
	int failed = request_read_file(&x->file, a, e);

	if (sweep_read(&x->sweep, &x->file, t, e))
		return -1;
	x->seed = x->sweep.seed;
	x->nruns = x->sweep.count;
	x->runs = alloc_zeroed(x->nruns, sizeof(*x->runs));
	for (size_t i = 0; i < x->nruns; i++)
		plan_run(x, i);
	failed |= judge(x, e);
	failed |= check_baseline(x, e);
	failed |= check_mode(x, e);
	failed |= plan_counting(x, e);
	return failed;
}

const struct request *experiment_request(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped)
			return &x->runs[i].request;
	return &x->runs[0].request;
}

bool experiment_has_samples(const struct experiment *x)
{
	for (size_t i = 0; i < x->nruns; i++)
		if (samples_any(&x->runs[i].samples))
			return true;
	return false;
}

/* Elements that a thread visits in one pass, as far as the driver can know. */
static double elements_of(const struct plan_thread *t)
{
	double sum = 0;

	for (int i = 0; i < t->nvectors; i++)
		sum += (double)t->vectors[i].elements;
	return sum;
}

static double guess_plan(const struct plan *p)
{
	double sum = 0, samples = (double)(p->request->warmup + p->request->iterations);

	if (p->counting)
		samples += (double)p->counting->npasses * COUNTED_SAMPLES;

	for (int o = 0; o < p->nops; o++) {
		double longest = 0;

		for (int i = 0; i < p->nthreads; i++) {
			const struct common_args *c = &p->ops[o].jobs[i].common;
			double s = elements_of(&p->threads[i]) * (double)c->passes * 5e-9 +
				   (double)c->sleep_ns * 1e-9;
			longest = s > longest ? s : longest;
		}
		if (p->request->window_ns)
			longest = (double)p->request->window_ns * 1e-9;
		sum += longest * samples;
	}
	return p->request->solo ? sum * (1 + p->nthreads) : sum;
}

/* What the driver needs to place and prove a run with small vectors, and to start and end a sample:
 * it adds up where a sweep has many runs of short samples. (Zen 3, two threads: 3 to 6 ms, 0.2 to
 * 0.6 ms.) */
#define DRIVER_RUN_S    5e-3
#define DRIVER_SAMPLE_S 3e-4

static double guess_driver(const struct plan *p)
{
	double samples = (double)(p->request->warmup + p->request->iterations) * p->nops;

	return DRIVER_RUN_S + DRIVER_SAMPLE_S * samples * (p->request->solo ? 1 + p->nthreads : 1);
}

double experiment_guess_s(const struct experiment *x)
{
	double sum = 0;

	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped)
			sum += guess_plan(&x->runs[i].plan) +
			       (x->nruns > 1 ? guess_driver(&x->runs[i].plan) : 0);
	return sum;
}

static void free_run(struct run *t)
{
	for (int i = 0; t->solos && i < t->plan.nthreads; i++) {
		samples_free(&t->solos[i]);
		plan_alone_free(&t->solo_plans[i]);
	}
	free(t->solos);
	free(t->solo_plans);
	samples_free(&t->samples);
	prepare_free(&t->prepared);
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
	*x = (struct experiment){0};
}
