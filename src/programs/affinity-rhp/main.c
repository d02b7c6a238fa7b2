/* SPDX-License-Identifier: GPL-3.0-or-later */
/* affinity-rhp: gives large blocks of unchanged programs huge pages of near nodes first. */
#include <stdlib.h>

#include "base/ending.h"
#include "base/output.h"
#include "base/version.h"
#include "programs/affinity-rhp/launch.h"
#include "programs/affinity-rhp/options.h"
#include "programs/affinity-rhp/report.h"
#include "programs/affinity-rhp/simulate.h"
#include "system/program.h"

static void report(const struct rhp_share *s, const char *file, struct errors *e)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out) {
		error_add(e, STATUS_FAILED, NOWHERE, "no memory for the report");
		return;
	}
	report_programs(s, out);
	fclose(out);
	if (file)
		output_write(file, text, size, e);
	else
		fputs(text, stderr);
	free(text);
}

/* The status of the command, or 0. */
static int run(const struct rhp_options *o, struct errors *e)
{
	struct launch l = {.file = -1};
	struct launch_plan plan = {.argv = o->argv, .from_bytes = o->from_bytes, .rest = o->rest};
	char *path =
		o->report && output_check(o->report, e) ? NULL : program_command(o->argv[0], e);
	int status = 0;

	plan.path = path;
	if (path && !launch_run(&l, &plan, e)) {
		report(l.share, o->report, e);
		report_warnings(l.share, o->argv[0], path, e);
		status = l.status;
	}
	launch_free(&l);
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
			rhp_options_usage(stdout);
		else if (options.action == RHP_VERSION)
			printf("affinity-rhp %s\n", AFFINITY_VERSION);
		else if (options.action == RHP_SIMULATE)
			run_simulation(&options, &errors);
		else
			status = run(&options, &errors);
	}
	ending_flush(&errors);
	errors_print(&errors, 0, stderr);
	status = status ? status : (int)errors_status(&errors);
	errors_free(&errors);
	return status;
}
