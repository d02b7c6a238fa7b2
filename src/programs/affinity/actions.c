/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each option that is an action does. */
#include "analysis/profiler.h"
#include "programs/affinity/actions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/output.h"
#include "base/version.h"
#include "document/compare.h"
#include "document/memattrs.h"
#include "document/told.h"
#include "input/aliases.h"
#include "input/recognize.h"
#include "input/registry.h"
#include "placement/idle.h"
#include "placement/team.h"
#include "programs/affinity/caches.h"
#include "programs/affinity/outputs.h"
#include "programs/affinity/predict.h"
#include "prediction/advice.h"
#include "programs/affinity/session.h"
#include "programs/affinity/state.h"
#include "programs/affinity/telling.h"
#include "report/report.h"

static int list(const struct options *o, struct errors *e)
{
	if (registry_check_patterns(&o->operands, e))
		return -1;
	if (telling_text(o))
		report_kernels(&o->operands, stdout);
	if (telling_json(o))
		telling_write(o, told_kernels(&o->operands), e);
	return 0;
}

static int inform(const struct options *o, struct errors *e)
{
	if (o->action == ACTION_LIST)
		return list(o, e);
	else if (o->action == ACTION_VERSION)
		printf("affinity %s (%s; %s)\n", AFFINITY_VERSION, AFFINITY_COMPILER,
			AFFINITY_LIBRARIES);
	else if (o->action == ACTION_COMPARE)
		return compare_files(
			&(struct comparison){o->args, o->out, o->history, o->tolerance, o->force},
			stdout, e);
	else if (o->help_for)
		return report_help(o->help_for, stdout, e);
	else
		options_usage(stdout);
	return 0;
}

static int refuse_other_machine(const struct topo *t, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"cannot measure on a topology that is not this machine: %s", t->source);
	return error_hint(e, "--plan works with it; unset the variable to measure here");
}

static void tell_plan(const struct options *o, const struct experiment *x, const struct claims *c,
	struct told_plans *plans, const struct errors *e)
{
	if (telling_text(o))
		report_plan(x, c, stdout);
	if (telling_json(o))
		told_plan(plans, x->args->path, x, e);
}

/* Plans all runs; plans: of an action that only plans. */
static int follow_all(const struct options *o, const struct args *a, const struct topo *t,
	struct told_plans *plans, struct errors *e)
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
	else if (!failed && !t->this_system)
		failed = refuse_other_machine(t, e);
	else if (!failed)
		failed = session_measure(o, &experiment, &views, &claims, e);
	claims_free(&claims);
	views_free(&views);
	experiment_free(&experiment);
	return failed;
}

static int follow(const struct options *o, const struct args *a, const struct topo *machine,
	struct told_plans *plans, struct errors *e)
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

static int export(const struct options *o, const struct topo *t, struct errors *e)
{
	const char *const paths[] = {o->args, o->out};

	if (outputs_spare_args("--export-memattrs", o->memattrs, e))
		return -1;
	return memattrs_export(t, paths, o->out ? 2 : 1, o->memattrs, e);
}

/* What cannot be written is known before minutes are spent. */
static int measure_caches(const struct options *o, const struct topo *t, struct errors *e)
{
	struct progress p;

	if (outputs_spare_args("--measure-caches", o->caches, e) || output_check(o->caches, e))
		return -1;
	progress_init(&p, o->quiet);
	return caches_measure(t, o->caches, &p, e);
}

/* After team_unbind(): a program that is started again inherits the CPUs of its first thread. */
static void let_idle_sleep(char *const argv[], struct errors *e)
{
	const char *why = idle_sleep(argv);

	if (!why)
		return;
	error_warn(e,
		"idle threads of OpenMP spin for a while beside samples of fewer threads: the "
		"program cannot be started again: %s",
		why);
	error_hint(e, "export OMP_WAIT_POLICY=PASSIVE GOMP_SPINCOUNT=0 KMP_BLOCKTIME=0");
}

/* Plans or measures one argument file. */
static void take_file(const struct options *o, const char *path, const struct topo *t,
	struct told_plans *plans, struct errors *e)
{
	struct args args = {0};

	args_read(&args, path, e);
	for (size_t i = 0; i < o->sets.count; i++)
		args_set(&args, o->sets.word[i], e);
	if (o->action != ACTION_PLAN)
		outputs_check(o, e);
	bool known = args.from_file > 0;

