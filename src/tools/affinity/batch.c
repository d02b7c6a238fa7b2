/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans or measures all argument files of the command line. */
#include "affinity/actions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/output.h"
#include "base/text.h"
#include "input/recognize.h"
#include "affinity/files.h"
#include "affinity/options.h"
#include "affinity/outputs.h"

/* Copies messages about one file of several; those that have no place get its name, unless they are
 * about the machine: these are said once. Warnings that are not shown must not take the places of
 * messages. */
static void copy_messages(struct errors *e, const struct errors *own, const char *path, bool quiet)
{
	static const char program[] = "affinity: ";

	e->room += own->count;
	for (size_t i = 0; i < own->count; i++) {
		struct message m = own->list[i];

		if (quiet && m.status == STATUS_OK)
			continue;
		char *text = m.about || strncmp(m.text, program, strlen(program))
				     ? alloc_string(m.text, strlen(m.text))
				     : alloc_format("%s: %s", path, m.text + strlen(program));

		m.text = text;
		error_copy(e, &m);
		free(text);
	}
}

/* Most likely OUT, of a command line that measures: a report would give a message for each line. */
static void refuse_other(const struct options *o, const char *path, struct errors *e)
{
	error_add(e, STATUS_USAGE, (struct place){path, 0}, "is not an argument file");
	if (o->action == ACTION_PLAN)
		error_hint(e, "--plan takes argument files only, and no OUT");
	else
		error_hint(e, "affinity ARGS... [OUT]: only the last may be no argument file");
}

/* Reads the one argument file, and does with it what is asked for. */
static void take_one(const struct options *o, const struct topo *t, struct described_plans *plans,
	const char *path, struct errors *e)
{
	struct args args = {0};

	if (o->found && !o->quiet)
		fprintf(stderr, "affinity: %s\n", path);
	files_read(o, path, &args, e);
	files_follow(o, &args, t, plans, e);
	args_free(&args);
}

/* Plans every file, each with its name and its messages. */
static void plan_all(const struct options *o, const struct topo *t, struct described_plans *plans,
	struct errors *e)
{
	for (size_t i = 0; i < o->operands.count; i++) {
		const char *path = o->operands.word[i];
		struct errors own = {0};

		if (telling_text(o))
			printf("%s==== %s ====\n", i ? "\n" : "", args_name(path));
		const bool is_args = recognize_args(path) != 0;

		if (is_args)
			take_one(o, t, plans, path, &own);
		else
			refuse_other(o, path, &own);
		if (!is_args && telling_json(o))
			describe_plan(plans, path, NULL, &own);
		copy_messages(e, &own, path, o->quiet);
		errors_free(&own);
	}
}

void batch_plan(const struct options *o, const struct topo *t, struct errors *e)
{
	struct described_plans plans = {0};

	if (o->operands.count > 1)
		plan_all(o, t, &plans, e);
	else
		take_one(o, t, &plans, o->args, e);
	if (telling_json(o))
		telling_write(o, describe_plans(&plans, t), e);
}

/* One of several files that are measured. */
struct part {
	struct options options; /* with results of its own */
	struct args args;       /* as read first */
};

/* Is there anything that keeps it from being measured? Warnings come when it is. */
static void look_at(struct part *p, const struct options *o, const char *path, const struct topo *t,
	struct errors *e)
{
	struct errors own = {0};

	option_files_for(&p->options, o, path, &own);
	if (recognize_args(path) == 0) {
		refuse_other(o, path, &own);
	} else {
		struct options plan = p->options;

		plan.action = ACTION_PLAN;
		files_read(o, path, &p->args, &own);
		outputs_check(&p->options, &own);
		files_follow(&plan, &p->args, t, NULL, &own);
	}
	copy_messages(e, &own, args_name(path), true);
	errors_free(&own);
}

/* True: nobody waits for the rest, a signal asked to end or the reader of the reports left. */
static bool measure_part(
	const struct part *p, size_t number, const struct topo *t, struct errors *e)
{
	const struct options *o = &p->options;
	struct errors own = {0};
	struct args args = {0};

	if (!o->quiet) {
		fprintf(stderr, "affinity: [%zu/%zu] ", number, o->files);
		text_print_shown(p->args.path, stderr);
		fputc('\n', stderr);
	}
	if (output_same(o->outputs[OUTPUT_TEXT], "-"))
		printf("%s==== %s ====\n", number > 1 ? "\n" : "", p->args.path);
	fflush(stdout); /* the report does not pass through it */
	files_read_again(o, &p->args, &args, &own);
	files_follow(o, &args, t, NULL, &own);
	args_free(&args);
	copy_messages(e, &own, p->args.path, o->quiet);
	errors_conclude(e, own.last);
	own.last = NULL;
	const bool over = errors_status(&own) >= STATUS_SIGNAL;
	errors_free(&own);
	errors_print_short(e, !o->quiet, stderr);
	return over;
}

/* Two files of one name, in different folders, would have the same files of results. */
static void keep_apart(const struct part *a, const struct part *b, struct errors *e)
{
	const char *const *x = a->options.outputs, *const *y = b->options.outputs;

	if (output_same(a->options.args, b->options.args)) {
		output_distinct((const char *[]){a->options.args, b->options.args}, 2, e);
		return;
	}
	for (int i = 0; i < MAX_OUTPUTS; i++)
		if (x[i] && !output_is_stream(x[i]) && !strcmp(x[i], y[i])) {
			error_add(e, STATUS_USAGE, NOWHERE, "'%s' and '%s' would both write '%s'",
				a->options.args, b->options.args, x[i]);
			error_hint(e, "scripts/ejec.sh gives the results of each folder a folder");
			return;
		}
}

static void keep_all_apart(const struct part *parts, size_t count, struct errors *e)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = 0; k < i; k++)
			keep_apart(&parts[k], &parts[i], e);
}

static void measure_parts(
	const struct options *o, struct part *parts, const struct topo *t, struct errors *e)
{
	for (size_t i = 0; i < o->files; i++)
		look_at(&parts[i], o, o->operands.word[i], t, e);
	if (e->failures) {
		error_add(e, errors_status(e), NOWHERE,
			"nothing is measured: each of the %zu argument files must be right first",
			o->files);
		error_hint(e, "scripts/ejec.sh measures those that can be, and skips the others");
		return;
	}
	keep_all_apart(parts, o->files, e);
	if (!t->this_system)
		files_refuse_machine(t, e);
	if (e->failures)
		return;
	for (size_t i = 0; i < o->files; i++)
		if (measure_part(&parts[i], i + 1, t, e))
			return;
}

void batch_measure(const struct options *o, const struct topo *t, struct errors *e)
{
	if (o->files < 2) {
		take_one(o, t, NULL, o->args, e);
		return;
	}
	struct part *parts = alloc_zeroed(o->files, sizeof(*parts));

	measure_parts(o, parts, t, e);
	for (size_t i = 0; i < o->files; i++) {
		option_files_free(&parts[i].options);
		args_free(&parts[i].args);
	}
	free(parts);
}
