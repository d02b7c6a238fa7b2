/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity: what a placement of threads and data costs.
 *
 * Read, plan, run, report. The files, from the bottom up; each includes headers of lower layers
 * only:
 *
 *   0 kernel.h keep.h  the kernel contract, compiler barriers    clock error alloc malloc version
 *   1 text list stats registry    words and units, V*4 and 0-3, statistics (GSL), kernels by name
 *     mapping profile             places for threads that have none, instruction mixes
 *   2 args param request          lines, tables of parameters, the keys of an argument file
 *     topo mem capacity counters  the machine (hwloc), memory on nodes (libnuma), free memory, PAPI
 *     cgroup                      what a container leaves of the memory
 *     watch environment simulated what the system did to a thread, what state the machine is in
 *   3 names plan plan_*           far(X), and every question of a run answered before it begins
 *     team line                   pinned threads (OpenMP), their common start
 *   4 touch placement prepare     first touch, the proof of it
 *     state                       the lines of vectors in a known coherence state
 *     sample run work             one sample, all samples, what they moved
 *   5 derive report_* output      figures, their writers (jansson), whole files
 *     progress matrix memattrs    documents read back for hwloc
 *   6 options session main        the command line, one measurement, this
 */
#include <signal.h>
#include <stdlib.h>

#include "compare.h"
#include "memattrs.h"
#include "options.h"
#include "report.h"
#include "session.h"
#include "team.h"
#include "version.h"

static int inform(const struct options *o, struct errors *e)
{
	if (o->action == ACTION_LIST)
		report_kernels(stdout);
	else if (o->action == ACTION_VERSION)
		printf("affinity %s (%s; %s)\n", AFFINITY_VERSION, AFFINITY_COMPILER,
			AFFINITY_LIBRARIES);
	else if (o->action == ACTION_COMPARE)
		return compare_files(o->args, o->out, o->tolerance, stdout, e);
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

static int work(const struct options *o, struct errors *e)
{
	struct args args = {0};
	struct topo topo;
	const char *undone = team_unbind();

	if (undone)
		error_warn(e, "%s is set; affinity places its threads itself and undid it", undone);
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
			session_check_outputs(o, e);
		/* also after a bad line, so that the other lines' mistakes show too */
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

	signal(SIGPIPE, SIG_IGN); /* a closed pipe is told as an error of writing */
	if (!options_parse(&options, argc, argv, &errors)) {
		if (options.action == ACTION_LIST || options.action == ACTION_HELP ||
			options.action == ACTION_VERSION || options.action == ACTION_COMPARE)
			inform(&options, &errors);
		else
			work(&options, &errors);
	}
	if (fflush(stdout) || ferror(stdout))
		error_add(&errors, STATUS_FAILED, NOWHERE, "cannot write to standard output");
	errors_sort(&errors);
	if (!options.quiet || errors.failures)
		errors_print(&errors, 0, stderr);
	enum status status = errors_status(&errors);
	errors_free(&errors);
	options_free(&options);
	return status;
}
