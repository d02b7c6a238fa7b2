/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the operands by what is to be done. */
#include "affinity/options.h"

#include <string.h>
#include <unistd.h>

#include "input/recognize.h"
#include "affinity/outputs.h"

/* What an action takes as operands. */
static const struct operands {
	enum action action;
	size_t least, most;
	const char *names;         /* of those that it takes */
	const char *missing, *how; /* if there are fewer: what is wrong, and a hint */
	const char *more;          /* a hint if there are more */
} operands_of[] = {
	{ACTION_MEASURE, 1, SIZE_MAX, NULL, "ARGS is missing: affinity [options] ARGS... [OUT]",
		"for example: affinity args/quickstart/1_one_thread.args", NULL},
	{ACTION_PLAN, 1, SIZE_MAX, NULL, "ARGS is missing: affinity --plan ARGS...",
		"for example: affinity --plan args/quickstart/1_one_thread.args", NULL},
	{ACTION_PREDICT, 1, 2, "--predict takes ARGS and OUT",
		"ARGS is missing: affinity --predict PROFILE ARGS [OUT]",
		"for example: affinity --predict results/HOST/profile "
		"args/pruebas_solo_priv/mc.args",
		"several results of PROFILE are one word: A.json,B.json, or folders"},
	{ACTION_ADVISE, 1, 2, "--advise takes ARGS and OUT",
		"ARGS is missing: affinity --advise PROFILE ARGS [OUT]",
		"ARGS has a ? where a node or size of pages is to be chosen",
		"several results of PROFILE are one word: A.json,B.json, or folders"},
	{ACTION_WORTH, 0, 0, "--worth takes none", NULL, NULL,
		"--output FILE writes its text there; several results are one word: A.json,B.json, "
		"or folders"},
	{ACTION_COMPARE, 2, 2, "--compare takes A.json and B.json",
		"--compare needs two result documents: affinity --compare A.json B.json",
		"affinity --json A.json ARGS OUT writes one",
		"several results of a side are one word: A1.json,A2.json,A3.json"},
	{ACTION_SHOW, 0, 1, "--show takes OUT", NULL, NULL, "one result document at a time"},
	{ACTION_EXPORT, 1, 2, "--export-memattrs takes A.json and B.json",
		"--export-memattrs: a result document is missing",
		"affinity --json A.json args/matrix/latency.args OUT writes one",
		"latency and bandwidth come from one document or two"},
	{ACTION_CACHES, 0, 0, "--measure-caches takes none", NULL, NULL,
		"caches: measured:FILE uses what it writes"},
	{ACTION_LIST, 0, SIZE_MAX, NULL, NULL, NULL, NULL},        /* patterns of names */
	{ACTION_EXPERIMENTS, 0, SIZE_MAX, NULL, NULL, NULL, NULL}, /* words for them */
	{ACTION_TOPOLOGY, 0, 0, "--topology takes none", NULL, NULL,
		"HWLOC_XMLFILE=FILE shows another machine"},
	{ACTION_CHECK, 0, 0, "--check takes none", NULL, NULL,
		"--plan ARGS checks an argument file"},
};

/* As in `affinity --json one.args`. */
static int hint_taken(const struct options *o, struct errors *e)
{
	for (const struct output_format *f = output_formats; f->suffix; f++) {
		const char *file = f->option ? o->outputs[f - output_formats] : NULL;

		if (file && recognize_args(file) == 1)
			return error_hint(e,
				"'%s' is the FILE of %s here, and would be replaced: affinity %s "
				"FILE %s",
				file, f->option, f->option, file);
	}
	return -1;
}

static void check_number(const struct options *o, const struct operands *x, struct errors *e)
{
	size_t count = o->operands.count;

	if (count < x->least) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s", x->missing);
		error_hint(e, "%s", x->how);
		hint_taken(o, e);
	}
	if (count <= x->most)
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "'%s' is one operand too many; %s",
		o->operands.word[x->most], x->names);
	error_hint(e, "%s", x->more);
}

/* The last operand of a measurement is OUT, unless it is an argument file: no result replaces one.
 */
static size_t count_files(const struct options *o)
{
	const size_t count = o->operands.count;

	if (o->action == ACTION_PLAN)
		return count;
	if (o->action == ACTION_SHOW)
		return 0;
	if (o->action != ACTION_MEASURE || count < 2)
		return count > 0;
	return count - (recognize_args(o->operands.word[count - 1]) != 1);
}

/* A mistyped name of a last argument file would become that of a report. */
static void refuse_missing(const struct options *o, struct errors *e)
{
	static const char own[] = ".args";
	const size_t length = o->out ? strlen(o->out) : 0, of_own = sizeof(own) - 1;

	if (o->action != ACTION_MEASURE || length <= of_own ||
		strcmp(o->out + length - of_own, own) != 0 || !access(o->out, F_OK))
		return;
	error_add(e, STATUS_USAGE, (struct place){o->out, 0},
		"cannot read the argument file: No such file or directory");
	error_hint(e, "a report, which is the last operand, needs another ending than .args");
}

void operands_take(struct options *o, struct errors *e)
{
	o->files = count_files(o);
	o->args = o->files > 0 ? o->operands.word[0] : NULL;
	o->out = o->operands.count > o->files ? o->operands.word[o->files] : NULL;
	refuse_missing(o, e);
	for (size_t i = 0; i < sizeof(operands_of) / sizeof(*operands_of); i++)
		if (operands_of[i].action == o->action)
			check_number(o, &operands_of[i], e);
}
