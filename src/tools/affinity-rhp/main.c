/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-rhp: gives large blocks of unchanged programs huge pages of near nodes first.
 *
 * launch.c runs the command with the library preloaded, watch.c looks at it while it runs, report.c
 * says what it got. --profile (profile.c, with own.c and stalls.c) asks whether far huge pages pay,
 * reference.c runs the command in near and in small pages for that. --simulate is scenario.c, what
 * the file says, and simulate.c.
 */
#include <stdlib.h>

#include "base/terminal.h"
#include "base/buffer.h"
#include "base/ending.h"
#include "base/output.h"
#include "base/name.h"
#include "base/version.h"
#include "affinity-rhp/launch.h"
#include "affinity-rhp/options.h"
#include "affinity-rhp/own.h"
#include "affinity-rhp/profile.h"
#include "affinity-rhp/report.h"
#include "affinity-rhp/simulate.h"
#include "system/program.h"

const char PROGRAM_NAME[] = "affinity-rhp";

static int run_command(const struct rhp_options *o, const char *path, FILE *out, struct errors *e)
{
	struct launch l = {.file = -1};
	const struct launch_plan plan = {.path = path,
		.argv = o->argv,
		.from_bytes = o->from_bytes,
		.rest = o->rest,
		.weights = o->weights};
	int status = 0, failed = own_check_weights(o->weights, e);

	if (!failed)
		failed = o->action == RHP_PROFILE ? profile_run(&l, o, &plan, &status, out, e)
						  : launch_run(&l, &plan, e);

	if (!failed) {
		report_programs(l.share, out);
		report_warnings(l.share, o->argv[0], path, e);
		status = l.status;
	}
	launch_free(&l);
	return status;
}

/* The status of the command, or 0. */
static int run_rhp(const struct rhp_options *o, struct errors *e)
{
	char *path =
		o->report && output_check(o->report, e) ? NULL : program_command(o->argv[0], e);
	struct buffer text;
	FILE *out = buffer_open(&text);
	int status = path ? run_command(o, path, out, e) : 0;

	buffer_close(&text, out);
	if (text.size && o->report)
		output_write(o->report, text.data, text.size, e);
	else if (text.size)
		fputs(text.data, stderr);
	free(text.data);
	free(path);
	return status;
}

static void run_simulation(const struct rhp_options *o, struct errors *e)
{
	struct scenario s;

	if (!scenario_read(&s, o->simulate, e))
		simulate(&s, &o->rule, stdout);
	scenario_free(&s);
}

int main(int argc, char **argv)
{
	struct rhp_options options;
	struct errors errors = {0};
	int status = 0;

	if (!rhp_options_parse(&options, argv + (argc > 0), &errors)) {
		if (options.action == RHP_HELP)
			terminal_show(rhp_options_usage);
		else if (options.action == RHP_VERSION)
			printf("%s %s\n", PROGRAM_NAME, AFFINITY_VERSION);
		else if (options.action == RHP_SIMULATE)
			run_simulation(&options, &errors);
		else
			status = run_rhp(&options, &errors);
	}
	ending_flush(&errors);
	errors_print(&errors, 0, stderr);
	status = status ? status : (int)errors_status(&errors);
	errors_free(&errors);
	return status;
}
