/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity: what a placement of threads and data costs.
 *
 * Read, plan, place, measure, analyse, report. The folders of src/, in the order in which data pass
 * through them; a folder includes only folders above itself:
 *
 *   contract    what driver and kernels promise each other; all that kernels/ sees
 *   base        words, lists, messages with a place, the clock, statistics (GSL)
 *   memory      pages on nodes, free memory and limits (libnuma)
 *   topology    nodes, cores, caches (hwloc)
 *   counters    events and their formulas (PAPI)
 *   system      the state of the machine now, and what it did to a thread
 *   mapping     places for threads that are only counted; instruction mixes
 *   input       what the user wrote: lines, keys, parameters, sweeps
 *   plan        every question of a run answered before anything is touched
 *   placement   threads bound, pages touched, both proven (OpenMP)
 *   measure     samples, and when there are enough
 *   analysis    figures out of samples, with intervals
 *   report      for people: text, CSV, plans, pictures (gnuplot)
 *   document    the JSON document, written and read (jansson)
 *   preload     goes into programs of others; includes only itself
 *   programs    main(), options and order of work of each program
 */
#include <signal.h>
#include <stdlib.h>

#include "document/compare.h"
#include "document/memattrs.h"
#include "input/registry.h"
#include "programs/affinity/options.h"
#include "programs/affinity/outputs.h"
#include "report/report.h"
#include "programs/affinity/session.h"
#include "placement/idle.h"
#include "placement/team.h"
#include "base/version.h"

static int inform(const struct options *o, struct errors *e)
{
	if (o->action == ACTION_LIST)
		report_kernels(stdout);
	else if (o->action == ACTION_VERSION)
		printf("affinity %s (%s; %s)\n", AFFINITY_VERSION, AFFINITY_COMPILER,
			AFFINITY_LIBRARIES);
	else if (o->action == ACTION_COMPARE)
		return compare_files(o->args, o->out, o->tolerance, o->force, stdout, e);
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

static int follow(
	const struct options *o, const struct args *a, const struct topo *t, struct errors *e)
{
	struct experiment experiment;
	struct views views = {0};

	if (!experiment_plan(&experiment, a, t, e))
		views_read(&views, &experiment, e);
	int failed = e->failures ? -1 : 0;
	if (!failed && o->action == ACTION_PLAN)
		report_plan(&experiment, stdout);
	else if (!failed && !t->this_system)
		failed = refuse_other_machine(t, e);
	else if (!failed)
		failed = session_measure(o, &experiment, &views, e);
	views_free(&views);
	experiment_free(&experiment);
	return failed;
}

static int export(const struct options *o, const struct topo *t, struct errors *e)
{
	const char *const paths[] = {o->args, o->out};

	return memattrs_export(t, paths, o->out ? 2 : 1, o->memattrs, e);
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

static int perform(const struct options *o, char *const argv[], struct errors *e)
{
	struct args args = {0};
	struct topo topo;
	const char *undone = team_unbind();

	if (o->action == ACTION_MEASURE)
		let_idle_sleep(argv, e);
	if (undone)
		error_warn(e,
			"%s is set; affinity places its threads itself and removed its effect",
			undone);
	if (topo_load(&topo, e)) {
		topo_free(&topo);
		return -1;
	}
	if (o->action == ACTION_TOPOLOGY) {
		report_topology(&topo, stdout);
	} else if (o->action == ACTION_CHECK) {
		session_check(&topo, stdout);
	} else if (o->action == ACTION_EXPORT) {
		export(o, &topo, e);
	} else {
		args_read(&args, o->args, e);
		for (size_t i = 0; i < o->sets.count; i++)
			args_set(&args, o->sets.word[i], e);
		if (o->action == ACTION_MEASURE)
			outputs_check(o, e);
		/* also after a bad line, so that mistakes in other lines are reported too */
		if (args.from_file)
			follow(o, &args, &topo, e);
	}
	args_free(&args);
	topo_free(&topo);
	return e->failures ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct options options;
	struct errors errors = {0};

	/* so a closed pipe or a file above ulimit -f becomes a write error with a message */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	int failed = options_parse(&options, argc, argv, &errors);
	if (!failed && !registry_check(kernel_map, &errors)) {
		if (options.action == ACTION_LIST || options.action == ACTION_HELP ||
			options.action == ACTION_VERSION || options.action == ACTION_COMPARE)
			inform(&options, &errors);
		else
			perform(&options, argv, &errors);
	}
	if (fflush(stdout) || ferror(stdout))
		error_add(&errors, STATUS_FAILED, NOWHERE, "cannot write to standard output");
	errors_sort(&errors);
	if (options.quiet)
		errors_print_failures(&errors, stderr);
	else
		errors_print(&errors, 0, stderr);
	enum status status = errors_status(&errors);
	errors_free(&errors);
	options_free(&options);
	return status;
}
