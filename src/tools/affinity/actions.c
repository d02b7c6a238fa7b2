/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each option that is an action does. */
#include "affinity/actions.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/output.h"
#include "base/terminal.h"
#include "base/version.h"
#include "compare/compare.h"
#include "machine/memattrs.h"
#include "document/named.h"
#include "describe/describe.h"
#include "findings/findings.h"
#include "input/args.h"
#include "input/recognize.h"
#include "input/registry.h"
#include "placement/idle.h"
#include "placement/team.h"
#include "affinity/caches.h"
#include "affinity/files.h"
#include "affinity/first.h"
#include "affinity/menu.h"
#include "affinity/outputs.h"
#include "affinity/predict.h"
#include "report/progress.h"
#include "report/report.h"

/* On a terminal, as wide as that is. */
static void print_folded(struct buffer *text, FILE *out)
{
	buffer_close(text, out);
	terminal_fold(text->data, terminal_width(stdout), stdout);
	free(text->data);
}

static int list(const struct options *o, struct errors *e)
{
	if (registry_check_patterns(&o->operands, e))
		return -1;
	if (telling_text(o)) {
		struct buffer text;
		FILE *out = buffer_open(&text);

		report_kernels(&o->operands, out);
		print_folded(&text, out);
	}
	if (telling_json(o))
		telling_write(o, describe_kernels(&o->operands), e);
	return 0;
}

/* Names of files are others', too. */
static int compare_results(const struct options *o, struct errors *e)
{
	const struct comparison c = {o->args, o->out, o->history, o->tolerance, o->force};
	struct buffer text;
	FILE *out = buffer_open(&text);
	int failed = compare_files(&c, out, e);

	buffer_show(&text, out, stdout);
	return failed;
}

/* The text of an argument file, which can be copied and changed. */
static int show_file(const struct options *o, struct errors *e)
{
	struct args args;
	int failed = args_read(&args, o->shown, e);

	if (!failed && o->found && !o->quiet)
		fprintf(stderr, "affinity: %s\n", o->shown);
	if (!failed)
		failed = output_write(o->outputs[OUTPUT_TEXT], args.text, args.length, e);
	args_free(&args);
	return failed;
}

static bool has_figures_asked(const struct options *o)
{
	bool any = false;

	for (int i = OUTPUT_TEXT + 1; i < MAX_OUTPUTS; i++)
		any |= o->outputs[i] != NULL;
	return any;
}

static int refuse_json(const struct options *o, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "--json has no effect with --show '%s'", o->shown);
	return error_hint(e, "it takes the figures of a folder that affinity first measured");
}

static int refuse_figures(const struct options *o, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "'%s' is an argument file, which has no figures",
		o->shown);
	return error_hint(e, "--show RESULT.json has those of a result");
}

static int show_results(const struct options *o, struct errors *e)
{
	struct document d;
	const bool writable = !outputs_check(o, e);

	if (o->outputs[OUTPUT_JSON])
		return refuse_json(o, e);
	if (writable && recognize_args(o->shown) == 1)
		return has_figures_asked(o) ? refuse_figures(o, e) : show_file(o, e);
	char *path = writable ? named_result(o->shown, e) : NULL;

	if (!path)
		return -1;
	int failed = document_read(&d, path, e);

	if (!failed) {
		findings_fill(&d);
		failed = outputs_write(o, &d, e);
	}
	document_free(&d);
	free(path);
	return failed;
}

static int help(const struct options *o, struct errors *e)
{
	struct buffer text;
	FILE *out = buffer_open(&text);
	const int failed = report_help(o->help_for, out, e);

	print_folded(&text, out);
	return failed;
}

static int inform(const struct options *o, struct errors *e)
{
	if (o->action == ACTION_LIST)
		return list(o, e);
	else if (o->action == ACTION_VERSION)
		printf("affinity %s (%s; %s)\n", AFFINITY_VERSION, AFFINITY_COMPILER,
			AFFINITY_LIBRARIES);
	else if (o->action == ACTION_COMPARE)
		return compare_results(o, e);
	else if (o->action == ACTION_SHOW)
		return show_results(o, e);
	else if (o->help_for)
		return help(o, e);
	else
		terminal_show(options_usage);
	return 0;
}

static int export(const struct options *o, const struct topo *t, struct errors *e)
{
	const char *const paths[] = {o->args, o->out};

	if (outputs_spare_args("--export-memattrs", o->memattrs, e))
		return -1;
	return memattrs_export(
		t, &(struct memattrs_from){paths, o->out ? 2 : 1, o->force}, o->memattrs, e);
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

static void tell_topology(const struct options *o, const struct topo *t, struct errors *e)
{
	if (telling_text(o)) {
		struct buffer text;
		FILE *out = buffer_open(&text);

		report_topology(t, out);
		print_folded(&text, out);
	}
	if (telling_json(o))
		telling_write(o, describe_topology(t), e);
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
	if ((o->matrix && memattrs_access(&topo, o->matrix, o->force, e)) ||
		(o->bandwidths && memattrs_rates(&topo, o->bandwidths, o->force, e))) {
		topo_free(&topo);
		return;
	}
	if (o->action == ACTION_CACHES && !topo.this_system)
		files_refuse_machine(&topo, e);
	else if (o->action == ACTION_CACHES)
		measure_caches(o, &topo, e);
	else if (o->action == ACTION_TOPOLOGY)
		tell_topology(o, &topo, e);
	else if (o->action == ACTION_CHECK)
		state_check(o, &topo, e);
	else if (o->action == ACTION_EXPORT)
		export(o, &topo, e);
	else if (o->action == ACTION_EXPERIMENTS)
		menu_experiments(o, &topo, e);
	else if (o->action == ACTION_START)
		menu_start(o, &topo);
	else if (o->action == ACTION_SHOW)
		first_show(o, &topo, e);
	else if (o->action == ACTION_WORTH)
		predict_worth(o, &topo, e);
	else if (o->action == ACTION_PLAN)
		batch_plan(o, &topo, e);
	else
		batch_measure(o, &topo, e);
	topo_free(&topo);
}

void actions_perform(const struct options *o, char *const argv[], struct errors *e)
{
	if (o->action != ACTION_MEASURE && telling_check(o, e))
		return;
	if (o->action == ACTION_LIST || o->action == ACTION_HELP || o->action == ACTION_VERSION ||
		o->action == ACTION_COMPARE || (o->action == ACTION_SHOW && !o->shows_folder))
		inform(o, e);
	else
		with_machine(o, argv, e);
}
