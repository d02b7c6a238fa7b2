/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans, measures, predicts or searches one argument file. */
#include "affinity/files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analysis/profiler.h"
#include "input/param.h"
#include "input/request.h"
#include "prediction/advice.h"
#include "affinity/caches.h"
#include "affinity/outputs.h"
#include "affinity/predict.h"
#include "affinity/session.h"
#include "report/progress.h"
#include "report/report.h"

int files_refuse_machine(const struct topo *t, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"cannot measure on a topology that is not this machine: %s", t->source);
	return error_hint(e, "--plan works with it; unset the variable to measure here");
}

static void tell_plan(const struct options *o, const struct experiment *x, const struct claims *c,
	struct described_plans *plans, const struct errors *e)
{
	if (telling_text(o))
		report_plan(x, c, o->full, stdout);
	if (telling_json(o))
		describe_plan(plans, x->args->path, x, e);
}

/* Plans all runs; plans: of an action that only plans. */
static int follow_all(const struct options *o, const struct args *a, const struct topo *t,
	struct described_plans *plans, struct errors *e)
{
	struct experiment experiment;
	struct views views = {0};
	struct claims claims = {0};

	/* the tables of a file are of its own runs, not of those that are searched */
	if (!experiment_plan(&experiment, a, t, e) && o->action != ACTION_ADVISE) {
		views_read(&views, &experiment, e);
		claims_read(&claims, &experiment, e);
		profiler_check(&experiment, e);
	}
	int failed = e->failures ? -1 : 0;
	if (!failed && (o->action == ACTION_PREDICT || o->action == ACTION_ADVISE))
		failed = predict_experiment(o, &experiment, e);
	else if (!failed && plans)
		tell_plan(o, &experiment, &claims, plans, e);
	else if (!failed && o->action == ACTION_PLAN)
		; /* it only had to be right */
	else if (!failed && !t->this_system)
		failed = files_refuse_machine(t, e);
	else if (!failed)
		failed = session_measure(o, &experiment, &views, &claims, e);
	claims_free(&claims);
	views_free(&views);
	experiment_free(&experiment);
	return failed;
}

static int follow(const struct options *o, const struct args *a, const struct topo *machine,
	struct described_plans *plans, struct errors *e)
{
	struct topo own;
	struct progress p;
	progress_init(&p, o->quiet);
	const int made = caches_for(&own, a, machine, o->action == ACTION_MEASURE ? &p : NULL, e);
	const struct topo *t = made == 1 ? &own : machine;
	const int failed = o->action == ACTION_ADVISE && !e->failures && advice_is_large(a, t)
				   ? predict_large(o, a, t, e)
				   : follow_all(o, a, t, plans, e);

	if (made == 1)
		topo_drop_caches(&own);
	return failed;
}

static void set_all(const struct options *o, struct args *a, struct errors *e)
{
	for (size_t i = 0; i < o->sets.count; i++)
		args_set(a, o->sets.word[i], e);
}

/* Who writes - for standard output in place of ARGS would wait for ever. */
static void tell_terminal(const struct options *o, const char *path)
{
	if (!o->quiet && !strcmp(path, "-") && isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		fputs("affinity: reads the argument file from the terminal; Ctrl-D ends it\n",
			stderr);
}

void files_read(const struct options *o, const char *path, struct args *a, struct errors *e)
{
	tell_terminal(o, path);
	if (args_read(a, path, e))
		options_hint_bare(path, e);
	set_all(o, a, e);
}

void files_read_again(
	const struct options *o, const struct args *read, struct args *a, struct errors *e)
{
	args_parse(a, read->path, read->text, read->length, e);
	set_all(o, a, e);
}

double files_guess(const struct options *o, const char *path, struct args *a, const struct topo *t,
	struct errors *e)
{
	struct experiment x;
	struct topo own;
	double seconds = NAN;

	files_read(o, path, a, e);
	const int made = e->failures ? -1 : caches_for(&own, a, t, NULL, e);

	if (made >= 0) {
		if (!experiment_plan(&x, a, made ? &own : t, e))
			seconds = experiment_guess_s(&x);
		experiment_free(&x);
	}
	if (made == 1)
		topo_drop_caches(&own);
	return seconds;
}

static bool has_key(const struct args *a, const char *key)
{
	for (size_t i = 0; i < a->count; i++)
		if (!strcmp(a->entries[i].key, key))
			return true;
	return false;
}

/* Messages about a file that writes tamPerVector must not speak of sizePerVector: each key for
 * which the file has only an alias is renamed in all of them. */
static void rename_aliases(const struct args *a, struct errors *e)
{
	for (size_t i = 0; i < a->count; i++) {
		const char *key = a->entries[i].key;
		const struct param *p = param_find(request_keys, key);

		if (p && !has_key(a, p->name))
			errors_rename(e, p->name, key);
	}
}

void files_follow(const struct options *o, struct args *a, const struct topo *t,
	struct described_plans *plans, struct errors *e)
{
	if (o->action != ACTION_PLAN)
		outputs_check(o, e);
	if (!a->count && !e->failures)
		error_add(
			e, STATUS_USAGE, NOWHERE, "%s: --set takes all of its lines away", a->path);
	bool known = a->from_file > 0 || (a->count && !e->failures);

	if (known)
		known = !(o->action == ACTION_ADVISE ? advice_open(a, t, e) : advice_closed(a, e));
	/* also after a bad line, so that mistakes in other lines are reported too */
	if (known)
		follow(o, a, t, plans, e);
	errors_sort(e);
	rename_aliases(a, e);
	if (plans && telling_json(o) && e->failures)
		describe_plan(plans, a->path, NULL, e);
}