	if (known && o->action == ACTION_ADVISE)
		known = !advice_open(&args, t, e);
	/* also after a bad line, so that mistakes in other lines are reported too */
	if (known)
		follow(o, &args, t, plans, e);
	errors_sort(e);
	aliases_speak(&args, e);
	if (plans && telling_json(o) && e->failures)
		told_plan(plans, args_name(path), NULL, e);
	args_free(&args);
}

/* Copies messages about one file of several; those that have no place get its name. Warnings that
 * are not shown must not take the places of messages. */
static void copy_messages(struct errors *e, const struct errors *own, const char *path, bool quiet)
{
	static const char program[] = "affinity: ";

	e->room += own->count;
	for (size_t i = 0; i < own->count; i++) {
		struct message m = own->list[i];

		if (quiet && m.status == STATUS_OK)
			continue;
		char *text = strncmp(m.text, program, strlen(program))
				     ? alloc_string(m.text, strlen(m.text))
				     : alloc_format("%s: %s", path, m.text + strlen(program));

		m.text = text;
		error_copy(e, &m);
		free(text);
	}
}

/* Most likely OUT, of a command line that measures: a report would give a message for each line. */
static void refuse_other(const char *path, struct errors *e)
{
	error_add(e, STATUS_USAGE, (struct place){path, 0}, "is not an argument file");
	error_hint(e, "--plan takes argument files only, and no OUT");
}

/* Plans every file, each with its name and its messages. */
static void plan_all(
	const struct options *o, const struct topo *t, struct told_plans *plans, struct errors *e)
{
	for (size_t i = 0; i < o->operands.count; i++) {
		const char *path = o->operands.word[i];
		struct errors own = {0};

		if (telling_text(o))
			printf("%s==== %s ====\n", i ? "\n" : "", args_name(path));
		const bool is_args = recognize_args(path) != 0;

		if (is_args)
			take_file(o, path, t, plans, &own);
		else
			refuse_other(path, &own);
		if (!is_args && telling_json(o))
			told_plan(plans, path, NULL, &own);
		copy_messages(e, &own, path, o->quiet);
		errors_free(&own);
	}
}

static void plan(const struct options *o, const struct topo *t, struct errors *e)
{
	struct told_plans plans = {0};

	if (o->operands.count > 1)
		plan_all(o, t, &plans, e);
	else
		take_file(o, o->args, t, &plans, e);
	if (telling_json(o))
		telling_write(o, told_plans(&plans, t), e);
}

static void tell_topology(const struct options *o, const struct topo *t, struct errors *e)
{
	if (telling_text(o))
		report_topology(t, stdout);
	if (telling_json(o))
		telling_write(o, told_topology(t), e);
}

static void with_machine(const struct options *o, char *const argv[], struct errors *e)
{
	struct topo topo;
	const char *undone = team_unbind();

	if (o->action == ACTION_MEASURE || o->action == ACTION_CACHES)
		let_idle_sleep(argv, e);
	if (undone)
		error_warn(e,
			"%s is set; affinity places its threads itself and removed its effect",
			undone);
	if (topo_load(&topo, e)) {
		topo_free(&topo);
		return;
	}
	if ((o->matrix && memattrs_access(&topo, o->matrix, e)) ||
		(o->bandwidths && memattrs_rates(&topo, o->bandwidths, e))) {
		topo_free(&topo);
		return;
	}
	if (o->action == ACTION_CACHES && !topo.this_system)
		refuse_other_machine(&topo, e);
	else if (o->action == ACTION_CACHES)
		measure_caches(o, &topo, e);
	else if (o->action == ACTION_TOPOLOGY)
		tell_topology(o, &topo, e);
	else if (o->action == ACTION_CHECK)
		state_check(o, &topo, e);
	else if (o->action == ACTION_EXPORT)
		export(o, &topo, e);
	else if (o->action == ACTION_WORTH)
		predict_worth(o, &topo, e);
	else if (o->action == ACTION_PLAN)
		plan(o, &topo, e);
	else
		take_file(o, o->args, &topo, NULL, e);
	topo_free(&topo);
}

void actions_perform(const struct options *o, char *const argv[], struct errors *e)
{
	if (o->action != ACTION_MEASURE && telling_check(o, e))
		return;
	if (o->action == ACTION_LIST || o->action == ACTION_HELP || o->action == ACTION_VERSION ||
		o->action == ACTION_COMPARE)
		inform(o, e);
	else
		with_machine(o, argv, e);
}
