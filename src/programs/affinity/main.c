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
 *   model       the cost of a placement, predicted
 *   fleet       which nodes of a cluster are slow
 *   counters    events and their formulas (PAPI)
 *   system      the state of the machine now, and what it did to a thread
 *   mapping     places for threads that are only counted; instruction mixes
 *   input       what the user wrote: lines, keys, parameters, sweeps
 *   plan        every question of a run answered before anything is touched
 *   hugepages   free memory by the size of its blocks
 *   rhp         huge pages near and far, a library for programs of others too
 *   placement   threads bound, pages touched, both proven (OpenMP)
 *   measure     samples, and when there are enough
 *   analysis    figures out of samples, with intervals
 *   document    the JSON document, written and read (jansson)
 *   report      for people: text, CSV, plans, pictures (gnuplot)
 *   prediction  profiles and argument files in the words of the model
 *   findings    what the figures of a document say, as data
 *   spm         page migration, a library for programs of others too
 *   inserted    what calls of the compiler pass do, a library for programs of others
 *   pass        the compiler pass that inserts page migration (LLVM)
 *   preload     goes into programs of others; includes only itself and what it contains
 *   programs    main(), options and order of work of each program
 */
#include <signal.h>
#include <stdio.h>

#include "base/ending.h"
#include "input/registry.h"
#include "programs/affinity/actions.h"
#include "programs/affinity/options.h"
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
