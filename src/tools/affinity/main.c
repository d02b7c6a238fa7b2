/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity: what a placement of threads and data costs.
 *
 * Read, plan, place, measure, analyse, report. src/ has three shelves. Their folders are in the
 * order in which data pass through them; a folder includes only folders above itself.
 *
 * core: what measures. It includes nothing of the other two.
 *   contract    what driver and kernels promise each other; all that kernels/ sees
 *   base        words, lists, messages with a place, whole files, the clock
 *   statistics  what samples say: intervals, verdicts, fits, races (GSL)
 *   memory      pages on nodes, free memory and limits (libnuma)
 *   topology    nodes, cores, caches and other places of CPUs (hwloc)
 *   counters    events and their formulas (PAPI)
 *   system      the state of the machine now, and what it did to a thread
 *   mapping     places for threads that are only counted; instruction mixes
 *   input       what the user wrote: lines, keys, parameters, sweeps
 *   plan        every question of a run answered before anything is touched
 *   hugepages   free memory by the size of its blocks
 *   placement   threads bound, pages touched, both proven (OpenMP)
 *   measure     samples, and when there are enough
 *   analysis    figures out of samples, with intervals
 *   document    a result, and its JSON by one table of fields (jansson)
 *   machine     what results show of the machine: caches, TLB, nodes; whether it is this one
 *   describe    what is known without measuring, as JSON: lists, topology, plans, state
 *   result      fills it in from samples
 *   findings    what was found, as data and in a sentence
 *   report      results for people: text, CSV, plans, pictures (gnuplot)
 *
 * runtimes: what leaves the house, in libraries and a compiler for programs of others.
 *   rhp         huge pages near and far
 *   spm         page migration
 *   inserted    what calls of the compiler pass do
 *   pass        the compiler pass that inserts page migration (LLVM)
 *   preload     what LD_PRELOAD loads
 *
 * tools: what uses the core; each can be dropped. A folder with a command's name is that command.
 *   compare     two results or two sides of several: what differs, what became slower
 *   model       the cost of a placement, predicted
 *   forecast    predictions, advice and the worth of the model as text, CSV and JSON
 *   prediction  profiles and argument files in the words of the model
 */
#include <signal.h>
#include <stdio.h>

#include "base/ending.h"
#include "input/registry.h"
#include "affinity/actions.h"
#include "affinity/first.h"
#include "affinity/options.h"
#include "system/instructions.h"

/* Before anything that the compiler may have made of them. */
static bool lacks_instructions(void)
{
	const char *missing = instructions_missing();

	if (missing)
		fprintf(stderr,
			"affinity: this build uses %s, which this CPU lacks\n"
			"  hint: build on a machine of its kind, or without -march in CFLAGS\n",
			missing);
	return missing != NULL;
}

int main(int argc, char **argv)
{
	if (lacks_instructions())
		return STATUS_FAILED;

	struct options options;
	struct errors errors = {0};

	/* so a closed pipe or a file above ulimit -f becomes a write error with a message */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (first_is_asked(argc > 1 ? argv[1] : NULL)) {
		first_start(argv + 2, &errors);
		errors_print_short(&errors, true, stderr);
		return STATUS_FAILED;
	}
	int failed = options_parse(&options, argv + (argc > 0), &errors);
	if (!failed && !registry_check(kernel_map, &errors))
		actions_perform(&options, argv, &errors);
	ending_flush(&errors);
	/* the plan of several files is there to show what is wrong with each of them */
	if (options.action != ACTION_PLAN || options.operands.count < 2)
		errors_print_short(&errors, !options.quiet, stderr);
	else if (options.quiet)
		errors_print_failures(&errors, stderr);
	else
		errors_print(&errors, 0, stderr);
	enum status status = errors_status(&errors);

	if (status == STATUS_OK && options.action == ACTION_START)
		status = STATUS_USAGE; /* a script that lost its ARGS must see that */
	errors_free(&errors);
	options_free(&options);
	return status;
}
